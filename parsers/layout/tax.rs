//! Whether a bill's amounts contain tax.

use serde::Deserialize;

/// Whether a bill's amounts contain tax.
///
/// An export that has both takes one of them: the two are sums of the same money and never added.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Tax {
    /// What is owed contains it.
    Included,
    /// It comes on top, and the bill does not say how much.
    Excluded,
    /// There is none.
    None,
}

impl Tax {
    /// The spelling in a platform file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Included => "included",
            Self::Excluded => "excluded",
            Self::None => "none",
        }
    }
}
