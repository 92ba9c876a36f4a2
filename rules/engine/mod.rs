//! What runs a rule.

pub(crate) mod case;
pub(crate) mod finding;
pub(crate) mod net;
pub(crate) mod page;
pub(crate) mod parallel;
pub(crate) mod rental;
pub(crate) mod rule;
pub(crate) mod select;
pub(crate) mod words;
