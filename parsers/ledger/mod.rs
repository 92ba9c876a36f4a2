//! The ledger: every line of every bill, exact, in one frame of a fixed schema.

mod column;
mod columns;
mod dictionary;
mod frame;
mod keep;
mod line;
pub mod money;
pub(crate) mod narrow;
pub mod time;
mod totals;
pub mod units;
mod words;

pub use columns::{Lines, MoneyColumn, TextColumn, TimeColumn};
pub use dictionary::Code;
pub use frame::Ledger;
pub use line::Line;
pub use totals::{Group, Total};
pub use words::{Category, Kind, Terms};
