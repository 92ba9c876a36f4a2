//! Rules of the group `cards`.
