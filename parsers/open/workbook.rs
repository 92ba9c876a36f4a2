//! Workbooks: every sheet becomes a table, cell by cell.

use std::fmt::Write as _;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use calamine::{Data, DataRef, ExcelDateTime, Reader, Xls, Xlsx};

use super::parts::{self, Book};
use super::{Bytes, MOST_SHEET, Table, xls};
use crate::error::{Error, Kind, Origin, Result};

/// The most columns that a row may have.
const MOST_COLUMNS: u32 = 16_384;

/// Reads every sheet that has a cell.
pub(super) fn sheets(bytes: Vec<u8>, book: Book, name: &str) -> Result<Vec<Table>> {
    match book {
        Book::Xls => xls::check(&bytes, name)?,
        Book::Xlsx | Book::Other(_) => parts::check(&bytes, name)?,
    }
    // The library that takes workbooks apart indexes what a damaged file says: a panic of it is
    // no more than a workbook that cannot be read.
    let read = catch_unwind(AssertUnwindSafe(|| match book {
        Book::Xls => old(bytes, name),
        Book::Xlsx | Book::Other(_) => read(bytes, name),
    }));
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
            spool.cell(row, column, cell.get_value())?;
        }
        written = spool.written;
        tables.extend(spool.finish()?);
    }
    Ok(tables)
}

/// XLS, read sheet by sheet as a whole.
fn old(bytes: Vec<u8>, name: &str) -> Result<Vec<Table>> {
    let wrong = |e: calamine::XlsError| broken(&e.to_string(), name);
    let mut xls = Xls::new(Cursor::new(bytes)).map_err(wrong)?;
    let mut tables = Vec::new();
    let mut written = 0;
    for sheet in xls.sheet_names() {
        let range = xls.worksheet_range(&sheet).map_err(wrong)?;
        let (top, left) = range.start().unwrap_or_default();
        let mut spool = Spool::new(name, &sheet, written);
        for (row, column, value) in range.used_cells() {
            spool.cell(top + row as u32, left + column as u32, &borrowed(value))?;
        }
        written = spool.written;
        tables.extend(spool.finish()?);
    }
    Ok(tables)
}

fn broken(why: &str, name: &str) -> Error {
    Error::new(Kind::Format, message!("is a workbook that cannot be read: {why}"))
        .at(Origin::file(name))
        .hint("open it in a spreadsheet and save it again, or as CSV UTF-8")
}

/// A cell of a format that is read as a whole, as one of a format that is read cell by cell.
fn borrowed(value: &Data) -> DataRef<'_> {
    match value {
        Data::Empty => DataRef::Empty,
        Data::String(s) => DataRef::SharedString(s),
        Data::DateTimeIso(s) => DataRef::DateTimeIso(s.clone()),
        Data::DurationIso(s) => DataRef::DurationIso(s.clone()),
        Data::Bool(b) => DataRef::Bool(*b),
        Data::Int(i) => DataRef::Int(*i),
        Data::Float(f) => DataRef::Float(*f),
        Data::DateTime(d) => DataRef::DateTime(*d),
        Data::Error(e) => DataRef::Error(e.clone()),
    }
}

/// Writes a cell as text; says whether a number had more digits than a spreadsheet keeps.
fn write_text(value: &DataRef<'_>, text: &mut String) -> bool {
    // Writing to a string cannot fail.
    let _ = match value {
        DataRef::Empty => Ok(()),
        DataRef::SharedString(s) => text.write_str(s),
        DataRef::String(s) | DataRef::DateTimeIso(s) | DataRef::DurationIso(s) => text.write_str(s),
        DataRef::Bool(b) => text.write_str(if *b { "TRUE" } else { "FALSE" }),
        DataRef::Int(i) => write!(text, "{i}"),
        DataRef::Float(f) => return write_number(*f, text),
        DataRef::DateTime(d) => write_date(d, text),
        DataRef::Error(e) => write!(text, "{e}"),
    };
    false
}

/// The shortest text that reads back to the same number: what the user typed, up to 15 digits.
fn write_number(value: f64, text: &mut String) -> bool {
    let _ = write!(text, "{value}");
    let digits = text.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit).count();
    let trailing = if text.contains('.') { 0 } else { text.bytes().rev().take_while(|b| *b == b'0').count() };
    digits - trailing.min(digits) > 15
}

fn write_date(value: &ExcelDateTime, text: &mut String) -> std::fmt::Result {
    if value.is_duration() {
        write_number(value.as_f64(), text);
        return Ok(());
    }
    let (year, month, day, hour, minute, second, _) = value.to_ymd_hms_milli();
    write!(text, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// A sheet on its way into memory, as compact CSV: empty cells at the end of a row cost nothing.
struct Spool {
    origin: Origin,
    writer: csv::Writer<Vec<u8>>,
    numbers: Vec<u32>,
    row: u32,
    /// The cell that is being read.
    text: String,
    /// The texts of the row, and behind them strings of longer rows to write into.
    cells: Vec<String>,
    filled: usize,
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
            text: String::new(),
            cells: Vec::new(),
            filled: 0,
            written,
            too_fine: Vec::new(),
            width: 0,
        }
    }

    fn cell(&mut self, row: u32, column: u32, value: &DataRef<'_>) -> Result<()> {
        self.text.clear();
        let too_fine = write_text(value, &mut self.text);
        if self.text.is_empty() {
            return Ok(());
        }
        if column >= MOST_COLUMNS {
            return Err(
                Error::new(Kind::Bound, message!("has more than {MOST_COLUMNS} columns")).at(self.origin.at(row + 1))
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
        let column = column as usize;
        self.fill(column + 1);
        if !self.cells[column].is_empty() {
            return Err(self.again(row));
        }
        std::mem::swap(&mut self.cells[column], &mut self.text);
        Ok(())
    }

    /// A row that comes after a later one, or a cell that comes twice: which of them counts?
    fn again(&self, row: u32) -> Error {
        let row = row + 1;
        Error::new(Kind::Format, message!("is a workbook whose row {row} is told of twice or out of turn"))
            .at(self.origin.at(row))
            .hint("open it in a spreadsheet and save it again, or as CSV UTF-8")
    }

    /// Makes a row at least so long; what it gains is empty.
    fn fill(&mut self, length: usize) {
        if self.cells.len() < length {
            self.cells.resize(length, String::new());
        }
        while self.filled < length {
            self.cells[self.filled].clear();
            self.filled += 1;
        }
    }

    fn flush(&mut self) -> Result<()> {
        if self.filled == 0 {
            return Ok(());
        }
        // Rows are read as wide as the widest so far (`Rows`): what that comes to is bounded, though
        // only what is filled is kept.
        self.width = self.width.max(self.filled);
        let cells = &self.cells[..self.filled];
        self.written += cells.iter().map(|c| c.len() + 1).sum::<usize>() + self.width - self.filled;
        if self.written > MOST_SHEET {
            return Err(Error::new(Kind::Bound, message!("is a workbook of more than {MOST_SHEET} bytes of cells"))
                .at(self.origin.clone()));
        }
        self.writer.write_record(cells).map_err(|e| Error::new(Kind::Io, e.to_string()).at(self.origin.clone()))?;
        self.numbers.push(self.row);
        self.filled = 0;
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
