//! Prometheus `query_range` answers: the series of dcgm-exporter and nvidia_gpu_exporter.
//!
//! Series are read one by one; only one is held.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::device::Devices;
use super::rollup::Sample;
use super::smi::Log;
use crate::error::{Error, Kind, Origin, Result};

#[derive(Deserialize)]
struct Series {
    metric: BTreeMap<String, String>,
    #[serde(default)]
    values: Vec<(serde_json::Number, String)>,
}

/// Reads an answer.
pub(super) fn read(reader: impl Read, file: &str, devices: &mut Devices) -> Result<Log> {
    let mut log = Log::default();
    let mut json = serde_json::Deserializer::from_reader(reader);
    Answer { file, devices, log: &mut log }.deserialize(&mut json).map_err(|e| {
        Error::new(Kind::Usage, format!("is no answer of Prometheus' query_range: {e}")).at(Origin::file(file)).hint(
            "save what /api/v1/query_range?query=DCGM_FI_DEV_GPU_UTIL&start=…&end=…&step=60 returns, one file a query",
        )
    })?;
    if log.samples == 0 && log.notes.is_empty() {
        log.notes.push("holds no series: the query matched nothing in that time".to_owned());
    }
    Ok(log)
}

struct Answer<'a> {
    file: &'a str,
    devices: &'a mut Devices,
    log: &'a mut Log,
}

impl<'de> DeserializeSeed<'de> for Answer<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Answer<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{\"status\": …, \"data\": {\"resultType\": \"matrix\", \"result\": […]}}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let Answer { file, devices, log } = self;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "data" | "result" => map.next_value_seed(Answer { file, devices, log })?,
                "status" | "resultType" => {
                    let word: String = map.next_value()?;
                    if word == "error" || word == "vector" || word == "scalar" {
                        return Err(serde::de::Error::custom(format!(
                            "{key} is \"{word}\", not a matrix of samples over time"
                        )));
                    }
                }
                "error" | "warnings" => {
                    let said: serde_json::Value = map.next_value()?;
                    log.notes.push(format!("the server said: {said}"));
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        while let Some(series) = seq.next_element::<Series>()? {
            take(&series, self.file, self.devices, self.log);
        }
        Ok(())
    }
}

/// What a series measures, and the number that brings it to percent, MiB or watt.
#[derive(Clone, Copy)]
enum Metric {
    Util(f64),
    Memory(f64),
    MemoryTotal(f64),
    Power(f64),
    PowerLimit(f64),
}

fn metric(name: &str) -> Option<Metric> {
    const MIB: f64 = 1.0 / (1024.0 * 1024.0);
    Some(match name {
        "DCGM_FI_DEV_GPU_UTIL" | "dcgm_gpu_utilization" | "nvidia_smi_utilization_gpu" => Metric::Util(1.0),
        "DCGM_FI_PROF_GR_ENGINE_ACTIVE" | "nvidia_smi_utilization_gpu_ratio" => Metric::Util(100.0),
        "DCGM_FI_DEV_FB_USED" | "dcgm_fb_used" | "nvidia_smi_memory_used" => Metric::Memory(1.0),
        "nvidia_smi_memory_used_bytes" => Metric::Memory(MIB),
        "DCGM_FI_DEV_FB_TOTAL" | "nvidia_smi_memory_total" => Metric::MemoryTotal(1.0),
        "nvidia_smi_memory_total_bytes" => Metric::MemoryTotal(MIB),
        "DCGM_FI_DEV_POWER_USAGE" | "dcgm_power_usage" | "nvidia_smi_power_draw_watts" => Metric::Power(1.0),
        "DCGM_FI_DEV_POWER_MGMT_LIMIT" | "nvidia_smi_power_limit_watts" | "nvidia_smi_enforced_power_limit_watts" => {
            Metric::PowerLimit(1.0)
        }
        _ => return None,
    })
}

/// The series whose labels name a card; its value says nothing.
const CARD_INFO: &str = "nvidia_smi_gpu_info";

/// Whether an id is a UUID and nothing else.
fn is_bare(id: &str) -> bool {
    id.len() == 36 && id.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

fn take(series: &Series, file: &str, devices: &mut Devices, log: &mut Log) {
    let label = |names: &[&str]| {
        names.iter().find_map(|n| {
            series.metric.iter().find(|(k, v)| k.eq_ignore_ascii_case(n) && !v.is_empty()).map(|(_, v)| v.clone())
        })
    };
    let name = series.metric.get("__name__").cloned().unwrap_or_default();
    let metric = metric(&name);
    if metric.is_none() && name != CARD_INFO {
        *log.left_out.entry(format!("series of {}", if name.is_empty() { "no name" } else { &name })).or_default() += 1;
        return;
    }
    let host = label(&["hostname", "host", "instance", "node"]);
    // nvidia_gpu_exporter leaves out the prefix that nvidia-smi and dcgm-exporter print.
    let whole = |id: String| if name.starts_with("nvidia_smi_") && is_bare(&id) { format!("GPU-{id}") } else { id };
    let card = label(&["uuid", "gpu_uuid"]).map(whole).or_else(|| {
        Some(format!("{}/{}", host.as_deref().unwrap_or("host"), label(&["gpu", "index", "minor_number"])?))
    });
    let Some(mut card) = card else {
        *log.left_out.entry("series without a card's label".to_owned()).or_default() += 1;
        return;
    };
    if let Some(slice) = label(&["GPU_I_ID"]) {
        card = format!("{card}/{slice}");
    }
    let place = devices.place(&card, file);
    let about = &mut devices.about[place];
    if about.name.is_empty() {
        about.name = label(&["modelName", "model_name", "name"]).unwrap_or_default().replace("NVIDIA-", "NVIDIA ");
    }
    about.host = host.or(about.host.take());
    about.labels.extend(series.metric.iter().map(|(k, v)| (k.clone(), v.clone())));
    let Some(metric) = metric else { return };
    if matches!(metric, Metric::Util(_)) {
        devices.end_series(place);
    }
    for (at, text) in &series.values {
        let Some(at) = at.as_f64().map(|s| (s * 1000.0).round() as i64 * 1000) else { continue };
        // Old exporters print a blank as a number beyond all measure.
        let value = text.parse::<f64>().ok().filter(|v| v.is_finite() && v.abs() < 1e15);
        log.samples += 1;
        push(devices, place, at, metric, value);
    }
}

fn push(devices: &mut Devices, place: usize, at: i64, metric: Metric, value: Option<f64>) {
    let scaled = |by: f64| value.map_or(f32::NAN, |v| (v * by) as f32);
    match metric {
        Metric::Util(by) => devices.push(
            place,
            at,
            Sample {
                util: Some(scaled(by)).filter(|u| (0.0..=100.0).contains(u)).unwrap_or(f32::NAN),
                ..Sample::default()
            },
        ),
        Metric::Memory(by) => devices.peak(place, at, Sample { memory: scaled(by), ..Sample::default() }),
        Metric::MemoryTotal(by) => devices.peak(place, at, Sample { memory_total: scaled(by), ..Sample::default() }),
        Metric::Power(by) => devices.peak(place, at, Sample { power: scaled(by), ..Sample::default() }),
        Metric::PowerLimit(by) => devices.peak(place, at, Sample { power_limit: scaled(by), ..Sample::default() }),
    }
}
