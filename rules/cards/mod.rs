//! Rules of the group `cards`: the card that was rented against the work and the order.

use kashi_parsers::catalogue::Card;

pub(crate) mod crippled_card;
mod logs;
pub(crate) mod mismatched_card;
mod month;
mod offers;
mod sizing;

/// Whether two cards are one product: bills do not tell SXM from PCIe.
fn same(a: &Card, b: &Card) -> bool {
    a.id == b.id || (a.model.is_some() && a.model == b.model && a.vram_gb == b.vram_gb)
}
