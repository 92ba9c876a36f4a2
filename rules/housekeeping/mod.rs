//! Rules of the group `housekeeping`.

pub(crate) mod stale_ignore;
