//! Figures of a line, read eight bytes at a time.

use super::line::{factor, number};

/// Bytes of a word.
const WORD: usize = 8;
/// Bytes that cells are read from.
pub(super) const REACH: usize = 512;
/// What is read from: a word can begin at any place within reach.
pub(super) type Bytes = [u8; REACH + WORD];
/// Decimals that are read of a number: a digit, the point and a mark are in the word too.
const MOST_DECIMALS: usize = 5;
/// The highest bit of each byte.
const HIGH: u64 = splat(0x80);
/// What must be added to a byte for its highest bit to show that it is more than nine.
const OVER: u64 = splat(0x76);
const ZEROS: u64 = splat(b'0');

/// The same byte, eight times.
const fn splat(byte: u8) -> u64 {
    u64::from_le_bytes([byte; WORD])
}

/// How a column prints its figures, learned from one of them.
pub(super) struct Figure {
    /// What stands behind the digits: the unit, and what parts this cell from the next.
    end: Text,
    /// What the unit makes of a number.
    factor: f32,
    point: Point,
}

/// Where the decimal point stands in a word that ends with the last digit.
struct Point {
    /// The bits from the point to the end of the digits; none if there is no point.
    gap: u32,
    /// The bits of the point, and what they are above zeros.
    at: (u64, u64),
    /// The bits of the decimals; ten to the power of their number.
    parts: u64,
    tens: f64,
}

impl Point {
    /// The point before so many decimals.
    fn before(decimals: usize) -> Self {
        // The last bytes of a word are its highest bits.
        let last = |bytes: usize| !(u64::MAX >> (8 * bytes));
        let at = if decimals > 0 { last(decimals + 1) & !last(decimals) } else { 0 };
        Self {
            gap: if decimals > 0 { 8 * (decimals as u32 + 1) } else { 0 },
            at: (at, at & splat(b'0' ^ b'.')),
            parts: last(decimals),
            tens: f64::from(10u32.pow(decimals as u32)),
        }
    }
}

/// A text of a word at most.
struct Text {
    mask: u64,
    text: u64,
    len: usize,
}

impl Text {
    fn of(parts: [&[u8]; 2]) -> Option<Self> {
        let text = parts.concat();
        let mut word = [0; WORD];
        word.get_mut(..text.len())?.copy_from_slice(&text);
        let rest = 8 * (WORD - text.len()) as u32;
        Some(Self { mask: u64::MAX.checked_shr(rest).unwrap_or(0), text: u64::from_le_bytes(word), len: text.len() })
    }

    /// The place behind the text, if it stands in this place.
    #[inline(always)]
    fn after(&self, bytes: &Bytes, at: usize) -> Option<usize> {
        (word(bytes, at) & self.mask == self.text).then_some(at.wrapping_add(self.len))
    }
}

impl Figure {
    /// Learns how a cell without the blank before it is printed, and what parts it from the next;
    /// `None` if it is a number as no card prints one.
    pub(super) fn of(cell: &[u8], mark: &[u8], scale: f32) -> Option<Self> {
        let (value, tail) = number(cell);
        // What is unknown now shows its unit another time.
        let (printed, tail) =
            if value.is_nan() { (&b""[..], &b""[..]) } else { cell.split_at(cell.len() - tail.len()) };
        let decimals = printed.iter().rev().position(|b| *b == b'.').unwrap_or(0);
        if printed.ends_with(b".") || decimals > MOST_DECIMALS {
            return None;
        }
        let end = Text::of([tail, mark])?;
        let factor = factor(tail, scale);
        // What has another unit is counted, cell by cell.
        if factor.is_nan() {
            return None;
        }
        Some(Self { end, factor, point: Point::before(decimals) })
    }

    /// Reads the cell that begins here, and says where the next one does; `None` if it is printed in
    /// another way.
    #[inline(always)]
    pub(super) fn read(&self, bytes: &Bytes, begin: usize) -> Option<(f32, usize)> {
        let text = word(bytes, begin) ^ ZEROS;
        // The first byte that is no digit is marked, and the next one behind it.
        let marks = (text.wrapping_add(OVER) | text) & HIGH;
        let whole = marks.trailing_zeros() & !7;
        if self.point.gap > 0 {
            return self.parts(bytes, begin, text, marks);
        }
        // A word without a mark is longer than any figure, one with a mark at once no figure.
        if whole.wrapping_sub(1) >= 63 {
            return None;
        }
        let value = eight(text.wrapping_shl(whole.wrapping_neg())) as f32;
        Some((value * self.factor, self.end.after(bytes, begin.wrapping_add(whole as usize / 8))?))
    }

    /// The same of a cell with decimals.
    #[inline(always)]
    fn parts(&self, bytes: &Bytes, begin: usize, text: u64, marks: u64) -> Option<(f32, usize)> {
        let Point { gap, at, parts, tens } = self.point;
        let whole = marks.trailing_zeros() & !7;
        let len = (marks & marks.wrapping_sub(1)).trailing_zeros() & !7;
        // The digits move to the end of the word, and zeros in before them.
        let digits = text.wrapping_shl(len.wrapping_neg());
        if whole == 0 || len == 64 || len.wrapping_sub(whole) != gap || digits & at.0 != at.1 {
            return None;
        }
        let digits = digits & parts | (digits & !at.0 & !parts) << 8;
        let value = (f64::from(eight(digits)) / tens) as f32;
        Some((value * self.factor, self.end.after(bytes, begin.wrapping_add(len as usize / 8))?))
    }
}

/// The text of a figure that seldom changes, and its value.
pub(super) struct Same {
    text: Text,
    value: f32,
}

impl Same {
    /// Learns a cell and what is behind it; `None` if it is long or no number.
    pub(super) fn of(cell: &[u8], mark: &[u8], scale: f32) -> Option<Self> {
        let (value, tail) = number(cell);
        let value = value * factor(tail, scale);
        Some(Self { text: Text::of([cell, mark])?, value }).filter(|same| !same.value.is_nan())
    }

    /// The value and where the next cell begins, if this one has the text.
    #[inline(always)]
    pub(super) fn read(&self, bytes: &Bytes, begin: usize) -> Option<(f32, usize)> {
        Some((self.value, self.text.after(bytes, begin)?))
    }
}

/// The word that begins here; what is beyond reach is taken from its beginning, which whoever reads
/// cells finds out at their end.
#[inline(always)]
fn word(bytes: &Bytes, at: usize) -> u64 {
    let at = at % REACH;
    bytes.get(at..at + WORD).and_then(|word| word.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
}

/// The place of the mark that ends the cell that begins here; `None` if another mark or the bytes
/// end before it.
#[inline(always)]
pub(super) fn cell_end(bytes: &Bytes, begin: usize, mark: u8) -> Option<usize> {
    let mut at = begin;
    while at < REACH {
        let text = word(bytes, at);
        // The lowest byte that is zero is marked, and perhaps those behind it.
        let none = |text: u64| text.wrapping_sub(splat(1)) & !text & HIGH;
        let marks = none(text ^ splat(b',')) | none(text ^ splat(b'\n'));
        if marks != 0 {
            let end = at + marks.trailing_zeros() as usize / 8;
            return (bytes.get(end) == Some(&mark)).then_some(end);
        }
        at += WORD;
    }
    None
}

/// The number that eight digits are: pairs of them, fours and all eight at once.
#[inline(always)]
fn eight(digits: u64) -> u32 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) as u32
}
