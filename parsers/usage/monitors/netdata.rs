//! Netdata's `/api/v1/data` (and v2, v3) of a chart, as CSV or JSON, newest first unless asked otherwise.
//!
//! Layout: CSV with the column `time` (`YYYY-MM-DD HH:MM:SS` of the host, or seconds) and one a dimension,
//! `null` for none (confirmed: Netdata's `csv.c` and README); JSON `{"labels":["time",…],"data":[[…],…]}`,
//! wrapped in `result` by `jsonwrap`, a point `[value, …]` in v2 (second-hand). The answer does not name
//! its chart: the file's name must, as in `nvidia_smi.gpu_GPU-<uuid>_gpu_utilization.csv`. Dimensions `gpu`
//! or `utilization`, `free`, `used`, `reserved`, `power_draw` (second-hand); memory in bytes in the charts
//! `…frame_buffer_memory_usage`, in MiB in the older `…fb_memory_usage` (inferred).

use std::io::BufRead;

use super::super::formats::{Head, Input};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::super::clock::{Clock, epoch};
use super::super::columns::Columns;
use super::super::label::stem;
use super::super::log::Log;
use super::card::{Card, index, uuid};
use super::feed::Feed;
use super::lines::{Lines, cells, header};
use super::measure::{BYTE, Measure, What};
use super::series::end;
use super::wide::Wide;
use crate::error::{Error, Kind, Origin, Result};

const HINT: &str = "name the file after the chart that it holds, such as nvidia_smi.gpu_GPU-<uuid>_gpu_utilization.csv; charts of utilization, frame buffer memory, power draw and temperature are read";

/// Whether a text begins as such an answer.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let start = head.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with('{') {
        return start.contains("\"labels\"") && (start.contains("\"time\"") || start.contains("\"api\""));
    }
    let first = start.lines().next().unwrap_or_default();
    let cells = header(head);
    cells.len() > 1 && cells[0] == "time" && !matches!(Columns::of_header(first, "", 1), Some(Ok(_)))
}

/// Reads an answer.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let first = reader.fill_buf().map_err(|e| Error::io(input.file, &e))?;
    if first.iter().find(|b| b.is_ascii_graphic()) == Some(&b'{') {
        let (file, label) = (input.file, input.label);
        let mut chart = Chart {
            file,
            label,
            devices: input.devices,
            log: &mut log,
            feed: &mut feed,
            wide: Wide::default(),
            row: 0,
        };
        let mut json = serde_json::Deserializer::from_reader(&mut *reader);
        (&mut chart).deserialize(&mut json).map_err(|e| {
            Error::new(Kind::Usage, message!("is no answer of Netdata: {e}"))
                .at(Origin::file(file))
                .hint("save /api/v1/data?chart=…&format=json again, as a whole")
        })?;
    } else {
        let mut lines = Lines::new(&mut *reader, input.file);
        let (mut row_cells, mut wide) = (Vec::new(), Wide::default());
        while let Some((row, line)) = lines.next()? {
            cells(line, ',', &mut row_cells);
            if row == 1 {
                wide = columns(&row_cells, input.file, input.label, input.devices, &mut log);
                continue;
            }
            match clock.read(row_cells[0].as_bytes()) {
                Some((at, _)) => wide.row(&row_cells, at, row, &mut feed, input.devices),
                None if line.is_empty() => {}
                None => log.leave("line without a time"),
            }
        }
    }
    end(input, log, feed, clock.local, HINT)
}

/// What the dimensions of a chart are.
fn columns(
    names: &[String],
    file: &str,
    label: &str,
    devices: &mut super::super::device::Devices,
    log: &mut Log,
) -> Wide {
    let chart = stem(file);
    let mut wide = Wide::default();
    for (column, name) in names.iter().enumerate().skip(1) {
        let place = measure(chart, name).map(|measure| {
            let id = uuid(name).or_else(|| uuid(chart));
            let card = Card { uuid: id, index: index(name).or_else(|| index(chart)), ..Card::default() };
            (card.place(devices, file, label), measure)
        });
        if !place.is_some_and(|(place, measure)| wide.add(place, column, measure)) {
            log.leave(&format!("series of {name}"));
        }
    }
    wide
}

/// What a dimension of a chart measures.
fn measure(chart: &str, dimension: &str) -> Option<Measure> {
    let memory = if chart.contains("frame_buffer_memory_usage") {
        Some(BYTE)
    } else {
        chart.contains("fb_memory_usage").then_some(1.0)
    };
    match (memory, dimension) {
        (Some(by), "used") => Some(Measure::new(What::Memory, by)),
        (Some(by), "free") => Some(Measure::new(What::MemoryFree, by)),
        (Some(by), "reserved") => Some(Measure::new(What::MemoryReserved, by)),
        (Some(_), _) => None,
        (None, _) if chart.contains("gpu_utilization") => Some(Measure::new(What::Util, 1.0)),
        (None, _) if chart.contains("power_draw") => Some(Measure::new(What::Power, 1.0)),
        (None, _) if chart.contains("gpu") && chart.contains("temperature") => {
            Some(Measure::new(What::Temperature, 1.0))
        }
        _ => None,
    }
}

/// A chart's JSON on its way into samples, row by row.
struct Chart<'a> {
    file: &'a str,
    label: &'a str,
    devices: &'a mut super::super::device::Devices,
    log: &'a mut Log,
    feed: &'a mut Feed,
    wide: Wide,
    row: u32,
}

impl<'de> DeserializeSeed<'de> for &mut Chart<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Chart<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{\"labels\": [\"time\", …], \"data\": [[…], …]}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "result" | "data" => map.next_value_seed(&mut *self)?,
                "labels" => {
                    // A wrapper has a key of this name with something else in it.
                    let names: Value = map.next_value()?;
                    let names: Vec<String> =
                        names.as_array().into_iter().flatten().filter_map(|n| n.as_str().map(str::to_owned)).collect();
                    if names.first().is_some_and(|n| n == "time") {
                        self.wide = columns(&names, self.file, self.label, self.devices, self.log);
                    }
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        while let Some(row) = seq.next_element::<Vec<Value>>()? {
            self.row = self.row.saturating_add(1);
            let point = |v: &Value| v.as_array().and_then(|p| p.first()).unwrap_or(v).to_string();
            let cells: Vec<String> = row.iter().map(point).collect();
            match cells.first().and_then(|at| epoch(at)) {
                Some(at) => self.wide.row(&cells, at, self.row, self.feed, self.devices),
                None => self.log.leave("row without a time"),
            }
        }
        Ok(())
    }
}
