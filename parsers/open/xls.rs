//! What an XLS says of its sheets, looked at before a library makes room for it.
//!
//! The library follows the chains of the file wherever they lead, makes room for as many cells as a
//! sheet says it has, and holds each as one rectangle: a file of a few kilobytes could ask for all
//! memory there is. Here the chains must end, and what a sheet asks for is held against its cells.

use crate::error::{Error, Kind, Origin, Result};

/// A rectangle of this many cells may be empty but for its corners.
const FREE: u64 = 4 << 20;
/// The most times that a larger one may exceed the cells that it has.
const SPARSE: u64 = 64;
/// The end of a chain of sectors; what is larger or a little smaller is no sector.
const END: u32 = 0xffff_fffe;
const RESERVED: u32 = 0xffff_fffa;

/// Refuses a file whose chains do not end or whose sheets ask for more than they hold.
pub(super) fn check(bytes: &[u8], name: &str) -> Result<()> {
    let Some(stream) = Compound::new(bytes).and_then(|file| file.workbook()) else {
        return Err(Error::new(Kind::Format, "is a workbook that cannot be read: its parts contradict each other")
            .at(Origin::file(name))
            .hint("open it in a spreadsheet and save it again, or as CSV UTF-8"));
    };
    // A sheet begins where the list of sheets says, be it in the middle of another.
    let begins = records(&stream, 0).filter(|(kind, _)| *kind == 0x0085).filter_map(|(_, data)| u32_at(data, 0));
    for begin in begins {
        let sheet = Sheet::of(&stream, begin as usize);
        if sheet.rectangle > FREE && sheet.rectangle > sheet.cells.saturating_mul(SPARSE) {
            return Err(Error::new(Kind::Bound, "is a workbook with a sheet whose few cells lie far apart")
                .at(Origin::file(name))
                .hint("open it in a spreadsheet and save it as XLSX or CSV UTF-8"));
        }
    }
    Ok(())
}

/// What a sheet asks for.
struct Sheet {
    cells: u64,
    /// The cells of the rectangle around all of them, or of the one that the sheet states.
    rectangle: u64,
}

impl Sheet {
    fn of(stream: &[u8], begin: usize) -> Self {
        let (mut cells, mut stated, mut depth) = (0, 0, 0u32);
        let mut around: Option<[u64; 4]> = None;
        for (kind, data) in records(stream, begin) {
            match kind {
                0x0809 => depth += 1,
                0x000a if depth <= 1 => break,
                0x000a => depth -= 1,
                0x0200 => stated = stated.max(dimensions(data).unwrap_or(u64::MAX)),
                // Formula, numbers, texts, truths, and what stands for several numbers.
                0x0006 | 0x00bd | 0x00d6 | 0x00fd | 0x0201 | 0x0203 | 0x0204 | 0x0205 | 0x027e => {
                    let (Some(row), Some(column)) = (u16_at(data, 0), u16_at(data, 2)) else { continue };
                    let last = if kind == 0x00bd { u16_at(data, data.len().saturating_sub(2)) } else { None };
                    let (row, column) = (u64::from(row), u64::from(column));
                    let last = last.map_or(column, u64::from).max(column);
                    cells += last - column + 1;
                    let [top, bottom, left, right] = around.unwrap_or([row, row, column, last]);
                    around = Some([top.min(row), bottom.max(row), left.min(column), right.max(last)]);
                }
                _ => {}
            }
        }
        let around = around.map_or(0, |[top, bottom, left, right]| (bottom - top + 1) * (right - left + 1));
        Self { cells, rectangle: around.max(stated) }
    }
}

/// The number of cells that a sheet states; `None` if it ends before it begins.
fn dimensions(data: &[u8]) -> Option<u64> {
    let (top, bottom, left, right) = match data.len() {
        14.. => (u32_at(data, 0)?, u32_at(data, 4)?, u16_at(data, 8)?, u16_at(data, 10)?),
        _ => (u16_at(data, 0)?.into(), u16_at(data, 2)?.into(), u16_at(data, 4)?, u16_at(data, 6)?),
    };
    (u64::from(bottom) + 1).checked_sub(top.into())?.checked_mul((u64::from(right) + 1).checked_sub(left.into())?)
}

/// The records of a stream from a place on: kind and content.
fn records(stream: &[u8], mut at: usize) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let kind = u16_at(stream, at)?;
        let length = usize::from(u16_at(stream, at + 2)?);
        let data = stream.get(at + 4..at + 4 + length)?;
        at += 4 + length;
        Some((kind, data))
    })
}

/// A file of streams, each a chain of sectors.
struct Compound<'a> {
    bytes: &'a [u8],
    /// The size of a sector.
    size: usize,
    /// The sector that follows each.
    next: Vec<u32>,
}

impl<'a> Compound<'a> {
    fn new(bytes: &'a [u8]) -> Option<Self> {
        let size = match u16_at(bytes, 30)? {
            9 => 512,
            12 => 4096,
            _ => return None,
        };
        let mut file = Self { bytes, size, next: Vec::new() };
        let mut tables = u32s(bytes.get(76..512)?);
        let mut more = u32_at(bytes, 68)?;
        let most = bytes.len() / size + 1;
        let mut tables_of_tables = 0;
        while more < RESERVED {
            let mut sector = u32s(file.sector(more)?);
            more = sector.pop()?;
            tables.extend(sector);
            tables_of_tables += 1;
            if tables_of_tables > most {
                return None;
            }
        }
        for table in tables.into_iter().filter(|table| *table < RESERVED) {
            let sector = u32s(file.sector(table)?);
            file.next.extend(sector);
            if file.next.len() > 2 * most + size {
                return None;
            }
        }
        Some(file)
    }

    /// The stream that holds the sheets; `None` if a chain does not end or a stream has more bytes than the file.
    fn workbook(&self) -> Option<Vec<u8>> {
        let directory = self.chain(u32_at(self.bytes, 48)?)?;
        let mut streams: Vec<(String, u32, usize)> = Vec::new();
        let mut small = Vec::new();
        for entry in directory.chunks_exact(128) {
            let (begin, size) = (u32_at(entry, 116)?, u32_at(entry, 120)? as usize);
            let high = if self.size == 4096 { u32_at(entry, 124)? } else { 0 };
            if entry[66] != 0 && (size > self.bytes.len() || high != 0) {
                return None;
            }
            if streams.is_empty() && begin < RESERVED {
                // The first entry is the root, whose stream holds the short ones.
                small = self.chain(begin)?;
            }
            let units = (0..32).filter_map(|at| u16_at(entry, 2 * at)).take_while(|unit| *unit != 0);
            let name = char::decode_utf16(units).map(|c| c.unwrap_or('?').to_ascii_lowercase()).collect();
            streams.push((name, begin, size));
        }
        let shorts = u32_at(self.bytes, 60)?;
        let shorts = if shorts < RESERVED { u32s(&self.chain(shorts)?) } else { Vec::new() };
        let named = |name: &str| streams.iter().find(|(known, ..)| known == name);
        let (_, begin, size) = named("workbook").or_else(|| named("book"))?;
        let mut stream = match *size < 4096 {
            true => follow(*begin, &shorts, |at| small.get(at as usize * 64..(at as usize + 1) * 64))?,
            false => self.chain(*begin)?,
        };
        stream.truncate(*size);
        Some(stream)
    }

    fn chain(&self, begin: u32) -> Option<Vec<u8>> {
        follow(begin, &self.next, |at| self.sector(at))
    }

    /// The last sector of a file may be cut off.
    fn sector(&self, at: u32) -> Option<&'a [u8]> {
        let begin = (at as usize).checked_add(1)?.checked_mul(self.size)?;
        self.bytes.get(begin..self.bytes.len().min(begin.checked_add(self.size)?))
    }
}

/// What a chain holds; `None` if it leaves the file or never ends.
fn follow<'a>(begin: u32, next: &[u32], piece: impl Fn(u32) -> Option<&'a [u8]>) -> Option<Vec<u8>> {
    let mut stream = Vec::new();
    let mut at = begin;
    for _ in 0..=next.len() {
        if at == END {
            return Some(stream);
        }
        stream.extend_from_slice(piece(at)?);
        at = *next.get(at as usize)?;
    }
    None
}

fn u32s(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).filter_map(|b| u32_at(b, 0)).collect()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
