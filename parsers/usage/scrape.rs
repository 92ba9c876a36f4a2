//! What an exporter answers to a scrape, kept again and again: one line a series.
//!
//! Some exporters print the time of a sample behind its value, as Ascend's npu-exporter does; for
//! others it must stand before each scrape.

use std::collections::BTreeMap;
use std::io::BufRead;

use rustc_hash::FxHashMap;

use super::formats::{Head, Input};
use super::labelled::card;
use super::lines::{self, Line};
use super::log::Log;
use super::metric::{Metric, push, value};
use super::stamp::Stamps;
use crate::error::{Error, Kind, Origin, Result};

/// How to get samples over time.
const SAVE: &str = "ask the Prometheus that scrapes it: /api/v1/query_range?query=DCGM_FI_DEV_GPU_UTIL&start=…&end=…&step=60, or put the time before each scrape: `while sleep 60; do date '+%F %T'; curl -s localhost:9400/metrics; done >> metrics.txt`";
/// The most series of a file.
const MOST: usize = 1 << 18;

/// Whether a file is such scrapes.
pub(super) fn is(head: &Head) -> bool {
    head.lines().take(20).any(|l| l.starts_with("# HELP ") || l.starts_with("# TYPE ") || series(l).is_some())
}

/// Reads line by line.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (stamps, known) = (Stamps::new(input), FxHashMap::default());
    let mut scrapes = Scrapes { stamps, known, log: Log::default() };
    let file = input.file;
    lines::each(reader, file, |line| scrapes.take(line, input))?;
    let Scrapes { stamps, mut log, .. } = scrapes;
    stamps.end(input, &mut log, "what an exporter answers to a scrape", SAVE)?;
    if log.samples == 0 {
        let only: Vec<&str> = log.left_out.keys().map(String::as_str).collect();
        let message = message!("holds no series of a card that kashi reads, only {}", only.join(", "));
        return Err(Error::new(Kind::Usage, message).at(Origin::file(file)).hint(SAVE));
    }
    Ok(log)
}

struct Scrapes {
    stamps: Stamps,
    /// What a series is, by its text; series come back in every scrape.
    known: FxHashMap<String, Option<(usize, Metric)>>,
    log: Log,
}

impl Scrapes {
    fn take(&mut self, line: Line<'_>, input: &mut Input<'_>) -> Result<()> {
        let text = line.text();
        if text.starts_with('#') {
            return Ok(());
        }
        let text = self.stamps.strip(&text);
        let Some((series, rest)) = series(text) else {
            if !text.is_empty() && line.cut {
                self.log.leave("last line cut off");
            }
            return Ok(());
        };
        let found = match self.known.get(series) {
            Some(found) => *found,
            None => self.met(series, line.row, input)?,
        };
        let Some((place, metric)) = found else { return Ok(()) };
        let mut words = rest.split_ascii_whitespace();
        let value = words.next().and_then(value);
        let own = words.next().and_then(|time| time.parse::<f64>().ok()).filter(|t| (0.0..1e14).contains(t));
        // Prometheus counts milliseconds, OpenMetrics seconds.
        let own = own.map(|t| (if t > 1e11 { t * 1e3 } else { t * 1e6 }) as i64);
        let Some(at) = own.or_else(|| self.stamps.now(line.row)) else { return Ok(()) };
        push(input.devices, place, at, line.row, metric, value);
        self.log.samples += 1;
        Ok(())
    }

    /// Learns a series.
    fn met(&mut self, series: &str, row: u32, input: &mut Input<'_>) -> Result<Option<(usize, Metric)>> {
        if self.known.len() >= MOST {
            return Err(
                Error::new(Kind::Bound, message!("has more than {MOST} series")).at(Origin::file(input.file).at(row))
            );
        }
        let labels = labels(series);
        let found = card(&labels, input.file, input.label, input.devices, &mut self.log);
        self.known.insert(series.to_owned(), found);
        Ok(found)
    }
}

/// A line's series with its labels, and what follows them.
fn series(line: &str) -> Option<(&str, &str)> {
    let name = line.find('{')?;
    let named = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b':';
    let end = line.rfind("} ").filter(|end| *end > name)?;
    (name > 0 && line[..name].bytes().all(named)).then(|| (&line[..=end], &line[end + 2..]))
}

/// The labels of `name{a="b",c="d"}`, the name among them.
fn labels(series: &str) -> BTreeMap<String, String> {
    let (name, rest) = series.split_once('{').unwrap_or((series, ""));
    let mut labels = BTreeMap::from([("__name__".to_owned(), name.to_owned())]);
    let mut rest = rest;
    while let Some((key, after)) = rest.split_once("=\"") {
        let (mut text, mut escaped, mut end) = (String::new(), false, after.len());
        for (at, c) in after.char_indices() {
            match c {
                _ if escaped => {
                    text.push(if c == 'n' { '\n' } else { c });
                    escaped = false;
                }
                '\\' => escaped = true,
                '"' => {
                    end = at + 1;
                    break;
                }
                _ => text.push(c),
            }
        }
        labels.insert(key.trim_matches([',', ' ']).to_owned(), text);
        rest = &after[end..];
    }
    labels
}
