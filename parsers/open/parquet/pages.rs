//! What the pages of a file say of their sizes, before one of them is unfolded.
//!
//! The library trusts a page that says how large it becomes, and makes room for it: a file of a few
//! bytes could ask for gigabytes. So every page's header is read first.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::{ChunkReader, Length};

use super::Input;
use super::page::{Page, Role};
use crate::open::MOST_SHEET;

/// The most bytes that a page may have when unfolded.
const MOST_PAGE: u64 = 256 << 20;
/// The most values that a column of lists or maps may have in a group of rows.
const MOST_NESTED: u64 = 1 << 26;

/// What is wrong with a file.
pub(super) enum Fault {
    /// It contradicts itself.
    Broken(String),
    /// It is larger than is safe to read.
    Bound(String),
}

/// Checks every page of a file.
pub(super) fn check(input: &Input, metadata: &ParquetMetaData) -> Result<(), Fault> {
    let broken = |what: &str| Err(Fault::Broken(what.to_owned()));
    let mut rows = 0i64;
    for group in metadata.row_groups() {
        rows = rows.saturating_add(group.num_rows());
        let mut held = 0u64;
        for chunk in group.columns() {
            let nested = chunk.column_descr().max_rep_level() > 0;
            if !nested && chunk.num_values() != group.num_rows() {
                return broken("a column has not as many values as there are rows");
            }
            held = held.saturating_add(column(input, chunk, nested)?);
        }
        if held > MOST_SHEET as u64 {
            return Err(Fault::Bound(format!("has pages that together are more than {MOST_SHEET} bytes")));
        }
    }
    match rows == metadata.file_metadata().num_rows() {
        true => Ok(()),
        false => broken("its parts have not as many rows as it says"),
    }
}

/// Checks the pages of a column in a group of rows; the bytes that are held while it is read.
fn column(input: &Input, chunk: &ColumnChunkMetaData, nested: bool) -> Result<u64, Fault> {
    let (mut at, end) = span(input, chunk)?;
    let all =
        u64::try_from(chunk.num_values()).map_err(|_| Fault::Broken("a column has less than no values".to_owned()))?;
    if nested && all > MOST_NESTED {
        return Err(Fault::Bound(format!("has more than {MOST_NESTED} values in the lists of one column")));
    }
    let (mut values, mut largest, mut dictionary) = (0u64, 0u64, 0u64);
    while at < end && values < all {
        let broken =
            |e: String| Fault::Broken(format!("a page of the column \"{}\": {e}", chunk.column_path().string()));
        let read = input.get_read(at).map_err(|e| broken(e.to_string()))?;
        let page = Page::read(read.take(end - at)).map_err(broken)?;
        at = at.saturating_add(page.header);
        if page.packed > end.saturating_sub(at) {
            return Err(broken("it is longer than its column".to_owned()));
        }
        if page.unpacked > MOST_PAGE {
            return Err(Fault::Bound(format!("has a page of more than {MOST_PAGE} bytes")));
        }
        if matches!(chunk.compression(), Compression::GZIP(_)) {
            unfolds(input, at, &page).map_err(broken)?;
        }
        match page.role {
            Role::Data => {
                values = values.saturating_add(page.values);
                largest = largest.max(page.unpacked);
            }
            Role::Dictionary => dictionary = dictionary.max(page.unpacked),
            Role::Other => {}
        }
        at += page.packed;
    }
    match values == all {
        true => Ok(largest + dictionary),
        false => Err(Fault::Broken(format!(
            "the column \"{}\" says {all} values and its pages have {values}",
            chunk.column_path().string()
        ))),
    }
}

/// Where the pages of a column begin and end.
fn span(input: &Input, chunk: &ColumnChunkMetaData) -> Result<(u64, u64), Fault> {
    let outside = || Fault::Broken("a column lies outside of the file".to_owned());
    let start = chunk.dictionary_page_offset().filter(|at| *at > 0).unwrap_or_else(|| chunk.data_page_offset());
    let start = u64::try_from(start).map_err(|_| outside())?;
    let bytes = u64::try_from(chunk.compressed_size()).map_err(|_| outside())?;
    let end = start.checked_add(bytes).filter(|end| *end <= input.len()).ok_or_else(outside)?;
    Ok((start, end))
}

/// Whether a page in GZIP becomes as large as it says: the library would only find out when it has
/// all of it in memory.
fn unfolds(input: &Input, at: u64, page: &Page) -> Result<(), String> {
    if !page.compressed {
        return Ok(());
    }
    let plain = page.plain.min(page.packed);
    let packed = input.get_read(at + plain).map_err(|e| e.to_string())?.take(page.packed - plain);
    let expected = page.unpacked.saturating_sub(plain);
    if expected == 0 {
        return Ok(());
    }
    let unfolded = MultiGzDecoder::new(packed).take(expected + 1);
    let bytes = std::io::copy(&mut { unfolded }, &mut std::io::sink()).map_err(|e| e.to_string())?;
    match bytes == expected {
        true => Ok(()),
        false => Err(format!("it says {expected} bytes and does not unfold to as many")),
    }
}
