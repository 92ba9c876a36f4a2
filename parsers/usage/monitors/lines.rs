//! A text line by line, and a line cell by cell.

use std::io::BufRead;

use crate::error::{Error, Kind, Origin, Result};

/// The most bytes that a line may have.
const MOST: usize = 1 << 20;

/// The lines of a text with their rows; one is held at a time.
pub(in crate::usage) struct Lines<'a> {
    reader: &'a mut dyn BufRead,
    file: &'a str,
    bytes: Vec<u8>,
    text: String,
    row: u32,
}

impl<'a> Lines<'a> {
    /// Lines of a reader; the file is named in errors.
    pub(in crate::usage) fn new(reader: &'a mut dyn BufRead, file: &'a str) -> Self {
        Self { reader, file, bytes: Vec::new(), text: String::new(), row: 0 }
    }

    /// The next line without its end, and its row; `None` after the last.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is longer than any sample.
    pub(in crate::usage) fn next(&mut self) -> Result<Option<(u32, &str)>> {
        self.bytes.clear();
        let mut limited = std::io::Read::take(&mut *self.reader, MOST as u64 + 1);
        limited.read_until(b'\n', &mut self.bytes).map_err(|e| Error::io(self.file, &e))?;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        self.row = self.row.saturating_add(1);
        if self.bytes.len() > MOST {
            return Err(Error::new(Kind::Bound, message!("has a line of more than {MOST} bytes"))
                .at(Origin::file(self.file).at(self.row)));
        }
        while self.bytes.last().is_some_and(|b| matches!(b, b'\n' | b'\r')) {
            self.bytes.pop();
        }
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(&self.bytes));
        let mark = if self.row == 1 { '\u{feff}'.len_utf8() } else { 0 };
        let text = if self.text.starts_with('\u{feff}') { &self.text[mark..] } else { &self.text };
        Ok(Some((self.row, text)))
    }
}

/// The cells of a line, quotes undone; a quote that does not close ends with the line.
pub(in crate::usage) fn cells(line: &str, separator: char, cells: &mut Vec<String>) {
    let mut used = 0;
    let mut rest = line;
    loop {
        if cells.len() == used {
            cells.push(String::new());
        }
        cells[used].clear();
        rest = cell(rest, separator, &mut cells[used]);
        used += 1;
        match rest.strip_prefix(separator) {
            Some(next) => rest = next,
            None => break,
        }
    }
    cells.truncate(used);
}

/// Reads one cell, and returns what follows it.
fn cell<'a>(line: &'a str, separator: char, out: &mut String) -> &'a str {
    let quoted = line.trim_start_matches(|c: char| c == ' ' && c != separator);
    let Some(mut rest) = quoted.strip_prefix('"') else {
        let end = line.find(separator).unwrap_or(line.len());
        out.push_str(line[..end].trim());
        return &line[end..];
    };
    while let Some(end) = rest.find('"') {
        out.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        let Some(after) = rest.strip_prefix('"') else {
            let end = rest.find(separator).unwrap_or(rest.len());
            return &rest[end..];
        };
        out.push('"');
        rest = after;
    }
    out.push_str(rest);
    ""
}

/// What parts the cells of a header: the mark that is met most often outside of quotes.
pub(in crate::usage) fn separator(header: &str) -> char {
    let mut quoted = false;
    let mut counts = [(',', 0), (';', 0), ('\t', 0)];
    for c in header.chars() {
        quoted ^= c == '"';
        for (mark, count) in &mut counts {
            *count += usize::from(!quoted && c == *mark);
        }
    }
    // Of equals, the comma: it stands first.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(',', |(mark, _)| *mark)
}

/// The cells of the first line of a file's first bytes; a mark that names the separator is skipped.
pub(in crate::usage) fn header(head: &str) -> Vec<String> {
    let head = head.trim_start_matches('\u{feff}');
    let mut lines = head.lines();
    let mut first = lines.next().unwrap_or_default();
    if first.starts_with("sep=") {
        first = lines.next().unwrap_or_default();
    }
    let mut all = Vec::new();
    cells(first.trim_end_matches('\r'), separator(first), &mut all);
    all
}
