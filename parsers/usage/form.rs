//! The form of a card's lines, learned from one of them, and the lines that have it.
//!
//! A log repeats itself: the minute, the text that tells the card, the units and the number of
//! decimals are those of the line before. A line in which anything is different is left to
//! [`parse`](super::line::parse), which reads every line and tells the same of this one.

use super::clock::Clock;
use super::columns::{Column, Columns, Field};
use super::figure::{Bytes, Figure, REACH, Same, cell_end};
use super::line::{held, is_meant};
use super::sample::Sample;

/// What the lines of a card are made of.
pub(super) struct Form {
    parts: Vec<Part>,
}

/// A part of a line: the time, what is the same in every line, and figures; each may be missing.
#[derive(Default)]
struct Part {
    time: bool,
    /// With the commas, blanks and the line end in it.
    text: Vec<u8>,
    cells: Vec<Cell>,
}

/// A cell, and what parts it from the next.
struct Cell {
    reads: Reads,
    field: Field,
    /// Its place in a sample, of a figure.
    slot: usize,
    figure: Figure,
    /// The figure, where it is mostly the one before.
    same: Option<Same>,
    mark: u8,
    /// Whether a blank is behind the mark.
    blank: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    Figure,
    /// A figure that is mostly the one before.
    Constant,
    /// Another column of the figure in that place, as power.draw.instant is of power.draw.
    Again,
    /// A reason why the clocks are held down.
    Held,
    /// What is not read.
    Other,
}

/// A line that has the form.
pub(super) struct Read {
    /// Its bytes, with the line end.
    pub(super) len: usize,
    pub(super) at: i64,
    pub(super) sample: Sample,
}

/// What was read of a line.
struct Found {
    figures: [f32; Sample::FIGURES],
    reasons: u64,
}

impl Form {
    /// Learns from a line without its end; `None` if lines like it are not read by form.
    pub(super) fn of(line: &[u8], columns: &Columns) -> Option<Self> {
        let cells: Vec<&[u8]> = line.split(|b| *b == b',').collect();
        if cells.len() != columns.all.len() {
            return None;
        }
        let mut parts = vec![Part::default()];
        let mut slots = Vec::new();
        for (at, (cell, column)) in cells.iter().zip(&columns.all).enumerate() {
            let next = cells.get(at + 1);
            // The blank before a cell is taken with what is before it.
            let mark: &[u8] = match next {
                None => b"\n",
                Some(next) if next.starts_with(b" ") => b", ",
                Some(_) => b",",
            };
            let cell = if at > 0 { cell.strip_prefix(b" ").unwrap_or(cell) } else { cell };
            match column.field {
                // The time is read up to a comma.
                Field::Time if next.is_none() || cell.starts_with(b" ") => return None,
                Field::Time => parts.push(Part { time: true, text: mark[1..].to_vec(), cells: Vec::new() }),
                field if field.is_text() => {
                    if parts.last().is_some_and(|part| !part.cells.is_empty()) {
                        parts.push(Part::default());
                    }
                    parts.last_mut()?.text.extend([cell, mark].concat());
                }
                _ => parts.last_mut()?.cells.push(Cell::of(cell, mark, column, columns, &mut slots)?),
            }
        }
        parts.retain(|part| part.time || !part.text.is_empty() || !part.cells.is_empty());
        Some(Self { parts })
    }

    /// Reads the line that bytes begin with; `None` if it is of another form, or too near their end.
    #[inline(always)]
    pub(super) fn read(&self, bytes: &[u8], clock: &Clock) -> Option<Read> {
        let (mut at, mut time) = (0, None);
        let mut found = Found { figures: [f32::NAN; Sample::FIGURES], reasons: 0 };
        for part in &self.parts {
            if part.time {
                let (micros, len) = clock.again(bytes.get(at..)?)?;
                (at, time) = (at + len, Some(micros));
            }
            let end = at + part.text.len();
            if !same(bytes.get(at..end)?, &part.text) {
                return None;
            }
            at = end;
            if !part.cells.is_empty() {
                at += found.take(&part.cells, bytes.get(at..)?)?;
            }
        }
        // Digits of one word are below the most that a sample may hold; the rest of what a sample is
        // checked for is looked at here, and left to who reads every cell.
        let [util, memory, ..] = found.figures;
        if util > 100.0 || (memory < 1.0 && util > 0.0) {
            return None;
        }
        Some(Read { len: at, at: time?, sample: Sample::of(found.figures, found.reasons) })
    }
}

/// Whether texts of one length are the same; without a call, which takes longer than most of them.
#[inline(always)]
fn same(one: &[u8], other: &[u8]) -> bool {
    let (Some(last), Some(others)) = (one.last_chunk::<16>(), other.last_chunk::<16>()) else { return one == other };
    let same = |(one, other): (&[u8; 16], &[u8; 16])| u128::from_ne_bytes(*one) == u128::from_ne_bytes(*other);
    one.as_chunks().0.iter().zip(other.as_chunks().0).all(same) && same((last, others))
}

impl Cell {
    /// Learns a cell of a line; the places in a sample that the cells before it fill are known.
    fn of(cell: &[u8], mark: &[u8], column: &Column, columns: &Columns, slots: &mut Vec<usize>) -> Option<Self> {
        // The temperature tells only whether clocks are held down by something else.
        let useless =
            column.field == Field::Temperature && !columns.has(Field::Throttle) && !columns.has(Field::Slowed);
        let slot = column.field.slot().filter(|_| !useless);
        let same = Same::of(cell, mark, column.scale).filter(|_| column.field.is_constant());
        let reads = match (column.field, slot) {
            (Field::Throttle | Field::Capped | Field::Slowed, _) => Reads::Held,
            (_, Some(slot)) if slots.contains(&slot) => Reads::Again,
            (_, Some(slot)) => {
                slots.push(slot);
                if same.is_some() { Reads::Constant } else { Reads::Figure }
            }
            _ => Reads::Other,
        };
        let figure = if matches!(reads, Reads::Constant | Reads::Figure) {
            Figure::of(cell, mark, column.scale)?
        } else {
            Figure::of(b"0", mark, 1.0)?
        };
        let (slot, blank) = (slot.unwrap_or_default(), mark.len() > 1);
        Some(Self { reads, field: column.field, slot, figure, same, mark: *mark.first()?, blank })
    }

    /// Reads the figure in the cell that begins here, and says where the next cell does.
    #[inline(always)]
    fn figure(&self, bytes: &Bytes, begin: usize) -> Option<(f32, usize)> {
        let same = if self.reads == Reads::Constant { self.same.as_ref() } else { None };
        let read = same.and_then(|same| same.read(bytes, begin));
        read.or_else(|| self.figure.read(bytes, begin)).or_else(|| self.unknown(bytes, begin))
    }

    /// A cell that is printed in another way: what is meant for no number is unknown, the rest
    /// is left to who reads every cell.
    #[cold]
    fn unknown(&self, bytes: &Bytes, begin: usize) -> Option<(f32, usize)> {
        let end = cell_end(bytes, begin, self.mark)?;
        let cell = bytes.get(begin..end)?;
        let first = cell.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(cell.len());
        let meant = is_meant(cell.get(first..)?);
        let next = self.next(bytes, end)?;
        (!meant).then_some((f32::NAN, next))
    }

    /// Where the next cell begins, behind the mark of this one.
    #[inline(always)]
    fn next(&self, bytes: &Bytes, end: usize) -> Option<usize> {
        if self.blank && bytes.get(end + 1) != Some(&b' ') {
            return None;
        }
        Some(end + 1 + usize::from(self.blank))
    }
}

impl Found {
    /// Takes the cells that bytes begin with, and says how many bytes they are.
    #[inline(always)]
    fn take(&mut self, cells: &[Cell], bytes: &[u8]) -> Option<usize> {
        let bytes: &Bytes = bytes.first_chunk()?;
        let mut at = 0;
        for cell in cells {
            at = if matches!(cell.reads, Reads::Figure | Reads::Constant) {
                let (value, next) = cell.figure(bytes, at)?;
                *self.figures.get_mut(cell.slot)? = value;
                next
            } else {
                self.other(cell, bytes, at)?
            };
        }
        // A figure beyond reach was taken from the beginning.
        (at < REACH).then_some(at)
    }

    /// Takes a cell that is no figure, and says where the next one begins.
    #[inline(always)]
    fn other(&mut self, cell: &Cell, bytes: &Bytes, begin: usize) -> Option<usize> {
        let end = cell_end(bytes, begin, cell.mark)?;
        match cell.reads {
            Reads::Again if self.figures.get(cell.slot)?.is_nan() => return None,
            Reads::Held => self.reasons |= held(cell.field, bytes.get(begin..end)?),
            _ => {}
        }
        cell.next(bytes, end)
    }
}
