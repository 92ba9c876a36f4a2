//! What logs show of the work on a rental's cards.

use std::collections::BTreeMap;

use kashi_parsers::catalogue;
use kashi_parsers::usage::UsageHour;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::ordered;
use super::sizing::Need;
use crate::{Case, Params, Rental};

/// What logs say of the need.
pub(super) enum Logs {
    /// There are none, or no card ever worked: other rules say that.
    Silent,
    /// The cards are busy.
    Busy,
    /// They do not say enough: the reason's key.
    TooLittle(&'static str),
    /// The work needs this.
    Need(Need),
}

/// Reads the need from the hours that were billed.
pub(super) fn logs(case: &Case, rental: &Rental, params: &Params) -> Logs {
    let billed = |u: &&UsageHour| rental.is_on(u) && !rental.at(u.hour).is_empty();
    let hours: Vec<&UsageHour> = case.usage_of(&rental.resource).filter(billed).collect();
    let worked = |u: &&&UsageHour| u.util_max.is_some_and(|m| m >= params.number("idle_below"));
    let workers: BTreeMap<&str, f64> = hours.iter().filter(worked).map(|u| (u.device.as_str(), u.share())).collect();
    if workers.is_empty() {
        return Logs::Silent;
    }
    if covered(rental, &hours) < params.number("coverage") {
        return Logs::TooLittle("coverage");
    }
    // A card without a memory reading may hold anything.
    let mut peaks: BTreeMap<&str, Option<f64>> = BTreeMap::new();
    for hour in &hours {
        let peak = peaks.entry(hour.device.as_str()).or_default();
        *peak = peak.map_or(hour.memory_max, |most| Some(hour.memory_max.map_or(most, |m| most.max(m))));
    }
    let Some(peak) = peaks.into_values().try_fold(0.0, |all: f64, peak| Some(all.max(peak?))) else {
        return Logs::TooLittle("memory");
    };
    // Where nobody says what was ordered, the card says what it is.
    let printed = || hours.iter().find_map(|u| catalogue::named(&u.name, None).first().copied());
    let Some((tflops, gbs)) = ordered(case, rental).or_else(printed).and_then(|c| c.fp16_tflops.zip(c.bandwidth_gbs))
    else {
        return Logs::TooLittle("card");
    };
    let p95 = p95(&hours);
    if p95 >= params.number("util_below") {
        return Logs::Busy;
    }
    let memory_gb = peak / 1024.0 / (params.number("memory_share") / 100.0);
    // A card that never worked is not needed; the others are, as long as nothing says otherwise.
    let cards = (workers.values().sum::<f64>() - 0.01).ceil().max(1.0).to_u32().unwrap_or(u32::MAX);
    // On another card the same work must stay below the same utilization.
    let busy = p95 / params.number("util_below");
    Logs::Need(Need { memory_gb, cards, tflops: tflops * busy, gbs: gbs * busy, ..Need::default() })
}

/// The share of the billed card-hours in which utilization is known, percent.
fn covered(rental: &Rental, hours: &[&UsageHour]) -> f64 {
    let seen: f64 = hours.iter().filter(|u| u.util_max.is_some()).map(|u| u.observed_s).sum();
    let billed: Decimal = rental.hours.iter().map(|h| h.card_hours).sum();
    billed.to_f64().filter(|b| *b > 0.0).map_or(0.0, |billed| seen / 36.0 / billed)
}

/// The 95th percentile of utilization over all cards, weighted by time.
fn p95(hours: &[&UsageHour]) -> f64 {
    let reading = |u: &&UsageHour| Some((u.util_p95.or(u.util_max)?, u.observed_s));
    let mut readings: Vec<(f64, f64)> = hours.iter().filter_map(reading).collect();
    readings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = readings.iter().map(|r| r.1).sum();
    let mut sum = 0.0;
    let at = readings.iter().find(|(_, weight)| {
        sum += weight;
        sum >= total * 0.95
    });
    at.or(readings.last()).map_or(100.0, |r| r.0)
}
