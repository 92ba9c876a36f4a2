//! What a rental cost in the month, in the parts that a finding can accuse.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kashi_parsers::ledger::Line;
use rust_decimal::Decimal;

use crate::{Case, Claim, Rental};

/// The month of a rental.
pub(super) struct Month<'a> {
    /// Its lines that charge some of the month, in the order of the ledger.
    pub(super) lines: Vec<Line<'a>>,
    /// Exact cost.
    pub(super) cost: Decimal,
    /// Hours of the clock in which it was billed.
    pub(super) hours: Decimal,
    parts: Vec<Claim>,
}

impl<'a> Month<'a> {
    /// The parts of timed lines that lie in the month, and the lines without a time; `None` if one
    /// of these does not even say for how many card-hours it charges.
    pub(super) fn of(case: &'a Case, rental: &'a Rental) -> Option<Self> {
        let part = |line: usize, hour: Option<DateTime<Utc>>, amount: Decimal| Claim { line, hour, amount };
        let mut parts: Vec<Claim> = rental.hours.iter().map(|h| part(h.line, Some(h.hour), h.cost)).collect();
        let clock: BTreeSet<DateTime<Utc>> = rental.hours.iter().map(|h| h.hour).collect();
        let mut hours =
            clock.into_iter().map(|h| Decimal::from(rental.seconds(h))).sum::<Decimal>() / Decimal::from(3_600);
        for line in rental.timeless(case) {
            parts.push(part(line.index(), None, line.cost()));
            hours += line.card_hours()?.checked_div(line.cards().unwrap_or(Decimal::ONE))?;
        }
        let lines: BTreeSet<usize> = parts.iter().map(|p| p.line).collect();
        let lines = lines.into_iter().map(|l| case.ledger.line(l)).collect();
        Some(Self { lines, cost: parts.iter().map(|p| p.amount).sum(), hours, parts })
    }

    /// An amount, spread over what the parts cost; it adds up exactly.
    pub(super) fn claims(&self, amount: Decimal) -> Vec<Claim> {
        let positive: Decimal = self.parts.iter().map(|p| p.amount.max(Decimal::ZERO)).sum();
        let (mut cost, mut due) = (Decimal::ZERO, Decimal::ZERO);
        let mut claims = Vec::new();
        for part in self.parts.iter().filter(|p| p.amount > Decimal::ZERO) {
            cost += part.amount;
            let until = amount.checked_mul(cost).map_or_else(|| cost / positive * amount, |a| a / positive);
            claims.push(Claim { amount: until - due, ..part.clone() });
            due = until;
        }
        claims
    }
}
