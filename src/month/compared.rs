//! Two bills of one layout, held against each other charge by charge.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::{DateTime, Utc};
use kashi_parsers::ledger::{Code, Ledger, TextColumn};

use super::account::Accounts;
use super::scope::{Scope, Share};

/// Lines that a platform may take back.
const FEW: usize = 3;

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
pub(super) fn told_by<'a>(ledger: &Ledger, scope: &'a Scope, shares: &[&Share]) -> Told<'a> {
    let mut told = Told { columns: Vec::new(), accounts: &scope.accounts };
    let has = |share: &Share, column| share.lines.iter().any(|line| told.code(ledger, column, *line).is_some());
    let mut columns: Vec<TextColumn> =
        TOLD_BY.into_iter().filter(|column| shares.iter().all(|share| has(share, *column))).collect();
    let untimed = |share: &&Share| share.lines.iter().any(|line| time(ledger, *line).is_none());
    if shares.iter().any(untimed) && shares.iter().all(|share| has(share, TextColumn::Invoice)) {
        columns.push(TextColumn::Invoice);
    }
    told.columns = columns;
    told
}

/// What tells the charges of some bills apart.
pub(super) struct Told<'a> {
    columns: Vec<TextColumn>,
    accounts: &'a Accounts,
}

impl Told<'_> {
    fn code(&self, ledger: &Ledger, column: TextColumn, line: usize) -> Option<Code> {
        match column {
            TextColumn::Account => self.accounts.of(ledger, line),
            column => ledger.code(column, line),
        }
    }
}

/// A charge: what it is, and what it comes to, as hashes that are the same on every run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Charge {
    pub(super) key: u64,
    pub(super) amount: u64,
    pub(super) line: usize,
}

/// The charge of a line.
fn charge(ledger: &Ledger, line: usize, told_by: &Told<'_>) -> Charge {
    let row = ledger.line(line);
    let mut amount = DefaultHasher::new();
    (row.cost(), row.quantity()).hash(&mut amount);
    if !row.is_charge() {
        row.money(kashi_parsers::ledger::MoneyColumn::Paid).hash(&mut amount);
    }
    Charge { key: key(ledger, line, told_by), amount: amount.finish(), line }
}

/// What tells the charge of a line from others.
pub(super) fn key(ledger: &Ledger, line: usize, told_by: &Told<'_>) -> u64 {
    let row = ledger.line(line);
    let mut key = DefaultHasher::new();
    for column in &told_by.columns {
        told_by.code(ledger, *column, line).hash(&mut key);
    }
    let start = row.start();
    (start, row.end()).hash(&mut key);
    if start.is_none() {
        row.posted().hash(&mut key);
    }
    key.finish()
}

/// When a line was, as far as it is to be told by time.
pub(super) fn time(ledger: &Ledger, line: usize) -> Option<DateTime<Utc>> {
    let line = ledger.line(line);
    line.start().or(line.posted())
}

/// The first and the last time of lines.
type Span = (DateTime<Utc>, DateTime<Utc>);

/// From the first to the last time of lines; `None` if one has none, and the file may be of any.
fn span(ledger: &Ledger, lines: &[usize]) -> Option<Span> {
    let mut span: Option<Span> = None;
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
    /// Lines of each for the same charge with the same amounts.
    pub(super) matched: Vec<[usize; 2]>,
    /// From the first to the last time of each, of all its lines.
    spans: [Option<Span>; 2],
    /// When each charged last, of all its lines.
    pub(super) last: [Option<DateTime<Utc>>; 2],
    /// Charges that only one has.
    pub(super) alone: [usize; 2],
    /// Their lines.
    gone: [Vec<usize>; 2],
    /// A line of the first and one of the second for charges with other amounts.
    pub(super) changed: Vec<(usize, usize)>,
}

impl Compared {
    /// Compares lines of two bills.
    pub(super) fn new(ledger: &Ledger, lines: [&[usize]; 2], told_by: &Told<'_>) -> Self {
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
        let mut compared = Self {
            charges,
            distinct: [0; 2],
            shared: 0,
            own: [0; 2],
            matched: Vec::new(),
            spans,
            last: lines.map(|lines| lines.iter().filter_map(|line| ledger.line(*line).posted()).max()),
            alone: [0; 2],
            gone: [Vec::new(), Vec::new()],
            changed: Vec::new(),
        };
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
        // By row, not by hash, as a person reads them.
        self.changed.sort_unstable();
    }

    fn only(&mut self, side: usize, charges: &[Charge]) {
        self.alone[side] += 1;
        self.own[side] += charges.len();
        self.gone[side].extend(charges.iter().map(|charge| charge.line));
    }

    /// Two runs of one charge, sorted by amount: what each has that the other has not.
    fn both(&mut self, a: &[Charge], b: &[Charge]) {
        self.shared += 1;
        let (mut at, mut bt) = (0, 0);
        let mut first = [None; 2];
        while at < a.len() || bt < b.len() {
            match (a.get(at), b.get(bt)) {
                (Some(one), Some(other)) if one.amount == other.amount => {
                    self.matched.push([one.line, other.line]);
                    (at, bt) = (at + 1, bt + 1);
                }
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

    /// Whether the time that a side speaks of holds all of the other's.
    pub(super) fn covers(&self, side: usize) -> bool {
        match (self.spans[side], self.spans[1 - side]) {
            (Some(own), Some(other)) => own.0 <= other.0 && other.1 <= own.1,
            (own, _) => own.is_none(),
        }
    }

    /// Whether the other side lacks so much of a side that it may be of some products only: more than
    /// a tenth of its lines, or more than a few and with them a product altogether.
    pub(super) fn is_thinned(&self, ledger: &Ledger, side: usize) -> bool {
        let gone = &self.gone[side];
        let named = |side: usize| self.charges[side].iter().filter_map(|c| ledger.code(TextColumn::Sku, c.line));
        let kept: BTreeSet<Code> = named(1 - side).collect();
        let lost =
            || gone.iter().filter_map(|line| ledger.code(TextColumn::Sku, *line)).any(|sku| !kept.contains(&sku));
        gone.len() * 10 > self.charges[side].len() || gone.len() > FEW && lost()
    }

    /// The lines of a side, in the order of its file.
    pub(super) fn lines(&self, side: usize) -> BTreeSet<usize> {
        self.charges[side].iter().map(|charge| charge.line).collect()
    }
}

fn same(charges: &[Charge], key: u64) -> &[Charge] {
    &charges[..charges.iter().take_while(|charge| charge.key == key).count()]
}
