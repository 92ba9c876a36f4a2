//! The ledger: every line of every bill, exact, in one frame of a fixed schema.

mod block;
mod columns;
mod dictionary;
mod divisor;
mod frame;
mod keep;
mod line;
mod lines;
pub mod marks;
pub mod money;
pub(crate) mod narrow;
mod packed;
pub mod time;
mod totals;
pub mod units;
mod words;

pub use columns::{MoneyColumn, TextColumn, TimeColumn};
pub use dictionary::Code;
pub use frame::Ledger;
pub use line::Line;
pub use lines::Lines;
pub use totals::{Group, Total};
pub use words::{Category, Kind, Terms};
