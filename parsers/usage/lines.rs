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

/// Hands out the lines of a file one by one.
#[inline]
pub(super) fn each(reader: &mut dyn BufRead, file: &str, mut take: impl FnMut(Line<'_>) -> Result<()>) -> Result<()> {
    let mut row = 0u32;
    // A line that a buffer ends in is kept until the rest of it comes.
    let mut rest: Vec<u8> = Vec::new();
    loop {
        let buffer = reader.fill_buf().map_err(|e| Error::io(file, &e))?;
        if buffer.is_empty() {
            break;
        }
        let len = buffer.len();
        let mut start = 0;
        while let Some(end) = memchr::memchr(b'\n', &buffer[start..]) {
            let bytes = &buffer[start..start + end];
            start += end + 1;
            row = row.saturating_add(1);
            if rest.is_empty() {
                take(Line { bytes, row, cut: false })?;
            } else {
                rest.extend_from_slice(bytes);
                take(Line { bytes: &rest, row, cut: false })?;
                rest.clear();
            }
        }
        rest.extend_from_slice(&buffer[start..]);
        reader.consume(len);
        if rest.len() > MOST_LINE {
            return Err(Error::new(Kind::Bound, format!("has a line of more than {MOST_LINE} bytes"))
                .at(Origin::file(file).at(row + 1))
                .hint("save what the tool prints as it is: this is no log, or it has lost its line ends"));
        }
    }
    if rest.is_empty() { Ok(()) } else { take(Line { bytes: &rest, row: row.saturating_add(1), cut: true }) }
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
