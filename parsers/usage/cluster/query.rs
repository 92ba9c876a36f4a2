//! The questions, in PromQL that every server of the family knows.
//!
//! A query is evaluated at the end of each hour. `offset 1ms` makes hours half open, as they are
//! everywhere in kashi: a sample at the full hour belongs to the hour that begins.

use super::matchers::Matchers;
use super::pace::Pace;

/// The series that are asked for; of two that tell a card's utilization the first is taken.
pub(super) const ASKED: [&str; 26] = [
    "DCGM_FI_DEV_GPU_UTIL",
    "dcgm_gpu_utilization",
    "nvidia_smi_utilization_gpu",
    "nvidia_smi_utilization_gpu_ratio",
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
    "DCGM_FI_DEV_FB_USED",
    "dcgm_fb_used",
    "nvidia_smi_memory_used",
    "nvidia_smi_memory_used_bytes",
    "DCGM_FI_DEV_FB_TOTAL",
    "nvidia_smi_memory_total",
    "nvidia_smi_memory_total_bytes",
    "DCGM_FI_DEV_FB_FREE",
    "dcgm_fb_free",
    "nvidia_smi_memory_free",
    "nvidia_smi_memory_free_bytes",
    "DCGM_FI_DEV_FB_RESERVED",
    "nvidia_smi_memory_reserved",
    "nvidia_smi_memory_reserved_bytes",
    "DCGM_FI_DEV_POWER_USAGE",
    "dcgm_power_usage",
    "nvidia_smi_power_draw",
    "nvidia_smi_power_draw_watts",
    "DCGM_FI_DEV_POWER_MGMT_LIMIT",
    "nvidia_smi_power_limit_watts",
    "nvidia_smi_enforced_power_limit_watts",
];

/// Series of one name.
pub(super) struct Series<'a> {
    pub(super) name: &'a str,
    pub(super) matchers: &'a Matchers,
}

impl Series<'_> {
    /// The samples of the fullest series, by the job that scrapes them.
    pub(super) fn fullest(&self) -> String {
        format!("max by (job) (count_over_time({self}[1h] offset 1ms))")
    }

    /// The highest value of each series.
    pub(super) fn highest(&self) -> String {
        format!("max_over_time({self}[1h] offset 1ms)")
    }

    /// The lowest value of each series.
    pub(super) fn lowest(&self) -> String {
        format!("min_over_time({self}[1h] offset 1ms)")
    }

    /// What each card does from step to step, by the labels that tell it.
    ///
    /// A sample stands until the next one, at most twice the scrape interval: that is what the
    /// window says, whatever the server's own lookback. Cards whose series take turns, or come
    /// from two replicas, are one by the labels and count once. What is no percentage is unknown.
    pub(super) fn weighing(&self, labels: &[String], pace: Pace, scale: f64) -> Weighing {
        let window = 2000 * u64::from(pace.longest) - 1;
        let scale = if scale > 1.0 { format!("{scale} * ") } else { String::new() };
        let by = labels.join(", ");
        let inner = format!("max by ({by}) ({scale}last_over_time({self}[{window}ms]) >= 0 <= 100)");
        Weighing { inner, step: pace.step() }
    }
}

impl std::fmt::Display for Series<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.matchers.as_str() {
            "" => f.write_str(self.name),
            matchers => write!(f, "{}{{{matchers}}}", self.name),
        }
    }
}

/// What a card does from step to step, and how to sum it up over an hour.
pub(super) struct Weighing {
    inner: String,
    pub(super) step: u32,
}

impl Weighing {
    /// Steps of which the utilization is known.
    pub(super) fn known(&self) -> String {
        self.over("count_over_time(", "")
    }

    /// Steps below so many percent.
    pub(super) fn below(&self, percent: u32) -> String {
        self.over("count_over_time(", &format!(" < {percent}"))
    }

    /// Steps at or above so many percent.
    pub(super) fn from(&self, percent: u32) -> String {
        self.over("count_over_time(", &format!(" >= {percent}"))
    }

    /// The highest of the steps: the sample that reaches into the hour from the one before counts.
    pub(super) fn highest(&self) -> String {
        self.over("max_over_time(", "")
    }

    /// The mean over the steps.
    pub(super) fn mean(&self) -> String {
        self.over("avg_over_time(", "")
    }

    /// The percent that 95 of 100 steps do not pass.
    ///
    /// PromQL interpolates between ranks; in an hour without holes this share falls on the rank
    /// itself, so that nothing is made up between an idle and a busy card.
    pub(super) fn p95(&self) -> String {
        let steps = 3600 / self.step;
        let rank = (steps * 95).div_ceil(100).max(1) - 1;
        let share = if steps > 1 { f64::from(rank) / f64::from(steps - 1) } else { 1.0 };
        self.over(&format!("quantile_over_time({share}, "), "")
    }

    fn over(&self, function: &str, condition: &str) -> String {
        format!("{function}({}{condition})[1h:{}s] offset 1ms)", self.inner, self.step)
    }
}
