//! Prometheus text with times: `promtool tsdb dump`, `tsdb dump-openmetrics`, OpenMetrics for back-filling.
//!
//! Layout (confirmed: the formats' specifications and promtool's tests): `name{label="value"} value time`,
//! the time in seconds with decimals (OpenMetrics, ends with `# EOF`) or in milliseconds (`tsdb dump`, the
//! text format). What an exporter answers to one scrape carries no time, or one: it is no log.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use rustc_hash::FxHashMap;

use super::super::clock::epoch;
use super::super::log::Log;
use super::super::prometheus;
use super::cell::{self, Cell};
use super::feed::Feed;
use super::labels;
use super::lines::Lines;
use super::measure::{Measure, What};
use super::series::nothing;
use crate::error::{Error, Kind, Origin, Result};

/// Whether a text begins with samples that carry a time.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    head.lines().take(40).any(|line| !line.starts_with('#') && sample(line).is_some())
}

/// A line's series, value and time.
fn sample(line: &str) -> Option<(&str, &str, i64)> {
    let (_, rest) = labels::series(line).filter(|(_, rest)| rest.starts_with(' '))?;
    let series = &line[..line.len() - rest.len()];
    // An exemplar follows a mark of its own.
    let mut words = rest.split(" # ").next()?.split_whitespace();
    let (value, time) = (words.next()?, words.next()?);
    let whole = words.next().is_none() && !matches!(cell::read(value, false), Cell::Absent | Cell::Unknown)
        || matches!(value, "NaN" | "+Inf" | "-Inf");
    whole.then_some((series, value, epoch(time)?))
}

/// Reads the samples; what a series is shows once.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed) = (Log::default(), Feed::default());
    let mut known: FxHashMap<String, Option<(usize, Measure)>> = FxHashMap::default();
    let mut span: Option<(i64, i64)> = None;
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let Some((series, value, at)) = sample(line) else {
            log.leave("line without a value and a time");
            continue;
        };
        let found = match known.get(series) {
            Some(found) => *found,
            None => {
                let found = meet(series, input.file, input.label, input.devices, &mut log);
                known.insert(series.to_owned(), found);
                found
            }
        };
        let Some((place, measure)) = found else { continue };
        let (first, end) = span.unwrap_or((at, at));
        span = Some((first.min(at), end.max(at)));
        let value = match cell::read(value, false) {
            Cell::Number(value, "") => measure.of(value),
            _ => measure.of(f64::NAN),
        };
        feed.take(input.devices, place, at, row, value, measure.what == What::Util);
    }
    log.samples = feed.finish(input.devices);
    if log.samples == 0 {
        return Err(nothing(
            input.file,
            &log,
            "dump a metric that tells of cards: promtool tsdb dump-openmetrics --match='{__name__=~\"DCGM_FI_DEV_.*\"}' DIR",
        ));
    }
    if span.is_some_and(|(first, end)| first == end) {
        return Err(Error::new(
            Kind::Usage,
            "is what an exporter answers to one scrape: one moment, not a log of samples",
        )
        .at(Origin::file(input.file))
        .hint(
            "ask the Prometheus that scrapes it: /api/v1/query_range?query=DCGM_FI_DEV_GPU_UTIL&start=…&end=…&step=60",
        ));
    }
    Ok(log)
}

fn meet(
    series: &str,
    file: &str,
    label: &str,
    devices: &mut super::super::device::Devices,
    log: &mut Log,
) -> Option<(usize, Measure)> {
    let (labels, _) = labels::series(series)?;
    let name = labels.get("__name__").map_or("no name", String::as_str);
    let found = Measure::of_metric(name)
        .and_then(|measure| Some((prometheus::card(&labels, name, file, label, devices)?, measure)));
    if found.is_none() {
        log.leave(&format!("series of {name}"));
    }
    found
}
