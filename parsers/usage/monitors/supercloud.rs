//! The MIT Supercloud trace's GPU series, a file a job and node.
//!
//! Layout (second-hand: a loader's test): `timestamp,gpu_index,utilization_gpu_pct,utilization_memory_pct,
//! memory_free_MiB,memory_used_MiB,temperature_gpu,temperature_memory,power_draw_W,pcie_link_width_current`,
//! the time in seconds since 1970 with decimals, every 100 ms.

use std::io::BufRead;

use super::super::clock::Clock;
use super::super::formats::{Head, Input};
use super::super::log::Log;
use super::card::Card;
use super::feed::Feed;
use super::lines::{Lines, cells, header};
use super::measure::{Measure, What};
use super::series::end;
use super::wide::Wide;
use crate::error::Result;

/// Whether a text begins as such a series.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let cells = header(head);
    ["timestamp", "gpu_index", "utilization_gpu_pct", "memory_free_MiB"].iter().all(|n| cells.iter().any(|c| c == n))
}

fn measure(name: &str) -> Option<Measure> {
    Some(match name {
        "utilization_gpu_pct" => Measure::new(What::Util, 1.0),
        "memory_used_MiB" => Measure::new(What::Memory, 1.0),
        "memory_free_MiB" => Measure::new(What::MemoryFree, 1.0),
        "power_draw_W" => Measure::new(What::Power, 1.0),
        "temperature_gpu" => Measure::new(What::Temperature, 1.0),
        _ => return None,
    })
}

/// Reads a series.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let (mut names, mut row_cells) = (Vec::new(), Vec::<String>::new());
    let (mut time, mut index) = (0, 0);
    let mut cards: Vec<(String, Wide)> = Vec::new();
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        if row == 1 {
            cells(line, ',', &mut names);
            let find = |name: &str| names.iter().position(|c| c == name).unwrap_or_default();
            (time, index) = (find("timestamp"), find("gpu_index"));
            continue;
        }
        cells(line, ',', &mut row_cells);
        let at = row_cells.get(time).and_then(|c| clock.read(c.as_bytes()));
        let (Some((at, _)), Some(index)) = (at, row_cells.get(index).filter(|c| !c.is_empty())) else {
            log.leave("line without a time and a card");
            continue;
        };
        if cards.iter().all(|(known, _)| known != index) {
            let card = Card { index: Some(index), ..Card::default() };
            let place = card.place(input.devices, input.file, input.label);
            let mut wide = Wide::default();
            for (column, measure) in names.iter().enumerate().filter_map(|(i, c)| Some((i, measure(c)?))) {
                wide.add(place, column, measure);
            }
            cards.push((index.clone(), wide));
        }
        if let Some((_, wide)) = cards.iter().find(|(known, _)| known == index) {
            wide.row(&row_cells, at, row, &mut feed, input.devices);
        }
    }
    end(input, log, feed, clock.local, "the file has a header and no row: take one of the trace's gpu/ folder")
}
