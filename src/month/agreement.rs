//! Sums that must be the same: what a summary states, and what its details add up to.

use std::collections::BTreeSet;

use kashi_parsers::Origin;
use rust_decimal::Decimal;

use super::account::{Account, meet};
use super::aside::Aside;

/// A summary that is given beside its details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The summary.
    pub origin: Origin,
    /// The bills whose lines count in its place.
    pub details: Vec<Origin>,
    /// The platform.
    pub platform: String,
    /// The month, `2026-10`.
    pub period: String,
    /// ISO 4217.
    pub currency: String,
    /// What the summary states.
    pub stated: Decimal,
    /// Lines of the details.
    pub lines: usize,
    /// What they add up to.
    pub lines_total: Decimal,
}

/// An agreement, and whose money it is of.
pub(super) struct Held {
    pub(super) agreement: Agreement,
    /// The first bill of the summary.
    pub(super) bill: usize,
    /// The bills of the details.
    pub(super) details: Vec<usize>,
    pub(super) accounts: BTreeSet<Account>,
}

impl Held {
    /// What the summary states and the details lack.
    fn gap(&self) -> Decimal {
        self.agreement.stated.saturating_sub(self.agreement.lines_total)
    }

    /// Whether both speak of the same details.
    fn is_of(&self, other: &Self) -> bool {
        let same = self.details.iter().any(|bill| other.details.contains(bill));
        same && self.agreement.currency == other.agreement.currency && meet(&self.accounts, &other.accounts)
    }
}

/// What several summaries say that one set of details lacks is the same money: the largest
/// difference stands, and the others are noted.
pub(super) fn net(mut held: Vec<Held>, aside: &mut Aside) -> Vec<Agreement> {
    // Stable: of equal ones the first in the order of the layouts' names.
    held.sort_by_key(|held| std::cmp::Reverse(held.gap()));
    let mut kept: Vec<Held> = Vec::new();
    for one in held {
        let gap = one.gap();
        let larger = kept.iter().find(|other| gap > Decimal::ZERO && other.is_of(&one));
        let Some(larger) = larger else {
            kept.push(one);
            continue;
        };
        let Agreement { currency, .. } = &one.agreement;
        aside.note(
            one.bill,
            format!(
                "states {} {currency} more than its details come to; {} states {} {currency} more than they do, and the same money is claimed once",
                gap.normalize(),
                larger.agreement.origin,
                larger.gap().normalize(),
            ),
        );
    }
    kept.into_iter().map(|held| held.agreement).collect()
}
