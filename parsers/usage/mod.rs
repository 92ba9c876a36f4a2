//! Utilization exports, rolled up to hours by card.
//!
//! Samples are streamed: whatever the length of a log, what is held is one hour a device and the
//! finished hours. A sample stands for the time until the next one of its device, at most twice the
//! median step; no second counts twice, and what nothing covers is unknown.

mod amd;
mod apps;
mod bounded;
mod buffer;
mod card;
mod clock;
pub mod cluster;
mod columns;
mod cover;
mod device;
mod dmon;
mod documents;
mod doubts;
mod events;
mod figure;
mod foreign;
mod form;
mod formats;
mod gpustat;
mod headerless;
mod hour;
mod hours;
mod known;
mod label;
mod labelled;
mod line;
mod lines;
mod log;
mod metric;
mod monitors;
mod npu_smi;
mod nvitop;
mod pending;
mod pmon;
mod pods;
mod processes;
mod prometheus;
mod read;
mod rocm;
mod rollup;
mod sample;
mod scrape;
mod smi;
mod smi_gpu;
mod smi_xml;
mod stamp;
mod tally;
mod text;
mod tie;
mod weights;

pub use events::{Event, EventKind, Timing};
pub use formats::names;
pub use hour::UsageHour;
pub use hours::{read_hours_csv, write_hours_csv};
pub use read::{Options, Source, Usage, read, read_all, read_from};
pub use tie::tie;
