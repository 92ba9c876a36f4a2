//! Tencent Cloud Monitor: `GetMonitorData` of `QCE/CVM`.
//!
//! Layout (confirmed: the API reference): `{"Response": {"MetricName", "Period", "DataPoints":
//! [{"Dimensions": [{"Name", "Value"}], "Timestamps": [seconds], "Values": […]}]}}`, with `MaxValues`,
//! `MinValues`, `AvgValues` where statistics were asked for; the command line leaves out `Response`. Metrics
//! `GpuUtil`, `GpuMemUsed`, `GpuMemTotal` (MB), `GpuPowDraw`, `GpuPowLimit`, `GpuTemp`, the newer ones
//! spelled `Gpuutil` (confirmed: published monitoring code). A card is told by `minorNumber` (second-hand);
//! without it the value mixes all cards of the machine.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use serde_json::Value;

use super::super::clock::Clock;
use super::super::log::Log;
use super::card::Card;
use super::feed::Feed;
use super::json::{self, get, number};
use super::measure::{Measure, What};
use super::series::{Point, end, take, time};
use crate::error::Result;

/// Whether a text begins as such an answer.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let start = head.trim_start_matches('\u{feff}').trim_start();
    start.starts_with('{') && start.contains("\"DataPoints\"") && start.contains("\"MetricName\"")
}

/// The measure of a metric's name.
pub(super) fn measure(name: &str) -> Option<Measure> {
    Some(match name.to_ascii_lowercase().as_str() {
        "gpuutil" => Measure::new(What::Util, 1.0),
        "gpumemused" => Measure::new(What::Memory, 1.0),
        "gpumemtotal" => Measure::new(What::MemoryTotal, 1.0),
        "gpupowdraw" => Measure::new(What::Power, 1.0),
        "gpupowlimit" => Measure::new(What::PowerLimit, 1.0),
        "gputemp" => Measure::new(What::Temperature, 1.0),
        _ => return None,
    })
}

/// Reads an answer.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut clock) = (Log::default(), Clock::new(input.options.zone));
    let answer = json::whole(reader, input.file, "the answer")?;
    let answer = get(&answer, "Response").unwrap_or(&answer);
    let metric = json::text(answer, "MetricName").unwrap_or_default();
    let mut mixed = false;
    if let Some(measure) = measure(metric) {
        for series in get(answer, "DataPoints").and_then(Value::as_array).into_iter().flatten() {
            let dimensions = dimensions(series);
            let dimension = |names: &[&str]| {
                let found = dimensions.iter().find(|(k, _)| names.iter().any(|n| k.eq_ignore_ascii_case(n)));
                found.map(|(_, v)| v.as_str())
            };
            let mut card = Card {
                uuid: dimension(&["gpuUuid", "uuid"]),
                host: dimension(&["InstanceId", "unInstanceId"]),
                index: dimension(&["minorNumber", "gpuIndex"]),
                ..Card::default()
            };
            card.labels.extend(dimensions.iter().cloned());
            mixed |= card.index.is_none() && card.uuid.is_none();
            take(input, &card, measure, points(series, &mut clock), &mut log);
        }
    } else {
        log.leave(&format!("series of {metric}"));
    }
    if mixed {
        log.notes
            .push("does not tell the cards of a machine apart: if it has several, they count as one device".to_owned());
    }
    end(
        input,
        log,
        Feed::default(),
        clock.local,
        "ask for GpuUtil, GpuMemUsed, GpuMemTotal or GpuPowDraw of a span in which the machine ran",
    )
}

/// The dimensions of a series: a list of names and values, or one object of them.
fn dimensions(series: &Value) -> Vec<(String, String)> {
    let text = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    match get(series, "Dimensions") {
        Some(Value::Array(list)) => {
            list.iter().filter_map(|d| Some((json::text(d, "Name")?.to_owned(), text(get(d, "Value")?)))).collect()
        }
        Some(Value::Object(all)) => all.iter().map(|(k, v)| (k.clone(), text(v))).collect(),
        _ => Vec::new(),
    }
}

fn points(series: &Value, clock: &mut Clock) -> Vec<Point> {
    let list = |key: &str| get(series, key).and_then(Value::as_array).filter(|l| !l.is_empty());
    let means = list("AvgValues").or_else(|| list("Values"));
    let most = list("MaxValues");
    let at = |list: Option<&Vec<Value>>, i: usize| list.and_then(|l| l.get(i)).and_then(number);
    let times = list("Timestamps").into_iter().flatten().enumerate();
    times.filter_map(|(i, t)| Some(Point { at: time(t, clock)?, mean: at(means, i), most: at(most, i) })).collect()
}
