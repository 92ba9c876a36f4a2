//! The sample that was read last, until the next one ends it.

use super::sample::Sample;
use super::tally::Tally;

/// A sample that waits for the one that ends it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) at: i64,
    /// The time from which, and the one until which, no other log has told.
    pub(super) room: (i64, i64),
    pub(super) sample: Sample,
}

impl Pending {
    /// Adds the sample, which stands for some microseconds, as far as no other log has told of them.
    pub(super) fn weigh(&self, micros: i64, tally: &mut Tally) {
        let (from, until) = self.room;
        let end = (self.at + micros).min(until);
        if end > from {
            tally.weigh(from, end - from, &self.sample);
        }
    }
}

/// Times after the first of these, up to the second; none of the default.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steady(pub(super) i64, pub(super) i64);

impl Default for Steady {
    fn default() -> Self {
        Self(i64::MAX, i64::MIN)
    }
}
