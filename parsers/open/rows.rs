//! Rows of a table, one at a time, with the number that a spreadsheet shows.

use std::io::Read;
use std::sync::Arc;

use csv::ByteRecord;

use super::MOST_ROW;
use super::newlines::Newlines;
use crate::error::{Error, Kind, Origin, Result};

/// The rows of a table from its start.
pub struct Rows {
    reader: csv::Reader<Newlines<Box<dyn Read>>>,
    origin: Origin,
    numbers: Option<Arc<[u32]>>,
    records: usize,
    /// Physical line on which the next record begins, at the earliest.
    line: u64,
    /// Line breaks inside cells so far: a spreadsheet counts a row once, however tall.
    inside: u64,
}

impl Rows {
    pub(super) fn new(reader: Box<dyn Read>, delimiter: u8, origin: Origin, numbers: Option<Arc<[u32]>>) -> Self {
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .buffer_capacity(1 << 18)
            .from_reader(Newlines::new(reader));
        Self { reader, origin, numbers, records: 0, line: 1, inside: 0 }
    }

    /// Reads the next row that is not an empty line, and returns its number; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read on, or the row passes [`MOST_ROW`].
    pub fn next(&mut self, record: &mut ByteRecord) -> Result<Option<u32>> {
        let more = self.reader.read_byte_record(record).map_err(|e| {
            Error::new(Kind::Io, format!("cannot be read on: {e}")).at(self.origin.at(self.row_at(self.line)))
        })?;
        if !more {
            return Ok(None);
        }
        let after = self.reader.position().line();
        // One line on, the usual case, is one record; more is line breaks in cells or empty lines.
        let breaks =
            if after - self.line > 1 { memchr::memchr_iter(b'\n', record.as_slice()).count() as u64 } else { 0 };
        // A cell that is never closed swallows the last line's end too.
        let start = (after - 1 - breaks).max(self.line);
        let row = match &self.numbers {
            Some(numbers) => numbers.get(self.records).copied().unwrap_or_default(),
            None => self.row_at(start),
        };
        if record.as_slice().len() > MOST_ROW {
            return Err(Error::new(Kind::Bound, format!("has a row of more than {MOST_ROW} bytes"))
                .at(self.origin.at(row))
                .hint("a quoted cell that opens in this row is probably never closed"));
        }
        self.inside += breaks;
        self.line = after;
        self.records += 1;
        Ok(Some(row))
    }

    fn row_at(&self, line: u64) -> u32 {
        u32::try_from(line - self.inside).unwrap_or(u32::MAX)
    }
}
