//! `amd-smi metric` and `amd-smi monitor`, as JSON and as CSV.
//!
//! With `-w` every sample has its time, seconds since 1970. JSON prints numbers with their units
//! within the groups of the query; CSV flattens the groups and quotes lists.

use std::io::BufRead;

use serde_json::Value;

use super::card::{Card, figure, known, mib};
use super::documents::{self, at, number, text};
use super::formats::{Head, Input};
use super::lines::{self, Line};
use super::log::Log;
use super::sample::Sample;
use super::stamp::Stamps;
use crate::error::Result;

/// How to save it.
const SAVE: &str = "let it print the time of each sample: `amd-smi metric --usage --mem-usage --power --temperature --csv -w 60 --file amd.csv`";

/// Whether a file is such JSON.
pub(super) fn is_json(head: &Head) -> bool {
    let has = |key: &str| head.text.contains(key);
    has("\"gfx_activity\"") || has("\"gpu_data\"") || has("\"gpu\"") && (has("\"vram_used\"") || has("\"used_vram\""))
}

/// Whether a file is such CSV.
pub(super) fn is_csv(head: &Head) -> bool {
    head.lines().take(20).any(|line| columns(line).is_some())
}

/// Reads JSON, one object after the other.
pub(super) fn read_json(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    documents::objects(reader, input, ("what amd-smi prints", SAVE), |object, row, stamps, log, input| {
        match object.get("gpu_data").and_then(Value::as_array) {
            // Newer versions wrap the cards of one moment.
            Some(cards) => {
                stamps.strip(&text(object.get("timestamp")));
                cards.iter().for_each(|card| push(card, row, stamps, log, input));
            }
            None => push(object, row, stamps, log, input),
        };
    })
}

fn push(card: &Value, row: u32, stamps: &mut Stamps, log: &mut Log, input: &mut Input<'_>) {
    if card.get("gpu").is_none() {
        log.leave("object that is of no card");
        return;
    }
    stamps.strip(&text(card.get("timestamp")));
    let Some(time) = stamps.now(row) else { return };
    let first = |paths: &[&[&str]]| {
        let found = paths.iter().map(|path| number(at(card, path))).find(|n| !n.is_nan());
        found.unwrap_or(f32::NAN)
    };
    let sample = Sample {
        util: first(&[&["usage", "gfx_activity"], &["gfx_activity"], &["gfx"]]),
        memory: first(&[&["mem_usage", "used_vram"], &["vram_used"], &["used_vram"]]),
        memory_total: first(&[&["mem_usage", "total_vram"], &["vram_total"], &["total_vram"]]),
        power: first(&[&["power", "socket_power"], &["socket_power"], &["power_usage"]]),
        temperature: first(&[&["temperature", "hotspot"], &["temperature", "edge"], &["hotspot_temperature"]]),
        ..Sample::default()
    };
    let (uuid, index) = (text(card.get("uuid")), text(card.get("gpu")));
    let place = input.place(&Card { uuid: &uuid, index: &index, ..Card::default() });
    input.devices.push_whole(place, time, row, sample);
    log.samples += 1;
}

/// Reads CSV row by row.
pub(super) fn read_csv(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let mut rows = Rows { stamps: Stamps::new(input), header: Vec::new(), log: Log::default() };
    let file = input.file;
    lines::each(reader, file, |line| {
        rows.take(line, input);
        Ok(())
    })?;
    let Rows { stamps, header, mut log } = rows;
    stamps.end(input, &mut log, "what amd-smi prints", SAVE)?;
    if !header.contains(&Column::Util) {
        log.notes.push("has no utilization: hours stay unknown; add --usage to the query".to_owned());
    }
    Ok(log)
}

struct Rows {
    stamps: Stamps,
    header: Vec<Column>,
    log: Log,
}

impl Rows {
    fn take(&mut self, line: Line<'_>, input: &mut Input<'_>) {
        let text = line.text();
        if let Some(columns) = columns(&text) {
            self.header = columns;
            return;
        }
        let timed = self.header.contains(&Column::Time);
        let text = if timed { &text } else { self.stamps.strip(&text) };
        if text.is_empty() {
            return;
        }
        let cells = lines::cells(text);
        if cells.len() != self.header.len() {
            self.log.leave(if line.cut { "last line cut off" } else { "line that does not fit the header" });
            return;
        }
        let (mut sample, mut index) = (Sample::default(), "");
        for (column, cell) in self.header.iter().zip(&cells) {
            let (place, value) = match column {
                Column::Util => (&mut sample.util, figure(cell)),
                Column::Memory => (&mut sample.memory, mib(cell)),
                Column::MemoryTotal => (&mut sample.memory_total, mib(cell)),
                Column::Power => (&mut sample.power, figure(cell)),
                Column::Temperature => (&mut sample.temperature, figure(cell)),
                Column::Time => {
                    self.stamps.strip(cell);
                    continue;
                }
                Column::Index => {
                    index = known(cell);
                    continue;
                }
                Column::Other => continue,
            };
            *place = place.max(value);
        }
        let Some(at) = self.stamps.now(line.row) else { return };
        let place = input.place(&Card { index, ..Card::default() });
        input.devices.push_whole(place, at, line.row, sample);
        self.log.samples += 1;
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Time,
    Index,
    Util,
    Memory,
    MemoryTotal,
    Power,
    Temperature,
    Other,
}

/// The columns that a header names; `None` if the line is none.
fn columns(line: &str) -> Option<Vec<Column>> {
    let columns: Vec<Column> = lines::cells(line).iter().map(|cell| column(cell)).collect();
    let amd = |cell: &str| matches!(cell, "gfx_activity" | "socket_power" | "power_usage" | "vram_used" | "used_vram");
    let named = lines::cells(line).iter().any(|cell| amd(cell));
    (named && columns.contains(&Column::Index)).then_some(columns)
}

fn column(cell: &str) -> Column {
    match cell {
        "timestamp" => Column::Time,
        "gpu" => Column::Index,
        "gfx_activity" | "gfx" => Column::Util,
        "used_vram" | "vram_used" => Column::Memory,
        "total_vram" | "vram_total" => Column::MemoryTotal,
        "socket_power" | "power_usage" => Column::Power,
        "hotspot" | "edge" | "hotspot_temperature" => Column::Temperature,
        _ => Column::Other,
    }
}
