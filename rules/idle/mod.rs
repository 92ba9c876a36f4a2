//! Rules of the group `idle`: cards that were billed and did not work.

pub(crate) mod idle_but_billed;
pub(crate) mod unobserved_card;
