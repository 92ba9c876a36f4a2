//! Billed card-hours that nobody observed.

use rust_decimal::Decimal;

use crate::engine::case::Thresholds;
use crate::shown::figure;
use crate::{Case, Params, State, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let thresholds = Thresholds { coverage: params.number("coverage"), ..Thresholds::default() };
    let mut verdict = Verdict::default();
    for rental in &case.rentals {
        let billed: Decimal = rental.hours.iter().map(|h| h.card_hours).sum();
        let unknown = |h: &&crate::HourBill| case.state(rental, h.hour, thresholds) == State::Unknown;
        let unseen: Decimal = rental.hours.iter().filter(unknown).map(|h| h.card_hours).sum();
        if rental.timeless(case).next().is_some() {
            verdict.undetermined(Some(&rental.resource), "timeless", &[]);
        }
        if unseen > Decimal::ZERO {
            let reason = if case.usage_of(&rental.resource).next().is_none() { "unseen" } else { "partly" };
            verdict.undetermined(
                Some(&rental.resource),
                reason,
                &[("hours", unseen.round_dp(3).normalize().to_string()), ("billed", figure(billed))],
            );
        }
    }
    verdict
}
