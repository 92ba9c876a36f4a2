//! What `promtool tsdb dump` prints.
//!
//! Layout (confirmed: promtool's documentation and tests): `{__name__="…", label="value"} value milliseconds`,
//! a line a sample, series by series. `tsdb dump-openmetrics` writes the name before the braces and is read
//! as the text of an exporter.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use rustc_hash::FxHashMap;

use super::super::clock::epoch;
use super::super::log::Log;
use super::super::metric;
use super::cell::{self, Cell};
use super::feed::Feed;
use super::labels;
use super::lines::Lines;
use super::measure::{Measure, What};
use super::series::{end, labelled};
use crate::error::Result;

/// Whether a text begins with such a sample.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let line = head.first();
    line.starts_with("{__name__=") && sample(line).is_some()
}

/// A line's series, value and time.
fn sample(line: &str) -> Option<(&str, &str, i64)> {
    let (_, rest) = labels::series(line).filter(|(_, rest)| rest.starts_with(' '))?;
    let series = &line[..line.len() - rest.len()];
    let mut words = rest.split_whitespace();
    let (value, time) = (words.next()?, words.next()?);
    let whole = words.next().is_none() && !matches!(cell::read(value, false), Cell::Absent | Cell::Unknown)
        || matches!(value, "NaN" | "+Inf" | "-Inf");
    whole.then_some((series, value, epoch(time)?))
}

/// Reads the samples; what a series is shows once.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed) = (Log::default(), Feed::default());
    let mut known: FxHashMap<String, Option<(usize, Measure)>> = FxHashMap::default();
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
                let labels = labels::series(series).map(|(labels, _)| labels);
                let found = labels.and_then(|labels| labelled(&labels, input, &mut log));
                known.insert(series.to_owned(), found);
                found
            }
        };
        let Some((place, measure)) = found else { continue };
        let value = measure.of(metric::value(value).unwrap_or(f64::NAN));
        feed.take(input.devices, place, at, row, value, measure.what == What::Util);
    }
    end(
        input,
        log,
        feed,
        false,
        "dump a metric that tells of cards: promtool tsdb dump --match='{__name__=~\"DCGM_FI_DEV_.*\"}' DIR",
    )
}
