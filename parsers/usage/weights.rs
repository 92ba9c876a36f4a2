//! One hour of a device under construction.

use chrono::DateTime;

use super::hour::UsageHour;
use super::rollup::{HOUR, Sample};

/// One hour under construction; weights in microseconds, maxima NaN while unknown.
#[derive(Clone, Debug)]
pub(super) struct Hour {
    observed: i64,
    idle: i64,
    busy: i64,
    full: i64,
    throttled: i64,
    throttled_cool: i64,
    weighted: f64,
    /// Weight by whole percent of utilization.
    pub(super) share: Vec<i64>,
    util_max: f32,
    memory_max: f32,
    memory_total: f32,
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
            util_max: f32::NAN,
            memory_max: f32::NAN,
            memory_total: f32::NAN,
            power_max: f32::NAN,
            power_limit: f32::NAN,
            full_power_max: f32::NAN,
        }
    }
}

impl Hour {
    pub(super) fn is_empty(&self) -> bool {
        self.observed == 0
            && self.memory_max.is_nan()
            && self.power_max.is_nan()
            && self.util_max.is_nan()
            && self.memory_total.is_nan()
    }

    #[inline]
    pub(super) fn add(&mut self, micros: i64, sample: &Sample) {
        self.peaks(sample);
        if sample.throttled {
            self.throttled += micros;
            if sample.temperature < 80.0 {
                self.throttled_cool += micros;
            }
        }
        let util = sample.util;
        if util.is_nan() {
            return;
        }
        self.observed += micros;
        self.weighted += f64::from(util) * micros as f64;
        if self.share.is_empty() {
            self.share = vec![0; 101];
        }
        self.share[(util.ceil() as usize).min(100)] += micros;
        if util < 5.0 {
            self.idle += micros;
        } else if util >= 70.0 {
            self.busy += micros;
            if util >= 95.0 {
                self.full += micros;
                raise(&mut self.full_power_max, sample.power);
            }
        }
    }

    #[inline]
    pub(super) fn peaks(&mut self, sample: &Sample) {
        raise(&mut self.util_max, sample.util);
        raise(&mut self.memory_max, sample.memory);
        raise(&mut self.memory_total, sample.memory_total);
        raise(&mut self.power_max, sample.power);
        raise(&mut self.power_limit, sample.power_limit);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.observed += other.observed;
        self.idle += other.idle;
        self.busy += other.busy;
        self.full += other.full;
        self.throttled += other.throttled;
        self.throttled_cool += other.throttled_cool;
        self.weighted += other.weighted;
        if self.share.is_empty() {
            self.share = other.share.clone();
        } else {
            for (mine, theirs) in self.share.iter_mut().zip(&other.share) {
                *mine += theirs;
            }
        }
        for (mine, theirs) in [
            (&mut self.util_max, other.util_max),
            (&mut self.memory_max, other.memory_max),
            (&mut self.memory_total, other.memory_total),
            (&mut self.power_max, other.power_max),
            (&mut self.power_limit, other.power_limit),
            (&mut self.full_power_max, other.full_power_max),
        ] {
            raise(mine, theirs);
        }
    }

    pub(super) fn finished(self, device: &str, at: i64) -> Option<UsageHour> {
        // The hour that the end of summer time repeats, or logs joined in one file, tell of it
        // twice: what they say keeps its share of the hour.
        let scale = if self.observed > HOUR { HOUR as f64 / self.observed as f64 } else { 1.0 };
        let seconds = |micros: i64| ((micros as f64 * scale) as i64).min(HOUR) as f64 / 1e6;
        let seconds = |micros: i64| (seconds(micros) * 1000.0).round() / 1000.0;
        let percent = |v: f64| (v * 100.0).round() / 100.0;
        let wide = |v: f32| (!v.is_nan()).then(|| (f64::from(v) * 100.0).round() / 100.0);
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
            memory_total: wide(self.memory_total),
            power_max: wide(self.power_max),
            power_limit: wide(self.power_limit),
            full_power_max: wide(self.full_power_max),
            ..UsageHour::unknown(device, DateTime::from_timestamp_micros(at * HOUR)?)
        })
    }

    /// The whole percent under which this share of the observed time lies.
    fn percentile(&self, share: i64) -> Option<f64> {
        let target = self.observed * share;
        let mut sum = 0;
        for (percent, weight) in self.share.iter().enumerate() {
            sum += weight * 100;
            if *weight > 0 && sum >= target {
                return Some(percent as f64);
            }
        }
        None
    }
}

#[inline]
fn raise(most: &mut f32, value: f32) {
    // `max` takes the other where one is NaN.
    *most = most.max(value);
}
