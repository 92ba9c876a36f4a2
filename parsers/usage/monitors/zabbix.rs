//! Zabbix history: the API's `history.get`, or a table of it.
//!
//! Layout: `{"result": [{"itemid", "clock": "seconds", "value": "…", "ns"}]}` (confirmed: the API's
//! documentation). A history does not say what its item is: the key must stand beside it (`key_` and `host`,
//! as a join with `items` and `hosts` gives), or the file is named after it. Keys `gpu.utilization[0]`,
//! `gpu.memused[0]` in MiB (confirmed: a published template), `nvml.device.…["GPU-…"]` of Zabbix agent 2 with
//! memory in bytes (second-hand). The table's columns, and the frontend's `Timestamp,Value`, are inferred.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::super::clock::Clock;
use super::super::device::Devices;
use super::super::label::stem;
use super::super::log::Log;
use super::card::{Card, uuid};
use super::cell;
use super::feed::Feed;
use super::json;
use super::lines::{Lines, cells, header, separator};
use super::measure::{BYTE, Measure, What};
use super::series::{end, time};
use crate::error::Result;

const HINT: &str = "export host, key_, clock and value, or name the file after the item's key: gpu.utilization[0].json";

/// Whether a text begins as a history.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let start = head.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with(['{', '[']) {
        return start.contains("\"clock\"") && start.contains("\"value\"");
    }
    let names: Vec<String> = header(head).iter().map(|c| c.to_ascii_lowercase()).collect();
    let has = |name: &str| names.iter().any(|n| n == name);
    has("value") && (has("clock") || has("timestamp") && (names.len() == 2 || has("key_") || has("item key")))
}

/// A row of a history, as text.
#[derive(Default)]
struct Row<'a> {
    host: Option<&'a str>,
    key: Option<&'a str>,
    item: Option<&'a str>,
    value: &'a str,
}

/// The items met so far.
struct Items<'a> {
    known: FxHashMap<String, Option<(usize, Measure)>>,
    file: &'a str,
    label: &'a str,
    /// The item that a history without keys is of: more than one cannot be told apart.
    only: Option<String>,
}

impl Items<'_> {
    fn find(&mut self, row: &Row<'_>, devices: &mut Devices, log: &mut Log) -> Option<(usize, Measure)> {
        let id = format!("{}\n{}", row.host.unwrap_or_default(), row.key.or(row.item).unwrap_or_default());
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let name = match row.key {
            Some(key) => Some(key),
            // Without a key the file's name tells, of one item.
            None if self.only.get_or_insert_with(|| id.clone()) == &id => in_name(stem(self.file)),
            None => None,
        };
        let found = name.and_then(|name| {
            let measure = measure(name)?;
            let card = Card { uuid: uuid(name), host: row.host, index: parameter(name), ..Card::default() };
            Some((card.place(devices, self.file, self.label), measure))
        });
        if found.is_none() {
            log.leave(&format!("item {}", name.or(row.item).unwrap_or("without a key")));
        }
        self.known.insert(id, found);
        found
    }
}

/// The key within a file's name.
fn in_name(name: &str) -> Option<&str> {
    [name.find("nvml."), name.find("gpu.")].into_iter().flatten().min().map(|at| &name[at..])
}

/// The parameter of a key: `0` of `gpu.utilization[0]`.
fn parameter(key: &str) -> Option<&str> {
    let (_, rest) = key.split_once('[')?;
    let inner = rest.split([']', ',']).next()?.trim().trim_matches('"');
    (!inner.is_empty()).then_some(inner)
}

fn measure(key: &str) -> Option<Measure> {
    let name = key.split('[').next().unwrap_or_default().to_ascii_lowercase();
    let name = name.trim_end_matches(".dep");
    let nvml = name.strip_prefix("nvml.device.");
    Some(match nvml.or_else(|| name.strip_prefix("gpu.")).unwrap_or(name) {
        "utilization" | "utilization.gpu" | "util" => Measure::new(What::Util, 1.0),
        "memused" | "memory.used" => Measure::new(What::Memory, 1.0),
        "memtotal" | "memory.total" => Measure::new(What::MemoryTotal, 1.0),
        "memfree" | "memory.free" => Measure::new(What::MemoryFree, 1.0),
        "memory.fb.used" => Measure::new(What::Memory, BYTE),
        "memory.fb.total" => Measure::new(What::MemoryTotal, BYTE),
        "memory.fb.free" => Measure::new(What::MemoryFree, BYTE),
        "power" | "power.draw" | "power.usage" => Measure::new(What::Power, 1.0),
        "power.limit" => Measure::new(What::PowerLimit, 1.0),
        "temp" | "temperature" => Measure::new(What::Temperature, 1.0),
        _ => return None,
    })
}

/// Reads a history.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let mut items = Items { known: FxHashMap::default(), file: input.file, label: input.label, only: None };
    let first = reader.fill_buf().map_err(|e| crate::error::Error::io(input.file, &e))?;
    if first.iter().find(|b| b.is_ascii_graphic()).is_some_and(|b| matches!(b, b'{' | b'[')) {
        let answer = json::whole(reader, input.file, "the history")?;
        let list = answer.as_array().or_else(|| json::get(&answer, "result")?.as_array());
        for record in list.into_iter().flatten() {
            let Some(at) = json::get(record, "clock").and_then(|t| clock_time(t, &mut clock)) else {
                log.leave("value without a time");
                continue;
            };
            let text = |key: &str| json::text(record, key);
            let value = json::get(record, "value")
                .map_or_else(String::new, |v| v.as_str().map_or_else(|| v.to_string(), str::to_owned));
            let row = Row {
                host: text("host").or_else(|| text("hostname")),
                key: text("key_").or_else(|| text("key")),
                item: text("itemid"),
                value: &value,
            };
            take(&row, at, 0, &mut items, &mut feed, input.devices, &mut log);
        }
    } else {
        table(reader, input, &mut items, &mut clock, &mut feed, &mut log)?;
    }
    end(input, log, feed, clock.local, HINT)
}

fn clock_time(value: &Value, clock: &mut Clock) -> Option<i64> {
    time(value, clock)
}

fn table(
    reader: &mut dyn BufRead,
    input: &mut Input<'_>,
    items: &mut Items<'_>,
    clock: &mut Clock,
    feed: &mut Feed,
    log: &mut Log,
) -> Result<()> {
    let mut lines = Lines::new(&mut *reader, input.file);
    let (mut mark, mut names, mut row_cells) = (',', Vec::new(), Vec::<String>::new());
    while let Some((row, line)) = lines.next()? {
        if row == 1 {
            mark = separator(line);
            cells(line, mark, &mut names);
            names.iter_mut().for_each(|n| *n = n.to_ascii_lowercase());
            continue;
        }
        if line.is_empty() {
            continue;
        }
        cells(line, mark, &mut row_cells);
        let cell = |any: &[&str]| {
            let column = names.iter().position(|n| any.contains(&n.as_str()))?;
            row_cells.get(column).map(String::as_str).filter(|c| !c.is_empty())
        };
        let Some((at, _)) = cell(&["clock", "timestamp"]).and_then(|c| clock.read(c.as_bytes())) else {
            log.leave("line without a time");
            continue;
        };
        let row_of = Row {
            host: cell(&["host", "hostname", "host name"]),
            key: cell(&["key_", "key", "item key"]),
            item: cell(&["itemid", "item", "name"]),
            value: cell(&["value"]).unwrap_or_default(),
        };
        take(&row_of, at, row, items, feed, input.devices, log);
    }
    Ok(())
}

fn take(
    row: &Row<'_>,
    at: i64,
    number: u32,
    items: &mut Items<'_>,
    feed: &mut Feed,
    devices: &mut Devices,
    log: &mut Log,
) {
    let Some((place, measure)) = items.find(row, devices, log) else { return };
    if let Some(sample) = measure.sample(cell::read(row.value, false)) {
        feed.take(devices, place, at, number, sample, measure.what == What::Util);
    }
}
