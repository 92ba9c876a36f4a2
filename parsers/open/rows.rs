//! Rows of a table, one at a time, with the number that a spreadsheet shows.

use std::io::Read;
use std::sync::Arc;

use super::MOST_ROW;
use super::newlines::Newlines;
use super::record::{Record, Scan};
use crate::error::{Error, Kind, Origin, Result};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 18;

/// The rows of a table from its start.
pub struct Rows {
    reader: Newlines<Box<dyn Read>>,
    delimiter: u8,
    origin: Origin,
    numbers: Option<Arc<[u32]>>,
    buffer: Vec<u8>,
    at: usize,
    filled: usize,
    ended: bool,
    unclosed: bool,
    records: usize,
    /// The widest row of a sheet so far.
    width: usize,
    /// The row that the next line is; a spreadsheet counts a row once, however tall.
    line: u32,
}

impl Rows {
    pub(super) fn new(reader: Box<dyn Read>, delimiter: u8, origin: Origin, numbers: Option<Arc<[u32]>>) -> Self {
        Self {
            reader: Newlines::new(reader),
            delimiter,
            origin,
            numbers,
            buffer: vec![0; CHUNK],
            at: 0,
            filled: 0,
            ended: false,
            unclosed: false,
            records: 0,
            width: 0,
            line: 1,
        }
    }

    /// Reads the next row that is not an empty line, and returns its number; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read on, or the row passes [`MOST_ROW`].
    pub fn next(&mut self, record: &mut Record) -> Result<Option<u32>> {
        loop {
            while self.at < self.filled && self.buffer[self.at] == b'\n' {
                self.at += 1;
                self.line = self.line.saturating_add(1);
            }
            match record.scan(&self.buffer[self.at..self.filled], self.delimiter) {
                Scan::Row(bytes) => {
                    self.at += bytes;
                    let row = match &self.numbers {
                        Some(numbers) => {
                            // A sheet has no ragged rows: short ones are as wide as the widest so far,
                            // which is the header.
                            self.width = self.width.max(record.len());
                            record.widen(self.width);
                            numbers.get(self.records).copied().unwrap_or_default()
                        }
                        None => self.line,
                    };
                    self.line = self.line.saturating_add(1);
                    self.records += 1;
                    return Ok(Some(row));
                }
                Scan::More if !self.fill()? => return self.rest(record),
                Scan::More => {}
            }
        }
    }

    /// Whether the row read last has a quoted cell that the file never closes.
    pub fn is_cut_off(&self) -> bool {
        self.unclosed
    }

    /// Reads on behind what is not yet used; `false` at the end of the file.
    fn fill(&mut self) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.buffer.copy_within(self.at..self.filled, 0);
        self.filled -= self.at;
        self.at = 0;
        if self.filled > MOST_ROW {
            return Err(Error::new(Kind::Bound, format!("has a row of more than {MOST_ROW} bytes"))
                .at(self.origin.at(self.line))
                .hint("a quoted cell that opens in this row is probably never closed"));
        }
        if self.buffer.len() - self.filled < CHUNK / 2 {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let got = self
            .reader
            .read(&mut self.buffer[self.filled..])
            .map_err(|e| Error::new(Kind::Io, format!("cannot be read on: {e}")).at(self.origin.at(self.line)))?;
        self.filled += got;
        self.ended = got == 0;
        Ok(got > 0)
    }

    /// What is left at the end of the file: nothing, or a row whose quote never closes.
    fn rest(&mut self, record: &mut Record) -> Result<Option<u32>> {
        if self.at == self.filled {
            return Ok(None);
        }
        // Closing the quote makes it a row, which a reader refuses by its number.
        self.buffer.truncate(self.filled);
        self.buffer.extend_from_slice(b"\"\n");
        self.filled = self.buffer.len();
        match record.scan(&self.buffer[self.at..], self.delimiter) {
            Scan::Row(_) => {
                self.unclosed = true;
                self.at = self.filled;
                Ok(Some(self.line))
            }
            Scan::More => Ok(None),
        }
    }
}
