//! A text line by line, and a line cell by cell.

use std::io::BufRead;

use super::super::lines;
use crate::error::Result;

/// The lines of a text with their rows; one is held at a time.
pub(in crate::usage) struct Lines<'a> {
    lines: lines::Lines<'a>,
    text: String,
}

impl<'a> Lines<'a> {
    /// Lines of a reader; the file is named in errors.
    pub(in crate::usage) fn new(reader: &'a mut dyn BufRead, file: &'a str) -> Self {
        Self { lines: lines::Lines::new(reader, file), text: String::new() }
    }

    /// The next line without its end, and its row; `None` after the last.
    ///
    /// # Errors
    /// As [`lines::Lines::next`].
    pub(in crate::usage) fn next(&mut self) -> Result<Option<(u32, &str)>> {
        let Some(line) = self.lines.next()? else { return Ok(None) };
        let end = line.bytes.iter().rposition(|b| *b != b'\r').map_or(0, |last| last + 1);
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(&line.bytes[..end]));
        let marked = self.text.strip_prefix('\u{feff}').filter(|_| line.row == 1);
        let text = marked.unwrap_or(&self.text);
        Ok(Some((line.row, text)))
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
