//! Rows of a table, one at a time, with the number that a spreadsheet shows.

use std::io::Read;
use std::sync::Arc;

use super::MOST_ROW;
use super::like::Like;
use super::newlines::Newlines;
use super::record::{Record, Scan};
use crate::error::{Error, Kind, Origin, Result};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 18;
/// Reads land where in a page of memory the bytes lie in a page of their file: some processors copy
/// three times slower to an address that lies a few bytes off that place.
const PAGE: usize = 1 << 12;

/// The rows of a table from its start.
pub struct Rows {
    reader: Newlines<Box<dyn Read>>,
    delimiter: u8,
    origin: Origin,
    numbers: Option<Arc<[u32]>>,
    buffer: Vec<u8>,
    /// Where reads land: the row that a read broke off is moved to end here.
    landing: usize,
    /// Where in a page the first byte lies.
    phase: usize,
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
    /// The rows of what a reader gives, which are bytes of a table from a place of it.
    pub(super) fn new(
        reader: Box<dyn Read>,
        from: u64,
        delimiter: u8,
        origin: Origin,
        numbers: Option<Arc<[u32]>>,
    ) -> Self {
        let phase = (from % PAGE as u64) as usize;
        let (buffer, landing) = room(CHUNK / 4, CHUNK, phase);
        Self {
            reader: Newlines::new(reader, from > 0),
            phase,
            delimiter,
            origin,
            numbers,
            buffer,
            landing,
            at: landing,
            filled: landing,
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
        self.next_like(record, &Like::default())
    }

    /// Reads the next row, which may repeat stretches of one read before.
    ///
    /// # Errors
    /// As [`Rows::next`].
    pub fn next_like(&mut self, record: &mut Record, like: &Like<'_>) -> Result<Option<u32>> {
        loop {
            while self.at < self.filled && self.buffer[self.at] == b'\n' {
                self.at += 1;
                self.line = self.line.saturating_add(1);
            }
            match record.scan(&self.buffer[self.at..self.filled], self.delimiter, like) {
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

    /// Rows up to here, and the blank lines that were passed over.
    pub fn passed(&self) -> u32 {
        self.line - 1
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
        let left = self.filled - self.at;
        if left > MOST_ROW {
            return Err(Error::new(Kind::Bound, message!("has a row of more than {MOST_ROW} bytes"))
                .at(self.origin.at(self.line))
                .hint("a quoted cell that opens in this row is probably never closed"));
        }
        if left > self.landing {
            // As much again is read, so that a tall row is not looked at once for each piece of it.
            let (mut buffer, landing) = room(left * 2, left.max(CHUNK), self.phase);
            buffer[landing - left..landing].copy_from_slice(&self.buffer[self.at..self.filled]);
            (self.buffer, self.landing) = (buffer, landing);
        } else {
            self.buffer.copy_within(self.at..self.filled, self.landing - left);
        }
        self.at = self.landing - left;
        let got = self
            .reader
            .read(&mut self.buffer[self.landing..])
            .map_err(|e| Error::new(Kind::Io, message!("cannot be read on: {e}")).at(self.origin.at(self.line)))?;
        self.filled = self.landing + got;
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
        match record.scan(&self.buffer[self.at..], self.delimiter, &Like::default()) {
            Scan::Row(_) => {
                self.unclosed = true;
                self.at = self.filled;
                Ok(Some(self.line))
            }
            Scan::More => Ok(None),
        }
    }
}

/// A buffer with room for what a read broke off, and for a read behind it; where reads land.
fn room(before: usize, chunk: usize, phase: usize) -> (Vec<u8>, usize) {
    let chunk = chunk.next_multiple_of(PAGE);
    let mut buffer = vec![0; before + PAGE + chunk];
    let landing = before + phase.wrapping_sub(buffer[before..].as_ptr().addr()) % PAGE;
    buffer.truncate(landing + chunk);
    (buffer, landing)
}
