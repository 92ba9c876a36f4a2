//! One hour of a device under construction.

use chrono::DateTime;

use super::hour::UsageHour;
use super::sample::Sample;
use super::tally::HOUR;

/// Whole percents from 0 to 100.
const PERCENTS: usize = 101;

/// One hour under construction; weights in microseconds.
#[derive(Clone, Debug)]
pub(super) struct Hour {
    /// Weight by whole percent of utilization, rounded up; without the zeros at its end once it is
    /// packed.
    share: Vec<u64>,
    /// What the whole percents tell wrongly of utilization between them.
    ragged: Ragged,
    throttled: i64,
    throttled_cool: i64,
    /// The maxima of a sample's figures in their order, with two differences: free memory has its
    /// sign turned, and in the place of the temperature stands the power at full load.
    maxima: [f32; Sample::FIGURES],
}

/// Differences to what whole percents tell.
#[derive(Clone, Copy, Debug, Default)]
struct Ragged {
    weighted: f64,
    idle: i64,
    busy: i64,
    full: i64,
}

impl Default for Hour {
    fn default() -> Self {
        Self {
            share: Vec::new(),
            ragged: Ragged::default(),
            throttled: 0,
            throttled_cool: 0,
            maxima: [f32::NEG_INFINITY; Sample::FIGURES],
        }
    }
}

/// Below this a card is idle, percent.
const IDLE: u8 = 5;
/// From here on it is busy.
const BUSY: u8 = 70;
/// From here on it is fully loaded.
const FULL: u8 = 95;

impl Hour {
    pub(super) fn is_empty(&self) -> bool {
        self.share.is_empty() && self.maxima.iter().all(|most| most.is_infinite())
    }

    #[inline(always)]
    pub(super) fn add(&mut self, micros: i64, sample: &Sample) {
        self.raise(sample, if sample.util >= f32::from(FULL) { sample.power } else { f32::NAN });
        if sample.throttled {
            self.throttled += micros;
            // Below its own power limit every card is held at full load; that is no fault.
            if sample.slowed && sample.temperature < 80.0 {
                self.throttled_cool += micros;
            }
        }
        if sample.util.is_nan() {
            return;
        }
        // From here on an f32 has no fraction: what is added is rounded, and stands in its last bits.
        const WHOLE: f32 = 8_388_608.0;
        let rounded = sample.util + WHOLE;
        if (rounded - WHOLE - sample.util).abs() > 0.0 {
            return self.add_between(micros, sample.util);
        }
        let percent = (rounded.to_bits() & 0x7f) as usize;
        match self.share.get_mut(percent) {
            Some(share) => *share += micros as u64,
            None => self.add_between(micros, sample.util),
        }
    }

    /// Adds a utilization to the whole percent above it, and what that tells wrongly.
    #[cold]
    fn add_between(&mut self, micros: i64, util: f32) {
        let percent = util.ceil().clamp(0.0, (PERCENTS - 1) as f32);
        self.share.resize(PERCENTS, 0);
        self.share[percent as usize] += micros as u64;
        self.ragged.add(micros, util, percent);
    }

    /// Adds a sample without weight.
    pub(super) fn peaks(&mut self, sample: &Sample) {
        self.raise(sample, f32::NAN);
    }

    #[inline(always)]
    fn raise(&mut self, sample: &Sample, full_power: f32) {
        let Sample { util, memory, memory_total, memory_free, memory_reserved, power, power_limit, .. } = *sample;
        let figures = [util, memory, memory_total, -memory_free, memory_reserved, power, power_limit, full_power];
        for (most, value) in self.maxima.iter_mut().zip(figures) {
            // Nothing is above what is unknown, so that it never counts.
            *most = if value > *most { value } else { *most };
        }
    }

    /// Gives back the memory that a finished hour does not need.
    pub(super) fn pack(&mut self) {
        self.share.truncate(self.share.iter().rposition(|w| *w > 0).map_or(0, |last| last + 1));
        self.share.shrink_to_fit();
    }

    pub(super) fn finished(self, device: &str, at: i64) -> Option<UsageHour> {
        let weight = |from: u8| self.share.iter().skip(from.into()).sum::<u64>() as i64;
        let observed = weight(0);
        let idle = observed - weight(IDLE) + self.ragged.idle;
        let (busy, full) = (weight(BUSY) + self.ragged.busy, weight(FULL) + self.ragged.full);
        let whole: u64 = self.share.iter().zip(0..).map(|(weight, percent)| weight * percent).sum();
        let weighted = whole as f64 + self.ragged.weighted;
        // Where one log takes over from another, the last step of the first may reach into the
        // second: what they say keeps its share of the hour.
        let scale = if observed > HOUR { HOUR as f64 / observed as f64 } else { 1.0 };
        let seconds = |micros: i64| ((micros as f64 * scale) as i64).min(HOUR) as f64 / 1e6;
        let seconds = |micros: i64| (seconds(micros) * 1000.0).round() / 1000.0;
        let percent = |v: f64| (v * 100.0).round() / 100.0;
        let wide = |v: f32| v.is_finite().then(|| (f64::from(v) * 100.0).round() / 100.0);
        let [util_max, memory_max, _, _, _, power_max, power_limit, full_power_max] = self.maxima;
        Some(UsageHour {
            observed_s: seconds(observed),
            idle_s: seconds(idle),
            busy_s: seconds(busy),
            full_s: seconds(full),
            throttled_s: seconds(self.throttled),
            throttled_cool_s: seconds(self.throttled_cool),
            util_mean: (observed > 0).then(|| percent(weighted / observed as f64)),
            util_p95: self.percentile(observed as u64, 95),
            util_max: wide(util_max),
            memory_max: wide(memory_max),
            memory_total: wide(self.memory_total()),
            power_max: wide(power_max),
            power_limit: wide(power_limit),
            full_power_max: wide(full_power_max),
            ..UsageHour::unknown(device, DateTime::from_timestamp_micros(at * HOUR)?)
        })
    }

    /// The card's memory: as printed, else what is used at most, free at least and reserved; not
    /// finite if that is unknown.
    fn memory_total(&self) -> f32 {
        let [_, used, total, free, reserved, ..] = self.maxima;
        let reserved = if reserved.is_finite() { reserved } else { 0.0 };
        match total.is_finite() {
            true => total,
            false => used - free + reserved,
        }
    }

    /// The whole percent under which this share of the observed time lies.
    fn percentile(&self, observed: u64, share: u64) -> Option<f64> {
        let mut sum = 0;
        for (percent, weight) in self.share.iter().enumerate() {
            sum += weight * 100;
            if *weight > 0 && sum >= observed * share {
                return Some(percent as f64);
            }
        }
        None
    }
}

impl Ragged {
    /// Adds what is between this percent and the one below it, or beyond the last.
    #[cold]
    fn add(&mut self, micros: i64, util: f32, percent: f32) {
        self.weighted += (f64::from(util) - f64::from(percent)) * micros as f64;
        let crosses = |border: u8| util < f32::from(border) && percent >= f32::from(border);
        self.idle += if crosses(IDLE) { micros } else { 0 };
        self.busy -= if crosses(BUSY) { micros } else { 0 };
        self.full -= if crosses(FULL) { micros } else { 0 };
    }
}
