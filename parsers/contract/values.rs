//! Values of kashi.toml as they are typed: amounts with every digit, days that exist.

use chrono::{Datelike, NaiveDate};
use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::Money;
use crate::ledger::marks::{Currencies, is_code};
use crate::ledger::money::{self, NotExact, Separators};

/// Reads an amount from a text: a TOML float may not hold the digits that were typed.
pub(super) fn exact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
    let expected = "an amount in quotes, such as \"8.60\"";
    let text = match toml::Value::deserialize(deserializer)? {
        toml::Value::String(text) => text,
        other => return Err(D::Error::custom(message!("found {other} without quotes, expected {expected}"))),
    };
    // The currency has a key of its own; one beside the amount could be another.
    let bare = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    let read =
        money::parse(&text, Separators::None).and_then(|read| if bare { Ok(read) } else { Err(NotExact::Malformed) });
    match read.map(money::to_decimal) {
        Ok(Some(amount)) => Ok(amount),
        Err(NotExact::Malformed) => {
            let expected = "digits with a point before the decimals and nothing else, such as \"8.60\"";
            Err(D::Error::custom(message!("found {text:?}, expected {expected}")))
        }
        Ok(None) | Err(_) => {
            let expected = "an amount of 28 digits at most, 18 of them decimals";
            Err(D::Error::custom(message!("found {text:?}, expected {expected}")))
        }
    }
}

/// Reads a budget: an amount over 0 and the code of its currency.
pub(super) fn budget<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Money>, D::Error> {
    let text = match toml::Value::deserialize(deserializer)? {
        toml::Value::String(text) => text,
        other => other.to_string(),
    };
    let read = |text: &str| {
        let (amount, currency) = text.trim().split_once(' ')?;
        let amount = money::marked(amount, Separators::None).ok().filter(|(_, marks)| *marks == Currencies::ANY)?;
        let amount = money::to_decimal(amount.0).filter(|amount| *amount > Decimal::ZERO)?;
        let currency = currency.trim();
        is_code(currency).then(|| Money { amount, currency: currency.to_owned() })
    };
    let expected = "an amount over 0 and its currency, such as \"6000.00 CNY\"";
    let budget = read(&text).ok_or_else(|| D::Error::custom(message!("found {text:?}, expected {expected}")))?;
    Ok(Some(budget))
}

/// Reads a number of cards: none is no order.
pub(super) fn cards<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let cards = value.as_integer().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
    let expected = "a whole number of cards, 1 or more, without quotes";
    cards.map(Some).ok_or_else(|| D::Error::custom(message!("found {value}, expected {expected}")))
}

pub(super) fn exact_option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    exact(deserializer).map(Some)
}

/// Reads a day, with quotes or as TOML's own date.
pub(super) fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    let text = match toml::Value::deserialize(deserializer)? {
        toml::Value::String(text) => text,
        other => other.to_string(),
    };
    let day = text.trim().parse::<NaiveDate>().ok();
    // A day beyond four digits is none that a bill has, and at the end of all time there is no next one.
    let day = day.filter(|day| (1970..=9999).contains(&day.year()));
    day.ok_or_else(|| D::Error::custom(message!("found {text:?}, expected a day that exists, such as 2026-10-31")))
}

pub(super) fn day_option<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NaiveDate>, D::Error> {
    day(deserializer).map(Some)
}
