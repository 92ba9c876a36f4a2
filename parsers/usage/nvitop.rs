//! nvitop's `ResourceMetricCollector`, kept as CSV or as JSON lines.
//!
//! A key is `<tag>/cuda:0 (gpu:3)/gpu_utilization (%)/mean`, the number behind `gpu:` being the
//! card's. The mean runs from the start of the collection: what the card did since the row before
//! is worked out from both means and their durations. Newer versions print the last value as well.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::Value;

use super::card::{Card, figure};
use super::documents::{self, Piece, text};
use super::formats::{Head, Input};
use super::lines;
use super::log::Log;
use super::sample::Sample;
use super::stamp::Stamps;
use crate::error::Result;

/// What tells its keys.
const UTIL: &str = "/gpu_utilization (%)/";
/// How to save it.
const SAVE: &str = "keep the key …/timestamp of each collection";

/// Whether a file is such JSON.
pub(super) fn is_json(head: &Head) -> bool {
    head.text.contains(UTIL) && head.text.trim_start().starts_with(['{', '['])
}

/// Whether a file is such CSV.
pub(super) fn is_csv(head: &Head) -> bool {
    head.text.contains(UTIL) && head.first().contains(',')
}

/// Reads JSON, one collection after the other.
pub(super) fn read_json(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let mut collections = Collections::new(input);
    let file = input.file;
    documents::each(reader, file, |piece, row| {
        match piece {
            Piece::Line(line) if collections.stamps.strip(line).is_empty() => {}
            Piece::Line(_) => collections.log.leave("line between the documents"),
            Piece::Cut => collections.log.leave("last document cut off"),
            Piece::Object(object) => {
                let pairs = object.as_object().into_iter().flatten();
                let pairs: Vec<(&str, String)> = pairs.map(|(k, v)| (k.as_str(), scalar(v))).collect();
                collections.take(pairs.iter().map(|(k, v)| (*k, v.as_str())), row, input);
            }
        }
        Ok(())
    })?;
    collections.end(input)
}

fn scalar(value: &Value) -> String {
    text(Some(value))
}

/// Reads CSV row by row.
pub(super) fn read_csv(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let mut collections = Collections::new(input);
    let mut header: Vec<String> = Vec::new();
    let file = input.file;
    lines::each(reader, file, |line| {
        let text = line.text();
        if text.contains(UTIL) {
            header = lines::cells(&text).iter().map(|cell| cell.to_string()).collect();
            return Ok(());
        }
        if text.is_empty() {
            return Ok(());
        }
        let cells = lines::cells(&text);
        if cells.len() != header.len() {
            let why = if line.cut { "last line cut off" } else { "line that does not fit the header" };
            collections.log.leave(why);
            return Ok(());
        }
        collections.take(header.iter().map(String::as_str).zip(cells.iter().map(AsRef::as_ref)), line.row, input);
        Ok(())
    })?;
    collections.end(input)
}

/// The collections of a file.
struct Collections {
    stamps: Stamps,
    log: Log,
    /// The mean of each card at the collection before, and how long it had run.
    before: BTreeMap<String, (f32, f64)>,
}

/// What a collection says of a card.
#[derive(Default)]
struct Reading {
    sample: Sample,
    mean: Option<f32>,
    /// Whether the last value is printed, be it unknown.
    last: bool,
}

impl Collections {
    fn new(input: &Input<'_>) -> Self {
        Self { stamps: Stamps::new(input), log: Log::default(), before: BTreeMap::new() }
    }

    /// Takes one collection: keys and values.
    fn take<'a>(&mut self, pairs: impl Iterator<Item = (&'a str, &'a str)>, row: u32, input: &mut Input<'_>) {
        let mut cards: BTreeMap<&str, Reading> = BTreeMap::new();
        let (mut time, mut ran) = (None, f64::NAN);
        for (key, value) in pairs {
            if key == "timestamp" || key.ends_with("/timestamp") {
                time = self.stamps.read(value);
            } else if key.ends_with("/duration (s)") {
                ran = value.parse().unwrap_or(f64::NAN);
            } else if let Some((index, metric, kind)) = parts(key) {
                cards.entry(index).or_default().take(metric, kind, figure(value));
            }
        }
        let Some(at) = time.or_else(|| self.stamps.now(row)) else { return };
        for (index, mut reading) in cards {
            let since = self.since(index, &mut reading, ran);
            let place = input.place(&Card { index, ..Card::default() });
            input.devices.push_whole(place, at - since, row, reading.sample);
            self.log.samples += 1;
        }
    }

    /// Works out what a card did since the collection before, if only means from the start are
    /// known; returns how long that is, in microseconds.
    fn since(&mut self, index: &str, reading: &mut Reading, ran: f64) -> i64 {
        let Some(mean) = reading.mean.filter(|_| !reading.last) else { return 0 };
        let before = self.before.insert(index.to_owned(), (mean, ran));
        let (share, span) = match before {
            // The collection goes on: the means overlap.
            Some((past, until)) if ran > until => {
                let share = (f64::from(mean) * ran - f64::from(past) * until) / (ran - until);
                (share, ran - until)
            }
            _ => (f64::from(mean), ran),
        };
        // Two roundings may lead a hair beyond the ends.
        reading.sample.util = if (-0.5..=100.5).contains(&share) { share.clamp(0.0, 100.0) } else { share } as f32;
        if span.is_finite() && span < 86_400.0 { (span * 1e6) as i64 } else { 0 }
    }

    fn end(self, input: &Input<'_>) -> Result<Log> {
        let Self { stamps, mut log, .. } = self;
        stamps.end(input, &mut log, "collections of nvitop", SAVE)?;
        Ok(log)
    }
}

impl Reading {
    fn take(&mut self, metric: &str, kind: &str, value: f32) {
        let sample = &mut self.sample;
        match (metric, kind) {
            ("gpu_utilization (%)", "last") => (sample.util, self.last) = (value, true),
            ("gpu_utilization (%)", "mean") => self.mean = Some(value).filter(|v| !v.is_nan()),
            ("memory_used (MiB)", "max") => sample.memory = sample.memory.max(value),
            ("memory_used (MiB)", "mean") => sample.memory = sample.memory.max(value),
            ("memory_total (MiB)", "mean") => sample.memory_total = value,
            ("power_usage (W)", "max" | "mean") => sample.power = sample.power.max(value),
            ("power_limit (W)", "mean") => sample.power_limit = value,
            ("temperature (C)", "mean") => sample.temperature = value,
            _ => {}
        }
    }
}

/// The card's number, the metric and the kind of value of a key; processes are left out.
fn parts(key: &str) -> Option<(&str, &str, &str)> {
    let (front, kind) = key.rsplit_once('/')?;
    let (front, metric) = front.rsplit_once('/')?;
    if front.contains("/pid:") {
        return None;
    }
    let (_, index) = front.rsplit_once("gpu:")?;
    Some((index.trim_end_matches(')'), metric, kind))
}
