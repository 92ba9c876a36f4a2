//! The hours of a device, and the one that is under way.

use std::collections::BTreeMap;

use super::hour::UsageHour;
use super::sample::Sample;
use super::weights::Hour;

/// Microseconds in an hour.
pub(super) const HOUR: i64 = 3_600_000_000;

/// The hours of a device; the one that samples fall into is kept at hand.
#[derive(Debug)]
pub(super) struct Tally {
    at: i64,
    /// Begin and end of the current hour, microseconds.
    bounds: (i64, i64),
    current: Hour,
    done: BTreeMap<i64, Hour>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { at: i64::MIN, bounds: (0, 0), current: Hour::default(), done: BTreeMap::new() }
    }
}

impl Tally {
    /// Adds a sample that stands for some microseconds, cut at the border of the hour.
    pub(super) fn weigh(&mut self, from: i64, micros: i64, sample: &Sample) {
        let (begin, end) = self.bounds;
        if from >= begin && from < end && micros <= end - from {
            self.current.add(micros, sample);
        } else {
            self.across(from, micros, sample);
        }
    }

    /// The same, where all of it is known to lie within the current hour.
    #[inline(always)]
    pub(super) fn weigh_within(&mut self, micros: i64, sample: &Sample) {
        self.current.add(micros, sample);
    }

    /// Whether a time lies in the current hour.
    pub(super) fn holds(&self, at: i64) -> bool {
        (self.bounds.0..self.bounds.1).contains(&at)
    }

    /// A time, or the end of the current hour before it.
    #[inline(always)]
    pub(super) fn until(&self, at: i64) -> i64 {
        at.min(self.bounds.1)
    }

    /// The same for another hour than the current one, or for several.
    #[cold]
    fn across(&mut self, from: i64, micros: i64, sample: &Sample) {
        self.enter(from.div_euclid(HOUR));
        let left = micros.min(self.bounds.1 - from);
        self.current.add(left, sample);
        let (mut rest, mut next) = (micros - left, self.at + 1);
        while rest > 0 {
            self.enter(next);
            self.current.add(rest.min(HOUR), sample);
            (rest, next) = (rest - HOUR, next + 1);
        }
    }

    /// Adds a sample without weight.
    pub(super) fn peak(&mut self, at: i64, sample: &Sample) {
        self.enter(at.div_euclid(HOUR));
        self.current.peaks(sample);
    }

    /// Ends the current hour.
    pub(super) fn leave(&mut self) {
        self.enter(i64::MIN);
    }

    /// The finished hours, in order.
    pub(super) fn finished(self, device: &str) -> impl Iterator<Item = UsageHour> {
        let device = device.to_owned();
        self.done.into_iter().filter_map(move |(at, hour)| hour.finished(&device, at))
    }

    fn enter(&mut self, hour: i64) {
        if hour == self.at {
            return;
        }
        let mut left = std::mem::take(&mut self.current);
        if !left.is_empty() {
            left.pack();
            self.done.insert(self.at, left);
        }
        self.at = hour;
        self.bounds = (hour.saturating_mul(HOUR), hour.saturating_add(1).saturating_mul(HOUR));
        if let Some(known) = self.done.remove(&hour) {
            self.current = known;
        }
    }
}
