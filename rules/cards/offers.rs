//! Cards that could be had instead, at the prices of kashi.toml.

use kashi_parsers::catalogue::{self, Card};
use kashi_parsers::contract::Price;
use kashi_parsers::ledger::{Kind, Terms};
use rust_decimal::Decimal;

use super::month::Month;
use crate::{Case, Rental};

/// A card at a price.
#[derive(Clone, Debug)]
pub(super) struct Offer<'a> {
    pub(super) card: &'static Card,
    pub(super) price: &'a Price,
    /// What one card costs for the rental's time, in the rental's currency.
    pub(super) cost: Decimal,
    /// Whether that is a package's price.
    pub(super) package: bool,
}

/// Why there is no offer to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoOffer {
    /// kashi.toml has no price of a card.
    Prices,
    /// Prices are in another currency, and no rate is given.
    Rate,
}

/// Every priced card, for as long as the rental's cards were billed.
pub(super) fn offers<'a>(case: &'a Case, rental: &Rental, month: &Month<'_>) -> Result<Vec<Offer<'a>>, NoOffer> {
    let day = case.last_day();
    let spot = may_stop(case, rental, month);
    let package = is_package(month);
    let (mut found, mut foreign) = (Vec::new(), false);
    for price in case.contract.prices.iter().filter(|p| p.holds(day)) {
        let Some(card) = price.card.as_deref().and_then(catalogue::card) else { continue };
        if terms(price) == Some(Terms::Spot) && !spot {
            continue;
        }
        let Some((cost, fixed)) = cost(case, price, month.hours, package) else { continue };
        match case.rate(price.currency(), &rental.currency).and_then(|rate| cost.checked_mul(rate)) {
            Some(cost) => found.push(Offer { card, price, cost, package: fixed }),
            None => foreign = true,
        }
    }
    match (found.is_empty(), foreign) {
        (true, true) => Err(NoOffer::Rate),
        (true, false) => Err(NoOffer::Prices),
        _ => Ok(found),
    }
}

/// Whether a rental is paid by package.
pub(super) fn is_package(month: &Month<'_>) -> bool {
    month.lines.iter().any(|l| l.kind() == Kind::Subscription || l.terms().is_some_and(Terms::is_package))
}

fn terms(price: &Price) -> Option<Terms> {
    price.terms.as_deref().and_then(Terms::from_word)
}

/// Whether the work may be interrupted: it is on spot already, or all of it is declared offline.
fn may_stop(case: &Case, rental: &Rental, month: &Month<'_>) -> bool {
    let mut here =
        case.contract.workloads.iter().filter(|w| w.resource.as_deref() == Some(&rental.resource)).peekable();
    let declared = here.peek().is_some() && here.all(|w| w.online == Some(false));
    declared || month.lines.iter().any(|l| l.terms() == Some(Terms::Spot))
}

/// One card at this price for the time in which the rental was billed, and whether it is
/// due as a whole.
///
/// A package is bought whole: only another package, which was itself charged for a part of the
/// month, is compared with as large a part.
fn cost(case: &Case, price: &Price, hours: Decimal, package: bool) -> Option<(Decimal, bool)> {
    let parts = |of: i64| {
        let parts = hours.checked_div(Decimal::from(of))?;
        price.price.checked_mul(if package { parts } else { parts.ceil() })
    };
    match price.per() {
        "card-hour" => Some((price.price.checked_mul(hours)?, terms(price).is_some_and(Terms::is_package))),
        "card-day" => Some((parts(24)?, true)),
        "card-month" => Some((parts(case.days() * 24)?, true)),
        _ => None,
    }
}
