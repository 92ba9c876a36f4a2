//! What `promtool query range` prints without `-o json`.
//!
//! Layout (confirmed: `SampleStream.String` and `SamplePair.String` of prometheus/common): a line
//! `name{label="value", …} =>`, then a line `value @[seconds]` a sample.

use std::io::BufRead;

use super::super::clock::epoch;
use super::super::formats::{Head, Input};
use super::super::log::Log;
use super::super::metric;
use super::feed::Feed;
use super::labels;
use super::lines::Lines;
use super::measure::{Measure, What};
use super::series::{end, labelled};
use crate::error::{Error, Kind, Origin, Result};

/// Whether a text begins with such a series.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let line = head.trim_start().lines().next().unwrap_or_default();
    labels::series(line).is_some_and(|(_, rest)| rest.trim_start().starts_with("=>"))
}

/// Reads the series, one after the other.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed) = (Log::default(), Feed::default());
    let mut current: Option<(usize, Measure)> = None;
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        if let Some((labels, rest)) = labels::series(line).filter(|(_, rest)| rest.trim_start().starts_with("=>")) {
            if rest.contains("@[") {
                return Err(instant(input.file, row));
            }
            current = labelled(&labels, input, &mut log);
            if let Some((place, _)) = current.filter(|(_, measure)| measure.what == What::Util) {
                input.devices.end_series(place);
            }
            continue;
        }
        let Some((value, at)) = line.split_once(" @[").and_then(|(v, t)| Some((v, epoch(t.strip_suffix(']')?)?)))
        else {
            if !line.trim().is_empty() {
                log.leave("line that is neither a series nor a sample");
            }
            continue;
        };
        if let Some((place, measure)) = current {
            let value = measure.of(metric::value(value).unwrap_or(f64::NAN));
            feed.take(input.devices, place, at, row, value, measure.what == What::Util);
        }
    }
    end(
        input,
        log,
        feed,
        false,
        "query a metric by its plain name, such as DCGM_FI_DEV_GPU_UTIL; a function takes the name away",
    )
}

fn instant(file: &str, row: u32) -> Error {
    Error::new(Kind::Usage, "is what promtool query instant prints: one moment, not a log of samples")
        .at(Origin::file(file).at(row))
        .hint("ask for a span: promtool query range --start=… --end=… --step=60s URL DCGM_FI_DEV_GPU_UTIL")
}
