//! Why rows are no lines.

use std::collections::BTreeMap;

/// Rows left out, by reason.
pub type LeftOut = BTreeMap<Reason, usize>;

/// Why a row was left out of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// It comes before the header.
    Title,
    /// It has no filled cell.
    Blank,
    /// It is the header, or the header again.
    Header,
    /// It states a total.
    Total,
    /// Another bill states the same charge in more detail.
    Detailed,
    /// Another export of the same bill has it too.
    Repeated,
    /// A newer export of the same bill states it anew.
    Restated,
}

impl Reason {
    /// The spelling in a report.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Blank => "blank",
            Self::Header => "header",
            Self::Total => "total",
            Self::Detailed => "detailed",
            Self::Repeated => "repeated",
            Self::Restated => "restated",
        }
    }
}
