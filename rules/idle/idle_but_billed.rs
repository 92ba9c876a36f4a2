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
    let memory_below = params.number("memory_below");
    let least = params.count("consecutive").saturating_mul(3_600);
    let mut verdict = Verdict::default();
    for rental in &case.rentals {
        let (mut empty, mut loaded, mut between) = (Vec::new(), Vec::new(), Vec::new());
        for bill in resting(case, rental, thresholds, least) {
            match case.state(rental, bill.hour, thresholds) {
                State::Loaded => loaded.push(bill),
                _ if is_empty(case, rental, bill.hour, memory_below) => empty.push(bill),
                _ => between.push(bill),
            }
        }
        for (hours, sentence) in [(&empty, "idle"), (&loaded, "loaded")] {
            finding(case, rental, hours, sentence).into_iter().for_each(|f| verdict.find(f));
        }
        if !between.is_empty() {
            let values = [("hours", figure(card_hours(&between))), ("billed", billed(rental))];
            verdict.undetermined(Some(&rental.resource), "between", &values);
        }
    }
    verdict
}

/// Whether no card held more memory than an idle one does; unknown memory accuses nobody less.
fn is_empty(case: &Case, rental: &Rental, hour: DateTime<Utc>, below: f64) -> bool {
    let mut seen = case.usage_at(&rental.resource, hour).filter(|u| rental.is_on(u));
    seen.all(|u| memory_share(u).is_none_or(|share| share < below))
}

/// The billed parts of hours in which no card worked, as far as they belong to a pause of at least
/// so many billed seconds on end.
fn resting<'a>(case: &Case, rental: &'a Rental, thresholds: Thresholds, least: i64) -> Vec<&'a HourBill> {
    // A bill that settles at XX:59:59 loses a second an hour: a pause may miss one minute.
    let is_long = |seconds: i64| seconds + 60 >= least;
    let (mut kept, mut pause, mut seconds) = (Vec::new(), Vec::new(), 0);
    let mut next = None;
    for bills in rental.hours.chunk_by(|a, b| a.hour == b.hour) {
        let hour = bills[0].hour;
        let rests = matches!(case.state(rental, hour, thresholds), State::Idle | State::Loaded);
        if !rests || next != Some(hour) {
            if is_long(seconds) {
                kept.append(&mut pause);
            }
            pause.clear();
            seconds = 0;
        }
        if rests {
            pause.extend(bills);
            seconds += rental.seconds(hour);
        }
        next = Some(hour + Duration::hours(1));
    }
    if is_long(seconds) {
        kept.append(&mut pause);
    }
    kept
}

fn card_hours(hours: &[&HourBill]) -> Decimal {
    hours.iter().map(|h| h.card_hours).sum()
}

fn billed(rental: &Rental) -> String {
    figure(rental.hours.iter().map(|h| h.card_hours).sum())
}

fn finding(case: &Case, rental: &Rental, hours: &[&HourBill], sentence: &'static str) -> Option<Finding> {
    let (first, last) = (hours.first()?, hours.last()?);
    let amount: Decimal = hours.iter().map(|h| h.cost).sum();
    if amount <= Decimal::ZERO {
        return None;
    }
    let mut lines: Vec<usize> = hours.iter().map(|h| h.line).collect();
    lines.sort_unstable();
    lines.dedup();
    let claims = hours.iter().map(|h| Claim { line: h.line, hour: Some(h.hour), amount: h.cost }).collect();
    let local = |t: DateTime<Utc>| case.zone.local(t).format("%m-%d %H:%M").to_string();
    let next = last.hour + Duration::hours(1);
    let end = case.ledger.line(last.line).end().map_or(next, |end| end.min(next));
    Some(
        Finding::new(rental.platform.as_str(), sentence, case.ledger.line(lines[0]).origin())
            .account(rental.account.as_deref())
            .resource(rental.resource.as_str())
            .period(first.hour, end)
            .amount(amount.round_dp(18).normalize(), rental.currency.as_str(), AmountKind::Avoidable)
            .evidence(lines.iter().map(|l| case.ledger.line(*l).origin()))
            .claims(claims)
            .value("hours", figure(card_hours(hours)))
            .value("billed", billed(rental))
            .value("from", local(first.hour))
            .value("until", local(end))
            .value("amount", money(amount, &rental.currency)),
    )
}
