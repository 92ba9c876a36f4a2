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
        let marks = Marks::new(delimiter);
        let mut quoted = false;
        let (mut start, mut at) = (0, 0);
        let end = 'row: loop {
            if bytes.get(at) == Some(&b'"') && at == start {
                quoted = true;
                match closed(bytes, at + 1) {
                    Some(after) => at = after,
                    None => return Scan::More,
                }
            }
            loop {
                let (mut found, step) = marks.find(&bytes[at..]);
                while found != 0 {
                    let mark = at + (found.trailing_zeros() / 8) as usize;
                    found &= found - 1;
                    self.cells.push((start as u32, mark as u32));
                    if bytes[mark] == b'\n' {
                        break 'row mark;
                    }
                    start = mark + 1;
                    if bytes.get(start) == Some(&b'"') {
                        at = start;
                        continue 'row;
                    }
                }
                at += step;
                if at >= bytes.len() {
                    return Scan::More;
                }
            }
        };
        self.data.clear();
        self.data.extend_from_slice(&bytes[..end]);
        if quoted {
            for cell in &mut self.cells {
                unquote(&mut self.data, cell);
            }
        }
        Scan::Row(end + 1)
    }
}

/// Finds delimiters and line ends in eight bytes at once.
struct Marks {
    delimiters: u64,
    ends: u64,
}

impl Marks {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const SEVEN: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    fn new(delimiter: u8) -> Self {
        Self { delimiters: Self::LOW * u64::from(delimiter), ends: Self::LOW * u64::from(b'\n') }
    }

    /// The marks among the first eight bytes, one high bit each, and how many bytes were looked at.
    #[inline]
    fn find(&self, bytes: &[u8]) -> (u64, usize) {
        let (word, step) = match bytes.first_chunk::<8>() {
            Some(word) => (u64::from_le_bytes(*word), 8),
            None => {
                // Zeros behind the end are no marks.
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                (u64::from_le_bytes(word), bytes.len().max(1))
            }
        };
        (Self::zeros(word ^ self.delimiters) | Self::zeros(word ^ self.ends), step)
    }

    /// A high bit for every byte that is zero, and for no other.
    #[inline]
    const fn zeros(x: u64) -> u64 {
        !(((x & Self::SEVEN).wrapping_add(Self::SEVEN)) | x | Self::SEVEN)
    }
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

/// Takes the quotes off a cell; text after the closing quote is kept.
///
/// Without a quote inside only the range moves; else the text moves up in place.
fn unquote(data: &mut [u8], cell: &mut (u32, u32)) {
    let (start, end) = (cell.0 as usize, cell.1 as usize);
    if end == start || data[start] != b'"' {
        return;
    }
    let (mut read, mut write) = (start + 1, start + 1);
    while let Some(run) = memchr::memchr(b'"', &data[read..end]) {
        data.copy_within(read..read + run, write);
        (read, write) = (read + run + 1, write + run);
        if read == end || data[read] != b'"' {
            // The closing quote: what follows it is text as it stands.
            break;
        }
        data[write] = b'"';
        (read, write) = (read + 1, write + 1);
    }
    data.copy_within(read..end, write);
    *cell = (start as u32 + 1, (write + end - read) as u32);
}
