//! Rules of the group `storage`.
