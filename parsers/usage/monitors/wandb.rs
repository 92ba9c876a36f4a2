//! W&B's system metrics: `run.history(stream="system")` as CSV or JSON lines, `wandb-events.jsonl`, and
//! the CSV of a panel.
//!
//! Layout: names `system.gpu.<n>.gpu` (percent), `.memoryAllocatedBytes`, `.powerWatts`,
//! `.enforcedPowerLimitWatts`, `.temp`, a suffix `/l:<node>` of several nodes (confirmed: wandb's
//! `gpu_nvidia.rs`); `.memory` is the memory's bus, not what is in use, and `gpu.process.<n>` is the
//! process's own view: both are left alone. `_timestamp` in seconds (confirmed). The panel's CSV names
//! `<run> - system/gpu.<n>.gpu`, with `__MIN` and `__MAX` beside it (second-hand), and has times since
//! the start of the run unless the x axis is wall time (confirmed: W&B's documentation).

use std::io::BufRead;

use super::super::formats::{Head, Input};
use serde_json::{Map, Value};

use super::super::clock::Clock;
use super::super::log::Log;
use super::super::sample::Sample;
use super::card::Card;
use super::feed::Feed;
use super::json::number;
use super::lines::{Lines, cells, header, separator};
use super::measure::{BYTE, Measure, What};
use super::series::{end, time};
use super::wide::Wide;
use crate::error::{Error, Kind, Origin, Result};

const HINT: &str = "export run.history(stream=\"system\", samples=100000) with its _timestamp column, or set the x axis of the panel to wall time before you download it";

/// Whether a text begins as such an input.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let start = head.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with(['{', '[']) {
        return start.contains("\"system.gpu.") || start.contains("\"system/gpu.");
    }
    header(head).iter().any(|name| series(name).is_some())
}

/// A name's node and card, and what it measures; `None` for anything that is not a card's.
fn series(name: &str) -> Option<(Option<&str>, &str, &str, Option<Measure>)> {
    let at = name.find("system.gpu.").or_else(|| name.find("system/gpu."))?;
    let run = name[..at].strip_suffix(" - ").filter(|run| !run.is_empty());
    let rest = &name[at + "system.gpu.".len()..];
    let (rest, node) = rest.split_once("/l:").map_or((rest, None), |(rest, node)| (rest, Some(node)));
    let (index, what) = rest.split_once('.')?;
    if index.is_empty() || !index.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let measure = match what {
        "gpu" => Some(Measure::new(What::Util, 1.0)),
        "memoryAllocatedBytes" => Some(Measure::new(What::Memory, BYTE)),
        "powerWatts" => Some(Measure::new(What::Power, 1.0)),
        "enforcedPowerLimitWatts" => Some(Measure::new(What::PowerLimit, 1.0)),
        "temp" => Some(Measure::new(What::Temperature, 1.0)),
        _ => None,
    };
    Some((node.or(run), index, what, measure))
}

fn is_time(name: &str) -> bool {
    matches!(name.to_ascii_lowercase().as_str(), "_timestamp" | "timestamp" | "wall time" | "time")
}

/// Reads an input.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let first = reader.fill_buf().map_err(|e| Error::io(input.file, &e))?;
    let byte = first.iter().copied().find(|b| b.is_ascii_graphic());
    match byte {
        Some(b'{') => objects(reader, input),
        Some(b'[') => array(reader, input),
        _ => table(reader, input),
    }
}

fn table(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let mut lines = Lines::new(&mut *reader, input.file);
    let (mut mark, mut row_cells, mut wide) = (',', Vec::new(), Wide::default());
    let mut at = None;
    while let Some((row, line)) = lines.next()? {
        if row == 1 {
            mark = separator(line);
            cells(line, mark, &mut row_cells);
            at = row_cells.iter().position(|c| is_time(c));
            wide.comma = mark != ',';
            for (column, name) in row_cells.iter().enumerate() {
                if let Some((node, index, _, Some(measure))) = series(name) {
                    let card = Card { host: node, index: Some(index), ..Card::default() };
                    wide.add(card.place(input.devices, input.file, input.label), column, measure);
                }
            }
            continue;
        }
        let Some(at) = at else { return Err(relative(input.file)) };
        cells(line, mark, &mut row_cells);
        match row_cells.get(at).and_then(|cell| clock.read(cell.as_bytes())) {
            Some((at, _)) => wide.row(&row_cells, at, row, &mut feed, input.devices),
            None => log.leave("line without a time"),
        }
    }
    end(input, log, feed, clock.local, HINT)
}

fn relative(file: &str) -> Error {
    Error::new(Kind::Usage, "carries only times since the start of the run, so no hour can be told")
        .at(Origin::file(file).at(1))
        .hint(HINT)
}

fn objects(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let (file, label) = (input.file, input.label);
    let mut lines = Lines::new(&mut *reader, file);
    while let Some((row, line)) = lines.next()? {
        match serde_json::from_str::<Map<String, Value>>(line) {
            Ok(object) => {
                record(&object, row, file, label, input.devices, &mut clock, &mut feed, &mut log);
            }
            Err(_) if line.trim().is_empty() => {}
            Err(_) => log.leave("line that is no JSON object"),
        }
    }
    end(input, log, feed, clock.local, HINT)
}

fn array(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let records = super::json::whole(reader, input.file, "the history")?;
    for record_ in records.as_array().into_iter().flatten().filter_map(Value::as_object) {
        record(record_, 0, input.file, input.label, input.devices, &mut clock, &mut feed, &mut log);
    }
    end(input, log, feed, clock.local, HINT)
}

#[allow(clippy::too_many_arguments, reason = "what a record is read into")]
fn record(
    object: &Map<String, Value>,
    row: u32,
    file: &str,
    label: &str,
    devices: &mut super::super::device::Devices,
    clock: &mut Clock,
    feed: &mut Feed,
    log: &mut Log,
) {
    let Some(at) = object.iter().find(|(k, _)| is_time(k)).and_then(|(_, v)| time(v, clock)) else {
        log.leave("record without a time");
        return;
    };
    let mut cards: Vec<(usize, Sample, bool)> = Vec::new();
    for (name, value) in object {
        let Some((node, index, _, Some(measure))) = series(name) else { continue };
        let Some(value) = (!value.is_null()).then(|| number(value).unwrap_or(f64::NAN)) else { continue };
        let card = Card { host: node, index: Some(index), ..Card::default() };
        let place = card.place(devices, file, label);
        let sample = measure.of(value);
        let weighs = measure.what == What::Util;
        match cards.iter_mut().find(|(known, ..)| *known == place) {
            Some((_, joined, weighed)) => {
                joined.join(&sample);
                *weighed |= weighs;
            }
            None => cards.push((place, sample, weighs)),
        }
    }
    cards.into_iter().for_each(|(place, sample, weighs)| feed.take(devices, place, at, row, sample, weighs));
}
