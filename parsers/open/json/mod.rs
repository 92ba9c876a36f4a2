//! JSON: every array of records becomes a table, every field of a record a column.
//!
//! A record's own objects and arrays are flattened: `metadata.label`, `credits.0.amount`. An array
//! of plain values is one cell, joined with `;`. Numbers keep their text: an amount never passes
//! through a float. The first record is row 2, as if the fields' names stood in row 1.

mod columns;
mod reader;
mod scan;
mod sheet;
mod text;

use std::sync::Arc;

use reader::Reader;

use super::{Said, Table};
use crate::error::{Error, Kind, Origin, Result};

/// The most bytes that a JSON text may have: it is read as a whole.
pub(super) const MOST_JSON: u64 = 1 << 30;
/// The most levels that values may be nested.
const MOST_DEPTH: usize = 128;
/// The most fields that the records of one array may have together.
const MOST_COLUMNS: usize = 100_000;

/// Whether a text is JSON of objects or lists, by how it begins.
pub(super) fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut marks = bytes.iter().filter(|b| !b.is_ascii_whitespace());
    let first = marks.next();
    match marks.next() {
        Some(b'"' | b'}') if first == Some(&b'{') => true,
        Some(b'{' | b'[' | b']' | b'"' | b'-' | b'0'..=b'9') => first == Some(&b'['),
        _ => false,
    }
}

/// Reads the tables of a JSON document, or the one of JSON lines.
pub(super) fn tables(text: &str, name: &str) -> Result<Vec<Table>> {
    let origin = Origin::file(name);
    if text.len() as u64 > MOST_JSON {
        return Err(too_large(name));
    }
    let mut reader = Reader::new(text, origin.clone());
    if are_lines(text, name) {
        reader.lines()?
    } else {
        reader.document()?
    }
    let (sheets, values) = reader.finish()?;
    let document: Arc<[Said]> = values.into();
    let several = sheets.len() > 1;
    let tables = sheets.into_iter().map(|sheet| {
        let path = several.then(|| Arc::from(sheet.path.as_str()));
        sheet.finish(Origin { sheet: path, ..origin.clone() }, document.clone())
    });
    tables.collect()
}

pub(super) fn too_large(name: &str) -> Error {
    Error::new(Kind::Bound, message!("is JSON of more than {MOST_JSON} bytes"))
        .at(Origin::file(name))
        .hint("cut it into several files, one for each page or day; kashi adds them up")
}

/// JSON lines: by the file's name, or because another value follows the first.
fn are_lines(text: &str, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.ends_with(".jsonl") || name.ends_with(".ndjson") || !text[text::end_of_first(text)..].trim().is_empty()
}
