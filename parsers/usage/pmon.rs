//! `nvidia-smi pmon`: the processes of every card, over and over.

use std::io::BufRead;

use super::card::{Card, figure};
use super::dmon::{after_time, cells, dashed};
use super::formats::{Head, Input};
use super::lines::{self, Line};
use super::log::Log;
use super::processes::{Process, Processes};
use super::stamp::Stamps;
use crate::error::Result;

/// How to save it.
const SAVE: &str = "log it with `nvidia-smi pmon -s um -o DT >> pmon.log`; what the card as a whole does is told by `nvidia-smi dmon -s pucvm -o DT >> dmon.log`";

/// Whether a file is such a table.
pub(super) fn is(head: &Head) -> bool {
    head.lines().take(20).any(|line| header(after_time(line)).is_some())
}

/// Reads it row by row; rows of one moment and card are one sample.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (stamps, processes) = (Stamps::new(input), Processes::default());
    let mut rows = Rows { stamps, columns: Vec::new(), csv: false, processes, log: Log::default() };
    let file = input.file;
    lines::each(reader, file, |line| rows.take(line, input))?;
    let Rows { stamps, processes, mut log, .. } = rows;
    processes.finish(input.devices, &mut log);
    stamps.end(input, &mut log, "rows of nvidia-smi pmon", SAVE)?;
    log.notes.push("is by process: a card's utilization and memory are the sums over its processes, and the least there was; without a process they stay unknown".to_owned());
    Ok(log)
}

struct Rows {
    stamps: Stamps,
    /// The names of the columns.
    columns: Vec<String>,
    csv: bool,
    processes: Processes,
    log: Log,
}

impl Rows {
    fn take(&mut self, line: Line<'_>, input: &mut Input<'_>) -> Result<()> {
        let text = line.text();
        let text = self.stamps.strip(&text);
        if let Some(columns) = header(text) {
            (self.columns, self.csv) = (columns, text.contains(','));
            return Ok(());
        }
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        let cells = cells(text, self.csv);
        // A command may hold blanks; it comes last. One that is cut off is no loss.
        if cells.len() + 1 < self.columns.len() {
            self.log.leave(if line.cut { "last line cut off" } else { "line that does not fit the header" });
            return Ok(());
        }
        let cell = |name: &str| self.columns.iter().position(|c| c == name).and_then(|at| cells.get(at).copied());
        let (index, pid) = (cell("gpu").unwrap_or_default(), cell("pid").unwrap_or_default());
        let process =
            Process { pid, memory: cell("fb").map_or(f32::NAN, figure), util: cell("sm").map_or(f32::NAN, figure) };
        let at = match (cell("date"), cell("time")) {
            (Some(date), Some(time)) => self.stamps.read(&dashed(date, time)),
            _ => self.stamps.now(line.row),
        };
        let Some(at) = at else { return Ok(()) };
        if figure(pid).is_nan() {
            self.log.leave("moment without a process, which says nothing of a card that others may use");
            return Ok(());
        }
        let place = input.place(&Card { index, ..Card::default() });
        self.processes.take(input.devices, &mut self.log, (place, at, line.row), process);
        Ok(())
    }
}

/// The columns that a header names; `None` if the line is none.
fn header(line: &str) -> Option<Vec<String>> {
    let cells = cells(line.strip_prefix('#')?.trim_start(), line.contains(','));
    let names: Vec<String> = cells.iter().map(|cell| cell.to_ascii_lowercase()).collect();
    (names.iter().any(|n| n == "gpu") && names.iter().any(|n| n == "pid")).then_some(names)
}
