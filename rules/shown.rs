//! Figures as sentences show them, and shares of a cost; rounded here and nowhere before.

use chrono::{DateTime, TimeDelta, Utc};
use kashi_parsers::layout::{Fact, Policy};
use rust_decimal::{Decimal, RoundingStrategy};

use crate::Case;

/// The smallest amount that is settled: less is no fault that anybody could credit.
pub(crate) const CENT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// An amount to the cent, with its currency; four decimals where cents would show nothing.
pub(crate) fn money(amount: Decimal, currency: &str) -> String {
    let places = if !amount.is_zero() && amount.abs() < Decimal::new(1, 2) { 4 } else { 2 };
    with_places(amount, places, currency)
}

/// An amount with every decimal that it has, for differences below a cent.
pub(crate) fn exact(amount: Decimal, currency: &str) -> String {
    with_places(amount, amount.normalize().scale().max(2), currency)
}

fn with_places(amount: Decimal, places: u32, currency: &str) -> String {
    let rounded = amount.round_dp_with_strategy(places, RoundingStrategy::MidpointNearestEven);
    let text = format!("{rounded:.0$}", places as usize);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    format!("{}.{fraction} {currency}", grouped(whole))
}

/// Digits in groups of three.
fn grouped(whole: &str) -> String {
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut text = sign.to_owned();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of hours, months or GB with at most one decimal.
pub(crate) fn figure(number: Decimal) -> String {
    number.round_dp_with_strategy(1, RoundingStrategy::MidpointAwayFromZero).normalize().to_string()
}

/// A length of time in hours, to 28 digits.
pub(crate) fn hours(time: TimeDelta) -> Decimal {
    Decimal::from(time.num_seconds()) / Decimal::from(3_600)
}

/// `amount × part ÷ whole`, to 18 decimals; nothing of nothing.
pub(crate) fn share(amount: Decimal, part: Decimal, whole: Decimal) -> Decimal {
    let share = amount.checked_mul(part).and_then(|a| a.checked_div(whole)).unwrap_or_default();
    share.round_dp(18).normalize()
}

/// The part of two stretches of time that they have in common.
pub(crate) fn common(a: (DateTime<Utc>, DateTime<Utc>), b: (DateTime<Utc>, DateTime<Utc>)) -> TimeDelta {
    (a.1.min(b.1) - a.0.max(b.0)).max(TimeDelta::zero())
}

/// What a platform's file says of one point of its billing.
pub(crate) fn fact<'a>(
    case: &'a Case,
    platform: &str,
    point: impl Fn(&'a Policy) -> &'a Option<Fact>,
) -> Option<&'a str> {
    case.platforms.get(platform).and_then(|p| point(&p.policy).as_ref()).map(|f| f.value.as_str())
}

/// The shortest time that a platform charges: an hour, where it is not known.
pub(crate) fn grain(case: &Case, platform: &str) -> TimeDelta {
    match fact(case, platform, |p| &p.grain) {
        Some("second") => TimeDelta::seconds(1),
        Some("minute") => TimeDelta::minutes(1),
        Some("day") => TimeDelta::days(1),
        _ => TimeDelta::hours(1),
    }
}
