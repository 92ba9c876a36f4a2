//! Bills of one layout that come to the same and have no charge in common: one export, written in two ways.

use kashi_parsers::error::Kind as Fault;
use kashi_parsers::layout::Bill;
use kashi_parsers::ledger::{Ledger, TextColumn};
use kashi_parsers::{Error, message};
use rust_decimal::Decimal;

use super::account::{alike, meet, totals};
use super::aside::sums;
use super::scope::{Scope, Share};

/// Lines below which two accounts may well cost the same: one package each.
const LEAST: usize = 10;

/// Bills of different accounts with as many lines that come to the same: platforms name an account
/// in more than one way, and spreadsheets change how a long number is written.
pub(super) fn named(ledger: &Ledger, bills: &[Bill], scope: &Scope, shares: &[&Share]) -> Vec<Error> {
    let of: Vec<_> =
        shares.iter().map(|s| (*s, s.accounts(ledger, scope), sums(ledger, s.lines.iter().copied()))).collect();
    let mut errors = Vec::new();
    for (at, (one, accounts, come_to)) in of.iter().enumerate() {
        let Some(total) = totals(come_to) else { continue };
        for (other, others, also) in &of[at + 1..] {
            let many = one.lines.len() >= LEAST && one.lines.len() == other.lines.len();
            let same = many && totals(also).as_ref() == Some(&total);
            if same && !meet(accounts, others) {
                let [one, other] = [one, other].map(|share| &bills[share.bill].origin);
                errors.push(alike((&scope.platform, &scope.period), one, other, come_to));
            }
        }
    }
    errors
}

/// Bills of which one names resources and the other none, and which come to the same: one export,
/// grouped in two ways. Sums of binary floats differ in their last digits.
pub(super) fn grouped(ledger: &Ledger, bills: &[Bill], scope: &Scope, shares: &[Share]) -> Vec<Error> {
    let named = |share: &Share| share.lines.iter().any(|l| ledger.code(TextColumn::Resource, *l).is_some());
    let (named, unnamed): (Vec<&Share>, Vec<&Share>) = shares.iter().partition(|share| named(share));
    if named.is_empty() || unnamed.is_empty() {
        return Vec::new();
    }
    let sum = |share: &Share| -> Vec<(String, Decimal)> {
        let sums = sums(ledger, share.lines.iter().copied());
        sums.into_iter().map(|(currency, (_, sum))| (currency, sum.round_dp(6))).collect()
    };
    let mut errors = Vec::new();
    for one in &named {
        for other in unnamed.iter().filter(|other| sum(one) == sum(other)) {
            let [one, other] = [one, other].map(|share| &bills[share.bill].origin);
            let message = message!(
                "comes to the same as {one} for {} in {}, which names resources and it does not: one export, grouped in two ways",
                scope.platform,
                scope.period
            );
            errors.push(Error::new(Fault::Input, message).at(other.clone()).hint("give the one that names resources"));
        }
    }
    errors
}
