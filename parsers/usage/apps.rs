//! `nvidia-smi --query-compute-apps` and `--query-accounted-apps`: processes, not cards.

use std::borrow::Cow;
use std::io::BufRead;

use super::card::{Card, figure, known, mib};
use super::formats::{Head, Input};
use super::lines::{self, Line};
use super::log::Log;
use super::processes::{Process, Processes};
use super::stamp::Stamps;
use crate::error::Result;

/// How to save it.
const SAVE: &str = "add timestamp to the query: `nvidia-smi --query-compute-apps=timestamp,gpu_uuid,gpu_name,pid,used_gpu_memory --format=csv -l 30 >> apps.csv`; utilization is told by --query-gpu alone";

/// Whether a file is such a query.
pub(super) fn is(head: &Head) -> bool {
    head.lines().take(20).any(|line| header(line).is_some())
}

/// Reads it row by row; rows of one query and card are one sample.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let mut rows = Rows {
        stamps: Stamps::new(input),
        columns: Vec::new(),
        accounted: false,
        processes: Processes::default(),
        log: Log::default(),
    };
    let file = input.file;
    lines::each(reader, file, |line| rows.take(line, input))?;
    let Rows { stamps, accounted, processes, mut log, .. } = rows;
    processes.finish(input.devices, &mut log);
    stamps.end(input, &mut log, "lists of processes", SAVE)?;
    log.notes.push(if accounted {
        "is by process, with what each did over its whole life: of those that still run their most memory is taken, utilization stays unknown".to_owned()
    } else {
        "is by process: memory is the sum over the processes of a card, utilization stays unknown; it is told by --query-gpu".to_owned()
    });
    if log.samples == 0 {
        log.notes.push("holds no process that runs; whether a card was idle it does not say".to_owned());
    }
    Ok(log)
}

struct Rows {
    stamps: Stamps,
    columns: Vec<Column>,
    accounted: bool,
    processes: Processes,
    log: Log,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Time,
    Uuid,
    Bus,
    Name,
    Pid,
    Process,
    Memory,
    /// The most memory that a process held in its life.
    Most,
    /// Milliseconds of a process that has ended; 0 while it runs.
    Life,
    Other,
}

impl Rows {
    fn take(&mut self, line: Line<'_>, input: &mut Input<'_>) -> Result<()> {
        let text = line.text();
        let timed = self.columns.contains(&Column::Time);
        let text = if timed { &text } else { self.stamps.strip(&text) };
        if text.is_empty() {
            return Ok(());
        }
        if let Some(columns) = header(text) {
            self.accounted = columns.contains(&Column::Most);
            self.columns = columns;
            return Ok(());
        }
        let cells = lines::cells(text);
        let Some(cells) = fit(cells, &self.columns) else {
            self.log.leave(if line.cut { "last line cut off" } else { "line that does not fit the header" });
            return Ok(());
        };
        self.process(&cells, line.row, input);
        Ok(())
    }

    fn process(&mut self, cells: &[Cow<'_, str>], row: u32, input: &mut Input<'_>) {
        let cell = |column: Column| {
            let at = self.columns.iter().position(|c| *c == column);
            at.and_then(|at| cells.get(at)).map_or("", |cell| known(cell))
        };
        let (uuid, index, name) = (cell(Column::Uuid), cell(Column::Bus), cell(Column::Name));
        let (pid, life) = (cell(Column::Pid), cell(Column::Life));
        let memory = mib(if self.accounted { cell(Column::Most) } else { cell(Column::Memory) });
        let time = cell(Column::Time).to_owned();
        let at = if self.columns.contains(&Column::Time) { self.stamps.read(&time) } else { self.stamps.now(row) };
        let Some(at) = at else {
            if !time.is_empty() {
                self.log.leave("line that does not fit the header");
            }
            return;
        };
        if self.accounted && (life.is_empty() || figure(life) > 0.0) {
            self.log.leave("process that has ended: when it ran is not said");
            return;
        }
        if memory.is_nan() {
            self.log.leave("process whose memory is not told");
            return;
        }
        let place = input.place(&Card { uuid, index, name, ..Card::default() });
        self.processes.take(input.devices, &mut self.log, (place, at, row), Process { pid, memory, util: f32::NAN });
    }
}

/// The cells of a row; a process' name may hold commas, which part it.
fn fit<'a>(mut cells: Vec<Cow<'a, str>>, columns: &[Column]) -> Option<Vec<Cow<'a, str>>> {
    let more = cells.len().checked_sub(columns.len())?;
    if more > 0 {
        let name = columns.iter().position(|c| *c == Column::Process)?;
        cells.drain(name..name + more);
    }
    Some(cells)
}

/// The columns that a header names; `None` if the line is none.
fn header(line: &str) -> Option<Vec<Column>> {
    let columns: Vec<Column> = lines::cells(line).iter().map(|cell| column(cell)).collect();
    let has = |column: Column| columns.contains(&column);
    (has(Column::Pid) && (has(Column::Process) || has(Column::Memory) || has(Column::Most))).then_some(columns)
}

fn column(cell: &str) -> Column {
    match cell.split('[').next().unwrap_or_default().trim() {
        "timestamp" => Column::Time,
        "gpu_uuid" => Column::Uuid,
        "gpu_bus_id" => Column::Bus,
        "gpu_name" => Column::Name,
        "pid" => Column::Pid,
        "process_name" | "name" => Column::Process,
        "used_gpu_memory" | "used_memory" => Column::Memory,
        "max_memory_usage" => Column::Most,
        "time" => Column::Life,
        _ => Column::Other,
    }
}
