//! Rules of the group `duplicates`.

pub(crate) mod duplicate_line;
pub(crate) mod overlapping_charges;
