//! Sums that must be the same: what a summary states, and what its details add up to.

use kashi_parsers::Origin;
use rust_decimal::Decimal;

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
