//! Reads the bills and the utilization exports of rented GPUs, exactly.
//!
//! Bytes become a [`open::Table`] of text cells, a table is claimed by one layout of a platform
//! file ([`layout`]), and its rows become lines of the [`ledger::Ledger`]. Utilization exports
//! become [`usage::UsageHour`]s. Nothing here knows a rule, and nothing prints.

#[macro_use]
pub mod message;

pub mod catalogue;
pub mod contract;
pub mod error;
pub mod inventory;
pub mod layout;
pub mod ledger;
mod nearest;
pub mod open;
pub mod usage;

pub use error::{Error, Origin, Refusal, Result};
pub use message::Message;
pub use nearest::{meant, nearest};
