//! Layouts: which export a table is, and how its rows become ledger lines.
//!
//! A platform file says it all ([`schema`]); [`identify`] finds the one layout that claims a
//! table, [`read`] turns the table's rows into lines.

mod above;
mod adapters;
mod alike;
mod amount;
mod beginning;
mod bind;
mod called;
mod cell;
mod complete;
mod convert;
mod currency;
mod draft;
mod given;
mod header;
mod headerless;
mod identify;
pub mod map;
mod numbered;
mod packages;
mod part;
mod parts;
mod plan;
mod platforms;
mod policy;
mod priced;
mod product;
mod read;
mod reader;
mod same;
mod says;
pub mod schema;
mod sources;
mod split;
mod tags;
mod tax;
mod total;
mod total_words;
mod unclaimed;
mod word;

pub use draft::{Draft, Drafts};
pub use given::Given;
pub use header::{Header, fold};
pub use identify::{Claim, Nearest, identify};
pub use platforms::{Platforms, check_shipped, shipped};
pub use read::{Bill, LeftOut, Reason, Stated, read, read_in_parts};
pub use same::{Relation, Same, States, relation};
pub use schema::{Fact, Layout, Mark, Platform, Policy, Tax, Title};
