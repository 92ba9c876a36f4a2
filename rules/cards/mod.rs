//! Rules of the group `cards`: the card that was rented against the work and the order.

pub(crate) mod crippled_card;
pub(crate) mod mismatched_card;
mod offers;
mod sizing;
