//! Rules of the group `prepaid`.

pub(crate) mod unrefundable_balance;
