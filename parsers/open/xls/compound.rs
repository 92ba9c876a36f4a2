//! The file of streams that an XLS is.

use super::records::{u16_at, u32_at, u32s};

/// The end of a chain of sectors; what is larger or a little smaller is no sector.
const END: u32 = 0xffff_fffe;
const RESERVED: u32 = 0xffff_fffa;

/// A file of streams, each a chain of sectors.
pub(super) struct Compound<'a> {
    bytes: &'a [u8],
    /// The size of a sector.
    size: usize,
    /// The sector that follows each.
    next: Vec<u32>,
}

impl<'a> Compound<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
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

    /// The stream that holds the sheets; `None` if a chain does not end, ends before its stream does, or a
    /// stream has more bytes than the file.
    pub(super) fn workbook(&self) -> Option<Vec<u8>> {
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
        (stream.len() == *size).then_some(stream)
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
