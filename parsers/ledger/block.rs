//! Lines of the ledger in blocks: written column by column, then packed.

use std::sync::Arc;

use super::Code;
use super::columns::{MoneyColumn, TextColumn, TimeColumn};
use super::narrow::{narrow, widen};
use super::packed::{NONE, Packed};

/// Lines of a full block: few enough that the open one stays in the processor's cache.
pub(super) const BLOCK: usize = 1 << 12;

const TEXTS: usize = TextColumn::ALL.len();
const AMOUNTS: usize = MoneyColumn::ALL.len();
const TIMES: usize = TimeColumn::ALL.len();

/// The block that is being written; its buffers serve every block.
#[derive(Debug, Default)]
pub(super) struct Open {
    pub(super) lines: usize,
    /// The row of each line less its place: nearly always the same.
    rows: Vec<i64>,
    text: [Column; TEXTS],
    money: [Amounts; AMOUNTS],
    time: [Column; TIMES],
}

/// A column of the open block: [`NONE`] in every line that has no value; empty before the first has one.
#[derive(Debug, Default)]
struct Column(Vec<i64>);

/// A column of decimals at [`super::narrow::NARROW`], and those that do not fit there.
#[derive(Debug, Default)]
struct Amounts {
    narrow: Column,
    /// The place, and the mantissa at [`super::money::SCALE`].
    wide: Vec<(usize, i128)>,
}

impl Open {
    #[inline]
    pub(super) fn text(&mut self, column: TextColumn, code: u32) {
        self.text[column as usize].set(self.lines, i64::from(code));
    }

    #[inline]
    pub(super) fn time(&mut self, column: TimeColumn, micros: i64) {
        self.time[column as usize].set(self.lines, micros);
    }

    /// Sets a mantissa at [`super::narrow::NARROW`].
    #[inline]
    pub(super) fn number(&mut self, column: MoneyColumn, mantissa: i64) {
        self.money[column as usize].narrow.set(self.lines, mantissa);
    }

    /// Sets a mantissa at [`super::money::SCALE`].
    pub(super) fn money(&mut self, column: MoneyColumn, mantissa: i128) {
        match narrow(mantissa) {
            Some(mantissa) => self.number(column, mantissa),
            None => self.money[column as usize].wide.push((self.lines, mantissa)),
        }
    }

    /// Sets all columns of the line, each by its place.
    #[inline]
    pub(super) fn write(&mut self, texts: &[Code], money: &[i64], times: &[i64]) {
        let line = self.lines;
        for (column, code) in self.text.iter_mut().zip(texts).filter(|(_, code)| **code != Code::NONE) {
            column.set(line, i64::from(code.0));
        }
        for (amounts, mantissa) in self.money.iter_mut().zip(money).filter(|(_, mantissa)| **mantissa != NONE) {
            amounts.narrow.set(line, *mantissa);
        }
        for (column, micros) in self.time.iter_mut().zip(times).filter(|(_, micros)| **micros != NONE) {
            column.set(line, *micros);
        }
    }

    /// A mantissa of a line that was ended, at [`super::money::SCALE`].
    pub(super) fn money_at(&self, column: MoneyColumn, line: usize) -> Option<i128> {
        let amounts = &self.money[column as usize];
        let wide = amounts.wide.iter().find(|(at, _)| *at == line).map(|(_, mantissa)| *mantissa);
        wide.or_else(|| amounts.narrow.get(line).map(widen))
    }

    /// Whether a line that was ended has a text.
    pub(super) fn has_text(&self, column: TextColumn, line: usize) -> bool {
        self.text[column as usize].get(line).is_some()
    }

    /// Whether a line that was ended has a time.
    pub(super) fn has_time(&self, column: TimeColumn, line: usize) -> bool {
        self.time[column as usize].get(line).is_some()
    }

    /// Ends the line, read from this row of its file.
    #[inline]
    pub(super) fn commit(&mut self, row: u32) {
        self.rows.push(i64::from(row) - self.lines as i64);
        self.lines += 1;
    }

    /// Packs what was written, the first line at a place of the ledger, and begins again.
    pub(super) fn seal(&mut self, first: usize) -> Block {
        let lines = std::mem::take(&mut self.lines);
        let rows = Packed::new(&self.rows);
        self.rows.clear();
        Block {
            first,
            lines,
            rows,
            text: self.text.each_mut().map(|column| column.pack(lines)),
            money: self.money.each_mut().map(|column| column.pack(lines)),
            time: self.time.each_mut().map(|column| column.pack(lines)),
            codes: None,
        }
    }
}

impl Column {
    #[inline]
    fn set(&mut self, line: usize, value: i64) {
        match self.0.get_mut(line) {
            Some(place) => *place = value,
            None => self.begin(line, value),
        }
    }

    fn get(&self, line: usize) -> Option<i64> {
        self.0.get(line).copied().filter(|value| *value != NONE)
    }

    #[cold]
    fn begin(&mut self, line: usize, value: i64) {
        self.0.resize(BLOCK, NONE);
        self.0[line] = value;
    }

    fn pack(&mut self, lines: usize) -> Packed {
        let packed = Packed::new(self.values(lines));
        self.0.fill(NONE);
        packed
    }

    /// The values of the first lines; none if no line has one.
    fn values(&self, lines: usize) -> &[i64] {
        self.0.get(..lines).unwrap_or_default()
    }
}

impl Amounts {
    fn pack(&mut self, lines: usize) -> Mantissas {
        if self.wide.is_empty() {
            return Mantissas::Narrow(self.narrow.pack(lines));
        }
        let narrow = self.narrow.values(lines).iter().map(|value| (*value != NONE).then(|| widen(*value)));
        let mut values: Vec<Option<i128>> = narrow.collect();
        values.resize(lines, None);
        for (line, mantissa) in self.wide.drain(..) {
            values[line] = Some(mantissa);
        }
        self.narrow.0.fill(NONE);
        Mantissas::Wide(Packed::wide(&values))
    }
}

/// Lines that follow each other in one file or several, packed.
#[derive(Debug)]
pub(super) struct Block {
    /// The place of the first line in the ledger.
    pub(super) first: usize,
    pub(super) lines: usize,
    rows: Packed,
    text: [Packed; TEXTS],
    money: [Mantissas; AMOUNTS],
    time: [Packed; TIMES],
    /// The ledger's code of each code of the block, where it was written with a dictionary of its own.
    codes: Option<Arc<[u32]>>,
}

/// Decimals, exact.
#[derive(Debug)]
enum Mantissas {
    /// At [`super::narrow::NARROW`].
    Narrow(Packed),
    /// At [`super::money::SCALE`].
    Wide(Packed),
}

/// A decimal as a block has it.
#[derive(Clone, Copy)]
pub(super) enum Mantissa {
    /// At [`super::narrow::NARROW`].
    Narrow(i64),
    /// At [`super::money::SCALE`].
    Wide(i128),
}

impl Mantissa {
    /// At [`super::money::SCALE`].
    #[inline]
    pub(super) fn wide(self) -> i128 {
        match self {
            Self::Narrow(mantissa) => widen(mantissa),
            Self::Wide(mantissa) => mantissa,
        }
    }
}

impl Block {
    /// The code of a text in the ledger's dictionary.
    #[inline]
    pub(super) fn text(&self, column: TextColumn, at: usize) -> Option<u32> {
        let code = self.text[column as usize].get(at)? as u32;
        match &self.codes {
            Some(codes) => codes.get(code as usize).copied(),
            None => Some(code),
        }
    }

    #[inline]
    pub(super) fn money(&self, column: MoneyColumn, at: usize) -> Option<Mantissa> {
        match &self.money[column as usize] {
            Mantissas::Narrow(packed) => packed.get(at).map(|mantissa| Mantissa::Narrow(mantissa as i64)),
            Mantissas::Wide(packed) => packed.get(at).map(Mantissa::Wide),
        }
    }

    #[inline]
    pub(super) fn time(&self, column: TimeColumn, at: usize) -> Option<i64> {
        self.time[column as usize].get(at).map(|micros| micros as i64)
    }

    pub(super) fn row(&self, at: usize) -> u32 {
        self.rows.get(at).map_or(0, |row| (row + at as i128) as u32)
    }

    /// Takes the block, written as a part of its own, into a ledger.
    pub(super) fn adopt(mut self, first: usize, rows: u32, codes: &Arc<[u32]>) -> Self {
        self.first += first;
        self.rows.shift(rows);
        self.codes = Some(codes.clone());
        self
    }
}
