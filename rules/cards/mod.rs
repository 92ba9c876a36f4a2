//! Rules of the group `cards`: the card that was rented against the work and the order.

use kashi_parsers::catalogue::{self, Card};

use crate::{Case, Rental};

pub(crate) mod crippled_card;
mod logs;
pub(crate) mod mismatched_card;
mod month;
mod offers;
mod sizing;

/// The card that was ordered: the bill says it or, where it does not, the `[[device]]`.
fn ordered(case: &Case, rental: &Rental) -> Option<&'static Card> {
    let device = |platform: &Option<String>| platform.as_ref().is_none_or(|p| *p == rental.platform);
    let mut devices = case.contract.devices.iter().filter(|d| d.resource == rental.resource && device(&d.platform));
    let named = rental.card.as_deref().or_else(|| devices.find_map(|d| d.card.as_deref()));
    named.and_then(catalogue::card)
}

/// Whether two cards are one product: bills do not tell SXM from PCIe.
fn same(a: &Card, b: &Card) -> bool {
    a.id == b.id || (a.model.is_some() && a.model == b.model && a.vram_gb == b.vram_gb)
}
