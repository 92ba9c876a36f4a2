//! Rules of the group `lifecycle`.
