//! How often the series are sampled.

/// Seconds between two samples, where targets differ the shortest and the longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    pub(super) shortest: u32,
    pub(super) longest: u32,
}

/// Intervals that people scrape at, seconds.
const USUAL: [u32; 30] = [
    1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40, 45, 60, 75, 90, 100, 120, 150, 180, 240, 300, 450, 600, 900, 1200,
    1800, 3600,
];

impl Pace {
    /// One interval for all.
    pub(super) fn of(seconds: u32) -> Self {
        Self { shortest: seconds, longest: seconds }
    }

    /// The interval that a fullest hour of so many samples shows.
    pub(super) fn counted(samples: f64) -> Option<Self> {
        if !(1.0..=1e9).contains(&samples) {
            return None;
        }
        // An hour may hold one sample more or less than it has room for.
        let off = |s: &u32| (3600.0 / f64::from(*s) - samples).abs();
        let usual = USUAL.into_iter().filter(|s| off(s) <= 1.0).min_by(|a, b| off(a).total_cmp(&off(b)));
        Some(Self::of(usual.unwrap_or_else(|| ((3600.0 / samples).round() as u32).max(1))))
    }

    /// The pace of two kinds of targets together.
    pub(super) fn with(self, other: Self) -> Self {
        Self { shortest: self.shortest.min(other.shortest), longest: self.longest.max(other.longest) }
    }

    /// How often the cluster looks, seconds: never less often than samples come, and so that hours
    /// are cut in equal parts.
    pub(super) fn step(self) -> u32 {
        (1..=self.shortest.clamp(1, 3600)).rev().find(|s| 3600 % s == 0).unwrap_or(1)
    }
}

impl std::fmt::Display for Pace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self { shortest, longest } if shortest == longest => write!(f, "{shortest} s"),
            Self { shortest, longest } => write!(f, "{shortest} to {longest} s"),
        }
    }
}
