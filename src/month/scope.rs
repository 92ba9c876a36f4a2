//! Where bills meet: a platform and a month that several of them have lines of.

use std::collections::{BTreeMap, BTreeSet};

use kashi_parsers::layout::Bill;
use kashi_parsers::ledger::{Code, Ledger, TextColumn};

use super::account::{Account, Accounts};
use super::aside::Aside;

/// A platform and a month that several bills have lines of.
pub(super) struct Scope {
    /// The platform that the lines name.
    pub(super) platform: String,
    /// The month, `2026-10`.
    pub(super) period: String,
    /// The bills in the order of their names.
    pub(super) shares: Vec<Share>,
    /// The accounts that are written in several ways.
    pub(super) accounts: Accounts,
}

impl Scope {
    /// The account that a line names.
    pub(super) fn account(&self, ledger: &Ledger, line: usize) -> Account {
        self.accounts.of(ledger, line)
    }

    /// Notes accounts that a spreadsheet has destroyed.
    pub(super) fn say_destroyed(&self, ledger: &Ledger, aside: &mut Aside) {
        for share in &self.shares {
            if let Some(name) = self.accounts.destroyed(ledger, &share.lines) {
                let note = format!(
                    "names the account {name} in {}: a spreadsheet has destroyed the number, and its lines may be of any account",
                    self.period
                );
                aside.note(share.bill, note);
            }
        }
    }
}

/// What a bill has of a scope.
#[derive(Clone)]
pub(super) struct Share {
    /// The bill's place.
    pub(super) bill: usize,
    /// Its lines.
    pub(super) lines: Vec<usize>,
}

impl Share {
    /// The accounts that its lines name.
    pub(super) fn accounts(&self, ledger: &Ledger, scope: &Scope) -> BTreeSet<Account> {
        self.lines.iter().map(|line| scope.account(ledger, *line)).collect()
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
        for line in bill.span() {
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

fn scope(ledger: &Ledger, bills: &[Bill], of: Key, at: BTreeSet<usize>) -> Scope {
    let mut at: Vec<usize> = at.into_iter().collect();
    at.sort_by(|a, b| bills[*a].origin.cmp(&bills[*b].origin));
    let share = |bill| Share { bill, lines: bills[bill].span().filter(|line| key(ledger, *line) == of).collect() };
    let text = |code: Option<Code>| code.map(|code| ledger.text_of(code).to_owned()).unwrap_or_default();
    let shares: Vec<Share> = at.into_iter().map(share).collect();
    let accounts = Accounts::new(ledger, shares.iter().flat_map(|share| &share.lines).copied());
    Scope { platform: text(of.0), period: text(of.1), shares, accounts }
}
