//! Rules of the group `housekeeping`.
