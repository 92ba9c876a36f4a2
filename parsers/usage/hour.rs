//! The roll-up: what a device did in one hour.

use chrono::{DateTime, Utc};

use crate::catalogue;

/// What stands between the name of a card and the profile of its slice.
pub(super) const SLICE: &str = " MIG";

/// One device in one UTC hour.
///
/// Seconds are time-weighted: a sample stands for the time until the next one, at most twice
/// the median step of its log. What no sample covers is unknown, not idle. Floats are fit for
/// choosing (is it idle?), never for charging.
#[derive(Clone, Debug, PartialEq)]
pub struct UsageHour {
    /// The device: UUID, else PCI bus id, else `host/index`, else the log's name.
    pub device: String,
    /// The billed resource it belongs to, once it is tied to one.
    pub resource: Option<String>,
    /// The platform of that resource, where the tie says so.
    pub platform: Option<String>,
    /// The machine.
    pub host: Option<String>,
    /// The card's name as the export prints it, with ` MIG` and the profile behind it for a slice;
    /// empty if it does not.
    pub name: String,
    /// Begin of the hour.
    pub hour: DateTime<Utc>,
    /// Seconds of the hour that utilization samples cover, 0 to 3600.
    pub observed_s: f64,
    /// Seconds below 5 % utilization.
    pub idle_s: f64,
    /// Seconds at or above 70 % utilization.
    pub busy_s: f64,
    /// Time-weighted mean utilization, percent.
    pub util_mean: Option<f64>,
    /// 95th percentile of utilization, time-weighted, percent.
    pub util_p95: Option<f64>,
    /// Highest utilization, percent.
    pub util_max: Option<f64>,
    /// Highest memory in use, MiB.
    pub memory_max: Option<f64>,
    /// The card's memory, MiB.
    pub memory_total: Option<f64>,
    /// Highest power draw, watt.
    pub power_max: Option<f64>,
    /// The power limit in force, watt.
    pub power_limit: Option<f64>,
    /// Seconds at or above 95 % utilization.
    pub full_s: f64,
    /// Highest power draw among the samples at or above 95 % utilization, watt.
    pub full_power_max: Option<f64>,
    /// Seconds in which the clocks were held down by power cap, power brake or heat.
    pub throttled_s: f64,
    /// Seconds of these in which the card was known to be below 80 °C.
    pub throttled_cool_s: f64,
    /// Times that a program asked for more memory than the card had left, as far as logs say.
    pub oom: u32,
}

impl UsageHour {
    /// What of a card this is: 1 for a whole one, a fraction for a slice (MIG).
    ///
    /// It is the larger of its share of the compute, in sevenths, and of the memory, in eighths,
    /// because that is what it keeps from others; 0 if neither is known.
    pub fn share(&self) -> f64 {
        let Some((card, profile)) = self.name.split_once(SLICE) else { return 1.0 };
        // `3g.20gb`: three sevenths of the compute, 20 GB.
        let (compute, memory) = profile.trim().split_once("g.").unwrap_or_default();
        let compute = compute.parse::<f64>().map_or(0.0, |sevenths| sevenths / 7.0);
        let printed = memory.split_once("gb").and_then(|(gb, _)| gb.parse::<f64>().ok());
        let gb = printed.or(self.memory_total.map(|mib| mib / 1024.0)).unwrap_or(0.0);
        let whole = catalogue::named(card, None).iter().map(|c| c.vram_gb).max().map_or(f64::INFINITY, f64::from);
        compute.max((8.0 * gb / whole).round() / 8.0).min(1.0)
    }

    /// Whether this is a slice of that device.
    pub fn is_slice_of(&self, card: &Self) -> bool {
        let within = self.device.strip_prefix(card.device.as_str()).is_some_and(|rest| rest.starts_with('/'));
        within && self.name.contains(SLICE)
    }

    /// An hour of which nothing is known yet.
    pub fn unknown(device: impl Into<String>, hour: DateTime<Utc>) -> Self {
        Self {
            device: device.into(),
            resource: None,
            platform: None,
            host: None,
            name: String::new(),
            hour,
            observed_s: 0.0,
            idle_s: 0.0,
            busy_s: 0.0,
            util_mean: None,
            util_p95: None,
            util_max: None,
            memory_max: None,
            memory_total: None,
            power_max: None,
            power_limit: None,
            full_s: 0.0,
            full_power_max: None,
            throttled_s: 0.0,
            throttled_cool_s: 0.0,
            oom: 0,
        }
    }
}
