//! What the series of exporters measure, by name.

use super::device::Devices;
use super::sample::Sample;

/// What a series measures, and the number that brings it to percent, MiB or watt.
#[derive(Clone, Copy, Debug)]
pub(super) enum Metric {
    Util(f64),
    Memory(f64),
    MemoryTotal(f64),
    MemoryFree(f64),
    MemoryReserved(f64),
    Power(f64),
    PowerLimit(f64),
}

/// From here on a utilization is a blank of DCGM, which has one for numbers of 32 bits and greater
/// ones for others.
pub(super) const BLANK: f64 = 2_147_483_632.0;

/// What the series of a name measure; `None` if kashi does not read them.
pub(super) fn metric(name: &str) -> Option<Metric> {
    const MIB: f64 = 1.0 / (1024.0 * 1024.0);
    Some(match name {
        "DCGM_FI_DEV_GPU_UTIL" | "dcgm_gpu_utilization" | "nvidia_smi_utilization_gpu" => Metric::Util(1.0),
        "npu_chip_info_utilization" | "npu_chip_info_overall_utilization" | "gpu_gfx_activity" | "GPU_GFX_ACTIVITY" => {
            Metric::Util(1.0)
        }
        "npu_chip_info_hbm_used_memory" | "npu_chip_info_used_memory" | "gpu_used_vram" | "GPU_USED_VRAM" => {
            Metric::Memory(1.0)
        }
        "npu_chip_info_hbm_total_memory" | "npu_chip_info_total_memory" | "gpu_total_vram" | "GPU_TOTAL_VRAM" => {
            Metric::MemoryTotal(1.0)
        }
        "npu_chip_info_power" | "gpu_package_power" | "GPU_PACKAGE_POWER" => Metric::Power(1.0),
        "DCGM_FI_PROF_GR_ENGINE_ACTIVE" | "nvidia_smi_utilization_gpu_ratio" => Metric::Util(100.0),
        "DCGM_FI_DEV_FB_USED" | "dcgm_fb_used" | "nvidia_smi_memory_used" => Metric::Memory(1.0),
        "nvidia_smi_memory_used_bytes" => Metric::Memory(MIB),
        "DCGM_FI_DEV_FB_TOTAL" | "nvidia_smi_memory_total" => Metric::MemoryTotal(1.0),
        "nvidia_smi_memory_total_bytes" => Metric::MemoryTotal(MIB),
        "DCGM_FI_DEV_FB_FREE" | "dcgm_fb_free" | "nvidia_smi_memory_free" => Metric::MemoryFree(1.0),
        "nvidia_smi_memory_free_bytes" => Metric::MemoryFree(MIB),
        "DCGM_FI_DEV_FB_RESERVED" | "nvidia_smi_memory_reserved" => Metric::MemoryReserved(1.0),
        "nvidia_smi_memory_reserved_bytes" => Metric::MemoryReserved(MIB),
        "DCGM_FI_DEV_POWER_USAGE" | "dcgm_power_usage" | "nvidia_smi_power_draw" | "nvidia_smi_power_draw_watts" => {
            Metric::Power(1.0)
        }
        "DCGM_FI_DEV_POWER_MGMT_LIMIT" | "nvidia_smi_power_limit_watts" | "nvidia_smi_enforced_power_limit_watts" => {
            Metric::PowerLimit(1.0)
        }
        _ => return None,
    })
}

impl Metric {
    /// What a value of it says.
    pub(super) fn sample(self, value: Option<f64>) -> Sample {
        let scaled = |by: f64| value.map_or(f32::NAN, |v| (v * by) as f32);
        let nothing = Sample::default();
        match self {
            Self::Util(by) => {
                let util = value.filter(|v| *v < BLANK);
                Sample { util: util.map_or(f32::NAN, |v| (v * by) as f32), ..nothing }
            }
            Self::Memory(by) => Sample { memory: scaled(by), ..nothing },
            Self::MemoryTotal(by) => Sample { memory_total: scaled(by), ..nothing },
            Self::MemoryFree(by) => Sample { memory_free: scaled(by), ..nothing },
            Self::MemoryReserved(by) => Sample { memory_reserved: scaled(by), ..nothing },
            Self::Power(by) => Sample { power: scaled(by), ..nothing },
            Self::PowerLimit(by) => Sample { power_limit: scaled(by), ..nothing },
        }
    }
}

/// Takes a sample of a card, read from a row.
pub(super) fn push(devices: &mut Devices, place: usize, at: i64, row: u32, metric: Metric, value: Option<f64>) {
    let sample = metric.sample(value);
    match metric {
        Metric::Util(_) => devices.push(place, at, row, sample),
        _ => devices.peak(place, at, row, sample),
    }
}

/// A number as it is printed; old exporters print a blank as a number beyond all measure.
pub(super) fn value(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|v| v.is_finite() && v.abs() < 1e15)
}

/// UTC microseconds of a time; beyond the year 5000 it is none.
pub(super) fn micros(at: &serde_json::Number) -> Option<i64> {
    at.as_f64().filter(|s| s.abs() < 1e11).map(|s| (s * 1000.0).round() as i64 * 1000)
}
