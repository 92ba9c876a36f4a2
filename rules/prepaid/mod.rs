//! Rules of the group `prepaid`.
