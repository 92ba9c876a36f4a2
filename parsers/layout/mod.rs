//! Layouts: which export a table is, and how its rows become ledger lines.
//!
//! A platform file says it all ([`schema`]); [`identify`] finds the one layout that claims a
//! table, [`read`] turns the table's rows into lines.

mod adapters;
mod complete;
mod convert;
mod draft;
mod header;
mod identify;
pub mod map;
mod plan;
mod platforms;
mod read;
pub mod schema;
mod unclaimed;
mod word;

pub use draft::{Draft, Drafts};
pub use header::{Header, fold};
pub use identify::{Claim, Nearest, identify};
pub use platforms::{Platforms, check_shipped, policy, shipped};
pub use read::{Bill, Given, LeftOut, Reason, Stated, read};
pub use schema::{Fact, Layout, Mark, Platform, Policy, Title};
