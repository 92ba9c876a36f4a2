//! The form of a card's lines, learned from one of them, and the lines that have it.
//!
//! A log repeats itself: the minute, the text that tells the card, the units and the number of
//! decimals are those of the line before. A line in which anything is different is left to
//! [`parse`](super::line::parse), which reads every line and tells the same of this one.

use wide::u8x32;

use super::clock::Clock;
use super::columns::{Column, Columns, Field};
use super::line::{factor, held, number};
use super::sample::Sample;

/// What the lines of a card are made of, cell by cell.
pub(super) struct Form {
    steps: Vec<Step>,
}

/// A cell, or several that never change.
enum Step {
    Time,
    /// Text that is the same in every line, up to the mark behind it.
    Text(Vec<u8>),
    Number(Number),
    /// A reason why the clocks are held down.
    Held(Field),
    /// A cell that is not read.
    Other,
}

/// How a number is printed.
struct Number {
    /// Its place among a sample's figures.
    slot: usize,
    decimals: usize,
    /// Ten to the power of the decimals.
    parts: f32,
    /// The bytes behind it, at the high end of a word.
    tail: u64,
    tail_len: usize,
    /// What the unit makes of it.
    factor: f32,
}

/// A line that has the form.
pub(super) struct Read {
    /// Its bytes, with the line end.
    pub(super) len: usize,
    pub(super) at: i64,
    pub(super) sample: Sample,
}

impl Form {
    /// Learns from a line without its end; `None` if lines like it are not read by form.
    pub(super) fn of(line: &[u8], columns: &Columns) -> Option<Self> {
        let mut steps = Vec::new();
        let mut cells = line.split(|b| *b == b',');
        let mut left = columns.all.len();
        for column in &columns.all {
            let cell = cells.next()?;
            left -= 1;
            let mark = if left == 0 { b'\n' } else { b',' };
            match (column.field, steps.last_mut()) {
                // The cell with the time is read up to a comma.
                (Field::Time, _) if left == 0 => return None,
                (Field::Time, _) => steps.push(Step::Time),
                (field, Some(Step::Text(text))) if field.is_text() => {
                    text.extend_from_slice(cell);
                    text.push(mark);
                }
                (field, _) if field.is_text() => steps.push(Step::Text([cell.trim_ascii_start(), &[mark]].concat())),
                (field @ (Field::Throttle | Field::Capped | Field::Slowed), _) => steps.push(Step::Held(field)),
                (field, _) => steps.push(match field.slot() {
                    Some(slot) => Step::Number(Number::of(cell, slot, column)?),
                    None => Step::Other,
                }),
            }
        }
        cells.next().is_none().then_some(Self { steps })
    }

    /// Reads the line that bytes begin with; `None` if it is of another form, or too near their end.
    #[inline]
    pub(super) fn read(&self, bytes: &[u8], clock: &Clock) -> Option<Read> {
        let (mut at, mut time) = (0, None);
        let mut marks = Marks::default();
        let (mut figures, mut reasons) = ([f32::NAN; Sample::FIGURES], 0);
        let mut steps = self.steps.iter();
        while let Some(step) = steps.next() {
            at += usize::from(*bytes.get(at)? == b' ');
            match step {
                Step::Text(text) => {
                    if !bytes.get(at..)?.starts_with(text) {
                        return None;
                    }
                    at += text.len();
                    marks = Marks::default();
                }
                Step::Time => {
                    let (micros, len) = clock.again(bytes.get(at..)?)?;
                    time = Some(micros);
                    at += len;
                    marks = Marks::default();
                }
                Step::Number(number) => {
                    let end = marks.next(bytes, at)?;
                    let value = number.read(bytes, at, end)?;
                    // Several columns may tell of one thing, as power.draw and power.draw.instant do.
                    let figure = figures.get_mut(number.slot)?;
                    *figure = if figure.is_nan() { value } else { *figure };
                    at = end + 1;
                }
                Step::Held(field) => {
                    let end = marks.next(bytes, at)?;
                    reasons |= held(*field, &bytes[at..end]);
                    at = end + 1;
                }
                Step::Other => at = marks.next(bytes, at)? + 1,
            }
            // The line must end with its last cell, neither before nor after.
            if bytes[at - 1] == b'\n' {
                let sample = Sample::of(figures, reasons).checked();
                return (steps.len() == 0).then_some(Read { len: at, at: time?, sample });
            }
        }
        None
    }
}

impl Number {
    /// Learns how a cell is printed; `None` if it is a number as no card prints one.
    fn of(cell: &[u8], slot: usize, column: &Column) -> Option<Self> {
        let cell = cell.trim_ascii_start();
        let (value, tail) = number(cell);
        // What is unknown now shows its unit another time.
        let (printed, tail) =
            if value.is_nan() { (&b""[..], &b""[..]) } else { (&cell[..cell.len() - tail.len()], tail) };
        let decimals = printed.iter().rev().position(|b| *b == b'.').unwrap_or(0);
        if printed.ends_with(b".") || decimals > MOST_DECIMALS || tail.len() >= WORD {
            return None;
        }
        Some(Self {
            slot,
            decimals,
            parts: 10f32.powi(decimals as i32),
            tail: tail.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
            tail_len: tail.len(),
            factor: factor(tail, column.scale),
        })
    }

    /// Reads a cell; one that does not begin with a digit is unknown.
    #[inline]
    fn read(&self, bytes: &[u8], begin: usize, end: usize) -> Option<f32> {
        match bytes.get(begin)? {
            b'0'..=b'9' => {}
            b' ' | b'\t' => return None,
            _ => return Some(f32::NAN),
        }
        if self.tail_len > 0 && word(bytes, end.checked_sub(WORD)?)? >> (8 * (WORD - self.tail_len)) != self.tail {
            return None;
        }
        let end = end - self.tail_len;
        if self.decimals == 0 {
            return Some(digits(bytes, begin, end)? as f32 * self.factor);
        }
        let point = end - self.decimals - 1;
        if bytes.get(point) != Some(&b'.') {
            return None;
        }
        let (whole, part) = (digits(bytes, begin, point)?, digits(bytes, point + 1, end)?);
        Some((whole as f32 + part as f32 / self.parts) * self.factor)
    }
}

/// Decimals that are read of a number.
const MOST_DECIMALS: usize = 6;

/// Bytes of a word.
const WORD: usize = 8;

#[inline]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The number that one to eight digits are, all of them at once.
#[inline]
fn digits(bytes: &[u8], begin: usize, end: usize) -> Option<u32> {
    let len = end.wrapping_sub(begin);
    if !(1..=WORD).contains(&len) {
        return None;
    }
    // The digits move to the high end, and zeros in before them.
    let digits = (word(bytes, begin)? ^ 0x3030_3030_3030_3030) << (8 * (WORD - len));
    if (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000).wrapping_add(fours >> 32) as u32)
}

/// Finds where cells and lines end.
#[derive(Default)]
struct Marks {
    base: usize,
    /// The marks behind the base that were not handed out yet, one bit each.
    bits: u64,
}

impl Marks {
    /// The next comma or line end at or behind a place; `None` if it is far.
    #[inline]
    fn next(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        if self.bits == 0 {
            let (low, rest) = bytes.get(at..)?.split_first_chunk()?;
            (self.base, self.bits) = (at, ends(*low) | ends(*rest.first_chunk()?) << 32);
            if self.bits == 0 {
                return None;
            }
        }
        let mark = self.base + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(mark)
    }
}

/// The commas and line ends of a block, one bit each.
#[inline]
fn ends(block: [u8; 32]) -> u64 {
    let block = u8x32::from(block);
    u64::from((block.simd_eq(u8x32::splat(b',')) | block.simd_eq(u8x32::splat(b'\n'))).to_bitmask())
}
