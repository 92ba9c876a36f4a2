//! What a series of a monitor measures.

use super::super::metric::{BLANK, Metric, metric};
use super::super::sample::Sample;
use super::cell::Cell;

/// What a series measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    Util,
    Memory,
    MemoryTotal,
    MemoryFree,
    MemoryReserved,
    Power,
    PowerLimit,
    Temperature,
}

/// What a series measures, and the number that brings it to percent, MiB, watt or degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measure {
    pub(super) what: What,
    pub(super) by: f64,
}

/// MiB in a byte.
pub(super) const BYTE: f64 = 1.0 / (1024.0 * 1024.0);

impl Measure {
    pub(super) const fn new(what: What, by: f64) -> Self {
        Self { what, by }
    }

    /// The measure of a Prometheus metric.
    pub(super) fn of_metric(name: &str) -> Option<Self> {
        metric(name).map(|metric| match metric {
            Metric::Util(by) => Self::new(What::Util, by),
            Metric::Memory(by) => Self::new(What::Memory, by),
            Metric::MemoryTotal(by) => Self::new(What::MemoryTotal, by),
            Metric::MemoryFree(by) => Self::new(What::MemoryFree, by),
            Metric::MemoryReserved(by) => Self::new(What::MemoryReserved, by),
            Metric::Power(by) => Self::new(What::Power, by),
            Metric::PowerLimit(by) => Self::new(What::PowerLimit, by),
        })
    }

    /// The measure that words of a title or legend name; memory is taken for MiB until a cell has a unit.
    pub(super) fn of_words(words: &str) -> Option<Self> {
        let words = words.to_lowercase();
        let has = |any: &[&str]| any.iter().any(|w| words.contains(w));
        let util = has(&["util", "usage", "duty", "使用率", "利用率"]);
        let memory = has(&["mem", "vram", "framebuffer", "frame_buffer", "frame buffer", "fb_", "显存", "内存"]);
        let what = if has(&["encoder", "decoder", "cpu", "disk", "fan", "clock", "bandwidth", "copy", "pcie"]) {
            return None;
        } else if memory {
            match () {
                () if has(&["total", "总"]) => What::MemoryTotal,
                () if has(&["free", "空闲", "剩余"]) => What::MemoryFree,
                () if has(&["reserved"]) => What::MemoryReserved,
                () if has(&["util", "percent", "%", "ratio", "使用率", "利用率"]) => return None,
                () if has(&["used", "usage", "alloc", "已用", "使用"]) => What::Memory,
                () => return None,
            }
        } else if has(&["power", "功率", "功耗"]) {
            if has(&["limit", "cap", "上限"]) { What::PowerLimit } else { What::Power }
        } else if has(&["temp", "温度"]) {
            What::Temperature
        } else if util {
            What::Util
        } else {
            return None;
        };
        Some(Self::new(what, 1.0))
    }

    /// A sample that holds a cell's value; unknown where it is none or has a unit that does not fit.
    /// `None` if the series has no sample there.
    pub(super) fn sample(self, cell: Cell<'_>) -> Option<Sample> {
        let (value, unit) = match cell {
            Cell::Absent => return None,
            Cell::Unknown => (f64::NAN, ""),
            Cell::Number(value, unit) => (value, unit),
        };
        let by = if unit.is_empty() { Some(self.by) } else { self.scale(unit) };
        Some(self.holding(by.map_or(f64::NAN, |by| value * by)))
    }

    /// A sample that holds a number in the series' own unit.
    pub(super) fn of(self, value: f64) -> Sample {
        self.holding(value * self.by)
    }

    fn holding(self, value: f64) -> Sample {
        // Exporters print a blank as a number beyond all measure.
        let blank = if self.what == What::Util { BLANK } else { 1e15 };
        let value = if value < blank { value as f32 } else { f32::NAN };
        let mut sample = Sample::default();
        match self.what {
            What::Util => sample.util = value,
            What::Memory => sample.memory = value,
            What::MemoryTotal => sample.memory_total = value,
            What::MemoryFree => sample.memory_free = value,
            What::MemoryReserved => sample.memory_reserved = value,
            What::Power => sample.power = value,
            What::PowerLimit => sample.power_limit = value,
            What::Temperature => sample.temperature = value,
        }
        sample
    }

    /// What a unit makes of a number of this measure.
    fn scale(self, unit: &str) -> Option<f64> {
        const MIB: f64 = 1024.0 * 1024.0;
        match self.what {
            What::Util => (unit == "%").then_some(1.0),
            What::Power | What::PowerLimit => match unit {
                "W" => Some(1.0),
                "mW" => Some(0.001),
                "kW" => Some(1000.0),
                _ => None,
            },
            What::Temperature => matches!(unit, "C" | "°C" | "℃" | "Celsius").then_some(1.0),
            _ => Some(match unit {
                "B" | "bytes" => 1.0,
                "kB" | "KB" => 1e3,
                "MB" => 1e6,
                "GB" => 1e9,
                "TB" => 1e12,
                "KiB" => 1024.0,
                "MiB" => MIB,
                "GiB" => 1024.0 * MIB,
                "TiB" => MIB * MIB,
                _ => return None,
            })
            .map(|bytes: f64| bytes / MIB),
        }
    }
}
