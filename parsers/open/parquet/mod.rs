//! Parquet: columns become a table again, row group by row group, each cell as text.
//!
//! The header is row 1 and record n stands in row n + 1, as they would in the same data as CSV.
//! Nothing is held but a few hundred rows and the pages that they are in.

mod cells;
mod leaves;
mod nested;
mod page;
mod pages;
mod stream;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::Compression;
use parquet::errors::Result as Parquet;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};

use super::{Bytes, MOST_UNPACKED, Table};
use crate::error::{Error, Kind, Origin, Result};

/// The most bytes that the description at the end of a file may have.
const MOST_FOOTER: u32 = 64 << 20;
/// The most columns that a file may have, nested ones counted one by one.
const MOST_COLUMNS: usize = 16_384;

/// Whether bytes begin as a Parquet file does.
pub(super) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PAR1") || bytes.starts_with(b"PARE")
}

/// A Parquet file that can be read as often as asked.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    input: Input,
    metadata: ArrowReaderMetadata,
    leaves: Arc<[leaves::Leaf]>,
}

impl Columns {
    /// The header and the records as CSV.
    pub(super) fn text(&self, origin: &Origin) -> Result<Box<dyn Read>> {
        let input = self.input.again().map_err(|e| broken(&origin.file, &e.to_string()))?;
        let stream = stream::Stream::new(input, self.metadata.clone(), self.leaves.clone(), self.most());
        Ok(Box::new(stream.map_err(|e| broken(&origin.file, &e))?))
    }

    /// Bytes of the file.
    pub(super) fn size(&self) -> u64 {
        self.input.len()
    }

    /// Text that the file may unfold to: a column that repeats itself takes next to no space, so
    /// that the ratio is judged from a size on at which it costs time.
    fn most(&self) -> u64 {
        MOST_UNPACKED.max(self.size().saturating_mul(super::MOST_RATIO))
    }
}

/// Opens a Parquet file on disk.
pub(super) fn of_file(path: &Path, name: &str) -> Result<Table> {
    let file = File::open(path).map_err(|e| Error::io(name, &e))?;
    table(Input::File(path.to_owned(), Arc::new(file)), name)
}

/// Opens a Parquet file in memory, a member of an archive.
pub(super) fn of_bytes(bytes: Vec<u8>, name: &str) -> Result<Table> {
    table(Input::Memory(bytes.into()), name)
}

fn table(input: Input, name: &str) -> Result<Table> {
    let mut head = Vec::new();
    let read = input.get_read(0).and_then(|r| Ok(r.take(4).read_to_end(&mut head)?));
    read.map_err(|e| broken(name, &e.to_string()))?;
    if head == b"PARE" {
        return Err(Error::new(Kind::Format, "is an encrypted Parquet file")
            .at(Origin::file(name))
            .hint("export it again without encryption, or as CSV"));
    }
    footer(&input).map_err(|e| broken(name, &e))?;
    // The schema that a writer may have put beside that of Parquet is not needed: it is one more
    // thing to be wrong.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = ArrowReaderMetadata::load(&input, options).map_err(|e| broken(name, &e.to_string()))?;
    bounded(metadata.metadata(), name)?;
    pages::check(&input, metadata.metadata()).map_err(|e| match e {
        pages::Fault::Broken(what) => broken(name, &what),
        pages::Fault::Bound(what) => Error::new(Kind::Bound, what)
            .at(Origin::file(name))
            .hint("export it again with smaller pages and row groups, or as CSV"),
    })?;
    let leaves = leaves::of(metadata.schema()).map_err(|e| {
        Error::new(Kind::Format, e).at(Origin::file(name)).hint("export it again as CSV, or without this column")
    })?;
    let notes = leaves::note(&leaves).into_iter().collect();
    Ok(Table {
        origin: Origin::file(name),
        bytes: Bytes::Parquet(Columns { input, metadata, leaves: leaves.into() }),
        numbers: None,
        encoding: "Parquet",
        notes,
        document: Arc::default(),
    })
}

/// The length of the description, which stands before the last four bytes.
fn footer(input: &Input) -> std::result::Result<(), String> {
    let len = input.len();
    if len < 12 {
        return Err("it is cut off".to_owned());
    }
    let tail = input.get_bytes(len - 8, 8).map_err(|e| e.to_string())?;
    let Some((said, mark)) = tail.split_first_chunk::<4>() else { return Err("it is cut off".to_owned()) };
    if mark != b"PAR1" {
        return Err("it does not end as one: the download was cut off".to_owned());
    }
    match u32::from_le_bytes(*said) {
        said if u64::from(said) + 12 > len => Err("its end says more than the file has".to_owned()),
        said if said > MOST_FOOTER => Err(format!("its description has more than {MOST_FOOTER} bytes")),
        _ => Ok(()),
    }
}

/// Columns, rows and ways of compression that can be read.
fn bounded(metadata: &ParquetMetaData, name: &str) -> Result<()> {
    let bound = |what: String| Err(Error::new(Kind::Bound, what).at(Origin::file(name)));
    let file = metadata.file_metadata();
    if file.schema_descr().num_columns() > MOST_COLUMNS {
        return bound(format!("has more than {MOST_COLUMNS} columns"));
    }
    // The header takes one of the row numbers.
    if u32::try_from(file.num_rows()).map_or(true, |rows| rows == u32::MAX) {
        return bound(format!("says that it has {} rows", file.num_rows()));
    }
    for chunk in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        let way = match chunk.compression() {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) => continue,
            other => other.to_string(),
        };
        let way = way.split('(').next().unwrap_or_default().to_owned();
        let message = format!("is compressed in a way that kashi does not read: {way}");
        return Err(Error::new(Kind::Format, message).at(Origin::file(name)).hint(
            "export it again with Snappy or GZIP compression, or as CSV; with DuckDB: COPY (FROM 'bill.parquet') TO 'bill.csv'",
        ));
    }
    Ok(())
}

fn broken(name: &str, what: &str) -> Error {
    let what = what.strip_prefix("Parquet error: ").unwrap_or(what);
    Error::new(Kind::Format, format!("is a Parquet file that cannot be read: {what}"))
        .at(Origin::file(name))
        .hint("download or export it again, or export it as CSV")
}

/// Where the bytes are.
#[derive(Clone, Debug)]
enum Input {
    /// A file, opened.
    File(PathBuf, Arc<File>),
    /// Bytes in memory.
    Memory(bytes::Bytes),
}

impl Input {
    /// The same bytes, read from the start by nobody else: a file that is open is opened once more,
    /// because two readers of one would move each other's place.
    fn again(&self) -> std::io::Result<Self> {
        Ok(match self {
            Self::File(path, _) => Self::File(path.clone(), Arc::new(File::open(path)?)),
            Self::Memory(bytes) => Self::Memory(bytes.clone()),
        })
    }
}

impl Length for Input {
    fn len(&self) -> u64 {
        match self {
            Self::File(_, file) => Length::len(&**file),
            Self::Memory(bytes) => Length::len(bytes),
        }
    }
}

impl ChunkReader for Input {
    type T = Box<dyn Read + Send>;

    fn get_read(&self, start: u64) -> Parquet<Self::T> {
        Ok(match self {
            Self::File(_, file) => Box::new(file.get_read(start)?),
            Self::Memory(bytes) => Box::new(bytes.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Parquet<bytes::Bytes> {
        match self {
            Self::File(_, file) => file.get_bytes(start, length),
            Self::Memory(bytes) => bytes.get_bytes(start, length),
        }
    }
}
