//! Rules of the group `egress`.
