//! The MIT Supercloud trace's GPU series, a file a job and node.
//!
//! Layout (second-hand: a loader's test): `timestamp,gpu_index,utilization_gpu_pct,utilization_memory_pct,
//! memory_free_MiB,memory_used_MiB,temperature_gpu,temperature_memory,power_draw_W,pcie_link_width_current`,
//! the time in seconds since 1970 with decimals, every 100 ms.

use std::io::BufRead;

use super::super::clock::Clock;
use super::super::formats::{Head, Input};
use super::super::log::Log;
use super::super::sample::Sample;
use super::card::Card;
use super::cell;
use super::feed::Feed;
use super::lines::{Lines, cells, header};
use super::measure::{Measure, What};
use super::series::nothing;
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
    let mut row_cells: Vec<String> = Vec::new();
    let mut columns: Vec<(usize, Measure)> = Vec::new();
    let (mut at, mut index) = (0, 0);
    let mut known: Vec<(String, usize)> = Vec::new();
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        cells(line, ',', &mut row_cells);
        if row == 1 {
            let find = |name: &str| row_cells.iter().position(|c| c == name).unwrap_or_default();
            (at, index) = (find("timestamp"), find("gpu_index"));
            columns = row_cells.iter().enumerate().filter_map(|(i, c)| Some((i, measure(c)?))).collect();
            continue;
        }
        let time = row_cells.get(at).and_then(|c| clock.read(c.as_bytes()));
        let (Some((at, _)), Some(index)) = (time, row_cells.get(index).filter(|c| !c.is_empty())) else {
            if !line.is_empty() {
                log.leave("line without a time and a card");
            }
            continue;
        };
        let place = match known.iter().find(|(name, _)| name == index) {
            Some((_, place)) => *place,
            None => {
                let card = Card { index: Some(index), ..Card::default() };
                let place = card.place(input.devices, input.file, input.label);
                known.push((index.clone(), place));
                place
            }
        };
        let mut sample = Sample::default();
        for (column, measure) in &columns {
            let cell = row_cells.get(*column).map_or(cell::Cell::Absent, |text| cell::read(text, false));
            if let Some(read) = measure.sample(cell) {
                sample.join(&read);
            }
        }
        feed.take(input.devices, place, at, row, sample, true);
    }
    log.samples = feed.finish(input.devices);
    log.local = clock.local;
    if log.samples == 0 {
        return Err(nothing(input.file, &log, "the file has a header and no row: take one of the trace's gpu/ folder"));
    }
    Ok(log)
}
