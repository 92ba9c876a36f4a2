//! Rules of the group `arithmetic`.
