//! Rules of the group `duplicates`.
