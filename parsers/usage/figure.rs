//! Figures of a line, read several bytes at a time.

use wide::u8x32;

use super::line::{factor, number};

/// Bytes of a word.
const WORD: usize = 8;
/// Bytes whose marks are found at once.
const MARKED: usize = 32;
/// A word more than is marked, so that one can be read from each marked place.
const REACH: usize = MARKED + WORD;
/// Decimals that are read of a number.
const MOST_DECIMALS: usize = 6;

/// Bytes of a line, and the marks in them, one bit each.
pub(super) struct Window<'a> {
    pub(super) bytes: &'a [u8; REACH],
    /// The commas that were not met yet.
    commas: u32,
    newlines: u32,
}

impl<'a> Window<'a> {
    /// The first bytes; `None` if there are too few.
    #[inline(always)]
    pub(super) fn of(bytes: &'a [u8]) -> Option<Self> {
        let bytes: &[u8; REACH] = bytes.first_chunk()?;
        let marked = u8x32::from(*bytes.first_chunk::<MARKED>()?);
        let marks = |mark: u8| marked.simd_eq(u8x32::splat(mark)).to_bitmask();
        Some(Self { bytes, commas: marks(b','), newlines: marks(b'\n') })
    }

    /// The next comma; `None` if there is none here.
    #[inline]
    pub(super) fn comma(&mut self) -> Option<usize> {
        if self.commas == 0 {
            return None;
        }
        let comma = self.commas.trailing_zeros() as usize;
        self.commas &= self.commas - 1;
        Some(comma)
    }

    /// The mark that ends the last of some cells, which begins here.
    #[inline]
    pub(super) fn end(&mut self, begin: usize, of_line: bool) -> Option<usize> {
        if of_line { self.line_end(begin) } else { self.comma() }
    }

    /// The window from a place in this one on, which begins at the base.
    #[inline]
    pub(super) fn after(&self, bytes: &'a [u8], base: usize, begin: usize) -> Option<Self> {
        if self.is_within(begin) { Self::of(bytes.get(base + begin..)?) } else { None }
    }

    /// The line end, if it ends the cell that begins here.
    #[inline]
    fn line_end(&self, begin: usize) -> Option<usize> {
        let end = self.newlines.trailing_zeros() as usize;
        (self.newlines != 0 && begin <= end && end < self.commas.trailing_zeros() as usize).then_some(end)
    }

    /// Whether no line ends before this place.
    #[inline]
    pub(super) fn is_within(&self, place: usize) -> bool {
        self.newlines == 0 || place <= self.newlines.trailing_zeros() as usize
    }
}

/// How a column prints its figures, learned from one of them.
pub(super) struct Figure {
    /// What a cell of zeros is, with the blank that it begins with, and the bits of that blank.
    zeros: u64,
    blank: u64,
    /// The fewest bytes of it without the unit, and how many more there may be.
    least: usize,
    spare: usize,
    /// The bytes of the unit.
    tail_len: usize,
    /// The bits of a word that the unit fills, and what they are.
    tail: (u64, u64),
    point: Option<Point>,
    /// What the unit makes of a number.
    factor: f32,
}

/// Where the decimal point stands in a word that ends with the last digit.
struct Point {
    /// The bits of it, and what they are above zeros.
    at: (u64, u64),
    /// The bits of the decimals; ten to the power of their number.
    parts: u64,
    tens: u32,
}

const ZEROS: u64 = u64::from_le_bytes([b'0'; WORD]);
const POINTS: u64 = u64::from_le_bytes([b'0' ^ b'.'; WORD]);

impl Figure {
    /// Learns how a cell is printed; `None` if it is a number as no card prints one.
    pub(super) fn of(cell: &[u8], scale: f32) -> Option<Self> {
        let blank = cell.starts_with(b" ");
        let cell = &cell[usize::from(blank)..];
        let (value, tail) = number(cell);
        // What is unknown now shows its unit another time.
        let (printed, tail) =
            if value.is_nan() { (&b""[..], &b""[..]) } else { cell.split_at(cell.len() - tail.len()) };
        let decimals = printed.iter().rev().position(|b| *b == b'.').unwrap_or(0);
        if printed.ends_with(b".") || decimals > MOST_DECIMALS || tail.len() >= WORD {
            return None;
        }
        let least = usize::from(blank) + if decimals > 0 { decimals + 2 } else { 1 };
        if least > WORD {
            return None;
        }
        // The last bytes of a word are its highest bits.
        let last = |bytes: usize| !(u64::MAX >> (8 * bytes));
        let point = last(decimals + 1) & !last(decimals);
        let mut word = [0; WORD];
        word[..tail.len()].copy_from_slice(tail);
        Some(Self {
            zeros: if blank { ZEROS ^ u64::from(b'0' ^ b' ') } else { ZEROS },
            blank: if blank { 0xff } else { 0 },
            least,
            spare: WORD - least,
            tail_len: tail.len(),
            tail: (!(u64::MAX << (8 * tail.len())), u64::from_le_bytes(word)),
            point: (decimals > 0).then(|| Point {
                at: (point, point & POINTS),
                parts: last(decimals),
                tens: 10u32.pow(decimals as u32),
            }),
            factor: factor(tail, scale),
        })
    }

    /// Reads the cell between a mark and the next; `None` if it is printed in another way. What does
    /// not begin with a digit is unknown.
    #[inline(always)]
    pub(super) fn read(&self, bytes: &[u8; REACH], begin: usize, end: usize) -> Option<f32> {
        let len = end.wrapping_sub(begin).wrapping_sub(self.tail_len);
        if len.wrapping_sub(self.least) > self.spare || self.tail_len > 0 && !self.ends(bytes, end) {
            return unknown(bytes, begin, end);
        }
        let digits = word(bytes, begin)? ^ self.zeros;
        if digits & self.blank != 0 {
            return unknown(bytes, begin, end);
        }
        // The digits move to the end of the word, and zeros in before them.
        let digits = digits.wrapping_shl((len as u32).wrapping_mul(8).wrapping_neg());
        let value = match &self.point {
            None if are_digits(digits) => eight(digits) as f32,
            Some(point) if digits & point.at.0 == point.at.1 => {
                let digits = digits & point.parts | (digits & !point.at.0 & !point.parts) << 8;
                if !are_digits(digits) {
                    return unknown(bytes, begin, end);
                }
                let number = eight(digits);
                (number / point.tens) as f32 + (number % point.tens) as f32 / point.tens as f32
            }
            _ => return unknown(bytes, begin, end),
        };
        Some(value * self.factor)
    }

    /// Whether a cell ends with the unit.
    #[inline]
    fn ends(&self, bytes: &[u8; REACH], end: usize) -> bool {
        word(bytes, end.wrapping_sub(self.tail_len)).is_some_and(|word| word & self.tail.0 == self.tail.1)
    }
}

/// The text of a figure that seldom changes, and its value.
pub(super) struct Same {
    mask: u64,
    text: u64,
    value: f32,
}

impl Same {
    /// Learns a cell with the mark behind it; `None` if it is long or no number.
    pub(super) fn of(cell: &[u8], scale: f32) -> Option<Self> {
        let (value, tail) = number(cell.trim_ascii_start());
        let mut text = [0; WORD];
        text.get_mut(..=cell.len())?.copy_from_slice(&[cell, b","].concat());
        let mask = u64::MAX >> (8 * (WORD - 1 - cell.len()));
        let value = value * factor(tail, scale);
        (!value.is_nan()).then_some(Self { mask, text: u64::from_le_bytes(text), value })
    }

    /// The value, if the cell that begins here has the text.
    #[inline(always)]
    pub(super) fn read(&self, bytes: &[u8; REACH], begin: usize) -> Option<f32> {
        (word(bytes, begin)? & self.mask == self.text).then_some(self.value)
    }
}

#[inline]
fn word(bytes: &[u8; REACH], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// A cell that is printed in another way: unknown, or left to who reads every cell.
#[cold]
fn unknown(bytes: &[u8; REACH], begin: usize, end: usize) -> Option<f32> {
    let cell = bytes.get(begin..end)?;
    let first = cell.iter().find(|b| !matches!(b, b' ' | b'\t'));
    (!first.is_some_and(u8::is_ascii_digit)).then_some(f32::NAN)
}

#[inline]
fn are_digits(word: u64) -> bool {
    (word.wrapping_add(0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080 == 0
}

/// The number that eight digits are: pairs of them, fours and all eight at once.
#[inline]
fn eight(digits: u64) -> u32 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) as u32
}
