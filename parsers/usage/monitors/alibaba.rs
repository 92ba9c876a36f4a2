//! Alibaba CloudMonitor: `DescribeMetricList` of `acs_ecs_dashboard`.
//!
//! Layout (confirmed: the API reference): `Datapoints` is a text that holds JSON,
//! `[{"timestamp": milliseconds, "userId", "instanceId", "Maximum", "Minimum", "Average"}]`; some clients
//! turn it into a list. The answer does not name its metric: the file's name must (`gpu_gpu_usedutilization.json`).
//! Metric names confirmed from published monitoring code; the dimension `gpuId` is inferred. A metric whose
//! name begins with `instance_` mixes all cards of the instance.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use std::collections::BTreeMap;

use serde_json::Value;

use super::super::clock::Clock;
use super::super::label::stem;
use super::super::log::Log;
use super::card::Card;
use super::feed::Feed;
use super::json::{self, get, number};
use super::measure::{BYTE, Measure, What};
use super::series::{Point, end, take, time};
use crate::error::{Error, Kind, Origin, Result};

/// Whether a text begins as such an answer.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let start = head.trim_start_matches('\u{feff}').trim_start();
    start.starts_with('{') && start.contains("\"Datapoints\"") && start.contains("timestamp")
}

/// The measure of a metric's name, which may stand within another text.
pub(super) fn measure(name: &str) -> Option<Measure> {
    let name = name.to_ascii_lowercase();
    let any = |names: &[&str]| names.iter().any(|n| name.contains(n));
    // The share of memory in use is not what is in use: its size is not told.
    if any(&["gpu_gpu_usedutilization"]) {
        Some(Measure::new(What::Util, 1.0))
    } else if any(&["gpu_memory_usedspace"]) {
        Some(Measure::new(What::Memory, BYTE))
    } else if any(&["gpu_memory_freespace"]) {
        Some(Measure::new(What::MemoryFree, BYTE))
    } else if any(&["gpu_memory_totalspace"]) {
        Some(Measure::new(What::MemoryTotal, BYTE))
    } else if any(&["gpu_power_readings_power_draw"]) {
        Some(Measure::new(What::Power, 1.0))
    } else if any(&["gpu_gpu_temperature"]) {
        Some(Measure::new(What::Temperature, 1.0))
    } else {
        None
    }
}

/// Reads an answer.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut clock) = (Log::default(), Clock::new(input.options.zone));
    let answer = json::whole(reader, input.file, "the answer")?;
    let inner = match get(&answer, "Datapoints") {
        Some(Value::String(text)) => serde_json::from_str(text).map_err(|e| {
            Error::new(Kind::Usage, message!("holds Datapoints that are no JSON: {e}"))
                .at(Origin::file(input.file))
                .hint("save the answer again, as a whole")
        })?,
        Some(other) => other.clone(),
        None => Value::Null,
    };
    let metric = json::text(&answer, "MetricName").unwrap_or(stem(input.file));
    let Some(measure) = measure(metric) else {
        return Err(Error::new(Kind::Usage, "does not say which metric its datapoints are of")
            .at(Origin::file(input.file))
            .hint("name the file after the metric: gpu_gpu_usedutilization.json, gpu_memory_usedspace.json, gpu_memory_freespace.json, gpu_power_readings_power_draw.json"));
    };
    if metric.contains("instance_") {
        log.notes.push("mixes all cards of an instance; they count as one device".to_owned());
    }
    let mut cards: BTreeMap<(String, String), Vec<Point>> = BTreeMap::new();
    for datapoint in inner.as_array().into_iter().flatten() {
        let Some(at) = get(datapoint, "timestamp").and_then(|t| time(t, &mut clock)) else {
            log.leave("point without a time");
            continue;
        };
        let of = |key: &str| get(datapoint, key).and_then(number);
        let name = |key: &str| get(datapoint, key).map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned));
        let key = (name("instanceId").unwrap_or_default(), name("gpuId").unwrap_or_default());
        cards.entry(key).or_default().push(Point { at, mean: of("Average"), most: of("Maximum") });
    }
    for ((instance, gpu), points) in cards {
        let card = Card { host: Some(&instance), index: Some(&gpu), ..Card::default() };
        take(input, &card, measure, points, &mut log);
    }
    end(input, log, Feed::default(), clock.local, "ask for the statistic Average of a span in which the instance ran")
}
