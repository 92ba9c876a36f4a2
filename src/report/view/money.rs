//! The money first: what was paid, what can be got back, saved, or is at risk.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Serialize;

use super::{decimal, fill};
use crate::report::{amount, v1};
use crate::text::Words;

/// One currency, rounded for show.
#[derive(Debug, Default, Serialize)]
pub struct Money {
    /// ISO 4217.
    pub currency: String,
    /// What was paid for.
    pub paid: String,
    /// Net, to claim back.
    pub recoverable: String,
    /// Net, to save.
    pub avoidable: String,
    /// Net, at risk.
    pub at_risk: String,
    /// To save or claim back, net; `None` if nothing.
    pub saves: Option<String>,
    /// The card-hours billed and how many were observed idle, as a phrase; `None` if none were billed.
    pub hours: Option<String>,
}

/// Every currency that occurs, in the order of its code.
pub(super) fn by_currency(report: &v1::Report, w: &Words) -> Vec<Money> {
    let mut all: BTreeMap<&str, Money> = BTreeMap::new();
    let nothing = || amount(Decimal::ZERO);
    for total in &report.totals {
        let (hours, idle) = (decimal(&total.card_hours), decimal(&total.idle_card_hours));
        all.insert(
            &total.currency,
            Money {
                paid: amount(decimal(&total.cost)),
                hours: (!hours.is_zero()).then(|| phrase(hours, idle, w)),
                ..Money::default()
            },
        );
    }
    for net in &report.net {
        let money = all.entry(&net.currency).or_insert_with(|| Money { paid: nothing(), ..Money::default() });
        let saves = decimal(&net.recoverable) + decimal(&net.avoidable);
        money.recoverable = amount(decimal(&net.recoverable));
        money.avoidable = amount(decimal(&net.avoidable));
        money.at_risk = amount(decimal(&net.at_risk));
        money.saves = (saves > Decimal::ZERO).then(|| amount(saves));
    }
    for (currency, money) in &mut all {
        money.currency = (*currency).to_owned();
        for empty in [&mut money.recoverable, &mut money.avoidable, &mut money.at_risk] {
            if empty.is_empty() {
                *empty = nothing();
            }
        }
    }
    all.into_values().collect()
}

fn phrase(hours: Decimal, idle: Decimal, w: &Words) -> String {
    let billed = fill(w.card_hours, &[("hours", &amount(hours))]);
    if idle.is_zero() {
        return billed;
    }
    let share = percent(idle, hours);
    format!("{billed}{}{}", w.comma, fill(w.of_them_idle, &[("hours", &amount(idle)), ("share", &share)]))
}

/// A share in percent with one decimal, at most 100; `0` of nothing.
pub(super) fn percent(part: Decimal, whole: Decimal) -> String {
    let share = (part * Decimal::ONE_HUNDRED).checked_div(whole).unwrap_or_default();
    share.clamp(Decimal::ZERO, Decimal::ONE_HUNDRED).round_dp(1).normalize().to_string()
}
