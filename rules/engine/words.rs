//! The closed vocabularies of findings.

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Info,
    /// Money is being wasted or at risk.
    Warning,
    /// Money was charged wrongly, or much of it is wasted.
    Critical,
}

impl Severity {
    /// The spelling in pages and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Critical => "critical",
        }
    }

    /// Reads the spelling.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Info, Self::Warning, Self::Critical].into_iter().find(|s| s.as_str() == word)
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Certainty {
    /// A sign worth a look.
    Possible,
    /// What the data say, unless the user knows better.
    Likely,
    /// The bill itself proves it.
    Proven,
}

impl Certainty {
    /// The spelling in pages and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Likely => "likely",
            Self::Proven => "proven",
        }
    }

    /// Reads the spelling.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Possible, Self::Likely, Self::Proven].into_iter().find(|s| s.as_str() == word)
    }
}

/// What can be done about the money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AmountKind {
    /// Charged wrongly: the vendor owes it.
    Recoverable,
    /// Spent for nothing: next month need not have it.
    Avoidable,
    /// Paid in advance and perhaps lost.
    AtRisk,
}

impl AmountKind {
    /// The spelling in pages and reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recoverable => "recoverable",
            Self::Avoidable => "avoidable",
            Self::AtRisk => "at_risk",
        }
    }

    /// Reads the spelling.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Recoverable, Self::Avoidable, Self::AtRisk].into_iter().find(|s| s.as_str() == word)
    }
}
