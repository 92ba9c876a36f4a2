//! Batches of columns become CSV, as they are asked for.

use std::io::{Error, Read, Result};
use std::sync::Arc;

use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::leaves::{Leaf, Values};
use super::{Input, guarded};

/// Rows that are turned at once.
const BATCH: usize = 512;

/// The records of a file as CSV, the header first.
pub(super) struct Stream {
    batches: ParquetRecordBatchReader,
    leaves: Arc<[Leaf]>,
    text: Vec<u8>,
    /// Bytes of `text` that were handed out.
    taken: usize,
    /// Records so far, and those that the file says it has.
    records: u64,
    all: u64,
    /// Bytes of text so far, and the most that there may be.
    written: u64,
    most: u64,
}

impl Stream {
    pub(super) fn new(
        input: Input,
        metadata: ArrowReaderMetadata,
        leaves: Arc<[Leaf]>,
        most: u64,
    ) -> std::result::Result<Self, String> {
        let all = u64::try_from(metadata.metadata().file_metadata().num_rows()).map_err(|e| e.to_string())?;
        let batches = ParquetRecordBatchReaderBuilder::new_with_metadata(input, metadata).with_batch_size(BATCH);
        let batches = guarded(|| batches.build().map_err(|e| e.to_string()))?;
        let mut text = Vec::new();
        for (at, leaf) in leaves.iter().enumerate() {
            put(leaf.name.as_bytes(), at, leaves.len(), &mut text);
        }
        Ok(Self { batches, leaves, text, taken: 0, records: 0, all, written: 0, most })
    }

    /// Makes text of the next batch; `false` at the end.
    fn next(&mut self) -> Result<bool> {
        self.text.clear();
        self.taken = 0;
        guarded(|| self.batch()).map_err(|what| {
            self.text.clear();
            Error::other(what)
        })
    }

    fn batch(&mut self) -> std::result::Result<bool, String> {
        let Some(batch) = self.batches.next() else {
            return match self.records == self.all {
                true => Ok(false),
                false => Err(format!("it says {} records and has {}", self.all, self.records)),
            };
        };
        let batch = batch.map_err(|e| e.to_string())?;
        let columns: Vec<Values> =
            self.leaves.iter().map(|leaf| leaf.of(&batch)).collect::<std::result::Result<_, _>>()?;
        let mut cell = Vec::new();
        for row in 0..batch.num_rows() {
            for (at, column) in columns.iter().enumerate() {
                cell.clear();
                column.write(row, &mut cell).map_err(|what| {
                    let (record, name) = (self.records + row as u64 + 2, &self.leaves[at].name);
                    format!("row {record}, column \"{name}\" holds {what}")
                })?;
                put(&cell, at, columns.len(), &mut self.text);
            }
        }
        self.records += batch.num_rows() as u64;
        self.written += self.text.len() as u64;
        match self.written > self.most {
            true => Err(format!("it unfolds to more than {} bytes", self.most)),
            false => Ok(true),
        }
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        while self.taken == self.text.len() {
            if !self.next()? {
                return Ok(0);
            }
        }
        let rest = &self.text[self.taken..];
        let bytes = rest.len().min(into.len());
        into[..bytes].copy_from_slice(&rest[..bytes]);
        self.taken += bytes;
        Ok(bytes)
    }
}

/// Writes the cell at a place of a row, quoted where it must be. A row of one empty cell is quoted
/// too: it would be an empty line, which is no record.
fn put(cell: &[u8], at: usize, width: usize, text: &mut Vec<u8>) {
    if at > 0 {
        text.push(b',');
    }
    let alone = width == 1 && cell.is_empty();
    if alone || cell.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        text.push(b'"');
        for byte in cell {
            if *byte == b'"' {
                text.push(b'"');
            }
            text.push(*byte);
        }
        text.push(b'"');
    } else {
        text.extend_from_slice(cell);
    }
    if at + 1 == width {
        text.push(b'\n');
    }
}
