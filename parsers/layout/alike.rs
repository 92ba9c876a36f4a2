//! Rows that are alike in their texts.
//!
//! What the text columns of a line say follows from a few cells of its row and from nothing else, and
//! a bill names the same resources hour after hour. So these cells are looked at together first: a
//! row that has them all as an earlier one had takes over what that one came to. The row is expected
//! that came next the last time; another is found by a hash of the cells.
//!
//! Most of these cells lie beside each other, or beside cells that nobody reads and that hardly
//! change: as stretches of bytes they are known when the row is cut ([`Like`]).

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::cell::same;
use super::draft::Draft;
use super::plan::{Field, Target, places};
use crate::ledger::{Code, MoneyColumn, TextColumn};
use crate::open::{Like, Record, Stretch, remember};

/// Bytes of rows that are kept; then it begins again.
const MOST: usize = 1 << 23;
/// Rows after which looking must have been worth it.
const TRIED: u32 = 1 << 16;

/// Rows read before, and what their texts came to.
#[derive(Debug, Default)]
pub(super) struct Alike {
    /// By place, what a cell is to the texts.
    parts: Vec<Part>,
    /// The columns that the texts fill.
    columns: Vec<TextColumn>,
    stretches: Vec<Stretch>,
    /// The places of the cells of texts that lie in no stretch.
    alone: Vec<usize>,
    /// Cells that are known of each row: those of the stretches, then those alone.
    cells: usize,
    rows: Vec<Row>,
    by_hash: HashTable<u32>,
    /// What is known of the rows, one behind the other: the bytes of their cells, where each cell ends,
    /// and the texts.
    bytes: Vec<u8>,
    ends: Vec<u16>,
    texts: Vec<Code>,
    /// Numbers of cards that look-ups of a card gave.
    counts: Vec<Option<i128>>,
    /// The row alike to the one before.
    last: usize,
    /// The hash of the row that was looked for last.
    hash: u32,
    /// Rows that were alike, and rows that were not.
    met: u32,
    missed: u32,
    /// Rows are too rarely alike in this bill.
    given_up: bool,
}

/// What a cell is to the texts of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// They follow from it, and nothing else does.
    Text,
    /// They follow from it, and other columns do.
    Shared,
    /// Nobody reads it, and so far it was the same in all rows alike.
    Unread,
    /// Nothing of the above.
    Other,
}

#[derive(Debug)]
struct Row {
    hash: u32,
    /// Where its bytes begin.
    bytes: u32,
    /// The place of its number of cards.
    count: u32,
    /// The row that came next: a bill lists its resources in the same order again.
    next: u32,
    /// Another came the last time.
    doubted: bool,
}

impl Alike {
    /// For lines whose texts are read as fields say, and whose other columns from some places.
    pub(super) fn new(width: usize, fields: &[Field], others: &[usize]) -> Self {
        let texts = places(fields.iter());
        let part = |place| match (texts.contains(&place), place == 0 || others.contains(&place)) {
            (true, false) => Part::Text,
            (true, true) => Part::Shared,
            (false, true) => Part::Other,
            (false, false) => Part::Unread,
        };
        let columns = fields.iter().filter_map(|field| match field.target {
            Target::Text(column) => Some(column),
            Target::Money(_) | Target::Time(_) => None,
        });
        let (parts, columns) = ((0..width).map(part).collect(), columns.collect());
        let mut alike = Self { parts, columns, ..Self::default() };
        alike.stretch();
        alike
    }

    /// The places of the cells from which nothing but texts follows.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().enumerate().filter(|(_, part)| **part == Part::Text).map(|(place, _)| place)
    }

    /// What the next row is expected to repeat.
    #[inline]
    pub(super) fn expected(&self) -> Like<'_> {
        self.known(self.next())
    }

    fn next(&self) -> usize {
        self.rows.get(self.last).map_or(0, |row| row.next as usize)
    }

    /// What is known of a row.
    #[inline]
    fn known(&self, at: usize) -> Like<'_> {
        match self.rows.get(at) {
            Some(row) => Like {
                bytes: &self.bytes[row.bytes as usize..],
                ends: &self.ends[at * self.cells..][..self.cells],
                stretches: &self.stretches,
            },
            None => Like::default(),
        }
    }

    /// Fills the texts of a line that has none as those of a row alike were; `false` if there was none.
    #[inline]
    pub(super) fn fill(&mut self, record: &Record, draft: &mut Draft) -> bool {
        if self.given_up || !record.is_raw() {
            return false;
        }
        let expected = self.next();
        let repeats = (0..self.stretches.len()).all(|stretch| record.repeats(stretch));
        let is = expected < self.rows.len()
            && if repeats { self.is_alone(&self.known(expected), record) } else { self.is(expected, record) };
        let Some(at) = is.then_some(expected).or_else(|| self.find(record)) else { return false };
        self.last = at;
        self.met = self.met.saturating_add(1);
        for (column, code) in self.columns.iter().zip(&self.texts[at * self.columns.len()..]) {
            if *code != Code::NONE {
                draft.set_text(*column, Some(*code));
            }
        }
        draft.set_money(MoneyColumn::Cards, self.counts[self.rows[at].count as usize]);
        if is && !repeats {
            self.learn(at, record);
        }
        true
    }

    /// Whether the cells that lie in no stretch are those of a row.
    #[inline]
    fn is_alone(&self, known: &Like<'_>, record: &Record) -> bool {
        let first = self.cells - self.alone.len();
        self.alone.iter().enumerate().all(|(at, place)| same(known.cell(first + at), cell(record, *place)))
    }

    /// Whether a row is alike to one read before.
    fn is(&self, at: usize, record: &Record) -> bool {
        let known = self.known(at);
        let mut cells = self.stretches.iter().flat_map(|stretch| (0..stretch.cells).map(move |at| (stretch, at)));
        let texts = cells.all(|(stretch, at)| {
            let place = stretch.place + at;
            self.parts[place] == Part::Unread || same(known.cell(stretch.first + at), cell(record, place))
        });
        texts && self.is_alone(&known, record)
    }

    /// Makes shorter stretches where rows alike differ in a cell that nobody reads.
    #[cold]
    fn learn(&mut self, at: usize, record: &Record) {
        let known = self.known(at);
        let mut differ = Vec::new();
        for stretch in &self.stretches {
            let unread = (0..stretch.cells).filter(|at| self.parts[stretch.place + at] == Part::Unread);
            let other = unread.filter(|at| known.cell(stretch.first + at) != cell(record, stretch.place + at));
            differ.extend(other.map(|at| stretch.place + at));
        }
        if !differ.is_empty() {
            differ.into_iter().for_each(|place| self.parts[place] = Part::Other);
            self.stretch();
        }
    }

    /// Finds the stretches: from one cell of a text to another, over cells that nobody reads.
    fn stretch(&mut self) {
        self.forget();
        self.stretches.clear();
        self.cells = 0;
        let is_text = |place: &usize| self.parts[*place] == Part::Text;
        // What is at the end of a row has no cell behind it.
        let (mut place, behind) = (1, self.parts.len().saturating_sub(1));
        while place < behind {
            let run = self.parts[place..behind].iter().take_while(|p| matches!(p, Part::Text | Part::Unread)).count();
            let texts = (place..place + run).find(is_text).zip((place..place + run).rfind(is_text));
            if let Some((first, last)) = texts.filter(|(first, last)| first < last) {
                self.stretches.push(Stretch { place: first, first: self.cells, cells: last + 1 - first });
                self.cells += last + 1 - first;
            }
            place += run.max(1);
        }
        let lies = |place: usize| self.stretches.iter().any(|s| (s.place..s.place + s.cells).contains(&place));
        let texts = self.parts.iter().enumerate().filter(|(_, part)| matches!(part, Part::Text | Part::Shared));
        self.alone = texts.map(|(place, _)| place).filter(|place| !lies(*place)).collect();
        self.cells += self.alone.len();
    }

    fn forget(&mut self) {
        self.by_hash.clear();
        self.rows.clear();
        self.bytes.clear();
        self.ends.clear();
        self.texts.clear();
        self.counts.clear();
    }

    /// Finds a row alike that was not expected here.
    #[cold]
    fn find(&mut self, record: &Record) -> Option<usize> {
        self.hash = self.hash(record);
        let same = |at: &u32| self.rows[*at as usize].hash == self.hash && self.is(*at as usize, record);
        let Some(found) = self.by_hash.find(spread(self.hash), same).copied() else {
            self.missed += 1;
            if self.missed > TRIED && self.missed / 2 > self.met {
                let parts = std::mem::take(&mut self.parts);
                *self = Self { parts, given_up: true, ..Self::default() };
            }
            return None;
        };
        if let Some(last) = self.rows.get_mut(self.last) {
            // What comes once in between does not change what comes next.
            (last.next, last.doubted) = if last.doubted { (found, false) } else { (last.next, true) };
        }
        Some(found as usize)
    }

    /// Takes down the row that was looked for last and not found, before the quotes are taken off its
    /// texts: where its bytes begin. `None` if it is not to be kept.
    pub(super) fn note(&mut self, record: &Record) -> Option<u32> {
        if self.given_up || !record.is_raw() || record.len() < self.parts.len() {
            return None;
        }
        if self.bytes.len() > MOST {
            self.forget();
        }
        // What was noted and not kept is of no row.
        self.ends.truncate(self.rows.len() * self.cells);
        let begin = self.bytes.len();
        let fits = remember(record, &self.stretches, &self.alone, (&mut self.bytes, &mut self.ends));
        fits.then_some(begin as u32)
    }

    /// Keeps what the row that was noted last came to.
    pub(super) fn keep(&mut self, begin: u32, draft: &Draft) {
        self.texts.extend(self.columns.iter().map(|column| draft.text(*column).unwrap_or(Code::NONE)));
        let cards = draft.money(MoneyColumn::Cards);
        let count = self.counts.iter().position(|count| *count == cards).unwrap_or_else(|| {
            self.counts.push(cards);
            self.counts.len() - 1
        });
        let at = self.rows.len() as u32;
        self.rows.push(Row { hash: self.hash, bytes: begin, count: count as u32, next: at + 1, doubted: false });
        self.by_hash.insert_unique(spread(self.hash), at, |at| spread(self.rows[*at as usize].hash));
        self.last = at as usize;
    }

    fn hash(&self, record: &Record) -> u32 {
        let mut hasher = FxHasher::default();
        for (place, part) in self.parts.iter().enumerate() {
            if matches!(part, Part::Text | Part::Shared) {
                hasher.write(cell(record, place));
            }
        }
        hasher.finish() as u32
    }
}

#[inline]
fn cell(record: &Record, place: usize) -> &[u8] {
    record.get(place).unwrap_or_default()
}

/// The table takes its slot from the low and its tag from the high bits.
const fn spread(hash: u32) -> u64 {
    (hash as u64) << 32 | hash as u64
}
