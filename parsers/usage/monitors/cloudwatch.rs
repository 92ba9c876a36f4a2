//! Amazon CloudWatch: what the CloudWatch agent or Container Insights send, as the command line returns it.
//!
//! Layout: `get-metric-statistics` answers `{"Label", "Datapoints": [{"Timestamp", "Average", "Maximum", …,
//! "Unit"}]}` in no order (confirmed: the API reference) and does not say of which card: the file's name
//! stands for it. `get-metric-data` answers `{"MetricDataResults": [{"Id", "Label", "Timestamps": […],
//! "Values": […]}]}`, newest first (second-hand); a label holds the metric's name and the dimensions that
//! tell its series apart (inferred). The agent's `nvidia_smi_…` has memory in MiB (confirmed: its source);
//! Container Insights' `node_gpu_…`, `pod_gpu_…`, `container_gpu_…` in bytes (inferred). The console's CSV,
//! rows of labels and then `YYYY/MM/DD HH:MM:SS,value,…`, is inferred.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use serde_json::Value;

use super::super::clock::Clock;
use super::super::label::stem;
use super::super::log::Log;
use super::card::{Card, index, uuid};
use super::feed::Feed;
use super::json::{self, get, number};
use super::lines::{Lines, cells, header, separator};
use super::measure::{BYTE, Measure, What};
use super::series::{Point, end, take, time};
use super::wide::Wide;
use crate::error::Result;

const HINT: &str = "keep the metric's name in the label or in the file's name: nvidia_smi_utilization_gpu, nvidia_smi_memory_used, nvidia_smi_power_draw, node_gpu_utilization; ask for the statistic Average";

/// Whether a text begins as an answer of either call.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let start = head.trim_start_matches('\u{feff}').trim_start();
    start.starts_with('{')
        && (start.contains("\"MetricDataResults\"")
            || start.contains("\"Datapoints\"") && (start.contains("\"Timestamp\"") || start.contains("\"Label\"")))
}

/// Whether a text begins as the console's CSV of a graph.
pub(in crate::usage) fn is_graph(head: &Head) -> bool {
    let head = head.text.as_str();
    let first = header(head);
    first.len() > 1
        && matches!(first[0].as_str(), "Label" | "Full label")
        && head.lines().take(12).any(|line| row_time(line).is_some())
}

/// The measure that a word of a label names.
fn measure(label: &str) -> Option<Measure> {
    label.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).find_map(|word| {
        Measure::of_metric(word).or_else(|| {
            let (of, what) = word.split_once("_gpu_")?;
            if !matches!(of, "node" | "pod" | "container") {
                return None;
            }
            Some(match what {
                "utilization" => Measure::new(What::Util, 1.0),
                "memory_used" => Measure::new(What::Memory, BYTE),
                "memory_total" => Measure::new(What::MemoryTotal, BYTE),
                "power_draw" => Measure::new(What::Power, 1.0),
                "temperature" => Measure::new(What::Temperature, 1.0),
                _ => return None,
            })
        })
    })
}

/// The card that a label names beside its metric.
fn card(label: &str) -> Card<'_> {
    let words = || label.split_whitespace();
    let host = words().find(|w| w.starts_with("i-") || w.starts_with("ip-"));
    let number = words().find(|w| w.len() < 4 && w.bytes().all(|b| b.is_ascii_digit()));
    let mut card = Card { uuid: uuid(label), host, index: number.or_else(|| index(label)), ..Card::default() };
    card.labels.extend(words().map(|w| (format!("label: {w}"), w.to_owned())));
    card
}

/// Reads an answer.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut clock) = (Log::default(), Clock::new(input.options.zone));
    let answer = json::whole(reader, input.file, "the answer")?;
    let named = measure(stem(input.file));
    if let Some(points) = get(&answer, "Datapoints").and_then(Value::as_array) {
        let label = json::text(&answer, "Label").unwrap_or_default();
        match measure(label).or(named) {
            Some(measure) => {
                let points = points.iter().filter_map(|p| point(p, &mut clock, &mut log)).collect();
                take(input, &Card::default(), measure, points, &mut log);
            }
            None => log.leave(&format!("series of {label}")),
        }
    }
    let mut met = Vec::new();
    for result in get(&answer, "MetricDataResults").and_then(Value::as_array).into_iter().flatten() {
        series(result, named, &mut met, input, &mut clock, &mut log);
    }
    end(input, log, Feed::default(), clock.local, HINT)
}

/// Takes one result of `get-metric-data`; `met` holds the cards and measures that came before.
fn series(
    result: &Value,
    named: Option<Measure>,
    met: &mut Vec<(String, What)>,
    input: &mut Input<'_>,
    clock: &mut Clock,
    log: &mut Log,
) {
    let label = json::text(result, "Label").unwrap_or_default();
    let id = json::text(result, "Id").unwrap_or_default();
    let Some(measure) = measure(label).or_else(|| measure(id)).or(named) else {
        log.leave(&format!("series of {label}"));
        return;
    };
    let mut card = card(label);
    // Two series of one label are two cards; nothing but their ids tells them apart.
    let key = format!("{:?} {:?} {:?}", card.uuid, card.host, card.index);
    if met.contains(&(key.clone(), measure.what)) {
        (card.uuid, card.index) = (None, Some(id));
    }
    met.push((key, measure.what));
    let list = |key: &str| get(result, key).and_then(Value::as_array).into_iter().flatten();
    let point = |(at, value)| Some(Point { at: time(at, clock)?, mean: number(value), most: None });
    let points = list("Timestamps").zip(list("Values")).filter_map(point).collect();
    take(input, &card, measure, points, log);
    if json::text(result, "StatusCode").is_some_and(|code| code == "PartialData") {
        log.notes.push(format!("{label} is not whole: the answer says PartialData"));
    }
}

fn point(value: &Value, clock: &mut Clock, log: &mut Log) -> Option<Point> {
    let at = get(value, "Timestamp").and_then(|t| time(t, clock));
    if at.is_none() {
        log.leave("point without a time");
    }
    let of = |key: &str| get(value, key).and_then(number);
    Some(Point { at: at?, mean: of("Average"), most: of("Maximum") })
}

/// The time that a row begins with.
fn row_time(line: &str) -> Option<&str> {
    let first = line.split([',', ';', '\t']).next()?.trim_matches('"');
    (first.len() >= 16 && first.as_bytes()[..4].iter().all(u8::is_ascii_digit)).then_some(first)
}

/// Reads the console's CSV.
pub(in crate::usage) fn read_graph(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let (mut wide, mut row_cells, mut labels) = (None, Vec::new(), Vec::<String>::new());
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        cells(line, separator(line), &mut row_cells);
        let Some((at, _)) = row_time(line).and_then(|t| clock.read(t.as_bytes())) else {
            // `Full label` says more than `Label`.
            if matches!(row_cells[0].as_str(), "Label" | "Full label") && (labels.is_empty() || row_cells[0] != "Label")
            {
                labels.clone_from(&row_cells);
            }
            continue;
        };
        let wide = wide.get_or_insert_with(|| {
            let mut wide = Wide::default();
            for (column, label) in labels.iter().enumerate().skip(1) {
                let found =
                    measure(label).map(|measure| (card(label).place(input.devices, input.file, input.label), measure));
                if !found.is_some_and(|(place, measure)| wide.add(place, column, measure)) {
                    log.leave(&format!("series of {label}"));
                }
            }
            wide
        });
        wide.row(&row_cells, at, row, &mut feed, input.devices);
    }
    end(input, log, feed, clock.local, HINT)
}
