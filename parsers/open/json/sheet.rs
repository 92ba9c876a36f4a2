//! Records on their way into memory, as compact CSV.

use std::sync::Arc;

use super::super::{Bytes, MOST_SHEET, Said, Table};
use super::columns::Columns;
use crate::error::{Error, Kind, Origin, Result};

/// The records of one array.
pub(super) struct Sheet {
    /// The dotted path of the array in its document; empty for the document itself.
    pub(super) path: String,
    pub(super) columns: Columns,
    /// Records begun.
    pub(super) records: u32,
    /// Values of the record that is being read, one after the other.
    text: String,
    /// Where each column's value ends in `text`, and begins.
    cells: Vec<Option<(usize, usize)>>,
    /// Rows without the header, each as wide as the columns that were known by then.
    body: Vec<u8>,
    rows: Vec<Row>,
}

/// Where a row ends in the body, and how many cells it has.
struct Row {
    end: usize,
    cells: usize,
}

impl Sheet {
    pub(super) fn new(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            columns: Columns::new(),
            records: 0,
            text: String::new(),
            cells: Vec::new(),
            body: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Gives a column its value in the record that is being read.
    pub(super) fn set(&mut self, column: usize, value: &str) {
        if value.is_empty() {
            return;
        }
        if self.cells.len() <= column {
            self.cells.resize(column + 1, None);
        }
        let begin = self.text.len();
        self.text.push_str(value);
        self.cells[column] = Some((begin, self.text.len()));
    }

    /// Writes the record that has been read.
    pub(super) fn end_record(&mut self, origin: &Origin) -> Result<()> {
        for (at, cell) in self.cells.iter().enumerate() {
            if at > 0 {
                self.body.push(b',');
            }
            if let Some((begin, end)) = *cell {
                quoted(&self.text[begin..end], &mut self.body);
            }
        }
        self.rows.push(Row { end: self.body.len(), cells: self.cells.len() });
        self.cells.clear();
        self.text.clear();
        if self.body.len() > MOST_SHEET { Err(too_large(origin)) } else { Ok(()) }
    }

    /// The table: the header is every column that any record had, and no row is shorter.
    pub(super) fn finish(self, origin: Origin, document: Arc<[Said]>) -> Result<Table> {
        let width = self.columns.names.len();
        let padding: usize = self.rows.iter().map(|row| width - row.cells + 1).sum();
        if self.body.len().saturating_add(padding) > MOST_SHEET {
            return Err(too_large(&origin));
        }
        let mut bytes = Vec::with_capacity(self.body.len() + padding + width * 16);
        for (at, name) in self.columns.names.iter().enumerate() {
            if at > 0 {
                bytes.push(b',');
            }
            quoted(name, &mut bytes);
        }
        bytes.push(b'\n');
        let mut begin = 0;
        for row in &self.rows {
            bytes.extend_from_slice(&self.body[begin..row.end]);
            begin = row.end;
            if row.cells == 0 {
                // An empty line would be no row.
                bytes.extend_from_slice(b"\"\"");
            }
            bytes.resize(bytes.len() + width - row.cells.max(1), b',');
            bytes.push(b'\n');
        }
        let numbers: Arc<[u32]> = (1..=self.records.saturating_add(1)).collect();
        Ok(Table {
            origin,
            bytes: Bytes::Memory(bytes.into()),
            numbers: Some(numbers),
            encoding: "JSON",
            notes: Vec::new(),
            document,
        })
    }
}

/// A cell of a CSV.
fn quoted(cell: &str, out: &mut Vec<u8>) {
    if !cell.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
        out.extend_from_slice(cell.as_bytes());
        return;
    }
    out.push(b'"');
    for byte in cell.bytes() {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

fn too_large(origin: &Origin) -> Error {
    Error::new(Kind::Bound, message!("is JSON that makes a table of more than {MOST_SHEET} bytes"))
        .at(origin.clone())
        .hint("cut it into several files, one for each page or day; kashi adds them up")
}
