//! Philly's `cluster_gpu_util`: a row a machine and minute, a column a card.
//!
//! Layout (confirmed: the README of the trace): `time,machineId,gpu0_util,…,gpu7_util`, the time with the
//! short name of its zone (`2017-10-03 00:08:00 PDT`), `NA` while the machine is off, a comma at the end.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use rustc_hash::FxHashMap;

use super::super::clock::Clock;
use super::super::log::Log;
use super::card::Card;
use super::feed::Feed;
use super::lines::{Lines, cells, header};
use super::measure::{Measure, What};
use super::series::end;
use super::wide::Wide;
use crate::error::Result;

/// Whether a text begins as such a trace.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let cells = header(head);
    cells.first().is_some_and(|c| c == "time")
        && cells.get(1).is_some_and(|c| c == "machineId")
        && cells.iter().skip(2).any(|c| number(c).is_some())
}

/// The number of the card in `gpu3_util`.
fn number(name: &str) -> Option<&str> {
    let number = name.strip_prefix("gpu")?.strip_suffix("_util")?;
    number.bytes().all(|b| b.is_ascii_digit()).then_some(number)
}

/// Reads a trace.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let mut machines: FxHashMap<String, Wide> = FxHashMap::default();
    let (mut names, mut row_cells) = (Vec::new(), Vec::new());
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        if row == 1 {
            cells(line, ',', &mut names);
            continue;
        }
        cells(line, ',', &mut row_cells);
        let (Some(at), Some(machine)) = (time(&row_cells[0], &mut clock), row_cells.get(1)) else {
            if !line.is_empty() {
                log.leave("line without a time");
            }
            continue;
        };
        if !machines.contains_key(machine) {
            let mut wide = Wide::default();
            for (column, name) in names.iter().enumerate() {
                // A machine has fewer cards than the trace has columns: an empty cell is no card.
                let is_card = row_cells.get(column).is_some_and(|c| !c.is_empty());
                if let Some(index) = number(name).filter(|_| is_card) {
                    let card = Card { host: Some(machine), index: Some(index), ..Card::default() };
                    let place = card.place(input.devices, input.file, input.label);
                    wide.add(place, column, Measure::new(What::Util, 1.0));
                }
            }
            machines.insert(machine.clone(), wide);
        }
        if let Some(wide) = machines.get(machine) {
            wide.row(&row_cells, at, row, &mut feed, input.devices);
        }
    }
    end(input, log, feed, clock.local, "keep the header and at least one row of the trace")
}

/// A time with the short name of its zone; without one it is of the zone that the user names.
fn time(cell: &str, clock: &mut Clock) -> Option<i64> {
    let offset = |zone: &str| {
        Some(match zone {
            "UTC" | "GMT" => "+00:00",
            "PDT" => "-07:00",
            "PST" => "-08:00",
            _ => return None,
        })
    };
    match cell.rsplit_once(' ').and_then(|(local, zone)| Some((local, offset(zone)?))) {
        Some((local, offset)) => {
            clock.read(format!("{}{offset}", local.replacen(' ', "T", 1)).as_bytes()).map(|(at, _)| at)
        }
        None => clock.read(cell.as_bytes()).map(|(at, _)| at),
    }
}
