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
use super::labelled::card;
use super::log::Log;
use super::metric::{Metric, micros, push, value};
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
