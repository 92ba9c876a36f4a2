//! The totals in the one currency that the user asks for, by dated rates alone.

use chrono::NaiveDate;
use kashi_rules::Case;
use rust_decimal::Decimal;

use crate::report::Total;

/// What all totals come to in one currency; the amounts of each currency stay what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// ISO 4217.
    pub currency: String,
    /// The sum; `None` if a rate is missing, for a sum of a part would be taken for the whole.
    pub cost: Option<Decimal>,
    /// The rates that were used.
    pub rates: Vec<Used>,
    /// Currencies that no rate leads from.
    pub missing: Vec<String>,
}

/// A rate as kashi.toml states it: one unit of `from` in units of `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    /// ISO 4217.
    pub from: String,
    /// ISO 4217.
    pub to: String,
    /// The day of the rate.
    pub date: NaiveDate,
    /// The rate.
    pub rate: Decimal,
}

/// Turns totals into a currency; `None` if they are in that currency alone.
pub fn converted(totals: &[Total], currency: &str, case: &Case) -> Option<Converted> {
    let others: Vec<&Total> = totals.iter().filter(|total| total.currency != currency).collect();
    if others.is_empty() {
        return None;
    }
    let own = totals.iter().find(|total| total.currency == currency);
    let mut sum = Some(own.map_or(Decimal::ZERO, |total| total.cost));
    let (mut rates, mut missing) = (Vec::new(), Vec::new());
    for total in others {
        match case.rate_of(&total.currency, currency) {
            Some((rate, said)) => {
                let part = total.cost.checked_mul(rate);
                sum = sum.zip(part).and_then(|(sum, part)| sum.checked_add(part));
                let (from, to) = (said.from.clone(), said.to.clone());
                rates.push(Used { from, to, date: said.date, rate: said.rate });
            }
            None => missing.push(total.currency.clone()),
        }
    }
    let cost = sum.filter(|_| missing.is_empty()).map(|sum| sum.round_dp(18));
    Some(Converted { currency: currency.to_owned(), cost, rates, missing })
}
