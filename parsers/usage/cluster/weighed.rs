//! The utilization of a card in an hour, as the cluster summed it up.

use crate::usage::hour::UsageHour;

/// The utilization of a card in an hour, in steps of so many seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weighed {
    pub(super) step: u32,
    pub(super) known: f64,
    pub(super) idle: f64,
    pub(super) busy: f64,
    pub(super) full: f64,
    pub(super) most: Option<f64>,
    pub(super) mean: Option<f64>,
    pub(super) p95: Option<f64>,
}

impl Weighed {
    /// Seconds of so many steps.
    pub(super) fn seconds(&self, steps: f64) -> f64 {
        (steps * f64::from(self.step)).min(3600.0)
    }

    /// Fills an hour in. A partial answer must not make more seconds idle than are known.
    pub(super) fn fill(&self, hour: &mut UsageHour) {
        hour.observed_s = self.seconds(self.known);
        hour.idle_s = self.seconds(self.idle).min(hour.observed_s);
        hour.busy_s = self.seconds(self.busy).min(hour.observed_s - hour.idle_s);
        hour.full_s = self.seconds(self.full).min(hour.busy_s);
        if hour.observed_s > 0.0 {
            let most = self.most.map(|v| (v * 100.0).round() / 100.0);
            hour.util_max = hour.util_max.into_iter().chain(most).reduce(f64::max);
            hour.util_mean = self.mean.map(|v| (v * 100.0).round() / 100.0);
            // What a quantile's own arithmetic adds is no percent more.
            hour.util_p95 = self.p95.map(|v| ((v * 1e6).round() / 1e6).ceil());
        }
    }
}
