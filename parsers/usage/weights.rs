//! One hour of a device under construction.

use chrono::DateTime;

use super::hour::UsageHour;
use super::sample::Sample;
use super::tally::HOUR;

/// Whole percents from 0 to 100.
const PERCENTS: usize = 101;

/// One hour under construction; weights in microseconds, maxima below all numbers while unknown.
#[derive(Clone, Debug)]
pub(super) struct Hour {
    observed: i64,
    idle: i64,
    busy: i64,
    full: i64,
    throttled: i64,
    throttled_cool: i64,
    weighted: f64,
    /// Weight by whole percent of utilization, without the zeros at its end once it is packed.
    share: Vec<u32>,
    util_max: f32,
    memory_max: f32,
    memory_total: f32,
    memory_free_min: f32,
    memory_reserved: f32,
    power_max: f32,
    power_limit: f32,
    full_power_max: f32,
}

impl Default for Hour {
    fn default() -> Self {
        Self {
            observed: 0,
            idle: 0,
            busy: 0,
            full: 0,
            throttled: 0,
            throttled_cool: 0,
            weighted: 0.0,
            share: Vec::new(),
            util_max: f32::NEG_INFINITY,
            memory_max: f32::NEG_INFINITY,
            memory_total: f32::NEG_INFINITY,
            memory_free_min: f32::INFINITY,
            memory_reserved: f32::NEG_INFINITY,
            power_max: f32::NEG_INFINITY,
            power_limit: f32::NEG_INFINITY,
            full_power_max: f32::NEG_INFINITY,
        }
    }
}

impl Hour {
    pub(super) fn is_empty(&self) -> bool {
        let maxima = [
            self.memory_max,
            self.power_max,
            self.util_max,
            self.memory_total,
            self.memory_reserved,
            self.power_limit,
            -self.memory_free_min,
        ];
        self.observed == 0 && maxima.iter().all(|most| most.is_infinite())
    }

    #[inline]
    pub(super) fn add(&mut self, micros: i64, sample: &Sample) {
        self.peaks(sample);
        if sample.throttled {
            self.throttled += micros;
            // Below its own power limit every card is held at full load; that is no fault.
            if sample.slowed && sample.temperature < 80.0 {
                self.throttled_cool += micros;
            }
        }
        let util = sample.util;
        if util.is_nan() {
            return;
        }
        self.observed += micros;
        self.weighted += f64::from(util) * micros as f64;
        self.share(util, micros);
        // What a card does changes with every sample: sums cost less than branches guessed wrong.
        let when = |is: bool| if is { micros } else { 0 };
        self.idle += when(util < 5.0);
        self.busy += when(util >= 70.0);
        self.full += when(util >= 95.0);
        raise(&mut self.full_power_max, if util >= 95.0 { sample.power } else { f32::NAN });
    }

    #[inline]
    fn share(&mut self, util: f32, micros: i64) {
        let whole = util as u32;
        let percent = (whole + u32::from(util > whole as f32)) as usize;
        if self.share.len() < PERCENTS {
            self.share.resize(PERCENTS, 0);
        }
        let share = &mut self.share[percent.min(PERCENTS - 1)];
        // An hour has fewer microseconds than this number can hold.
        *share = share.saturating_add(micros as u32);
    }

    #[inline]
    pub(super) fn peaks(&mut self, sample: &Sample) {
        raise(&mut self.util_max, sample.util);
        raise(&mut self.memory_max, sample.memory);
        raise(&mut self.memory_total, sample.memory_total);
        raise(&mut self.memory_reserved, sample.memory_reserved);
        let free = &mut self.memory_free_min;
        *free = if sample.memory_free < *free { sample.memory_free } else { *free };
        raise(&mut self.power_max, sample.power);
        raise(&mut self.power_limit, sample.power_limit);
    }

    /// Gives back the memory that a finished hour does not need.
    pub(super) fn pack(&mut self) {
        self.share.truncate(self.share.iter().rposition(|w| *w > 0).map_or(0, |last| last + 1));
        self.share.shrink_to_fit();
    }

    pub(super) fn finished(self, device: &str, at: i64) -> Option<UsageHour> {
        // Where one log takes over from another, the last step of the first may reach into the
        // second: what they say keeps its share of the hour.
        let scale = if self.observed > HOUR { HOUR as f64 / self.observed as f64 } else { 1.0 };
        let seconds = |micros: i64| ((micros as f64 * scale) as i64).min(HOUR) as f64 / 1e6;
        let seconds = |micros: i64| (seconds(micros) * 1000.0).round() / 1000.0;
        let percent = |v: f64| (v * 100.0).round() / 100.0;
        let wide = |v: f32| v.is_finite().then(|| (f64::from(v) * 100.0).round() / 100.0);
        Some(UsageHour {
            observed_s: seconds(self.observed),
            idle_s: seconds(self.idle),
            busy_s: seconds(self.busy),
            full_s: seconds(self.full),
            throttled_s: seconds(self.throttled),
            throttled_cool_s: seconds(self.throttled_cool),
            util_mean: (self.observed > 0).then(|| percent(self.weighted / self.observed as f64)),
            util_p95: self.percentile(95),
            util_max: wide(self.util_max),
            memory_max: wide(self.memory_max),
            memory_total: wide(self.total()),
            power_max: wide(self.power_max),
            power_limit: wide(self.power_limit),
            full_power_max: wide(self.full_power_max),
            ..UsageHour::unknown(device, DateTime::from_timestamp_micros(at * HOUR)?)
        })
    }

    /// The card's memory: as printed, else what is used at most, free at least and reserved; not
    /// finite if that is unknown.
    fn total(&self) -> f32 {
        if self.memory_total.is_finite() {
            return self.memory_total;
        }
        let known = self.memory_max.is_finite() && self.memory_free_min.is_finite();
        let reserved = if self.memory_reserved.is_finite() { self.memory_reserved } else { 0.0 };
        if known { self.memory_max + self.memory_free_min + reserved } else { f32::NAN }
    }

    /// The whole percent under which this share of the observed time lies.
    fn percentile(&self, share: i64) -> Option<f64> {
        let target = self.observed * share;
        let mut sum = 0;
        for (percent, weight) in self.share.iter().enumerate() {
            sum += i64::from(*weight) * 100;
            if *weight > 0 && sum >= target {
                return Some(percent as f64);
            }
        }
        None
    }
}

#[inline]
fn raise(most: &mut f32, value: f32) {
    // Nothing is above what is unknown, so that it never counts.
    *most = if value > *most { value } else { *most };
}
