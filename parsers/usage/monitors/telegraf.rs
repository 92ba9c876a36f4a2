//! Telegraf's `nvidia_smi` and `amd_rocm_smi`, as it writes them to a file: line protocol or JSON.
//!
//! Layout (confirmed: the plugins' READMEs): `nvidia_smi,host=…,index=0,name=…,uuid=GPU-… utilization_gpu=87i,…
//! nanoseconds`, memory in MiB; `amd_rocm_smi,gpu_unique_id=…,name=card0 …`, memory in bytes. JSON is
//! `{"fields":{…},"name":"nvidia_smi","tags":{…},"timestamp":seconds}` a line (confirmed: the serializer's
//! README), or these in a list called `metrics`.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use std::collections::BTreeMap;

use serde_json::Value;

use super::super::log::Log;
use super::super::sample::Sample;
use super::card::Card;
use super::cell;
use super::feed::Feed;
use super::json::get;
use super::lines::Lines;
use super::measure::{BYTE, Measure, What};
use super::series::end;
use crate::error::Result;

const PLUGINS: [&str; 2] = ["nvidia_smi", "amd_rocm_smi"];

/// Whether a text begins as such a file.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let start = head.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with('{') {
        let named = PLUGINS.iter().any(|p| start.contains(&format!("\"name\":\"{p}\"")));
        return named && start.contains("\"fields\"");
    }
    head.lines().take(40).any(|line| {
        let line = line.strip_prefix("> ").unwrap_or(line);
        PLUGINS.iter().any(|p| line.strip_prefix(p).is_some_and(|rest| rest.starts_with(',')))
    })
}

/// One metric: its plugin, tags, fields and time.
struct Point {
    plugin: String,
    tags: BTreeMap<String, String>,
    fields: Vec<(String, String)>,
    at: Option<i64>,
}

/// Reads a file line by line.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed) = (Log::default(), Feed::default());
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        let points = if line.starts_with('{') { json(line) } else { protocol(line).into_iter().collect() };
        if points.is_empty() && !line.trim().is_empty() {
            log.leave("line that is no metric");
        }
        for point in points {
            if !PLUGINS.contains(&point.plugin.as_str()) {
                log.leave(&format!("metric of {}", point.plugin));
                continue;
            }
            match point.at {
                Some(at) => take(&point, at, row, input, &mut feed),
                None => log.leave("metric without a time"),
            }
        }
    }
    end(input, log, feed, false, "write inputs.nvidia_smi to a file: [[outputs.file]] files = [\"gpu.influx\"]")
}

/// Hands on what a metric says of its card.
fn take(point: &Point, at: i64, row: u32, input: &mut Input<'_>, feed: &mut Feed) {
    let tag = |name: &str| point.tags.get(name).map(String::as_str);
    let amd = point.plugin == "amd_rocm_smi";
    let card = Card {
        uuid: tag("uuid").or_else(|| tag("gpu_unique_id")),
        host: tag("host"),
        index: tag("index").or_else(|| tag("name").filter(|_| amd)),
        name: tag("name").filter(|_| !amd),
        labels: point.tags.clone(),
    };
    let (mut sample, mut weighs) = (Sample::default(), false);
    for (name, value) in &point.fields {
        let Some(measure) = measure(name, amd) else { continue };
        if let Some(read) = measure.sample(cell::read(value, false)) {
            sample.join(&read);
            weighs |= measure.what == What::Util;
        }
    }
    let place = card.place(input.devices, input.file, input.label);
    feed.take(input.devices, place, at, row, sample, weighs);
}

fn measure(field: &str, amd: bool) -> Option<Measure> {
    let memory = if amd { BYTE } else { 1.0 };
    Some(match field {
        "utilization_gpu" => Measure::new(What::Util, 1.0),
        "memory_used" => Measure::new(What::Memory, memory),
        "memory_total" => Measure::new(What::MemoryTotal, memory),
        "memory_free" => Measure::new(What::MemoryFree, memory),
        "memory_reserved" => Measure::new(What::MemoryReserved, memory),
        "power_draw" => Measure::new(What::Power, 1.0),
        "power_limit" => Measure::new(What::PowerLimit, 1.0),
        "temperature_gpu" => Measure::new(What::Temperature, 1.0),
        _ => return None,
    })
}

/// A line of the line protocol.
fn protocol(line: &str) -> Option<Point> {
    let line = line.strip_prefix("> ").unwrap_or(line);
    let mut parts = split(line, ' ').into_iter();
    let (series, fields) = (parts.next()?, parts.next()?);
    let at = parts.next().and_then(|t| t.parse::<i64>().ok()).and_then(since_1970);
    let mut keys = split(series, ',').into_iter();
    let plugin = keys.next().filter(|p| !p.is_empty())?.to_owned();
    let pair = |text: &str| {
        let mut halves = split(text, '=').into_iter();
        Some((plain(halves.next()?), plain(halves.next()?)))
    };
    let tags = keys.filter_map(pair).collect();
    // `87i` is a whole number, `"P0"` a text.
    let field = |text: &str| pair(text).map(|(k, v)| (k, v.trim_end_matches(['i', 'u']).to_owned()));
    let fields: Vec<_> = split(fields, ',').into_iter().filter_map(field).collect();
    (!fields.is_empty()).then_some(Point { plugin, tags, fields, at })
}

/// Parts of a text between marks that neither a backslash nor quotes hide.
fn split(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut start, mut quoted, mut hidden) = (Vec::new(), 0, false, false);
    for (at, c) in text.char_indices() {
        if hidden {
            hidden = false;
        } else if c == '\\' {
            hidden = true;
        } else if c == '"' {
            quoted = !quoted;
        } else if c == mark && !quoted {
            parts.push(&text[start..at]);
            start = at + c.len_utf8();
        }
    }
    parts.push(&text[start..]);
    parts
}

fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    out
}

/// Microseconds of a count since 1970 whose unit shows in its size.
fn since_1970(count: i64) -> Option<i64> {
    Some(match count {
        1_000_000_000..=99_999_999_999 => count * 1_000_000,
        100_000_000_000..=99_999_999_999_999 => count * 1000,
        100_000_000_000_000..=99_999_999_999_999_999 => count,
        100_000_000_000_000_000.. => count / 1000,
        _ => return None,
    })
}

fn json(line: &str) -> Vec<Point> {
    let Ok(value) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    let of = |value: &Value| {
        let texts = |key: &str| {
            let all = get(value, key).and_then(Value::as_object).into_iter().flatten();
            all.map(|(k, v)| (k.clone(), v.as_str().map_or_else(|| v.to_string(), str::to_owned))).collect::<Vec<_>>()
        };
        let at = get(value, "timestamp").and_then(Value::as_i64).and_then(since_1970);
        let plugin = get(value, "name")?.as_str()?.to_owned();
        Some(Point { plugin, tags: texts("tags").into_iter().collect(), fields: texts("fields"), at })
    };
    match get(&value, "metrics").and_then(Value::as_array) {
        Some(metrics) => metrics.iter().filter_map(of).collect(),
        None => of(&value).into_iter().collect(),
    }
}
