//! Prometheus `query_range` answers: the series of dcgm-exporter, nvidia_gpu_exporter,
//! AMD's device-metrics-exporter and Ascend's npu-exporter.
//!
//! Series are read one by one; only one is held.

use std::collections::BTreeMap;
use std::fmt;
use std::io::BufRead;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::device::Devices;
use super::foreign::READS;
use super::formats::{Head, Input};
use super::hour::SLICE;
use super::label::stem;
use super::log::Log;
use super::sample::Sample;
use crate::error::{Error, Kind, Origin, Result};

#[derive(Deserialize)]
struct Series {
    metric: BTreeMap<String, String>,
    #[serde(default)]
    values: Vec<(serde_json::Number, String)>,
}

/// Whether a file may be such an answer.
pub(super) fn is(head: &Head) -> bool {
    head.is_json()
}

/// Reads an answer.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (file, log_name, devices) = (input.file, input.label, &mut *input.devices);
    let mut log = Log::default();
    let mut found = None;
    let mut json = serde_json::Deserializer::from_reader(reader);
    Answer { file, label: log_name, devices, log: &mut log, found: &mut found }.deserialize(&mut json).map_err(|e| {
        Error::new(Kind::Usage, message!("is no answer of Prometheus' query_range: {e}")).at(Origin::file(file)).hint(
            "save what /api/v1/query_range?query=DCGM_FI_DEV_GPU_UTIL&start=…&end=…&step=60 returns, one file a query",
        )
    })?;
    match found {
        None => {
            Err(Error::new(Kind::Usage, "is JSON, but no answer of Prometheus' query_range: it holds no data.result")
                .at(Origin::file(file))
                .hint(READS))
        }
        Some(0) => {
            log.notes.push("holds no series: the query matched nothing in that time".to_owned());
            Ok(log)
        }
        // nvidia_smi_gpu_info alone: it names cards that other files tell of.
        Some(_) if log.samples == 0 && log.left_out.is_empty() => {
            log.notes.push("names cards, and holds no sample of them".to_owned());
            Ok(log)
        }
        Some(_) if log.samples == 0 => {
            let why: Vec<&str> = log.left_out.keys().map(String::as_str).collect();
            Err(Error::new(Kind::Usage, message!("holds no series that kashi reads, only {}", why.join(", ")))
                .at(Origin::file(file))
                .hint("query a metric by its plain name, such as DCGM_FI_DEV_GPU_UTIL, DCGM_FI_DEV_FB_USED or nvidia_smi_utilization_gpu_ratio; where a function takes the name away, name the file after the metric"))
        }
        Some(_) => Ok(log),
    }
}

struct Answer<'a> {
    file: &'a str,
    /// What the file is called where a series names no host.
    label: &'a str,
    devices: &'a mut Devices,
    log: &'a mut Log,
    /// How many series there are, once their list is found.
    found: &'a mut Option<u64>,
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
        let Answer { file, label, devices, log, found } = self;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "data" | "result" => map.next_value_seed(Answer { file, label, devices, log, found })?,
                "status" | "resultType" => {
                    let word: String = map.next_value()?;
                    if word == "error" || word == "vector" || word == "scalar" {
                        return Err(serde::de::Error::custom(message!(
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
        let found = self.found.insert(0);
        while let Some(series) = seq.next_element::<Series>()? {
            *found += 1;
            take(&series, self.file, self.label, self.devices, self.log);
        }
        Ok(())
    }
}

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

/// The series whose labels name a card; its value says nothing.
pub(super) const CARD_INFO: &str = "nvidia_smi_gpu_info";

/// Whether an id is a UUID and nothing else.
fn is_bare(id: &str) -> bool {
    id.len() == 36 && id.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// The labels of a series.
pub(super) type Labels = BTreeMap<String, String>;

/// Labels that tell one card from all others, that name its machine, its place in it, and a slice of it.
const UUID: [&str; 3] = ["uuid", "gpu_uuid", "vdie_id"];
const HOST: [&str; 4] = ["hostname", "host", "instance", "node"];
const INDEX: [&str; 5] = ["gpu", "gpu_id", "index", "minor_number", "id"];
const SLICED: [&str; 1] = ["GPU_I_ID"];

/// The first of these labels that says something, as it is spelled, and what it says.
fn label<'a>(labels: &'a Labels, names: &[&str]) -> Option<(&'a str, &'a str)> {
    let of = |n: &&str| labels.iter().find(|(k, v)| k.eq_ignore_ascii_case(n) && !v.is_empty());
    names.iter().find_map(of).map(|(k, v)| (k.as_str(), v.as_str()))
}

/// The labels, as they are spelled, that [`place`] tells a series' card by.
pub(super) fn telling(labels: &Labels) -> Vec<&str> {
    let by: &[&[&str]] = if label(labels, &UUID).is_some() { &[&UUID, &SLICED] } else { &[&HOST, &INDEX, &SLICED] };
    by.iter().filter_map(|names| label(labels, names)).map(|(name, _)| name).collect()
}

fn take(series: &Series, file: &str, log_name: &str, devices: &mut Devices, log: &mut Log) {
    let Some((place, metric)) = card(&series.metric, file, log_name, devices, log) else { return };
    if matches!(metric, Metric::Util(_)) {
        devices.end_series(place);
    }
    for (at, text) in &series.values {
        let Some(at) = micros(at) else {
            log.leave("sample without a time");
            continue;
        };
        log.samples += 1;
        push(devices, place, at, 0, metric, value(text));
    }
}

/// A number as it is printed; old exporters print a blank as a number beyond all measure.
pub(super) fn value(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|v| v.is_finite() && v.abs() < 1e15)
}

/// The card that labels speak of and what they measure of it; `None` for what is not read.
pub(super) fn card(
    labels: &Labels,
    file: &str,
    log_name: &str,
    devices: &mut Devices,
    log: &mut Log,
) -> Option<(usize, Metric)> {
    // A function such as avg_over_time takes the name away: then the file's may tell.
    let named = labels.get("__name__").map(String::as_str);
    let name = named.unwrap_or_else(|| Some(stem(file)).filter(|s| metric(s).is_some()).unwrap_or("no name"));
    let metric = metric(name);
    if metric.is_none() && name != CARD_INFO {
        log.leave(&format!("series of {name}"));
        return None;
    }
    let Some(place) = place(labels, name, file, log_name, devices) else {
        log.leave("series without a card's label");
        return None;
    };
    Some((place, metric?))
}

/// The place of the card that the labels of a metric's series name; `None` if they name none.
pub(super) fn place(labels: &Labels, name: &str, file: &str, log_name: &str, devices: &mut Devices) -> Option<usize> {
    let said = |names: &[&str]| label(labels, names).map(|(_, v)| v.to_owned());
    let host = said(&HOST);
    // nvidia_gpu_exporter leaves out the prefix that nvidia-smi and dcgm-exporter print.
    let whole = |id: String| if name.starts_with("nvidia_smi_") && is_bare(&id) { format!("GPU-{id}") } else { id };
    let mut card = match said(&UUID).map(whole) {
        Some(card) => card,
        None => format!("{}/{}", host.as_deref().unwrap_or(log_name), said(&INDEX)?),
    };
    let slice = said(&SLICED);
    if let Some(slice) = &slice {
        card = format!("{card}/{slice}");
    }
    let place = devices.place(&card, file);
    let about = &mut devices.about[place];
    if about.name.is_empty() {
        about.name = said(&["modelName", "model_name", "card_series", "name"])
            .map(|name| named(&name, slice.is_some(), said(&["GPU_I_PROFILE"])))
            .unwrap_or_default();
    }
    about.host = host.or(about.host.take());
    about.labels.extend(labels.iter().map(|(k, v)| (k.clone(), v.clone())));
    Some(place)
}

/// A card's name, with the profile behind it for a slice.
fn named(card: &str, slice: bool, profile: Option<String>) -> String {
    let card = card.replace("NVIDIA-", "NVIDIA ");
    let profile = profile.map_or(String::new(), |profile| format!(" {profile}"));
    if slice { format!("{card}{SLICE}{profile}") } else { card }
}

/// Takes a sample of a card, read from a row.
pub(super) fn push(devices: &mut Devices, place: usize, at: i64, row: u32, metric: Metric, value: Option<f64>) {
    let sample = metric.sample(value);
    match metric {
        Metric::Util(_) => devices.push(place, at, row, sample),
        _ => devices.peak(place, at, &sample),
    }
}

/// UTC microseconds of a time; beyond the year 5000 it is none.
pub(super) fn micros(at: &serde_json::Number) -> Option<i64> {
    at.as_f64().filter(|s| s.abs() < 1e11).map(|s| (s * 1000.0).round() as i64 * 1000)
}

impl Metric {
    /// What a value of it says.
    pub(super) fn sample(self, value: Option<f64>) -> Sample {
        let scaled = |by: f64| value.map_or(f32::NAN, |v| (v * by) as f32);
        let nothing = Sample::default();
        match self {
            Self::Util(by) => {
                let util = Some(scaled(by)).filter(|u| (0.0..=100.0).contains(u)).unwrap_or(f32::NAN);
                Sample { util, ..nothing }
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
