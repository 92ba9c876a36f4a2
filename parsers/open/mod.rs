//! Opens a bill: bytes of any kind become tables of text cells with their origin.
//!
//! A file holds one table, a workbook one a sheet, JSON one an array of records, an archive those
//! of its members. A [`Table`]
//! is not held in memory: [`Table::rows`] reads it from the start, as often as asked.

mod archive;
mod cut;
mod encoding;
mod json;
mod like;
mod marks;
mod newlines;
mod parquet;
mod parts;
mod record;
mod rows;
mod workbook;
mod xls;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use encoding::looks_utf16;
pub use like::{Like, Stretch, remember};
pub(crate) use newlines::Newlines;
pub use record::Record;
pub use rows::Rows;

use crate::error::{Error, Kind, Origin, Result};

/// Parts of the paths of libraries whose panics over damaged files are caught and made errors: a hook
/// need not report them.
pub const CAUGHT: [&str; 4] = ["calamine", "/parquet-", "/arrow-", "/bytes-"];
/// The most bytes that an archive or a compressed file may unfold to.
pub const MOST_UNPACKED: u64 = 4 << 30;
/// The most times that a member may grow when unfolded, once it is over 64 MiB.
pub const MOST_RATIO: u64 = 400;
/// The most files that an archive may have.
pub const MOST_MEMBERS: usize = 10_000;
/// The most archives that may lie within each other.
pub const MOST_NESTED: usize = 4;
/// The most bytes of a file that must be held as a whole: packed, or text that is not UTF-8.
pub const MOST_HELD: u64 = 1 << 30;
/// The most bytes that one row may have.
pub const MOST_ROW: usize = 16 << 20;
/// The most bytes that the cells of one workbook, or of one list of JSON, may have.
pub const MOST_SHEET: usize = 1 << 30;

/// Where the bytes of a table come from, re-readable.
#[derive(Clone, Debug)]
enum Bytes {
    /// A UTF-8 file on disk.
    File(PathBuf),
    /// Bytes in memory, UTF-8: a member of an archive, standard input, or text in another encoding.
    Memory(Arc<[u8]>),
    /// Columns, which become text as they are read.
    Parquet(parquet::Columns),
}

/// Text cells in rows.
#[derive(Clone, Debug)]
pub struct Table {
    /// The file, the sheet; row 0.
    pub origin: Origin,
    bytes: Bytes,
    /// Row numbers of a sheet's records; a text file counts its own.
    numbers: Option<Arc<[u32]>>,
    /// The encoding that the text was found in.
    pub encoding: &'static str,
    /// Things that a user should know, such as numbers beyond what a spreadsheet keeps.
    pub notes: Vec<String>,
    /// What a JSON document says beside its records, by dotted path: totals, counts, the month.
    pub document: Arc<[Said]>,
}

/// A dotted path in a JSON document and the value there.
pub type Said = (String, String);

/// Delimiters that are tried on a text file.
pub const DELIMITERS: [u8; 4] = *b",;\t|";

impl Table {
    /// The delimiters that this table may be cut at: those of text files, or the one of a sheet.
    pub fn delimiters(&self) -> &'static [u8] {
        if self.numbers.is_some() || matches!(self.bytes, Bytes::Parquet(_)) { b"," } else { &DELIMITERS }
    }

    /// Reads the rows from the start.
    ///
    /// # Errors
    /// If the file is gone.
    pub fn rows(&self, delimiter: u8) -> Result<Rows> {
        self.part(delimiter, 0..u64::MAX)
    }

    /// Bytes of text, for a guess at the number of rows.
    pub fn size(&self) -> u64 {
        match &self.bytes {
            Bytes::File(path) => std::fs::metadata(path).map_or(0, |m| m.len()),
            Bytes::Memory(bytes) => bytes.len() as u64,
            Bytes::Parquet(columns) => columns.size(),
        }
    }

    /// Text in memory as a table, as the examples of rule pages are.
    pub fn from_text(file: &str, text: &str) -> Self {
        Self {
            origin: Origin::file(file),
            bytes: Bytes::Memory(Arc::from(text.as_bytes())),
            numbers: None,
            encoding: "UTF-8",
            notes: Vec::new(),
            document: Arc::default(),
        }
    }
}

/// Opens a file under the name that the user gave it.
///
/// # Errors
/// If it cannot be read, is a broken archive or workbook, or passes a bound.
pub fn open(path: &Path, name: &str) -> Result<Vec<Table>> {
    let mut head = [0u8; 512];
    let mut file = File::open(path).map_err(|e| Error::io(name, &e))?;
    let metadata = file.metadata().map_err(|e| Error::io(name, &e))?;
    if metadata.is_dir() {
        return Err(Error::new(Kind::Io, "is a folder, not a file")
            .at(Origin::file(name))
            .hint("give `kashi audit` the folder, or name the files in it"));
    }
    let got = read_head(&mut file, &mut head).map_err(|e| Error::io(name, &e))?;
    if parquet::is_parquet(&head[..got]) {
        return Ok(vec![parquet::of_file(path, name)?]);
    }
    if json::is_json(&head[..got]) && metadata.len() > json::MOST_JSON {
        return Err(json::too_large(name));
    }
    let whole = || {
        if metadata.len() > MOST_HELD {
            return Err(too_large(name));
        }
        open_bytes(std::fs::read(path).map_err(|e| Error::io(name, &e))?, name)
    };
    if is_packed(&head[..got]) || json::is_json(&head[..got]) {
        return whole();
    }
    let origin = Origin::file(name);
    match encoding::of_file(path, name)? {
        encoding::Found::Utf8 => Ok(vec![Table {
            origin,
            bytes: Bytes::File(path.to_owned()),
            numbers: None,
            encoding: "UTF-8",
            notes: Vec::new(),
            document: Arc::default(),
        }]),
        encoding::Found::Other => whole(),
    }
}

/// Opens a stream, such as standard input, which is held as a whole.
///
/// # Errors
/// As [`open`], and if it has more than [`MOST_HELD`] bytes.
pub fn open_stream(source: impl Read, name: &str) -> Result<Vec<Table>> {
    let mut bytes = Vec::new();
    source.take(MOST_HELD + 1).read_to_end(&mut bytes).map_err(|e| Error::io(name, &e))?;
    if bytes.len() as u64 > MOST_HELD {
        return Err(too_large(name));
    }
    open_bytes(bytes, name)
}

/// Opens bytes already in memory: standard input, or a member of an archive.
///
/// # Errors
/// As [`open`].
pub fn open_bytes(bytes: Vec<u8>, name: &str) -> Result<Vec<Table>> {
    within(bytes, name, 0)
}

/// Opens what lies within so many archives.
fn within(bytes: Vec<u8>, name: &str, nested: usize) -> Result<Vec<Table>> {
    match parts::book(&bytes) {
        Some(book @ (parts::Book::Xlsx | parts::Book::Xls)) => return workbook::sheets(bytes, book, name),
        Some(parts::Book::Other(kind)) => return Err(parts::other(kind, name)),
        None => {}
    }
    let packed = archive::is_gzip(&bytes) || archive::is_zip(&bytes);
    if packed && nested == MOST_NESTED {
        return Err(Error::new(Kind::Bound, format!("is an archive within {MOST_NESTED} others"))
            .at(Origin::file(name))
            .hint("unpack it yourself and give kashi the bills in it"));
    }
    if archive::is_gzip(&bytes) {
        let inner = archive::gunzip(&bytes, name)?;
        return within(inner, name, nested + 1);
    }
    if packed {
        let mut tables = Vec::new();
        for (member, inner) in archive::unzip(bytes, name)? {
            tables.extend(within(inner, &format!("{name}!{member}"), nested + 1)?);
        }
        return Ok(tables);
    }
    if parquet::is_parquet(&bytes) {
        return Ok(vec![parquet::of_bytes(bytes, name)?]);
    }
    let (text, encoding) = encoding::decode(bytes, name)?;
    refuse_markup(&text, name)?;
    if json::is_json(&text) {
        let text = std::str::from_utf8(&text)
            .map_err(|e| Error::new(Kind::Format, message!("is no text: {e}")).at(Origin::file(name)))?;
        return json::tables(text, name);
    }
    Ok(vec![Table {
        origin: Origin::file(name),
        bytes: Bytes::Memory(text.into()),
        numbers: None,
        encoding,
        notes: Vec::new(),
        document: Arc::default(),
    }])
}

fn too_large(name: &str) -> Error {
    Error::new(Kind::Bound, format!("has more than {MOST_HELD} bytes and cannot be read piece by piece"))
        .at(Origin::file(name))
        .hint("give kashi plain CSV in UTF-8, which may have any size, or cut the file into several")
}

/// Vendors' "XLSX" downloads are now and then a web page: an error page or an HTML table.
fn refuse_markup(text: &[u8], name: &str) -> Result<()> {
    let start: Vec<u8> =
        text.iter().copied().filter(|b| !b.is_ascii_whitespace()).take(64).map(|b| b.to_ascii_lowercase()).collect();
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&start);
    if [&b"<!doctypehtml"[..], b"<html", b"<head", b"<table", b"<?xml", b"<meta"].iter().any(|m| start.starts_with(m)) {
        return Err(Error::new(Kind::Format, "is a web page (HTML or XML), whatever its name says")
            .at(Origin::file(name))
            .hint("the download may have been an error or login page; download again, or open it in a spreadsheet and save it as CSV UTF-8"));
    }
    Ok(())
}

fn is_packed(head: &[u8]) -> bool {
    archive::is_gzip(head) || archive::is_zip(head) || head.starts_with(&parts::XLS)
}

fn read_head(file: &mut File, head: &mut [u8]) -> std::io::Result<usize> {
    let mut got = 0;
    while got < head.len() {
        match file.read(&mut head[got..])? {
            0 => break,
            n => got += n,
        }
    }
    Ok(got)
}
