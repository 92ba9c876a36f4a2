//! Workbooks: every sheet becomes a table, cell by cell.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use calamine::{Data, ExcelDateTime, Reader, Xlsx};

use super::{Bytes, MOST_SHEET, Table, parts};
use crate::error::{Error, Kind, Origin, Result};

/// The most columns that a row may have.
const MOST_COLUMNS: u32 = 16_384;

/// Reads every sheet that has a cell.
pub(super) fn sheets(bytes: Vec<u8>, name: &str) -> Result<Vec<Table>> {
    parts::check(&bytes, name)?;
    // The library that takes workbooks apart indexes what a damaged file says: a panic of it is
    // no more than a workbook that cannot be read.
    let read = catch_unwind(AssertUnwindSafe(|| read(bytes, name)));
    let tables = read.unwrap_or_else(|_| Err(broken("its parts contradict each other", name)))?;
    if tables.is_empty() {
        return Err(Error::new(Kind::Format, "is a workbook without a filled cell").at(Origin::file(name)).hint(
            "check that the right file was exported; the platform may have had nothing to export for this month",
        ));
    }
    Ok(tables)
}

fn read(bytes: Vec<u8>, name: &str) -> Result<Vec<Table>> {
    let wrong = |e: calamine::XlsxError| broken(&e.to_string(), name);
    let mut xlsx = Xlsx::new(Cursor::new(bytes)).map_err(wrong)?;
    let mut tables = Vec::new();
    let mut written = 0;
    for sheet in xlsx.sheet_names() {
        let Ok(mut cells) = xlsx.worksheet_cells_reader(&sheet) else { continue };
        let mut spool = Spool::new(name, &sheet, written);
        while let Some(cell) = cells.next_cell().map_err(wrong)? {
            let (row, column) = cell.get_position();
            spool.cell(row, column, text_of(&cell.get_value().clone().into()))?;
        }
        written = spool.written;
        tables.extend(spool.finish()?);
    }
    Ok(tables)
}

fn broken(why: &str, name: &str) -> Error {
    Error::new(Kind::Format, format!("is a workbook that cannot be read: {why}"))
        .at(Origin::file(name))
        .hint("open it in a spreadsheet and save it again, or as CSV UTF-8")
}

/// A cell as text; `(text, the number had more digits than a spreadsheet keeps)`.
fn text_of(value: &Data) -> (String, bool) {
    match value {
        Data::Empty => (String::new(), false),
        Data::String(s) | Data::DateTimeIso(s) | Data::DurationIso(s) => (s.clone(), false),
        Data::Bool(b) => (b.to_string().to_uppercase(), false),
        Data::Int(i) => (i.to_string(), false),
        Data::Float(f) => number(*f),
        Data::DateTime(d) => (date(d), false),
        Data::Error(e) => (e.to_string(), false),
    }
}

/// The shortest text that reads back to the same number: what the user typed, up to 15 digits.
fn number(value: f64) -> (String, bool) {
    let text = value.to_string();
    let digits = text.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit).count();
    let trailing = if text.contains('.') { 0 } else { text.bytes().rev().take_while(|b| *b == b'0').count() };
    (text, digits - trailing.min(digits) > 15)
}

fn date(value: &ExcelDateTime) -> String {
    if value.is_duration() {
        return number(value.as_f64()).0;
    }
    let (year, month, day, hour, minute, second, _) = value.to_ymd_hms_milli();
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// A sheet on its way into memory, as compact CSV: empty cells at the end of a row cost nothing.
struct Spool {
    origin: Origin,
    writer: csv::Writer<Vec<u8>>,
    numbers: Vec<u32>,
    row: u32,
    cells: Vec<String>,
    written: usize,
    too_fine: Vec<u32>,
    width: usize,
}

impl Spool {
    /// A sheet of a workbook of which so many bytes have been written.
    fn new(name: &str, sheet: &str, written: usize) -> Self {
        Self {
            origin: Origin { file: name.into(), sheet: Some(sheet.into()), row: 0 },
            writer: csv::WriterBuilder::new().flexible(true).from_writer(Vec::new()),
            numbers: Vec::new(),
            row: 0,
            cells: Vec::new(),
            written,
            too_fine: Vec::new(),
            width: 0,
        }
    }

    fn cell(&mut self, row: u32, column: u32, (text, too_fine): (String, bool)) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if column >= MOST_COLUMNS {
            return Err(
                Error::new(Kind::Bound, format!("has more than {MOST_COLUMNS} columns")).at(self.origin.at(row + 1))
            );
        }
        if row + 1 != self.row {
            self.flush()?;
            if row < self.row {
                return Err(self.again(row));
            }
            self.row = row + 1;
        }
        if too_fine {
            self.too_fine.push(row + 1);
        }
        self.cells.resize(self.cells.len().max(column as usize + 1), String::new());
        if !self.cells[column as usize].is_empty() {
            return Err(self.again(row));
        }
        self.cells[column as usize] = text;
        Ok(())
    }

    /// A row that comes after a later one, or a cell that comes twice: which of them counts?
    fn again(&self, row: u32) -> Error {
        Error::new(Kind::Format, format!("is a workbook whose row {} is told of twice or out of turn", row + 1))
            .at(self.origin.at(row + 1))
            .hint("open it in a spreadsheet and save it again, or as CSV UTF-8")
    }

    fn flush(&mut self) -> Result<()> {
        if self.cells.is_empty() {
            return Ok(());
        }
        // Rows are read as wide as the widest so far (`Rows`): what that comes to is bounded, though
        // only what is filled is kept.
        self.width = self.width.max(self.cells.len());
        let filled: usize = self.cells.iter().map(|c| c.len() + 1).sum();
        self.written += filled + self.width - self.cells.len();
        if self.written > MOST_SHEET {
            return Err(
                Error::new(Kind::Bound, format!("is a workbook of more than {MOST_SHEET} bytes of cells")).at(self.origin.clone())
            );
        }
        self.writer
            .write_record(&self.cells)
            .map_err(|e| Error::new(Kind::Io, e.to_string()).at(self.origin.clone()))?;
        self.numbers.push(self.row);
        self.cells.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<Option<Table>> {
        self.flush()?;
        if self.numbers.is_empty() {
            return Ok(None);
        }
        let bytes =
            self.writer.into_inner().map_err(|e| Error::new(Kind::Io, e.to_string()).at(self.origin.clone()))?;
        let mut notes = Vec::new();
        if let Some(first) = self.too_fine.first() {
            notes.push(format!(
                "{} numbers have more than 15 significant digits, which a spreadsheet does not keep (first in row {first}): their last digits are not the vendor's",
                self.too_fine.len()
            ));
        }
        Ok(Some(Table {
            origin: self.origin,
            bytes: Bytes::Memory(bytes.into()),
            numbers: Some(self.numbers.into()),
            encoding: "XLSX",
            notes,
            document: Arc::default(),
        }))
    }
}
