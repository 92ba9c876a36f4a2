//! Rules of the group `egress`.

pub(crate) mod repeated_egress;
