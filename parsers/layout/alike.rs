//! Rows that are alike in their texts.
//!
//! What the text columns of a line say follows from a few cells of its row, and a bill names the
//! same resources hour after hour. So these cells are looked up together first: a row whose cells
//! were all met before, in one row, takes over what that row came to, and none of them is looked at
//! on its own.

use std::hash::Hasher;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::convert::same;
use super::draft::Draft;
use crate::ledger::{Code, MoneyColumn, TextColumn};
use crate::open::Record;

/// Bytes of cells that are kept; then it begins again.
const MOST: usize = 1 << 22;
/// Rows after which looking up must have been worth it.
const TRIED: u32 = 1 << 16;

/// What rows came to, by the cells that it follows from.
#[derive(Debug, Default)]
pub(super) struct Alike {
    /// The places of these cells.
    places: Vec<usize>,
    seen: Vec<Seen>,
    /// By the hash of all cells, where the row that was expected does not come.
    by_hash: HashTable<u32>,
    /// The cells of the rows, one behind the other, and how long each is.
    cells: Vec<u8>,
    lengths: Vec<u32>,
    texts: Vec<(TextColumn, Code)>,
    /// The row alike to the one before.
    last: usize,
    /// Rows that were alike, and rows that were not.
    met: u32,
    missed: u32,
    /// Rows are too rarely alike in this bill.
    given_up: bool,
}

#[derive(Debug)]
struct Seen {
    hash: u32,
    cells: u32,
    texts: Range<u32>,
    /// The number of cards that the look-up of a card gave.
    cards: Option<i128>,
    /// The row that came next the last time: a bill lists its resources in the same order again.
    next: usize,
}

impl Alike {
    /// For lines whose texts follow from the cells at these places.
    pub(super) fn new(mut places: Vec<usize>) -> Self {
        places.sort_unstable();
        places.dedup();
        Self { places, ..Self::default() }
    }

    /// Fills the texts of a line as those of a row alike were; `false` if there was none.
    #[inline]
    pub(super) fn fill(&mut self, record: &Record, draft: &mut Draft) -> bool {
        if self.given_up {
            return false;
        }
        let expected = self.seen.get(self.last).map_or(0, |seen| seen.next);
        let found = if self.is(expected, record) { Some(expected) } else { self.find(record) };
        let Some(seen) = found.and_then(|at| self.seen.get(at)) else {
            self.missed += 1;
            self.given_up = self.missed > TRIED && self.missed / 2 > self.met;
            return false;
        };
        self.last = found.unwrap_or_default();
        self.met = self.met.saturating_add(1);
        for (column, code) in &self.texts[seen.texts.start as usize..seen.texts.end as usize] {
            draft.set_text(*column, Some(*code));
        }
        if seen.cards.is_some() && draft.sign(MoneyColumn::Cards).is_none() {
            draft.set_money(MoneyColumn::Cards, seen.cards);
        }
        true
    }

    /// Whether a row has the cells of one seen.
    #[inline]
    fn is(&self, at: usize, record: &Record) -> bool {
        let Some(seen) = self.seen.get(at) else { return false };
        let mut start = seen.cells as usize;
        let lengths = &self.lengths[at * self.places.len()..][..self.places.len()];
        self.places.iter().zip(lengths).all(|(place, length)| {
            let end = start + *length as usize;
            let same = same(record.get(*place).unwrap_or_default(), &self.cells[start..end]);
            start = end;
            same
        })
    }

    #[cold]
    fn find(&mut self, record: &Record) -> Option<usize> {
        let hash = self.hash(record);
        let same = |at: &u32| self.seen[*at as usize].hash == hash && self.is(*at as usize, record);
        let found = *self.by_hash.find(spread(hash), same)? as usize;
        if let Some(last) = self.seen.get_mut(self.last) {
            last.next = found;
        }
        Some(found)
    }

    /// Keeps what a row came to.
    pub(super) fn keep(&mut self, record: &Record, texts: &[(TextColumn, Code)], cards: Option<i128>) {
        if self.given_up {
            return;
        }
        if self.cells.len() > MOST {
            self.by_hash.clear();
            self.seen.clear();
            self.cells.clear();
            self.lengths.clear();
            self.texts.clear();
        }
        let (start, first, at) = (self.cells.len(), self.texts.len(), self.seen.len());
        for place in &self.places {
            let cell = record.get(*place).unwrap_or_default();
            self.cells.extend_from_slice(cell);
            self.lengths.push(cell.len() as u32);
        }
        self.texts.extend_from_slice(texts);
        let hash = self.hash(record);
        if let Some(last) = self.seen.get_mut(self.last) {
            last.next = at;
        }
        let texts = first as u32..self.texts.len() as u32;
        self.seen.push(Seen { hash, cells: start as u32, texts, cards, next: at + 1 });
        self.last = at;
        self.by_hash.insert_unique(spread(hash), at as u32, |at| spread(self.seen[*at as usize].hash));
    }

    fn hash(&self, record: &Record) -> u32 {
        let mut hasher = FxHasher::default();
        for place in &self.places {
            hasher.write(record.get(*place).unwrap_or_default());
        }
        hasher.finish() as u32
    }
}

/// The table takes its slot from the low and its tag from the high bits.
const fn spread(hash: u32) -> u64 {
    (hash as u64) << 32 | hash as u64
}
