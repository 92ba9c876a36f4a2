//! The columns of a table that a nested schema makes.

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema};

use super::cells::{self, Cell};

/// How deep a value may be nested.
const MOST_DEEP: usize = 16;

/// A column of the table: a field, or one of a structure's, which has a dotted name as in JSON.
///
/// Maps and lists stay one column of JSON text, as the same export has them in CSV: what keys they
/// hold is not known before every row was read.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) name: String,
    /// The place of the field, and of the fields within it.
    path: Vec<usize>,
    /// Whether it holds binary floating point.
    float: bool,
}

/// The columns of a schema.
///
/// # Errors
/// With the column that cannot be printed.
pub(super) fn of(schema: &Schema) -> Result<Vec<Leaf>, String> {
    let mut leaves = Vec::new();
    for (at, field) in schema.fields().iter().enumerate() {
        add(field, field.name().clone(), vec![at], &mut leaves)?;
    }
    match leaves.is_empty() {
        true => Err("is a Parquet file without a column".to_owned()),
        false => Ok(leaves),
    }
}

/// What a user should know of columns of binary floating point.
pub(super) fn note(leaves: &[Leaf]) -> Option<String> {
    let floats: Vec<&str> = leaves.iter().filter(|leaf| leaf.float).map(|leaf| leaf.name.as_str()).collect();
    let first = floats.iter().take(3).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let more = if floats.len() > 3 { ", …" } else { "" };
    (!floats.is_empty()).then(|| {
        format!(
            "{} columns hold binary floating point ({first}{more}): each number is the shortest decimal that reads back to the same one, rounded at the 18th decimal",
            floats.len()
        )
    })
}

fn add(field: &Field, name: String, path: Vec<usize>, leaves: &mut Vec<Leaf>) -> Result<(), String> {
    if path.len() > MOST_DEEP {
        return Err(format!("has the column \"{name}\" nested deeper than {MOST_DEEP} levels"));
    }
    let DataType::Struct(fields) = field.data_type() else {
        if let Some(other) = unprintable(field.data_type(), path.len()) {
            return Err(format!("has the column \"{name}\" of type {other}, which has no text"));
        }
        let float = matches!(field.data_type(), DataType::Float16 | DataType::Float32 | DataType::Float64);
        leaves.push(Leaf { name, path, float });
        return Ok(());
    };
    for (at, inner) in fields.iter().enumerate() {
        add(inner, format!("{name}.{}", inner.name()), [path.as_slice(), &[at]].concat(), leaves)?;
    }
    Ok(())
}

/// The first type within one that has no text, or the type itself if it is nested too deeply.
fn unprintable(kind: &DataType, depth: usize) -> Option<String> {
    if depth > MOST_DEEP {
        return Some(format!("nested deeper than {MOST_DEEP} levels"));
    }
    match kind {
        DataType::List(inner) | DataType::Map(inner, _) => unprintable(inner.data_type(), depth + 1),
        DataType::Struct(fields) => fields.iter().find_map(|f| unprintable(f.data_type(), depth + 1)),
        other if cells::is_printable(other) => None,
        other => Some(other.to_string()),
    }
}

impl Leaf {
    /// The values of a batch, ready to be written.
    pub(super) fn of(&self, batch: &RecordBatch) -> Result<Values, String> {
        let missing = || format!("has no column \"{}\" in one of its parts", self.name);
        let (first, rest) = self.path.split_first().ok_or_else(missing)?;
        let mut array: ArrayRef = batch.columns().get(*first).ok_or_else(missing)?.clone();
        let mut around = Vec::new();
        for at in rest {
            let inner = array.as_struct_opt().and_then(|s| s.columns().get(*at)).ok_or_else(missing)?.clone();
            around.push(std::mem::replace(&mut array, inner));
        }
        Ok(Values { cell: cells::cell(&array)?, around })
    }
}

/// The values of one column in a batch.
pub(super) struct Values {
    cell: Cell,
    /// The structures around it: where one of them is null, so is the value.
    around: Vec<ArrayRef>,
}

impl Values {
    /// Writes a row's value; nothing for null.
    pub(super) fn write(&self, row: usize, out: &mut Vec<u8>) -> Result<(), String> {
        if self.around.iter().any(|outer| outer.is_null(row)) {
            return Ok(());
        }
        self.cell.write(row, out)
    }
}
