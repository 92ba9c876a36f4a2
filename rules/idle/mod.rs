//! Rules of the group `idle`.
