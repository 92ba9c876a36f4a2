//! Events: what logs tell of cards besides their load, and when instances ran.

mod json_line;
mod kind;
pub(super) mod list;
mod named;
pub(super) mod scan;
mod settle;
mod time;

use chrono::{DateTime, NaiveDateTime, Utc};

pub(super) use scan::within;
pub(super) use settle::settle;

use named::Named;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A program asked for more memory than the card had left.
    OutOfMemory,
    /// The kernel ended a program because the machine's own memory was used up.
    Killed,
    /// The driver reported an error of the card by number.
    Xid,
    /// The driver no longer reaches the card.
    Lost,
    /// The clocks were held down by heat or power.
    Throttled,
    /// An instance was started.
    Started,
    /// An instance was stopped.
    Stopped,
}

impl EventKind {
    /// The word for it in files and on the terminal.
    pub fn word(self) -> &'static str {
        match self {
            Self::OutOfMemory => "out-of-memory",
            Self::Killed => "oom-kill",
            Self::Xid => "xid",
            Self::Lost => "gpu-lost",
            Self::Throttled => "throttled",
            Self::Started => "started",
            Self::Stopped => "stopped",
        }
    }
}

/// Where the time of an event is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// The line itself.
    Line,
    /// The last line above it that carries a time: it did not happen before that.
    Above,
    /// Nothing tells.
    Unknown,
}

impl Timing {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Above => "line above",
            Self::Unknown => "unknown",
        }
    }
}

/// Something that happened to a card, a machine or an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When; `None` if no line tells.
    pub time: Option<DateTime<Utc>>,
    /// Where the time is known from.
    pub timing: Timing,
    /// What happened.
    pub kind: EventKind,
    /// The number of an Xid.
    pub code: Option<u32>,
    /// The device as the usage names it, else as the line does; `None` if neither tells.
    pub device: Option<String>,
    /// The machine, where the line says it.
    pub host: Option<String>,
    /// The billed resource, where the file says it or the device is tied to one.
    pub resource: Option<String>,
    /// The file, as shown.
    pub file: String,
    /// The row in it, 1-based.
    pub row: u32,
    /// What the line says, shortened.
    pub text: String,
    /// The card as the line names it.
    named: Named,
    /// A time on the log's clock whose year the line leaves out; its year is 2000.
    yearless: Option<NaiveDateTime>,
}
