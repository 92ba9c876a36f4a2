//! Hours that were billed while no card worked.

use chrono::{DateTime, Duration, Utc};
use rust_decimal::Decimal;

use crate::engine::case::{Thresholds, memory_share};
use crate::shown::{figure, money};
use crate::{AmountKind, Case, Claim, Finding, HourBill, Params, Rental, State, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let thresholds = Thresholds {
        idle_below: params.number("idle_below"),
        loaded_from: params.number("loaded_from"),
        coverage: params.number("coverage"),
    };
    let least = params.count("consecutive");
    let memory_below = params.number("memory_below");
    let mut verdict = Verdict::default();
    for rental in &case.rentals {
        for (state, sentence) in [(State::Idle, "idle"), (State::Loaded, "loaded")] {
            let is = |hour| match case.state(rental, hour, thresholds) {
                // Between empty and loaded the memory says nothing clear: left alone.
                State::Idle => state == State::Idle && is_empty(case, rental, hour, memory_below),
                other => other == state,
            };
            let hours = runs(&rental.hours, least, is);
            if let Some(finding) = finding(case, rental, &hours, sentence) {
                verdict.find(finding);
            }
        }
    }
    verdict
}

/// Whether no card held more memory than an idle one does; unknown memory accuses nobody less.
fn is_empty(case: &Case, rental: &Rental, hour: DateTime<Utc>, below: f64) -> bool {
    case.usage_at(&rental.resource, hour).all(|u| memory_share(u).is_none_or(|share| share < below))
}

/// The billed parts of hours that belong to a run of at least `least` hours on end.
fn runs(bills: &[HourBill], least: i64, is: impl Fn(DateTime<Utc>) -> bool) -> Vec<&HourBill> {
    let mut kept = Vec::new();
    let mut run: Vec<&HourBill> = Vec::new();
    let mut length = 0;
    let mut last: Option<DateTime<Utc>> = None;
    for bill in bills {
        let same = last == Some(bill.hour);
        let next = last.is_some_and(|l| l + Duration::hours(1) == bill.hour);
        if same && !run.is_empty() {
            run.push(bill);
            continue;
        }
        let idle = is(bill.hour);
        if !idle || !next {
            if length >= least {
                kept.append(&mut run);
            }
            run.clear();
            length = 0;
        }
        if idle {
            run.push(bill);
            length += 1;
        }
        last = Some(bill.hour);
    }
    if length >= least {
        kept.append(&mut run);
    }
    kept
}

fn finding(case: &Case, rental: &Rental, hours: &[&HourBill], sentence: &'static str) -> Option<Finding> {
    let (first, last) = (hours.first()?, hours.last()?);
    let amount: Decimal = hours.iter().map(|h| h.cost).sum();
    if amount <= Decimal::ZERO {
        return None;
    }
    let card_hours: Decimal = hours.iter().map(|h| h.card_hours).sum();
    let billed: Decimal = rental.hours.iter().map(|h| h.card_hours).sum();
    let mut lines: Vec<usize> = hours.iter().map(|h| h.line).collect();
    lines.dedup();
    let claims = hours.iter().map(|h| Claim { line: h.line, hour: Some(h.hour), amount: h.cost }).collect();
    let local = |t: DateTime<Utc>| case.zone.local(t).format("%m-%d %H:%M").to_string();
    let end = last.hour + Duration::hours(1);
    Some(
        Finding::new(rental.platform.as_str(), sentence, case.ledger.line(lines[0]).origin())
            .account(rental.account.as_deref())
            .resource(rental.resource.as_str())
            .period(first.hour, end)
            .amount(amount.round_dp(18), rental.currency.as_str(), AmountKind::Avoidable)
            .evidence(lines.iter().map(|l| case.ledger.line(*l).origin()))
            .claims(claims)
            .value("hours", figure(card_hours))
            .value("billed", figure(billed))
            .value("from", local(first.hour))
            .value("until", local(end))
            .value("amount", money(amount, &rental.currency)),
    )
}
