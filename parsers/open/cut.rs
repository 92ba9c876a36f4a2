//! A large text cut where rows seem to begin.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::ops::Range;

use super::like::Like;
use super::record::{Record, Scan};
use super::{Bytes, Rows, Table};
use crate::error::{Error, Result};

/// Bytes in which a row is looked for that begins there.
const WINDOW: u64 = 256 << 10;
/// Rows that must follow each other.
const ROWS: usize = 4;

impl Table {
    /// Cuts a text into at most so many parts of about one size, each beginning with what looks like
    /// a row of so many cells.
    ///
    /// A line break in a quoted cell may look so too: only who has read a part knows whether it ends
    /// with a row. A sheet, whose rows have numbers of their own, is one part, as is what is no text.
    pub fn cut(&self, delimiter: u8, cells: usize, parts: usize) -> Vec<Range<u64>> {
        let (size, parts) = (self.size(), parts as u64);
        let mut cuts = vec![0];
        let whole = self.numbers.is_some() || matches!(self.bytes, Bytes::Parquet(_));
        for part in (1..parts).filter(|_| !whole) {
            let from = size / parts * part;
            let seen = from.max(cuts.last().copied().unwrap_or_default());
            cuts.extend(self.row_from(seen, delimiter, cells).filter(|cut| *cut < size));
        }
        cuts.push(size);
        cuts.dedup();
        cuts.windows(2).map(|ends| ends[0]..ends[1]).collect()
    }

    /// Reads the rows of a part that was cut.
    ///
    /// # Errors
    /// If the file is gone.
    pub fn part(&self, delimiter: u8, part: Range<u64>) -> Result<Rows> {
        let from = part.start;
        let reader = self.bytes(part)?;
        Ok(Rows::new(reader, from, delimiter, self.origin.clone(), self.numbers.clone()))
    }

    fn bytes(&self, part: Range<u64>) -> Result<Box<dyn Read>> {
        let failed = |e: std::io::Error| Error::io(self.origin.file.clone(), &e);
        let length = part.end.saturating_sub(part.start);
        Ok(match &self.bytes {
            Bytes::File(path) => {
                let mut file = File::open(path).map_err(failed)?;
                if part.start > 0 {
                    file.seek(SeekFrom::Start(part.start)).map_err(failed)?;
                }
                Box::new(file.take(length))
            }
            Bytes::Memory(bytes) => {
                let mut bytes = Cursor::new(bytes.clone());
                bytes.set_position(part.start);
                Box::new(bytes.take(length))
            }
            Bytes::Parquet(columns) => columns.text(&self.origin)?,
        })
    }

    /// The first place from here on where a row seems to begin.
    fn row_from(&self, from: u64, delimiter: u8, cells: usize) -> Option<u64> {
        let mut window = Vec::new();
        self.bytes(from..from.saturating_add(WINDOW)).ok()?.read_to_end(&mut window).ok()?;
        let mut record = Record::new();
        // Quotes stay where they are.
        record.want(std::iter::empty(), std::iter::empty());
        let mut begins = memchr::memchr_iter(b'\n', &window).map(|end| end + 1);
        let begin = begins.find(|begin| are_rows(&window[*begin..], &mut record, delimiter, cells))?;
        Some(from + begin as u64)
    }
}

/// Whether bytes begin with rows of so many cells, none of which has a quote where none belongs.
fn are_rows(mut bytes: &[u8], record: &mut Record, delimiter: u8, cells: usize) -> bool {
    for row in 0..ROWS {
        match record.scan(bytes, delimiter, &Like::default()) {
            Scan::Row(length) => bytes = &bytes[length..],
            Scan::More => return row > 0,
        }
        if record.len() != cells || !record.iter().all(is_sound) {
            return false;
        }
    }
    true
}

/// Whether a cell as it stands in the file has either no quote or is in quotes as a whole.
fn is_sound(cell: &[u8]) -> bool {
    let cell = cell.strip_suffix(b"\r").unwrap_or(cell);
    match memchr::memchr(b'"', cell) {
        None => true,
        Some(first) => first == 0 && cell.len() > 1 && cell.ends_with(b"\""),
    }
}
