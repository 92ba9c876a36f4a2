//! `nvidia-smi dmon`: a table that scrolls, or its CSV.
//!
//! With `-o DT` each row begins with its day and time; `-` is unknown. It names cards by index
//! alone, and tells neither their name nor the size of their memory.

use std::io::BufRead;

use super::card::{Card, figure};
use super::formats::{Head, Input};
use super::lines::{self, Line};
use super::log::Log;
use super::sample::Sample;
use super::stamp::Stamps;
use crate::error::{Error, Kind, Origin, Result};

/// How to save it.
const SAVE: &str = "log it with `nvidia-smi dmon -s pucvm -o DT >> dmon.log`, or put a time before each line: `nvidia-smi dmon -s pucvm | ts '%F %T' >> dmon.log`";

/// Whether a file is such a table.
pub(super) fn is(head: &Head) -> bool {
    head.lines().take(20).any(|line| columns(after_time(line)).is_some())
}

/// Reads it row by row.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let mut rows = Rows { stamps: Stamps::new(input), columns: Vec::new(), csv: false, log: Log::default() };
    let file = input.file;
    lines::each(reader, file, |line| rows.take(line, input))?;
    let Rows { stamps, columns, mut log, .. } = rows;
    if log.samples == 0 && columns.contains(&Column::Time) && !columns.contains(&Column::Date) {
        return Err(Error::new(Kind::Usage, "holds rows of dmon with the time of the day alone, and no day")
            .at(Origin::file(file))
            .hint(SAVE));
    }
    stamps.end(input, &mut log, "rows of nvidia-smi dmon", SAVE)?;
    if !columns.contains(&Column::Memory) {
        log.notes.push("has no memory: add m to the groups of dmon, as in -s pucvm".to_owned());
    }
    if !columns.iter().any(|c| matches!(c, Column::Util | Column::Active)) {
        log.notes
            .push("has no utilization: hours stay unknown; add u to the groups of dmon, as in -s pucvm".to_owned());
    }
    Ok(log)
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Date,
    Time,
    Index,
    Slice,
    Util,
    /// The share of time that the engine was active, told of slices as well.
    Active,
    Memory,
    Power,
    Temperature,
    /// Percent of the time that the clocks were held down by power.
    Capped,
    /// Whether they are held down by heat.
    Hot,
    Other,
}

struct Rows {
    stamps: Stamps,
    columns: Vec<Column>,
    csv: bool,
    log: Log,
}

impl Rows {
    fn take(&mut self, line: Line<'_>, input: &mut Input<'_>) -> Result<()> {
        let text = line.text();
        let text = self.stamps.strip(&text);
        if let Some(columns) = columns(text) {
            (self.columns, self.csv) = (columns, text.contains(','));
            return Ok(());
        }
        // The units under the header, and blank lines in between.
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        let cells = cells(text, self.csv);
        if cells.len() != self.columns.len() {
            self.log.leave(match (line.cut, text.starts_with(|c: char| c.is_ascii_digit())) {
                (true, _) => "last line cut off",
                (false, true) => "line that does not fit the header",
                (false, false) => "line that is no row of dmon",
            });
            return Ok(());
        }
        self.row(&cells, line.row, input);
        Ok(())
    }

    fn row(&mut self, cells: &[&str], row: u32, input: &mut Input<'_>) {
        let mut sample = Sample::default();
        let (mut card, mut active) = (Card::default(), f32::NAN);
        let (mut date, mut time) = ("", "");
        for (column, cell) in self.columns.iter().zip(cells) {
            match column {
                Column::Date => date = cell,
                Column::Time => time = cell,
                Column::Index => card.index = cell,
                Column::Slice if card.slice.is_empty() && *cell != "-" => card.slice = cell,
                Column::Util => sample.util = figure(cell),
                Column::Active => active = figure(cell),
                Column::Memory => sample.memory = figure(cell),
                Column::Power => sample.power = figure(cell),
                Column::Temperature => sample.temperature = figure(cell),
                Column::Capped => sample.throttled |= figure(cell) > 0.0,
                Column::Hot => sample.slowed = figure(cell) > 0.0,
                Column::Slice | Column::Other => {}
            }
        }
        sample.throttled |= sample.slowed;
        if sample.util.is_nan() {
            sample.util = active;
        }
        let at = match date {
            "" => self.stamps.now(row),
            _ => self.stamps.read(&dashed(date, time)),
        };
        let Some(at) = at else {
            if !date.is_empty() {
                self.log.leave("line that does not fit the header");
            }
            return;
        };
        let place = input.place(&card);
        input.devices.push_whole(place, at, row, sample);
        self.log.samples += 1;
    }
}

/// The columns that a header names; `None` if the line is none.
fn columns(line: &str) -> Option<Vec<Column>> {
    let cells = cells(line.strip_prefix('#')?.trim_start(), line.contains(','));
    let columns: Vec<Column> = cells.iter().map(|cell| column(cell)).collect();
    // Comments of other exports may speak of a GPU, too.
    let begins = matches!(columns.first()?, Column::Date | Column::Time | Column::Index);
    let by_process = cells.iter().any(|cell| cell.eq_ignore_ascii_case("pid"));
    (begins && columns.contains(&Column::Index) && columns.len() > 2 && !by_process).then_some(columns)
}

fn column(cell: &str) -> Column {
    // In CSV the unit may follow the name.
    let name = cell.split(['[', '(', ' ']).next().unwrap_or_default().to_ascii_lowercase();
    match name.as_str() {
        "date" => Column::Date,
        "time" => Column::Time,
        "gpu" => Column::Index,
        "gi_id" | "giid" | "mig_id" | "migid" => Column::Slice,
        "sm" => Column::Util,
        "gract" => Column::Active,
        "fb" => Column::Memory,
        "pwr" => Column::Power,
        "gtemp" | "temp" => Column::Temperature,
        "pviol" => Column::Capped,
        "tviol" => Column::Hot,
        _ => Column::Other,
    }
}

/// The cells of a row: parted by commas in CSV, else by blanks.
pub(super) fn cells(line: &str, csv: bool) -> Vec<&str> {
    if !csv {
        return line.split_ascii_whitespace().collect();
    }
    let mut cells: Vec<&str> = line.split(',').map(str::trim).collect();
    // Day and time may stand in one cell.
    let first = cells.first().and_then(|cell| cell.split_once(' '));
    if let Some((day, time)) = first.filter(|(day, _)| day.len() == 8 && day.bytes().all(|b| b.is_ascii_digit())) {
        cells.splice(..1, [day, time.trim_start()]);
    }
    cells
}

/// `20260928` and `10:00:01` as one text.
pub(super) fn dashed(date: &str, time: &str) -> String {
    let part = |from: usize, to: usize| date.get(from..to).unwrap_or_default();
    format!("{}-{}-{} {time}", part(0, 4), part(4, 6), part(6, 8))
}

/// A line without the time that `ts` puts before it.
pub(super) fn after_time(line: &str) -> &str {
    line.find('#').map_or(line, |at| if at <= 30 { &line[at..] } else { line })
}
