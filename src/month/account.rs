//! Accounts, however bills write them.

use std::collections::{BTreeMap, BTreeSet};

use kashi_parsers::error::Kind as Fault;
use kashi_parsers::ledger::{Code, Ledger, TextColumn};
use kashi_parsers::{Error, Origin, message};
use rust_decimal::Decimal;

use super::aside::{Sums, shown};

/// An account that lines name; `None` where they name none.
pub(super) type Account = Option<Code>;

/// The accounts of a scope that stand for another one than is written.
#[derive(Default)]
pub(super) struct Accounts {
    same: BTreeMap<Code, Account>,
}

impl Accounts {
    /// Finds the names that are one account: those that differ in what a spreadsheet puts around a
    /// long number, and a path beside its last component. What a spreadsheet has destroyed is none.
    pub(super) fn new(ledger: &Ledger, lines: impl Iterator<Item = usize>) -> Self {
        let codes: BTreeSet<Code> = lines.filter_map(|line| ledger.code(TextColumn::Account, line)).collect();
        let named = |code: &Code| trimmed(ledger.text_of(*code));
        let mut first: BTreeMap<&str, Code> = BTreeMap::new();
        for code in &codes {
            first.entry(named(code)).or_insert(*code);
        }
        let of = |code: &Code| {
            let name = named(code);
            let last = name.rsplit('/').next().unwrap_or(name);
            (!is_destroyed(name)).then(|| first.get(last).or(first.get(name)).copied().unwrap_or(*code))
        };
        let same = codes.iter().map(|code| (*code, of(code)));
        Self { same: same.filter(|(code, account)| *account != Some(*code)).collect() }
    }

    /// The account that a line names.
    pub(super) fn of(&self, ledger: &Ledger, line: usize) -> Account {
        let code = ledger.code(TextColumn::Account, line)?;
        self.same.get(&code).copied().unwrap_or(Some(code))
    }

    /// The name of an account among lines that a spreadsheet has destroyed.
    pub(super) fn destroyed<'a>(&self, ledger: &'a Ledger, lines: &[usize]) -> Option<&'a str> {
        let gone = |line: &usize| {
            let code = ledger.code(TextColumn::Account, *line)?;
            (self.same.get(&code) == Some(&None)).then(|| ledger.text_of(code))
        };
        if self.same.is_empty() { None } else { lines.iter().find_map(gone) }
    }
}

/// A name without what marks it as a text in a spreadsheet: `'123`, `` `123 ``, `="123"`.
fn trimmed(name: &str) -> &str {
    name.trim_matches(|c: char| matches!(c, '\'' | '`' | '"' | '=') || c.is_whitespace())
}

/// Whether a name is a long number of which a spreadsheet has kept the first digits: `4.81516E+11`.
fn is_destroyed(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let Some((number, exponent)) = name.split_once("E+") else { return false };
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    whole.len() == 1 && digits(whole) && digits(part) && digits(exponent)
}

/// Whether two sets of accounts may be the same: a bill that names none may be of any.
pub(super) fn meet(a: &BTreeSet<Account>, b: &BTreeSet<Account>) -> bool {
    a.contains(&None) || b.contains(&None) || a.iter().any(|account| b.contains(account))
}

pub(super) fn meets(account: Account, accounts: &BTreeSet<Account>) -> bool {
    account.is_none() || accounts.contains(&None) || accounts.contains(&account)
}

/// Sums by currency; `None` where all is 0, which is no sign of anything.
pub(super) fn totals(sums: &Sums) -> Option<Vec<(&str, Decimal)>> {
    let all: Vec<_> = sums.iter().map(|(currency, (_, sum))| (currency.as_str(), *sum)).collect();
    all.iter().any(|(_, sum)| !sum.is_zero()).then_some(all)
}

/// Two bills of different accounts that come to the same.
pub(super) fn alike((platform, period): (&str, &str), one: &Origin, other: &Origin, sums: &Sums) -> Error {
    let message = message!(
        "and {one} name different accounts of {platform} in {period} and come to the same, {}: they are the same money, with the account named in two ways",
        shown(sums),
    );
    Error::new(Fault::Input, message).at(other.clone()).hint("give one of the two")
}
