//! Amounts as people read them.

use rust_decimal::{Decimal, RoundingStrategy};

/// An amount rounded once, half to even, to two decimals, with thousands separators.
pub fn amount(value: Decimal) -> String {
    let rounded = value.round_dp_with_strategy(2, RoundingStrategy::MidpointNearestEven);
    let text = format!("{:.2}", rounded.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, "00"));
    let grouped = groups(whole);
    let sign = if rounded.is_sign_negative() && !rounded.is_zero() { "-" } else { "" };
    format!("{sign}{grouped}.{fraction}")
}

/// An amount with every digit that counts; at least two decimals.
pub fn exact(value: Decimal) -> String {
    let value = value.normalize();
    if value.scale() < 2 { format!("{value:.2}") } else { value.to_string() }
}

/// A count with thousands separators.
pub fn grouped(count: u64) -> String {
    groups(&count.to_string())
}

fn groups(digits: &str) -> String {
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
