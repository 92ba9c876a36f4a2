//! Lines that do not count because another line has their money.

use std::collections::BTreeMap;
use std::ops::Range;

use kashi_parsers::layout::{Bill, Reason};
use kashi_parsers::ledger::Ledger;
use rust_decimal::Decimal;

/// What lines add up to, by currency: their number, and the sum of the charges among them.
pub type Sums = BTreeMap<String, (usize, Decimal)>;

/// Lines set aside, and what is to be said of it.
pub(super) struct Aside {
    /// Why a line does not count, by line; empty as long as all of them do.
    reasons: Vec<Option<Reason>>,
    notes: Vec<Vec<String>>,
}

impl Aside {
    pub(super) fn new(bills: usize) -> Self {
        Self { reasons: Vec::new(), notes: vec![Vec::new(); bills] }
    }

    /// Sets a line aside.
    pub(super) fn put(&mut self, ledger: &Ledger, line: usize, reason: Reason) {
        self.reasons.resize(ledger.len(), None);
        self.reasons[line].get_or_insert(reason);
    }

    /// Whether a line still counts.
    pub(super) fn counts(&self, line: usize) -> bool {
        self.reasons.get(line).is_none_or(Option::is_none)
    }

    /// Notes something of a bill.
    pub(super) fn note(&mut self, bill: usize, note: String) {
        self.notes[bill].push(note);
    }

    /// What the lines set aside add up to, by bill.
    pub(super) fn sums(&self, ledger: &Ledger, bills: &[Bill]) -> Vec<Sums> {
        let gone = |bill: &Bill| sums(ledger, bill.span().filter(|line| !self.counts(*line)));
        bills.iter().map(gone).collect()
    }

    /// The ledger without them, and the bills as they are then; `None` if every line counts.
    pub(super) fn take_from(self, ledger: &Ledger, bills: &mut [Bill]) -> Option<Ledger> {
        for (bill, notes) in bills.iter_mut().zip(&self.notes) {
            bill.notes.extend(notes.iter().cloned());
        }
        if self.reasons.is_empty() {
            return None;
        }
        let mut before = 0;
        for bill in bills {
            let gone = self.leave_out(ledger, bill);
            bill.first_line -= before;
            before += gone;
        }
        let keep: Vec<bool> = self.reasons.iter().map(Option::is_none).collect();
        Some(ledger.keep(&keep))
    }

    /// Counts the rows of a bill that are left out; a row of which a line is left is none.
    fn leave_out(&self, ledger: &Ledger, bill: &mut Bill) -> usize {
        let (mut gone, Range { start: mut at, end }) = (0, bill.span());
        while at < end {
            let row = ledger.line(at).row();
            let next = (at + 1..end).find(|line| ledger.line(*line).row() != row).unwrap_or(end);
            let of_row = &self.reasons[at..next];
            let lines = of_row.iter().flatten().count();
            gone += lines;
            match of_row.iter().copied().collect::<Option<Vec<Reason>>>().as_deref() {
                Some([first, ..]) => {
                    *bill.left_out.entry(*first).or_default() += 1;
                    bill.parts -= lines - 1;
                }
                _ => bill.parts -= lines,
            }
            at = next;
        }
        bill.lines -= gone;
        gone
    }
}

/// What the charges among lines add up to.
pub(super) fn sums(ledger: &Ledger, lines: impl IntoIterator<Item = usize>) -> Sums {
    let mut sums = Sums::new();
    for line in lines.into_iter().map(|line| ledger.line(line)).filter(|line| line.is_charge()) {
        if !sums.contains_key(line.currency()) {
            sums.insert(line.currency().to_owned(), (0, Decimal::ZERO));
        }
        if let Some(sum) = sums.get_mut(line.currency()) {
            sum.0 += 1;
            // Sums beyond the range are refused where the ledger is added up.
            sum.1 = sum.1.saturating_add(line.cost());
        }
    }
    sums
}

/// One sum less another, by currency.
pub(super) fn less(from: &Sums, other: &Sums) -> BTreeMap<String, Decimal> {
    let mut difference: BTreeMap<String, Decimal> = from.iter().map(|(c, (_, sum))| (c.clone(), *sum)).collect();
    for (currency, (_, sum)) in other {
        let left = difference.entry(currency.clone()).or_default();
        *left = left.saturating_sub(*sum);
    }
    difference
}

/// Sums as a person reads them.
pub(super) fn shown(sums: &Sums) -> String {
    let all: Vec<String> = sums.iter().map(|(currency, (_, sum))| format!("{} {currency}", sum.normalize())).collect();
    if all.is_empty() { "0".to_owned() } else { all.join(" and ") }
}

/// A difference as a person reads it.
pub(super) fn signed(difference: &BTreeMap<String, Decimal>) -> String {
    let sign = |amount: &Decimal| if amount.is_sign_negative() && !amount.is_zero() { "" } else { "+" };
    let each = difference.iter().map(|(currency, by)| format!("{}{} {currency}", sign(by), by.normalize()));
    let all: Vec<String> = each.collect();
    if all.is_empty() { "0".to_owned() } else { all.join(" and ") }
}
