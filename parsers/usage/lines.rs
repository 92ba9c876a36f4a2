//! A file line by line, without holding more of it than a line.

use std::borrow::Cow;
use std::io::BufRead;

use crate::error::{Error, Kind, Origin, Result};

/// The most bytes that a line may have.
const MOST_LINE: usize = 1 << 20;

/// A line as it stands in a file.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) row: u32,
    /// Whether it is the last one and has no end, so that it may be cut off.
    pub(super) cut: bool,
}

impl<'a> Line<'a> {
    /// The line without blanks and byte-order mark.
    pub(super) fn text(self) -> Cow<'a, str> {
        match String::from_utf8_lossy(trim(self.bytes)) {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        }
    }
}

/// The lines of a file; no more than one is held.
pub(super) struct Lines<'a> {
    reader: &'a mut dyn BufRead,
    file: &'a str,
    /// The row of the line handed out last.
    row: u32,
    /// The bytes of the reader's buffer that were handed out.
    used: usize,
    /// A line that a buffer ends in, until the rest of it comes.
    begun: Vec<u8>,
    /// Whether the line begun was handed out.
    ended: bool,
}

impl<'a> Lines<'a> {
    /// Lines of a reader; the file is named in errors.
    pub(super) fn new(reader: &'a mut dyn BufRead, file: &'a str) -> Self {
        Self { reader, file, row: 0, used: 0, begun: Vec::new(), ended: false }
    }

    /// The next line without its end; `None` after the last.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is longer than any sample.
    pub(super) fn next(&mut self) -> Result<Option<Line<'_>>> {
        self.free();
        loop {
            let buffer = self.reader.fill_buf().map_err(|e| Error::io(self.file, &e))?;
            let (len, end) = (buffer.len(), memchr::memchr(b'\n', buffer));
            if self.begun.len() + end.unwrap_or(len) > MOST_LINE {
                return Err(Error::new(Kind::Bound, message!("has a line of more than {MOST_LINE} bytes"))
                    .at(Origin::file(self.file).at(self.row.saturating_add(1)))
                    .hint("save what the tool prints as it is: this is no log, or it has lost its line ends"));
            }
            let Some(end) = end.filter(|_| self.begun.is_empty()) else {
                self.begun.extend_from_slice(&buffer[..end.unwrap_or(len)]);
                self.reader.consume(end.map_or(len, |end| end + 1));
                if end.is_none() && len > 0 {
                    continue;
                }
                if end.is_none() && self.begun.is_empty() {
                    return Ok(None);
                }
                (self.row, self.ended) = (self.row.saturating_add(1), true);
                return Ok(Some(Line { bytes: &self.begun, row: self.row, cut: end.is_none() }));
            };
            (self.row, self.used) = (self.row.saturating_add(1), end + 1);
            // The buffer again: what is returned from within a loop cannot be borrowed before it.
            let buffer = self.reader.fill_buf().map_err(|e| Error::io(self.file, &e))?;
            return Ok(Some(Line { bytes: &buffer[..end], row: self.row, cut: false }));
        }
    }

    /// Lets as many whole lines as the other can use be taken from the reader's buffer: it gets the
    /// bytes from the next line on and the row of the line before, and says how many bytes and lines
    /// it has used.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn ahead(&mut self, mut take: impl FnMut(&[u8], u32) -> (usize, u32)) -> Result<()> {
        self.free();
        let buffer = self.reader.fill_buf().map_err(|e| Error::io(self.file, &e))?;
        let (used, rows) = take(buffer, self.row);
        (self.used, self.row) = (used, self.row.saturating_add(rows));
        Ok(())
    }

    /// Frees what was handed out.
    fn free(&mut self) {
        self.reader.consume(std::mem::take(&mut self.used));
        if std::mem::take(&mut self.ended) {
            self.begun.clear();
        }
    }
}

/// Hands out the lines of a file one by one.
pub(super) fn each(reader: &mut dyn BufRead, file: &str, mut take: impl FnMut(Line<'_>) -> Result<()>) -> Result<()> {
    let mut lines = Lines::new(reader, file);
    while let Some(line) = lines.next()? {
        take(line)?;
    }
    Ok(())
}

/// A line without blanks and byte-order mark.
pub(super) fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii().strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes.trim_ascii())
}

/// The cells of a line of CSV, trimmed; a cell in quotes may hold commas.
pub(super) fn cells(line: &str) -> Vec<Cow<'_, str>> {
    if !line.contains('"') {
        return line.split(',').map(|cell| Cow::Borrowed(cell.trim())).collect();
    }
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(c);
                }
            }
        }
    }
    cells.into_iter().map(|cell| Cow::Owned(cell.trim().to_owned())).collect()
}
