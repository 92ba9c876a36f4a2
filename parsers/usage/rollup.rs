//! From samples to hours, time-weighted.

use super::cover::Cover;
use super::hour::UsageHour;
use super::pending::{Pending, Steady};
use super::sample::Sample;
use super::tally::{HOUR, Tally};

/// Steps between samples that the median is taken of.
const STEPS: usize = 64;
/// Steps in a row beyond twice the median that show a longer interval, not holes.
const WIDER: usize = 4;
/// What a sample stands for at most, whatever the median: two samples a year apart tell of no year.
const LONGEST: i64 = 2 * HOUR;
/// Samples out of order that may be chance.
const CHANCE: u64 = 8;

/// What a log was like, once it has ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// Samples taken.
    pub(super) taken: u64,
    /// Samples that were joined to the one before, of the same time.
    pub(super) joined: u64,
    /// Samples of a time that was told of before.
    pub(super) repeated: u64,
    /// Samples that came before the one ahead of them.
    pub(super) late: u64,
    /// The row of the first of these.
    pub(super) late_row: u32,
    /// The first and the last time, microseconds.
    pub(super) span: Option<(i64, i64)>,
}

impl Seen {
    /// Adds what another device's log was like.
    pub(super) fn add(&mut self, other: &Self) {
        self.taken += other.taken;
        self.joined += other.joined;
        self.repeated += other.repeated;
        self.late += other.late;
        self.span = match (self.span, other.span) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
    }

    /// The row from which the log is not in the order of time: more than a few samples are late.
    pub(super) fn disorder(&self) -> Option<u32> {
        (self.late >= CHANCE && self.late * 4 > self.taken).then_some(self.late_row)
    }
}

/// The samples of one device on their way into hours.
#[derive(Debug, Default)]
pub(super) struct Roll {
    /// Samples closer than this are one, microseconds: rows of several cards that are not named.
    pub(super) together: i64,
    /// Samples with their rows until the median step is known.
    waiting: Vec<(i64, u32, Sample)>,
    pending: Option<Pending>,
    steps: Vec<i64>,
    /// Steps in a row that were beyond twice the median.
    wide: Vec<i64>,
    /// Twice the median step, microseconds; 0 until it is known.
    most: i64,
    /// Steps since the last one that was remembered.
    skipped: u32,
    /// The times at which the next sample ends the one that waits as most do: within the hour, in
    /// which both lie, less than twice the median later, and told of by no other log.
    steady: Steady,
    cover: Cover,
    tally: Tally,
    seen: Seen,
}

impl Roll {
    /// Takes a sample at a time in UTC microseconds, read from a row.
    #[inline(always)]
    pub(super) fn push(&mut self, at: i64, row: u32, sample: &Sample) {
        self.seen.taken += 1;
        match &mut self.pending {
            Some(pending) if at > self.steady.0 && at <= self.steady.1 && !sample.util.is_nan() => {
                self.tally.weigh_within(at - pending.at, &pending.sample);
                let step = at - pending.at;
                *pending = Pending { at, room: (at, i64::MAX), sample: *sample };
                self.cover.extend(at);
                // The median may move, and with it how far the next one reaches.
                self.count(step);
                self.steady = Steady(at + self.together, self.tally.until(at + self.most));
            }
            _ => self.slowly(at, row, *sample),
        }
    }

    fn slowly(&mut self, at: i64, row: u32, sample: Sample) {
        self.steady = Steady::default();
        if self.most == 0 {
            self.wait(at, row, sample);
            return;
        }
        self.step(at, row, sample);
        if let Some(Pending { at, room: (from, i64::MAX), sample }) = self.pending
            && from == at
            && !sample.util.is_nan()
            && self.wide.is_empty()
            && self.cover.is_ahead(at)
            && self.tally.holds(at)
        {
            self.steady = Steady(at + self.together, self.tally.until(at + self.most));
        }
    }

    /// Takes a peak that has no weight of its own, from a series apart.
    pub(super) fn peak(&mut self, at: i64, sample: &Sample) {
        // It may lie in another hour.
        self.steady = Steady::default();
        self.tally.peak(at, sample);
        self.spans(at);
    }

    /// Ends the device's log; the last sample stands for one median step.
    pub(super) fn finish(&mut self) {
        self.settle();
        self.close();
        self.tally.leave();
        // The next log may keep another interval.
        self.most = 0;
        self.skipped = 0;
        self.steps.clear();
        self.wide.clear();
    }

    /// What the log that ended was like.
    pub(super) fn seen(&mut self) -> Seen {
        std::mem::take(&mut self.seen)
    }

    /// The finished hours.
    pub(super) fn hours(self, device: &str) -> impl Iterator<Item = UsageHour> {
        self.tally.finished(device)
    }

    #[cold]
    fn wait(&mut self, at: i64, row: u32, sample: Sample) {
        self.waiting.push((at, row, sample));
        if self.waiting.len() > STEPS {
            self.settle();
        }
    }

    fn settle(&mut self) {
        if self.most > 0 {
            return;
        }
        let steps = self.waiting.windows(2).map(|w| w[1].0 - w[0].0);
        let mut steps: Vec<i64> = steps.filter(|s| *s > self.together).collect();
        steps.sort_unstable();
        // A single sample says nothing of its step; a minute is what exporters usually take.
        let median = steps.get(steps.len() / 2).copied().unwrap_or(60_000_000);
        self.most = (2 * median).clamp(2, LONGEST);
        for (at, row, sample) in std::mem::take(&mut self.waiting) {
            self.step(at, row, sample);
        }
    }

    fn step(&mut self, at: i64, row: u32, sample: Sample) {
        match &mut self.pending {
            Some(pending) => {
                let step = at - pending.at;
                if step > self.together {
                    pending.weigh(step.min(self.most), &mut self.tally);
                    let from = pending.at;
                    self.remember(from, step);
                } else if step >= 0 {
                    self.seen.joined += 1;
                    pending.sample.join(&sample);
                    return;
                } else {
                    self.late(step, row, &sample);
                    if self.pending.is_some() {
                        return;
                    }
                }
            }
            None => self.spans(at),
        }
        self.begin(at, sample);
    }

    /// Lets a sample wait for the one that ends it.
    fn begin(&mut self, at: i64, sample: Sample) {
        let mut room = (at, i64::MAX);
        if sample.util.is_nan() {
            // What is unknown here, another log may know.
            self.cover.split(at);
        } else {
            match self.cover.room(at) {
                Some(free) => room = free,
                None => return self.repeat(at, &sample),
            }
            self.cover.extend(at);
        }
        self.pending = Some(Pending { at, room, sample });
    }

    /// A time that was told of before: it must not count twice.
    #[cold]
    fn repeat(&mut self, at: i64, sample: &Sample) {
        self.seen.repeated += 1;
        self.cover.split(at);
        self.pending = None;
        self.peak(at, sample);
    }

    /// A sample before the one ahead of it: chance within a step, else another log that follows.
    #[cold]
    fn late(&mut self, step: i64, row: u32, sample: &Sample) {
        if self.seen.late == 0 {
            self.seen.late_row = row;
        }
        self.seen.late += 1;
        if step > -self.most {
            if let Some(pending) = &mut self.pending {
                pending.sample.join(sample);
            }
        } else {
            self.close();
        }
    }

    /// Ends a stretch of the log for good.
    fn close(&mut self) {
        if let Some(pending) = self.pending.take() {
            pending.weigh(self.most / 2, &mut self.tally);
            self.spans(pending.at);
            self.cover.close(pending.at + self.most / 2);
        }
        self.cover.close(0);
    }

    fn spans(&mut self, at: i64) {
        let (first, last) = self.seen.span.unwrap_or((at, at));
        self.seen.span = Some((first.min(at), last.max(at)));
    }

    /// Lets the median follow a log whose interval changes.
    fn remember(&mut self, from: i64, step: i64) {
        if step > self.most {
            self.cover.split(from + self.most);
            self.widen(step);
        } else if !self.wide.is_empty() {
            self.wide.clear();
        }
        self.count(step);
    }

    /// One step in sixteen is enough, and sorting them costs nothing then.
    #[inline(always)]
    fn count(&mut self, step: i64) {
        self.skipped += 1;
        if self.skipped >= 16 {
            self.skipped = 0;
            self.note(step);
        }
    }

    #[cold]
    fn note(&mut self, step: i64) {
        self.steps.push(step);
        if self.steps.len() == STEPS {
            self.steps.sort_unstable();
            self.most = (2 * self.steps[self.steps.len() / 2]).clamp(2, LONGEST);
            self.steps.clear();
        }
    }

    #[cold]
    fn widen(&mut self, step: i64) {
        self.wide.push(step);
        if self.wide.len() == WIDER {
            self.wide.sort_unstable();
            self.most = (2 * self.wide[WIDER / 2]).min(LONGEST);
            self.wide.clear();
            self.steps.clear();
        }
    }
}
