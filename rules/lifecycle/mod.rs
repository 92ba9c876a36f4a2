//! Rules of the group `lifecycle`.

mod power;
pub(crate) mod stopped_but_billed;
