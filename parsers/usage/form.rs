//! The form of a card's lines, learned from one of them, and the lines that have it.
//!
//! A log repeats itself: the minute, the text that tells the card, the units and the number of
//! decimals are those of the line before. A line in which anything is different is left to
//! [`parse`](super::line::parse), which reads every line and tells the same of this one.

use super::clock::Clock;
use super::columns::{Column, Columns, Field};
use super::figure::{Figure, Same, Window};
use super::line::held;
use super::sample::Sample;

/// What the lines of a card are made of.
pub(super) struct Form {
    steps: Vec<Step>,
}

enum Step {
    Time,
    /// Text that is the same in every line, with the commas and the line end in it.
    Text(Vec<u8>),
    /// Cells one after the other.
    Cells(Vec<Cell>),
}

enum Cell {
    /// A figure and its place in a sample.
    Figure(Figure, usize),
    /// The same, of a figure that is mostly the one before.
    Constant(Same, Figure, usize),
    /// Another column of the figure in that place, as power.draw.instant is of power.draw.
    Again(usize),
    /// A reason why the clocks are held down.
    Held(Field),
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
        let mut steps = Vec::new();
        let mut cells = line.split(|b| *b == b',');
        let mut slots = Vec::new();
        for (place, column) in columns.all.iter().enumerate() {
            let cell = cells.next()?;
            let mark = if place + 1 == columns.all.len() { b'\n' } else { b',' };
            // The blank before the time is a text, and the cell with the time is read up to a comma.
            let text = match column.field {
                Field::Time if mark == b'\n' => return None,
                Field::Time => cell.split_at(cell.len() - cell.trim_ascii_start().len()).0.to_vec(),
                field if field.is_text() => [cell, &[mark]].concat(),
                _ => Vec::new(),
            };
            match steps.last_mut() {
                Some(Step::Text(before)) if !text.is_empty() => before.extend(text),
                _ if !text.is_empty() => steps.push(Step::Text(text)),
                _ => {}
            }
            match steps.last_mut() {
                _ if column.field == Field::Time => steps.push(Step::Time),
                _ if column.field.is_text() => {}
                Some(Step::Cells(cells)) => cells.push(Cell::of(cell, column, columns, &mut slots)?),
                _ => steps.push(Step::Cells(vec![Cell::of(cell, column, columns, &mut slots)?])),
            }
        }
        cells.next().is_none().then_some(Self { steps })
    }

    /// Reads the line that bytes begin with; `None` if it is of another form, or too near their end.
    #[inline]
    pub(super) fn read(&self, bytes: &[u8], clock: &Clock) -> Option<Read> {
        let (mut at, mut time) = (0, None);
        let mut found = Found { figures: [f32::NAN; Sample::FIGURES], reasons: 0 };
        let mut steps = self.steps.iter();
        while let Some(step) = steps.next() {
            let rest = bytes.get(at..)?;
            match step {
                Step::Cells(cells) => at += found.take(cells, rest, steps.len() == 0)?,
                Step::Time => {
                    let (micros, len) = clock.again(rest)?;
                    (at, time) = (at + len, Some(micros));
                }
                Step::Text(text) if rest.starts_with(text) => at += text.len(),
                Step::Text(_) => return None,
            }
        }
        Some(Read { len: at, at: time?, sample: Sample::of(found.figures, found.reasons).checked() })
    }
}

impl Cell {
    /// Learns a cell of a line; the places in a sample that the cells before it fill are known.
    fn of(cell: &[u8], column: &Column, columns: &Columns, slots: &mut Vec<usize>) -> Option<Self> {
        // The temperature tells only whether clocks are held down by something else.
        let useless =
            column.field == Field::Temperature && !columns.has(Field::Throttle) && !columns.has(Field::Slowed);
        Some(match (column.field, column.field.slot()) {
            (field @ (Field::Throttle | Field::Capped | Field::Slowed), _) => Self::Held(field),
            (_, Some(slot)) if slots.contains(&slot) => Self::Again(slot),
            (_, Some(slot)) if !useless => {
                slots.push(slot);
                let figure = Figure::of(cell, column.scale)?;
                match Same::of(cell, column.scale).filter(|_| column.field.is_constant()) {
                    Some(same) => Self::Constant(same, figure, slot),
                    None => Self::Figure(figure, slot),
                }
            }
            _ => Self::Other,
        })
    }
}

impl Found {
    /// Takes the cells that bytes begin with, and says how many bytes they are; a line end must be
    /// behind the last cell of a line, and nowhere else.
    #[inline(always)]
    fn take(&mut self, cells: &[Cell], bytes: &[u8], last: bool) -> Option<usize> {
        let (final_cell, cells) = cells.split_last()?;
        let (mut base, mut begin) = (0, 0);
        let mut window = Window::of(bytes)?;
        for cell in cells {
            let end = match window.comma() {
                Some(end) => end,
                None => {
                    (base, window) = (base + begin, window.after(bytes, base, begin)?);
                    begin = 0;
                    window.comma()?
                }
            };
            self.cell(cell, &window, begin, end)?;
            begin = end + 1;
        }
        let mut end = window.end(begin, last);
        if end.is_none() {
            (base, window) = (base + begin, window.after(bytes, base, begin)?);
            begin = 0;
            end = window.end(begin, last);
        }
        let end = end?;
        self.cell(final_cell, &window, begin, end)?;
        window.is_within(if last { end } else { end + 1 }).then_some(base + end + 1)
    }

    #[inline(always)]
    fn cell(&mut self, cell: &Cell, window: &Window<'_>, begin: usize, end: usize) -> Option<()> {
        match cell {
            Cell::Figure(figure, slot) => *self.figures.get_mut(*slot)? = figure.read(window.bytes, begin, end)?,
            Cell::Constant(same, figure, slot) => {
                let value = match same.read(window.bytes, begin) {
                    Some(value) => value,
                    None => figure.read(window.bytes, begin, end)?,
                };
                *self.figures.get_mut(*slot)? = value;
            }
            Cell::Again(slot) if self.figures.get(*slot)?.is_nan() => return None,
            Cell::Held(field) => self.reasons |= held(*field, window.bytes.get(begin..end)?),
            Cell::Again(_) | Cell::Other => {}
        }
        Some(())
    }
}
