//! From samples to hours, time-weighted.

use std::collections::BTreeMap;

use super::hour::UsageHour;
use super::weights::Hour;

/// Microseconds in an hour.
pub(super) const HOUR: i64 = 3_600_000_000;
/// Steps between samples that the median is taken of.
const STEPS: usize = 64;
/// Steps in a row beyond twice the median that show a longer interval, not holes.
const WIDER: usize = 4;

/// What one sample says of a device; NaN is unknown, so that it never passes a comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Percent.
    pub(super) util: f32,
    /// MiB.
    pub(super) memory: f32,
    /// MiB.
    pub(super) memory_total: f32,
    /// Watt.
    pub(super) power: f32,
    /// Watt.
    pub(super) power_limit: f32,
    /// Degrees Celsius.
    pub(super) temperature: f32,
    /// Whether the clocks are held down.
    pub(super) throttled: bool,
}

impl Default for Sample {
    fn default() -> Self {
        Self {
            util: f32::NAN,
            memory: f32::NAN,
            memory_total: f32::NAN,
            power: f32::NAN,
            power_limit: f32::NAN,
            temperature: f32::NAN,
            throttled: false,
        }
    }
}

/// The samples of one device on their way into hours.
#[derive(Debug, Default)]
pub(super) struct Roll {
    /// Samples until the median step is known.
    waiting: Vec<(i64, Sample)>,
    pending: Option<(i64, Sample)>,
    steps: Vec<i64>,
    /// Steps in a row that were beyond twice the median.
    wide: Vec<i64>,
    /// Twice the median step, microseconds; 0 until it is known.
    most: i64,
    at: i64,
    /// Begin and end of the current hour, microseconds.
    bounds: (i64, i64),
    /// Steps since the last one that was remembered.
    skipped: u32,
    current: Hour,
    done: BTreeMap<i64, Hour>,
    /// First and last sample of the file that is read, split where more than an hour is missing.
    runs: Vec<(i64, i64)>,
    /// The runs of the files before.
    covered: Vec<(i64, i64)>,
    /// The end of the last of these.
    covered_to: i64,
    /// Samples of a time that a file before has told of.
    pub(super) repeated: u64,
    /// Samples that came more than an hour before the one ahead of them.
    pub(super) disordered: u64,
}

impl Roll {
    /// Takes a sample at a time in UTC microseconds.
    #[inline]
    pub(super) fn push(&mut self, at: i64, sample: Sample) {
        // A copy of a log must not count twice; new logs mostly begin where the old ones end.
        if at <= self.covered_to && !sample.util.is_nan() && self.is_covered(at) {
            self.repeated += 1;
            self.peak(at, sample);
            return;
        }
        if self.most == 0 {
            self.wait(at, sample);
            return;
        }
        self.step(at, sample);
    }

    /// Takes a peak that has no weight of its own, from a series apart.
    pub(super) fn peak(&mut self, at: i64, sample: Sample) {
        self.enter(at.div_euclid(HOUR));
        self.current.peaks(&sample);
    }

    /// Ends the device's log; the last sample stands for one median step.
    pub(super) fn finish(&mut self) {
        if self.most == 0 {
            self.settle();
        }
        if let Some((at, sample)) = self.pending.take() {
            self.weigh(at, self.most / 2, &sample);
        }
        self.enter(i64::MIN);
        // The next log may keep another interval.
        self.most = 0;
        self.skipped = 0;
        self.steps.clear();
        self.wide.clear();
        self.covered.append(&mut self.runs);
        self.covered_to = self.covered.iter().map(|(_, to)| *to).max().unwrap_or(i64::MIN);
    }

    /// The finished hours.
    pub(super) fn hours(self, device: &str) -> impl Iterator<Item = UsageHour> {
        let device = device.to_owned();
        self.done.into_iter().filter_map(move |(at, hour)| hour.finished(&device, at))
    }

    #[cold]
    fn wait(&mut self, at: i64, sample: Sample) {
        self.waiting.push((at, sample));
        if self.waiting.len() > STEPS {
            self.settle();
        }
    }

    fn settle(&mut self) {
        let mut steps: Vec<i64> = self.waiting.windows(2).map(|w| w[1].0 - w[0].0).filter(|s| *s > 0).collect();
        steps.sort_unstable();
        // A single sample says nothing of its step; a minute is what exporters usually take.
        let median = steps.get(steps.len() / 2).copied().unwrap_or(60_000_000);
        self.most = (2 * median).max(2);
        for (at, sample) in std::mem::take(&mut self.waiting) {
            self.step(at, sample);
        }
    }

    #[inline]
    fn step(&mut self, at: i64, sample: Sample) {
        if !sample.util.is_nan() {
            self.run(at);
        }
        if let Some((before, held)) = self.pending {
            let step = at - before;
            if step < 0 {
                self.disordered += u64::from(step < -HOUR);
            }
            if step > 0 {
                self.weigh(before, step.min(self.most), &held);
                self.remember(step);
                if step > self.most {
                    self.widen(step);
                } else if !self.wide.is_empty() {
                    self.wide.clear();
                }
            }
        }
        self.pending = Some((at, sample));
    }

    #[cold]
    fn widen(&mut self, step: i64) {
        self.wide.push(step);
        if self.wide.len() == WIDER {
            self.wide.sort_unstable();
            self.most = 2 * self.wide[WIDER / 2];
            self.wide.clear();
            self.steps.clear();
        }
    }

    #[inline]
    fn run(&mut self, at: i64) {
        match self.runs.last_mut() {
            Some((_, to)) if at >= *to && at - *to <= HOUR => *to = at,
            Some((from, to)) if (*from..=*to).contains(&at) => {}
            _ => self.runs.push((at, at)),
        }
    }

    #[cold]
    fn is_covered(&self, at: i64) -> bool {
        self.covered.iter().any(|(from, to)| (*from..=*to).contains(&at))
    }

    /// Lets the median follow a log whose interval changes.
    #[inline]
    fn remember(&mut self, step: i64) {
        // One step in sixteen is enough, and sorting them costs nothing then.
        self.skipped += 1;
        if self.skipped < 16 {
            return;
        }
        self.skipped = 0;
        self.steps.push(step);
        if self.steps.len() == STEPS {
            self.steps.sort_unstable();
            self.most = (2 * self.steps[self.steps.len() / 2]).max(2);
            self.steps.clear();
        }
    }

    /// Adds a sample that stands for some microseconds, cut at the border of the hour.
    #[inline]
    fn weigh(&mut self, from: i64, micros: i64, sample: &Sample) {
        if from < self.bounds.0 || from >= self.bounds.1 {
            self.enter(from.div_euclid(HOUR));
        }
        let left = self.bounds.1 - from;
        if micros <= left {
            self.current.add(micros, sample);
            return;
        }
        self.current.add(left, sample);
        let (mut rest, mut next) = (micros - left, self.at + 1);
        while rest > 0 {
            self.enter(next);
            self.current.add(rest.min(HOUR), sample);
            (rest, next) = (rest - HOUR, next + 1);
        }
    }

    fn enter(&mut self, hour: i64) {
        if hour == self.at {
            return;
        }
        let mut left = std::mem::take(&mut self.current);
        if !left.is_empty() {
            match self.done.get_mut(&self.at) {
                Some(known) => known.merge(&left),
                None => {
                    left.share.shrink_to_fit();
                    self.done.insert(self.at, left);
                }
            }
        }
        self.at = hour;
        self.bounds = (hour.saturating_mul(HOUR), hour.saturating_add(1).saturating_mul(HOUR));
        if let Some(known) = self.done.remove(&hour) {
            self.current = known;
        }
    }
}
