//! Two bills of one layout, held against each other charge by charge.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::{DateTime, Utc};
use kashi_parsers::ledger::{Ledger, TextColumn};

use super::scope::Share;

/// What tells the charges of a layout apart, of the texts that a bill does not change later.
const TOLD_BY: [TextColumn; 8] = [
    TextColumn::Account,
    TextColumn::Project,
    TextColumn::Kind,
    TextColumn::Resource,
    TextColumn::Sku,
    TextColumn::Region,
    TextColumn::Unit,
    TextColumn::Currency,
];

/// The columns that tell the charges of some bills apart: a text that one of them never has (an
/// export without resources) tells nothing.
pub(super) fn told_by(ledger: &Ledger, shares: &[&Share]) -> Vec<TextColumn> {
    let has = |share: &Share, column| share.lines.iter().any(|line| ledger.code(column, *line).is_some());
    let mut columns: Vec<TextColumn> =
        TOLD_BY.into_iter().filter(|column| shares.iter().all(|share| has(share, *column))).collect();
    let untimed = |share: &&Share| share.lines.iter().any(|line| time(ledger, *line).is_none());
    if shares.iter().any(untimed) && shares.iter().all(|share| has(share, TextColumn::Invoice)) {
        columns.push(TextColumn::Invoice);
    }
    columns
}

/// A charge: what it is, and what it comes to, as hashes that are the same on every run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Charge {
    pub(super) key: u64,
    pub(super) amount: u64,
    pub(super) line: usize,
}

/// The charge of a line.
pub(super) fn charge(ledger: &Ledger, line: usize, told_by: &[TextColumn]) -> Charge {
    let row = ledger.line(line);
    let mut key = DefaultHasher::new();
    for column in told_by {
        ledger.code(*column, line).hash(&mut key);
    }
    (row.start(), row.end()).hash(&mut key);
    if row.start().is_none() {
        row.posted().hash(&mut key);
    }
    let mut amount = DefaultHasher::new();
    (row.cost(), row.quantity()).hash(&mut amount);
    if !row.is_charge() {
        row.money(kashi_parsers::ledger::MoneyColumn::Paid).hash(&mut amount);
    }
    Charge { key: key.finish(), amount: amount.finish(), line }
}

/// When a line was, as far as it is to be told by time.
pub(super) fn time(ledger: &Ledger, line: usize) -> Option<DateTime<Utc>> {
    let line = ledger.line(line);
    line.start().or(line.posted())
}

/// From the first to the last time of lines; `None` if one has none, and the file may be of any.
pub(super) fn span(ledger: &Ledger, lines: &[usize]) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let mut span: Option<(DateTime<Utc>, DateTime<Utc>)> = None;
    for line in lines {
        let at = time(ledger, *line)?;
        span = Some(span.map_or((at, at), |(from, to)| (from.min(at), to.max(at))));
    }
    span
}

/// The charges that two bills have in the time that both speak of.
pub(super) struct Compared {
    /// Charges of the first and of the second, in order.
    pub(super) charges: [Vec<Charge>; 2],
    /// Different charges of the first, of the second, and of both.
    pub(super) distinct: [usize; 2],
    pub(super) shared: usize,
    /// Lines of each that the other does not have with the same amounts.
    pub(super) own: [usize; 2],
    /// Charges that only one has.
    pub(super) alone: [usize; 2],
    /// A line of the first and one of the second for charges with other amounts.
    pub(super) changed: Vec<(usize, usize)>,
}

impl Compared {
    /// Compares lines of two bills.
    pub(super) fn new(ledger: &Ledger, lines: [&[usize]; 2], told_by: &[TextColumn]) -> Self {
        let spans = lines.map(|lines| span(ledger, lines));
        let charges = lines.map(|lines| {
            let within = |line: &&usize| match (spans, time(ledger, **line)) {
                ([Some(a), Some(b)], Some(at)) => at >= a.0.max(b.0) && at <= a.1.min(b.1),
                _ => true,
            };
            let mut charges: Vec<Charge> =
                lines.iter().filter(within).map(|line| charge(ledger, *line, told_by)).collect();
            charges.sort_unstable();
            charges
        });
        let mut compared =
            Self { charges, distinct: [0; 2], shared: 0, own: [0; 2], alone: [0; 2], changed: Vec::new() };
        compared.count();
        compared
    }

    fn count(&mut self) {
        let charges = std::mem::take(&mut self.charges);
        let (mut a, mut b) = (&charges[0][..], &charges[1][..]);
        while let Some(key) = a.first().map(|c| c.key).into_iter().chain(b.first().map(|c| c.key)).min() {
            let (of_a, of_b) = (same(a, key), same(b, key));
            (a, b) = (&a[of_a.len()..], &b[of_b.len()..]);
            self.distinct[0] += usize::from(!of_a.is_empty());
            self.distinct[1] += usize::from(!of_b.is_empty());
            match (of_a, of_b) {
                (only, []) => self.only(0, only),
                ([], only) => self.only(1, only),
                _ => self.both(of_a, of_b),
            }
        }
        self.charges = charges;
    }

    fn only(&mut self, side: usize, charges: &[Charge]) {
        self.alone[side] += 1;
        self.own[side] += charges.len();
    }

    /// Two runs of one charge, sorted by amount: what each has that the other has not.
    fn both(&mut self, a: &[Charge], b: &[Charge]) {
        self.shared += 1;
        let (mut at, mut bt) = (0, 0);
        let mut first = [None; 2];
        while at < a.len() || bt < b.len() {
            match (a.get(at), b.get(bt)) {
                (Some(one), Some(other)) if one.amount == other.amount => (at, bt) = (at + 1, bt + 1),
                (Some(one), other) if other.is_none_or(|other| one.amount < other.amount) => {
                    first[0].get_or_insert(one.line);
                    self.own[0] += 1;
                    at += 1;
                }
                (_, other) => {
                    first[1] = first[1].or(other.map(|c| c.line));
                    self.own[1] += 1;
                    bt += 1;
                }
            }
        }
        if first != [None; 2] {
            self.changed.push((first[0].unwrap_or(a[0].line), first[1].unwrap_or(b[0].line)));
        }
    }

    /// The lines of a side, in the order of its file.
    pub(super) fn lines(&self, side: usize) -> BTreeSet<usize> {
        self.charges[side].iter().map(|charge| charge.line).collect()
    }
}

fn same(charges: &[Charge], key: u64) -> &[Charge] {
    &charges[..charges.iter().take_while(|charge| charge.key == key).count()]
}
