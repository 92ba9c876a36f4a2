//! Delimiters, line ends and quotes among bytes, a block at a time.

use wide::u8x32;

/// Bytes that are looked at at once.
const BLOCK: usize = 32;

/// The first bytes as a block, and how many there are; zeros behind the end are no marks.
#[inline]
fn block(bytes: &[u8]) -> (u8x32, usize) {
    match bytes.first_chunk::<BLOCK>() {
        Some(block) => (u8x32::from(*block), BLOCK),
        None => {
            let mut block = [0; BLOCK];
            block[..bytes.len()].copy_from_slice(bytes);
            (u8x32::from(block), bytes.len().max(1))
        }
    }
}

/// Finds delimiters, line ends and quotes.
pub(super) struct Marks {
    delimiters: u8x32,
    ends: u8x32,
    quotes: u8x32,
}

/// The marks among the first bytes, one bit each.
pub(super) struct Found {
    pub(super) delimiters: u32,
    pub(super) ends: u32,
    pub(super) quotes: u32,
    /// How many bytes were looked at.
    pub(super) bytes: usize,
}

impl Marks {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiters: u8x32::splat(delimiter), ends: u8x32::splat(b'\n'), quotes: u8x32::splat(b'"') }
    }

    #[inline]
    pub(super) fn find(&self, bytes: &[u8]) -> Found {
        let (block, bytes) = block(bytes);
        Found {
            delimiters: block.simd_eq(self.delimiters).to_bitmask(),
            ends: block.simd_eq(self.ends).to_bitmask(),
            quotes: block.simd_eq(self.quotes).to_bitmask(),
            bytes,
        }
    }
}

/// The place after the quote that closes a cell; a doubled quote does not.
pub(super) fn closed(bytes: &[u8], mut at: usize) -> Option<usize> {
    let quote = u8x32::splat(b'"');
    'block: while at < bytes.len() {
        let (block, step) = block(&bytes[at..]);
        let mut quotes = block.simd_eq(quote).to_bitmask();
        while quotes != 0 {
            let place = quotes.trailing_zeros() as usize;
            // A quote at the end of the bytes may be the first of two.
            if *bytes.get(at + place + 1)? != b'"' {
                return Some(at + place + 1);
            }
            if place + 1 == BLOCK {
                at += BLOCK + 1;
                continue 'block;
            }
            quotes &= quotes - 1;
            quotes &= quotes - 1;
        }
        at += step;
    }
    None
}

/// Takes the quotes off a cell; text after the closing quote is kept.
///
/// Without a quote inside only the range moves; else the text moves up in place.
pub(super) fn unquote(data: &mut [u8], cell: &mut (u32, u32)) {
    let (start, end) = (cell.0 as usize, cell.1 as usize);
    if end == start || data[start] != b'"' {
        return;
    }
    let (mut read, mut write) = (start + 1, start + 1);
    while let Some(run) = memchr::memchr(b'"', &data[read..end]) {
        if read != write {
            data.copy_within(read..read + run, write);
        }
        (read, write) = (read + run + 1, write + run);
        if read == end || data[read] != b'"' {
            // The closing quote: what follows it is text as it stands.
            break;
        }
        data[write] = b'"';
        (read, write) = (read + 1, write + 1);
    }
    if read != write {
        data.copy_within(read..end, write);
    }
    *cell = (start as u32 + 1, (write + end - read) as u32);
}
