//! Clean data out: the ledger as CSV, JSON lines, Parquet and XLSX, with what utilization says.
//!
//! The columns are those of the ledger's schema, in its order, in every format; after them stand
//! the four of the join, where it is given. Lines are written as they are read from the ledger:
//! no format holds a second copy of it.

mod csv;
mod jsonl;
mod parquet;
pub(crate) mod xlsx;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Result, bail};
use chrono::{DateTime, SecondsFormat, Utc};
use kashi_parsers::ledger::{Ledger, Line, MoneyColumn, TextColumn, TimeColumn};
use kashi_parsers::message;
use kashi_rules::JoinRow;
use rust_decimal::Decimal;

pub use csv::csv;

/// A file format of clean data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated, guarded against formulas.
    Csv,
    /// One JSON object a line, amounts as strings.
    Jsonl,
    /// Decimals at scale 18, times in UTC microseconds.
    Parquet,
    /// A workbook; amounts are numbers up to 15 digits, else text.
    Xlsx,
}

impl Format {
    /// The format that a file's ending names.
    ///
    /// # Errors
    /// If it names none of them.
    pub fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        Ok(match ending.as_str() {
            "csv" => Self::Csv,
            "jsonl" | "ndjson" => Self::Jsonl,
            "parquet" => Self::Parquet,
            "xlsx" => Self::Xlsx,
            _ => bail!(message!(
                "{}: the ending names no format that kashi writes; expected .csv, .jsonl, .parquet or .xlsx",
                path.display()
            )),
        })
    }
}

/// Writes the ledger to a file, in the format that its ending names; whole or not at all.
///
/// A CSV file begins with [`crate::MARK`], as every CSV file that kashi writes does.
///
/// # Errors
/// If the ending is unknown or the file cannot be written.
pub fn write_ledger(ledger: &Ledger, path: &Path, join: Option<&[JoinRow]>) -> Result<()> {
    let format = Format::of(path)?;
    crate::write_file(path, |file| write(ledger, format, join, file))
}

fn write(ledger: &Ledger, format: Format, join: Option<&[JoinRow]>, file: &mut File) -> Result<()> {
    match format {
        Format::Csv => {
            file.write_all(crate::MARK)?;
            csv(ledger, join, file)
        }
        Format::Jsonl => jsonl::jsonl(ledger, join, file),
        Format::Parquet => parquet::parquet(ledger, join, file),
        Format::Xlsx => xlsx::xlsx(ledger, join, file),
    }
}

/// What utilization says of a line: card-hours, and the cost of the idle ones.
const JOINED: [&str; 4] = ["busy_hours", "idle_hours", "unknown_hours", "idle_cost"];

/// A value of the ledger.
#[derive(Clone, Copy)]
enum Cell<'a> {
    Nothing,
    Row(u32),
    Text(&'a str),
    Time(DateTime<Utc>),
    Number(Decimal),
}

/// The names of the columns.
fn header(join: bool) -> Vec<&'static str> {
    let mut names: Vec<&str> = TextColumn::ALL.iter().map(|(_, name)| *name).collect();
    names.insert(ROW, "row");
    names.extend(TimeColumn::ALL.iter().map(|(_, name)| *name));
    names.extend(MoneyColumn::ALL.iter().map(|(_, name)| *name));
    if join {
        names.extend(JOINED);
    }
    names
}

/// The place of `row` among the columns, behind file and sheet.
const ROW: usize = 2;

/// Calls `each` with the values of a line, in the order of [`header`].
fn cells<'a>(line: Line<'a>, join: Option<&[JoinRow]>, mut each: impl FnMut(Cell<'a>) -> Result<()>) -> Result<()> {
    for (at, (column, _)) in TextColumn::ALL.iter().enumerate() {
        if at == ROW {
            each(Cell::Row(line.row()))?;
        }
        each(line.text(*column).map_or(Cell::Nothing, Cell::Text))?;
    }
    for (column, _) in TimeColumn::ALL {
        each(line.time(column).map_or(Cell::Nothing, Cell::Time))?;
    }
    for (column, _) in MoneyColumn::ALL {
        each(line.money(column).map_or(Cell::Nothing, Cell::Number))?;
    }
    if let Some(join) = join {
        for value in joined(join, line.index()) {
            each(value.map_or(Cell::Nothing, Cell::Number))?;
        }
    }
    Ok(())
}

/// What the join says of a line, at the ledger's scale; it is sorted by line.
fn joined(join: &[JoinRow], line: usize) -> [Option<Decimal>; 4] {
    let row = join.binary_search_by_key(&line, |row| row.line).ok().map(|at| &join[at]);
    let at_scale = |value: Decimal| value.round_dp(kashi_parsers::ledger::money::SCALE).normalize();
    row.map_or([None; 4], |r| [r.busy_hours, r.idle_hours, r.unknown_hours, r.idle_cost].map(|v| Some(at_scale(v))))
}

/// RFC 3339 in UTC, with a fraction only where there is one.
fn rfc3339(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}
