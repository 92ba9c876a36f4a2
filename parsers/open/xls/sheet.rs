//! One sheet of an XLS: what it asks for, and whether its cells are those it says it has.

use std::collections::BTreeMap;

use super::book::{BEGIN, Book, END};
use super::records::{Record, records, u16_at, u32_at};
use crate::message::Message;

const FORMULA: u16 = 0x0006;
const ROW: u16 = 0x0208;
const STRING: u16 = 0x0207;
const INDEX: u16 = 0x020b;
const DIMENSIONS: u16 = 0x0200;
const SHARED: u16 = 0x00fd;
const NUMBERS: u16 = 0x00bd;
const BLANKS: u16 = 0x00be;
const BLANK: u16 = 0x0201;
/// A law of the writer is one that it keeps in so many rows for each in which it is broken.
const KEPT: usize = 4;

/// The cells of a sheet, and the size of the rectangle around all of them or of the one that it states.
pub(super) fn asked(stream: &[u8], begin: usize) -> (u64, u64) {
    let (mut cells, mut stated) = (0, 0);
    let mut around: Option<[u64; 4]> = None;
    for record in own(stream, begin) {
        if record.kind == DIMENSIONS {
            stated = stated.max(dimensions(record.data).unwrap_or(u64::MAX));
        }
        let Some(place) = Place::of(&record).filter(|place| !place.blank) else { continue };
        let [row, column, last] = [place.row, place.first, place.last.max(place.first)].map(u64::from);
        cells += last - column + 1;
        let [top, bottom, left, right] = around.unwrap_or([row, row, column, last]);
        around = Some([top.min(row), bottom.max(row), left.min(column), right.max(last)]);
    }
    let around = around.map_or(0, |[top, bottom, left, right]| (bottom - top + 1) * (right - left + 1));
    (cells, around.max(stated))
}

/// Where a sheet ends; `None` if it does not.
pub(super) fn end(stream: &[u8], begin: usize) -> Option<usize> {
    own(stream, begin).last().filter(|last| last.kind == END && last.data.is_empty()).map(|last| last.end)
}

/// Whether a record is one that only sheets have.
pub(super) fn belongs(record: &Record<'_>) -> bool {
    matches!(record.kind, ROW | DIMENSIONS | 0x00d7 | 0x023e) || Place::of(record).is_some()
}

/// Holds the cells of a sheet against what it says of them.
pub(super) fn check(stream: &[u8], begin: usize, book: &Book<'_>) -> Result<(), Message> {
    end(stream, begin).ok_or("a sheet has no end")?;
    let mut sheet = Sheet::default();
    for record in own(stream, begin) {
        sheet.take(&record, book)?;
    }
    sheet.strange()?;
    sheet.in_turn()?;
    sheet.rows_as_said()?;
    sheet.size_as_said()
}

/// The records of a sheet, its end included, without those of charts in it.
fn own(stream: &[u8], begin: usize) -> impl Iterator<Item = Record<'_>> {
    let mut depth = 0;
    let mut ended = false;
    records(stream, begin)
        .take_while(move |record| {
            let goes_on = !ended;
            ended = record.kind == END && depth <= 1;
            goes_on
        })
        .filter(move |record| {
            match record.kind {
                BEGIN => depth += 1,
                END => depth -= 1,
                _ => {}
            }
            depth <= 1
        })
}

/// The number of cells that a sheet states; `None` if it ends before it begins.
fn dimensions(data: &[u8]) -> Option<u64> {
    let [top, bottom, left, right] = stated(data)?.map(u64::from);
    (bottom + 1).checked_sub(top)?.checked_mul((right + 1).checked_sub(left)?)
}

/// The first row, the row behind the last, and the columns, as a sheet states them.
fn stated(data: &[u8]) -> Option<[u32; 4]> {
    Some(match data.len() {
        14.. => [u32_at(data, 0)?, u32_at(data, 4)?, u16_at(data, 8)?.into(), u16_at(data, 10)?.into()],
        _ => [0, 2, 4, 6]
            .map(|at| u16_at(data, at).map(u32::from))
            .into_iter()
            .collect::<Option<Vec<_>>>()?
            .try_into()
            .ok()?,
    })
}

/// Where a record's cells are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    row: u16,
    first: u16,
    last: u16,
    blank: bool,
}

impl Place {
    fn of(record: &Record<'_>) -> Option<Self> {
        // Formula, numbers, texts, truths, what stands for several numbers, and blanks.
        let blank = match record.kind {
            FORMULA | NUMBERS | 0x00d6 | SHARED | 0x0203 | 0x0204 | 0x0205 | 0x027e => false,
            BLANK | BLANKS => true,
            _ => return None,
        };
        let (row, first) = (u16_at(record.data, 0)?, u16_at(record.data, 2)?);
        let last = match record.kind {
            NUMBERS | BLANKS => u16_at(record.data, record.data.len().saturating_sub(2))?,
            _ => first,
        };
        Some(Self { row, first, last, blank })
    }
}

/// What a sheet has and what it says.
#[derive(Default)]
struct Sheet {
    cells: Vec<Place>,
    /// The columns that each row says it has: the first, and the one behind the last.
    rows: BTreeMap<u16, (u16, u16)>,
    stated: Option<[u32; 4]>,
    /// Records of a kind that does not stand among cells, and the rows above; those behind the last cell.
    strange: Vec<(u16, u16)>,
    behind: Vec<(u16, u16)>,
    /// A formula says that its text comes next.
    awaits: bool,
}

impl Sheet {
    fn take(&mut self, record: &Record<'_>, book: &Book<'_>) -> Result<(), Message> {
        let row = self.cells.last().map_or(0, |cell| cell.row);
        // What a formula is shared with may stand before its text.
        let awaited = self.awaits;
        if self.awaits && !matches!(record.kind, 0x0221 | 0x0236 | 0x04bc | 0x003c) {
            self.awaits = false;
            if record.kind != STRING {
                return Err(unreadable(row));
            }
        }
        match record.kind {
            DIMENSIONS => self.stated = stated(record.data),
            ROW => {
                if record.data.len() != 16
                    || self.rows.insert(record.short(0), (record.short(2), record.short(4))).is_some()
                {
                    return Err(unreadable(record.short(0)));
                }
                self.strange.append(&mut self.behind);
            }
            _ => {}
        }
        if let Some(place) = Place::of(record) {
            if !is_whole(record, place, book) {
                return Err(unreadable(place.row));
            }
            self.awaits = record.kind == FORMULA && record.data.get(6) == Some(&0) && record.short(12) == 0xffff;
            self.cells.push(place);
            self.strange.append(&mut self.behind);
        } else if record.kind == STRING && !awaited || record.kind == INDEX && !self.cells.is_empty() {
            return Err(unreadable(row));
        } else if !(stands_among_cells(record) || self.cells.is_empty() && self.rows.is_empty()) {
            self.behind.push((record.kind, row));
        }
        if swallows(record, book) { Err(unreadable(row)) } else { Ok(()) }
    }

    /// A record that has no business among cells was one of them; where many are, a writer has its own way.
    fn strange(&self) -> Result<(), Message> {
        let count = |kind| self.strange.iter().filter(|(other, _)| *other == kind).count();
        match self.strange.iter().find(|(kind, _)| *kind == 0 || count(*kind) <= 2) {
            Some((_, row)) => Err(unreadable(*row)),
            None => Ok(()),
        }
    }

    /// No cell comes twice, and none alone stands out of the order of all others.
    fn in_turn(&self) -> Result<(), Message> {
        let follows = |one: &Place, next: &Place| (one.row, one.last) < (next.row, next.first);
        let breaks: Vec<usize> =
            (1..self.cells.len()).filter(|at| !follows(&self.cells[at - 1], &self.cells[*at])).collect();
        if breaks.is_empty() {
            return Ok(());
        }
        let again =
            |cell: &Place| message!("a cell of row {} is told of twice or out of turn", u32::from(cell.row) + 1);
        let mut sorted = self.cells.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| !follows(&pair[0], &pair[1])) {
            return Err(again(&pair[1]));
        }
        let [at] = breaks[..] else { return Ok(()) };
        let ordered =
            |before: Option<usize>, after: usize| match (before.and_then(|b| self.cells.get(b)), self.cells.get(after))
            {
                (Some(before), Some(after)) => follows(before, after),
                _ => true,
            };
        // Without the one or the other, all would be in order.
        let alone = ordered(Some(at - 1), at + 1) || ordered(at.checked_sub(2), at);
        if alone && self.cells.len() > 2 * KEPT { Err(again(&self.cells[at])) } else { Ok(()) }
    }

    /// Where rows say which columns they have, a row that has others has lost or gained a cell.
    fn rows_as_said(&self) -> Result<(), Message> {
        let mut found: BTreeMap<u16, (u16, u16)> = BTreeMap::new();
        for cell in &self.cells {
            let (first, end) = found.entry(cell.row).or_insert((cell.first, cell.last + 1));
            (*first, *end) = ((*first).min(cell.first), (*end).max(cell.last + 1));
        }
        let agrees = |row: &u16| match (self.rows.get(row), found.get(row)) {
            (Some(said), Some(has)) => said == has,
            (Some((first, end)), None) => first == end,
            (None, _) => false,
        };
        let all: std::collections::BTreeSet<&u16> = self.rows.keys().chain(found.keys()).collect();
        let broken: Vec<u16> = all.iter().filter(|row| !agrees(row)).map(|row| **row).collect();
        match broken.first() {
            Some(row) if broken.len() <= 2 && all.len() >= (KEPT + 1) * broken.len() => {
                Err(message!("row {} does not have the cells that it says", u32::from(*row) + 1))
            }
            _ => Ok(()),
        }
    }

    /// The rows and columns that the sheet states are those that it has.
    fn size_as_said(&self) -> Result<(), Message> {
        let Some([_, bottom, _, right]) = self.stated.filter(|[_, bottom, ..]| *bottom > 0) else { return Ok(()) };
        let behind = |last: Option<u16>| last.map_or(0, |last| u32::from(last) + 1);
        let filled = self.cells.iter().filter(|cell| !cell.blank);
        let rows = behind(filled.clone().map(|cell| cell.row).max());
        let known = behind(self.cells.iter().map(|cell| cell.row).chain(self.rows.keys().copied()).max());
        if known < bottom && !self.cells.is_empty() || rows > bottom {
            return Err(message!("a sheet says that it has {bottom} rows, and it has {}", rows.max(known.min(bottom))));
        }
        let columns = behind(filled.map(|cell| cell.last).max());
        if columns > right {
            return Err(message!("a sheet says that it has {right} columns, and it has {columns}"));
        }
        Ok(())
    }
}

fn unreadable(row: u16) -> Message {
    message!("a cell in or behind row {} cannot be read", u32::from(row) + 1)
}

/// Whether a record of cells has the length that its kind has, and names texts and formats that there are.
fn is_whole(record: &Record<'_>, place: Place, book: &Book<'_>) -> bool {
    let length = record.data.len();
    let several = |each: usize| {
        let cells = usize::from(place.last).checked_sub(usize::from(place.first)).map(|more| more + 1);
        cells.is_some_and(|cells| length == 6 + each * cells)
    };
    let whole = match record.kind {
        0x0203 => length == 14,
        0x027e => length == 10,
        SHARED => length == 10 && u32_at(record.data, 6).zip(book.texts).is_some_and(|(text, texts)| text < texts),
        0x0205 => length == 8,
        BLANK => length == 6,
        NUMBERS => several(6),
        BLANKS => several(2),
        FORMULA => length >= 22 && usize::from(record.short(20)) <= length - 22,
        _ => length >= 8,
    };
    whole && (book.formats == 0 || usize::from(record.short(4)) < book.formats)
}

/// Whether a record is longer than it was: two rows or cells in turn are no part of any.
fn swallows(record: &Record<'_>, book: &Book<'_>) -> bool {
    let is_one = |inside: &Record<'_>| match Place::of(inside) {
        Some(place) => inside.data.len() < 40 && is_whole(inside, place, book),
        None => inside.kind == ROW && inside.data.len() == 16,
    };
    (0..record.data.len().saturating_sub(24)).any(|at| records(record.data, at).take(2).filter(is_one).count() == 2)
}

/// Whether a record that is no cell may stand among cells.
fn stands_among_cells(record: &Record<'_>) -> bool {
    match record.kind {
        // Rows, their index, texts of formulas and what formulas share, what goes on, links, notes.
        ROW | STRING | DIMENSIONS | 0x00d7 | INDEX | 0x0221 | 0x0236 | 0x04bc | 0x005e | 0x003c | 0x01b8 | 0x0800
        | 0x001c | 0x01c2 | 0x00e5 | BEGIN => true,
        // What later versions added says its kind once more.
        0x0850..=0x08ff => record.short(0) == record.kind,
        _ => false,
    }
}
