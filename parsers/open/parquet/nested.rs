//! Maps, lists and structures within them, as JSON text.

use std::ops::Range;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::DataType;

use super::cells::{self, Cell};

/// The values of an array of maps, lists or structures.
pub(super) fn cell(array: &ArrayRef) -> Result<Cell, String> {
    match array.data_type() {
        DataType::Map(..) => map(array),
        DataType::List(_) => list(array),
        DataType::Struct(_) => structure(array),
        other => Err(format!("has a column of type {other}, which has no text")),
    }
}

fn list(array: &ArrayRef) -> Result<Cell, String> {
    let list = array.as_list::<i32>().clone();
    let values = cells::cell(list.values())?;
    let write = move |row: usize, out: &mut Vec<u8>| {
        let range = between(list.value_offsets(), row);
        joined(b"[]", range, out, |at, out| json(&values, at, out))
    };
    Ok(Cell::new(array, Box::new(write)))
}

fn map(array: &ArrayRef) -> Result<Cell, String> {
    let map = array.as_map().clone();
    let (keys, values) = (cells::cell(map.keys())?, cells::cell(map.values())?);
    let write = move |row: usize, out: &mut Vec<u8>| {
        let range = between(map.value_offsets(), row);
        joined(b"{}", range, out, |at, out| {
            let mut key = Vec::new();
            keys.write(at, &mut key)?;
            quoted(&key, out);
            out.push(b':');
            json(&values, at, out)
        })
    };
    Ok(Cell::new(array, Box::new(write)))
}

fn structure(array: &ArrayRef) -> Result<Cell, String> {
    let structure = array.as_struct();
    let names: Vec<String> = structure.column_names().into_iter().map(str::to_owned).collect();
    let values: Vec<Cell> = structure.columns().iter().map(cells::cell).collect::<Result<_, _>>()?;
    let write = move |row: usize, out: &mut Vec<u8>| {
        joined(b"{}", 0..values.len(), out, |at, out| {
            quoted(names[at].as_bytes(), out);
            out.push(b':');
            json(&values[at], row, out)
        })
    };
    Ok(Cell::new(array, Box::new(write)))
}

/// Where the elements of a row are.
fn between(offsets: &[i32], row: usize) -> Range<usize> {
    offsets[row] as usize..offsets[row + 1] as usize
}

/// Elements between brackets, with commas.
fn joined(
    brackets: &[u8; 2],
    elements: Range<usize>,
    out: &mut Vec<u8>,
    mut write: impl FnMut(usize, &mut Vec<u8>) -> Result<(), String>,
) -> Result<(), String> {
    out.push(brackets[0]);
    let first = elements.start;
    for at in elements {
        if at > first {
            out.push(b',');
        }
        write(at, out)?;
    }
    out.push(brackets[1]);
    Ok(())
}

/// A value as JSON: numbers as they are, all else in quotes.
fn json(values: &Cell, at: usize, out: &mut Vec<u8>) -> Result<(), String> {
    if values.is_null(at) {
        out.extend_from_slice(b"null");
        return Ok(());
    }
    if values.is_bare() || values.is_json() {
        return values.write(at, out);
    }
    let mut text = Vec::new();
    values.write(at, &mut text)?;
    quoted(&text, out);
    Ok(())
}

/// Text in quotes, escaped.
fn quoted(text: &[u8], out: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(text);
    out.extend_from_slice(serde_json::Value::from(text.as_ref()).to_string().as_bytes());
}
