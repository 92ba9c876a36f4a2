//! Where bills meet: a platform and a month that several of them have lines of.

use std::collections::{BTreeMap, BTreeSet};

use kashi_parsers::layout::Bill;
use kashi_parsers::ledger::{Code, Ledger, TextColumn};

/// A platform and a month that several bills have lines of.
pub(super) struct Scope {
    /// The platform that the lines name.
    pub(super) platform: String,
    /// The month, `2026-10`.
    pub(super) period: String,
    /// The bills in the order of their names.
    pub(super) shares: Vec<Share>,
}

/// What a bill has of a scope.
#[derive(Clone)]
pub(super) struct Share {
    /// The bill's place.
    pub(super) bill: usize,
    /// Its lines.
    pub(super) lines: Vec<usize>,
}

/// An account that lines name; `None` where they name none.
pub(super) type Account = Option<Code>;

impl Share {
    /// The accounts that its lines name.
    pub(super) fn accounts(&self, ledger: &Ledger) -> BTreeSet<Account> {
        self.lines.iter().map(|line| ledger.code(TextColumn::Account, *line)).collect()
    }
}

/// The scopes that more than one bill has lines of.
pub(super) fn shared(ledger: &Ledger, bills: &[Bill]) -> Vec<Scope> {
    if bills.len() < 2 {
        return Vec::new();
    }
    let mut found: BTreeMap<Key, BTreeSet<usize>> = BTreeMap::new();
    for (at, bill) in bills.iter().enumerate() {
        let mut last = None;
        for line in lines(bill) {
            let key = key(ledger, line);
            if last != Some(key) {
                found.entry(key).or_default().insert(at);
                last = Some(key);
            }
        }
    }
    found.retain(|_, bills| bills.len() > 1);
    found.into_iter().map(|(key, at)| scope(ledger, bills, key, at)).collect()
}

/// Platform and month.
type Key = (Option<Code>, Option<Code>);

fn key(ledger: &Ledger, line: usize) -> Key {
    (ledger.code(TextColumn::Platform, line), ledger.code(TextColumn::Period, line))
}

fn lines(bill: &Bill) -> std::ops::Range<usize> {
    bill.first_line..bill.first_line + bill.lines
}

fn scope(ledger: &Ledger, bills: &[Bill], of: Key, at: BTreeSet<usize>) -> Scope {
    let mut at: Vec<usize> = at.into_iter().collect();
    at.sort_by(|a, b| bills[*a].origin.cmp(&bills[*b].origin));
    let share = |bill| Share { bill, lines: lines(&bills[bill]).filter(|line| key(ledger, *line) == of).collect() };
    let text = |code: Option<Code>| code.map(|code| ledger.text_of(code).to_owned()).unwrap_or_default();
    Scope { platform: text(of.0), period: text(of.1), shares: at.into_iter().map(share).collect() }
}
