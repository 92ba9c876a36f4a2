//! The ledger while it is being written.

use std::sync::Arc;

use super::block::{BLOCK, Block, Mantissa, Open};
use super::dictionary::{Code, Dictionary};
use super::{Category, Kind, MoneyColumn, Terms, TextColumn, TimeColumn};

/// Ledger lines under construction. Set the columns of the current line, then [`Lines::commit`].
#[derive(Debug, Default)]
pub struct Lines {
    sealed: Vec<Block>,
    open: Open,
    words: Dictionary,
}

impl Lines {
    /// An empty ledger.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of committed lines.
    pub fn len(&self) -> usize {
        self.sealed_lines() + self.open.lines
    }

    /// Whether there is no line yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The dictionary's code of a text.
    pub fn code(&mut self, text: &str) -> Code {
        // Four billion different texts do not fit the memory of any machine this runs on.
        self.words.code(text.as_bytes()).unwrap_or(Code::NONE)
    }

    /// The dictionary's code of a cell; `None` if it is not UTF-8.
    #[inline]
    pub fn code_of(&mut self, cell: &[u8]) -> Option<Code> {
        self.words.code(cell)
    }

    /// The text of a code.
    #[inline]
    pub fn word(&self, code: Code) -> &str {
        self.words.word(code.0).unwrap_or_default()
    }

    /// Sets a text column of the current line.
    pub fn text(&mut self, column: TextColumn, text: &str) {
        let code = self.code(text);
        self.coded(column, code);
    }

    /// Sets a text column of the current line to a text met before.
    #[inline]
    pub fn coded(&mut self, column: TextColumn, code: Code) {
        self.open.text(column, code.0);
    }

    /// Sets a decimal column of the current line; a mantissa at [`super::money::SCALE`].
    pub fn money(&mut self, column: MoneyColumn, mantissa: i128) {
        self.open.money(column, mantissa);
    }

    /// Sets a time column of the current line; UTC microseconds since 1970.
    #[inline]
    pub fn time(&mut self, column: TimeColumn, micros: i64) {
        self.open.time(column, micros);
    }

    /// Sets all columns of the current line, each by its place: [`Code::NONE`] and the least number where
    /// there is no value; decimals are mantissas at [`super::narrow::NARROW`].
    #[inline]
    pub(crate) fn write(&mut self, texts: &[Code], money: &[i64], times: &[i64]) {
        self.open.write(texts, money, times);
    }

    /// Sets the kind of the current line.
    pub fn kind(&mut self, kind: Kind) {
        self.text(TextColumn::Kind, kind.as_str());
    }

    /// Sets the category of the current line.
    pub fn category(&mut self, category: Category) {
        self.text(TextColumn::Category, category.as_str());
    }

    /// Sets the terms of the current line.
    pub fn terms(&mut self, terms: Terms) {
        self.text(TextColumn::Terms, terms.as_str());
    }

    /// The different texts of a text column from a line on.
    pub(crate) fn texts_from(&mut self, first: usize, column: TextColumn) -> Vec<&str> {
        self.seal();
        let blocks = self.sealed.iter().filter(|block| block.first + block.lines > first);
        let mut codes: Vec<u32> = blocks
            .flat_map(|block| (first.saturating_sub(block.first)..block.lines).filter_map(|at| block.text(column, at)))
            .collect();
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().filter_map(|code| self.words.word(code)).collect()
    }

    /// A decimal of a line that was committed; a mantissa at [`super::money::SCALE`].
    pub(crate) fn money_at(&self, column: MoneyColumn, line: usize) -> Option<i128> {
        match self.block_at(line) {
            Some(block) => block.money(column, line - block.first).map(Mantissa::wide),
            None => self.open.money_at(column, line.checked_sub(self.sealed_lines())?),
        }
    }

    /// Whether a line that was committed has a text.
    pub(crate) fn has_text(&self, column: TextColumn, line: usize) -> bool {
        match self.block_at(line) {
            Some(block) => block.text(column, line - block.first).is_some(),
            None => line.checked_sub(self.sealed_lines()).is_some_and(|at| self.open.has_text(column, at)),
        }
    }

    /// Whether a line that was committed has a time.
    pub(crate) fn has_time(&self, column: TimeColumn, line: usize) -> bool {
        match self.block_at(line) {
            Some(block) => block.time(column, line - block.first).is_some(),
            None => line.checked_sub(self.sealed_lines()).is_some_and(|at| self.open.has_time(column, at)),
        }
    }

    /// The sealed block of a line.
    fn block_at(&self, line: usize) -> Option<&Block> {
        let at = self.sealed.partition_point(|block| block.first <= line).checked_sub(1)?;
        self.sealed.get(at).filter(|block| line < block.first + block.lines)
    }

    /// Ends the current line, read from this row of its file.
    pub fn commit(&mut self, row: u32) {
        self.open.commit(row);
        if self.open.lines == BLOCK {
            self.seal();
        }
    }

    /// Adds the lines of a part of a file that was read on its own and begins after this many rows.
    pub(crate) fn append(&mut self, mut part: Self, rows: u32) {
        self.seal();
        part.seal();
        let first = self.sealed_lines();
        let codes: Arc<[u32]> = part.words.words().map(|word| self.code(word).0).collect();
        self.sealed.extend(part.sealed.into_iter().map(|block| block.adopt(first, rows, &codes)));
    }

    /// The packed lines and their texts.
    pub(super) fn finish(mut self) -> (Vec<Block>, Dictionary) {
        self.seal();
        self.sealed.shrink_to_fit();
        (self.sealed, self.words)
    }

    fn seal(&mut self) {
        if self.open.lines > 0 {
            let first = self.sealed_lines();
            self.sealed.push(self.open.seal(first));
        }
    }

    fn sealed_lines(&self) -> usize {
        self.sealed.last().map_or(0, |block| block.first + block.lines)
    }
}
