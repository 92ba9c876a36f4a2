//! The ledger: every line of every bill, exact, in one frame of a fixed schema.

mod columns;
mod frame;
mod line;
pub mod money;
pub mod time;
pub mod units;
mod words;

pub use columns::{Code, Lines, MoneyColumn, TextColumn, TimeColumn};
pub use frame::{Ledger, Total};
pub use line::Line;
pub use words::{Category, Kind, Terms};
