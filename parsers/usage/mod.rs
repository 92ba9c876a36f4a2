//! Utilization exports, rolled up to hours by card.
//!
//! Samples are streamed: whatever the length of a log, what is held is one hour a device and the
//! finished hours.

mod clock;
mod columns;
mod device;
mod hour;
mod hours;
mod line;
mod pods;
mod prometheus;
mod read;
mod rollup;
mod smi;
mod tie;
mod weights;

pub use hour::UsageHour;
pub use hours::{read_hours_csv, write_hours_csv};
pub use read::{Options, Source, Usage, read};
pub use tie::tie;
