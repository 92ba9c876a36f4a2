//! One row's cells, and how they are cut out of delimited text.
//!
//! The `csv` crate walks a state machine byte by byte, which is most of the work of reading a
//! large bill. Here a row is copied whole and its cells are ranges in it; only a cell with quotes
//! inside is touched again. What a quote means is what it means to that crate, and a test holds
//! the two together.

/// The cells of one row, as bytes.
#[derive(Clone, Debug, Default)]
pub struct Record {
    data: Vec<u8>,
    cells: Vec<(u32, u32)>,
}

/// What the scan of a row came to.
pub(super) enum Scan {
    /// A row of this many bytes, its line end included.
    Row(usize),
    /// The bytes end before the row does.
    More,
}

impl Record {
    /// An empty row.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// A cell.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&[u8]> {
        let (start, end) = *self.cells.get(at)?;
        self.data.get(start as usize..end as usize)
    }

    /// The cells from the left.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.cells.iter().map(|(start, end)| &self.data[*start as usize..*end as usize])
    }

    /// The bytes of the row as they stand in the file, but for cells with quotes inside.
    pub fn as_slice(&self) -> &[u8] {
        &self.data
    }

    /// Cuts the row that bytes begin with into cells.
    pub(super) fn scan(&mut self, bytes: &[u8], delimiter: u8) -> Scan {
        self.cells.clear();
        let mut quoted = false;
        let mut at = 0;
        loop {
            let start = at;
            if bytes.get(at) == Some(&b'"') {
                quoted = true;
                match closed(bytes, at + 1) {
                    Some(after) => at = after,
                    None => return Scan::More,
                }
            }
            at += until(bytes.get(at..).unwrap_or_default(), delimiter);
            let Some(end) = bytes.get(at) else { return Scan::More };
            self.cells.push((start as u32, at as u32));
            at += 1;
            if *end == b'\n' {
                break;
            }
        }
        self.data.clear();
        self.data.extend_from_slice(&bytes[..at - 1]);
        if quoted {
            for cell in &mut self.cells {
                unquote(&mut self.data, cell);
            }
        }
        Scan::Row(at)
    }
}

/// Bytes before the next delimiter or line end, eight looked at together.
///
/// The lowest byte of a word that equals a mark is found exactly: `(x - 1) & !x & 0x80` errs only
/// above a byte that is zero, and the lowest set bit is taken.
#[inline]
fn until(bytes: &[u8], delimiter: u8) -> usize {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let (delimiters, ends) = (LOW * u64::from(delimiter), LOW * u64::from(b'\n'));
    let zero = |x: u64| x.wrapping_sub(LOW) & !x & HIGH;
    let mut at = 0;
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        let found = zero(word ^ delimiters) | zero(word ^ ends);
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
        rest = after;
    }
    at + rest.iter().position(|b| *b == delimiter || *b == b'\n').unwrap_or(rest.len())
}

/// The place after the quote that closes a cell; a doubled quote does not.
fn closed(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr(b'"', &bytes[at..])? + 1;
        // A quote at the end of the bytes may be the first of two.
        if *bytes.get(at)? != b'"' {
            return Some(at);
        }
        at += 1;
    }
}

/// Takes the quotes off a cell in place; text after the closing quote is kept.
fn unquote(data: &mut [u8], cell: &mut (u32, u32)) {
    let (start, end) = (cell.0 as usize, cell.1 as usize);
    if end == start || data[start] != b'"' {
        return;
    }
    let (mut read, mut write, mut inside) = (start + 1, start, true);
    while read < end {
        if inside && data[read] == b'"' {
            if data.get(read + 1) == Some(&b'"') && read + 1 < end {
                read += 1;
            } else {
                inside = false;
                read += 1;
                continue;
            }
        }
        data[write] = data[read];
        (read, write) = (read + 1, write + 1);
    }
    cell.1 = write as u32;
}
