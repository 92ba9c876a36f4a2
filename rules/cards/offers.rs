//! Cards that could be had instead, at the prices of kashi.toml.

use kashi_parsers::catalogue::{self, Card};
use kashi_parsers::contract::Price;
use rust_decimal::Decimal;

use crate::{Case, Rental};

/// A card at a price.
#[derive(Clone, Debug)]
pub(super) struct Offer<'a> {
    pub(super) card: &'static Card,
    pub(super) price: &'a Price,
    /// What one card costs for the rental's hours, in the rental's currency.
    pub(super) cost: Decimal,
}

impl Offer<'_> {
    /// Whether the price is that of a package.
    pub(super) fn is_package(&self) -> bool {
        self.price.per() == "card-month"
    }
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
pub(super) fn offers<'a>(case: &'a Case, rental: &Rental, card_hours: Decimal) -> Result<Vec<Offer<'a>>, NoOffer> {
    let day = case.last_day();
    let (mut found, mut foreign) = (Vec::new(), false);
    for price in case.contract.prices.iter().filter(|p| p.holds(day)) {
        let Some(card) = price.card.as_deref().and_then(catalogue::card) else { continue };
        let Some(cost) = cost(case, rental, price, card_hours) else { continue };
        match case.rate(price.currency(), &rental.currency) {
            Some(rate) => found.push(Offer { card, price, cost: cost * rate }),
            None => foreign = true,
        }
    }
    match (found.is_empty(), foreign) {
        (true, true) => Err(NoOffer::Rate),
        (true, false) => Err(NoOffer::Prices),
        _ => Ok(found),
    }
}

/// One card at this price for the time that one card of the rental was billed.
fn cost(case: &Case, rental: &Rental, price: &Price, card_hours: Decimal) -> Option<Decimal> {
    let hours = card_hours.checked_div(rental.cards)?;
    match price.per() {
        "card-hour" => price.price.checked_mul(hours),
        "card-day" => price.price.checked_mul(hours)?.checked_div(Decimal::from(24)),
        // A package is bought whole, but a rental of half a month is compared with half of one.
        "card-month" => price.price.checked_mul(hours)?.checked_div(Decimal::from(case.days() * 24)),
        _ => None,
    }
}
