//! The finished ledger.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use polars::prelude::*;
use rust_decimal::Decimal;

use super::block::{BLOCK, Block, Mantissa};
use super::dictionary::Dictionary;
use super::money::{PRECISION, SCALE, to_decimal};
use super::narrow::short_to_decimal;
use super::{Line, Lines, MoneyColumn, TextColumn, TimeColumn};

/// Every line of every bill, exact.
///
/// The lines lie in packed blocks, each value a few bytes; [`Ledger::frame`] makes polars columns
/// of them, which a command that only adds up does not need.
#[derive(Clone)]
pub struct Ledger {
    pub(super) blocks: Arc<[Block]>,
    pub(super) words: Arc<Dictionary>,
}

impl Ledger {
    /// Takes the written lines.
    pub fn new(lines: Lines) -> Self {
        let (blocks, words) = lines.finish();
        Self { blocks: blocks.into(), words: words.into() }
    }

    /// The lines as one frame, for joins, groupings and writers.
    ///
    /// It has one row a line and the columns, in this order: `file`, `sheet`, `row`, the other text
    /// columns, `start`, `end`, `posted`, and the decimal columns at scale 18. Text is categorical,
    /// times are `datetime[us, UTC]`. A column that no bill has is there, all null.
    ///
    /// # Errors
    /// Only if polars refuses a column, which the bounds of [`super::money::parse`] rule out.
    pub fn frame(&self) -> PolarsResult<DataFrame> {
        let mut names: Vec<&str> = TextColumn::ALL.iter().map(|(_, name)| *name).collect();
        names.insert(2, "row");
        names.extend(TimeColumn::ALL.iter().map(|(_, name)| *name));
        names.extend(MoneyColumn::ALL.iter().map(|(_, name)| *name));
        self.select(&names)
    }

    /// Some of the columns of [`Ledger::frame`], in the order of the frame; unknown names are passed over.
    ///
    /// # Errors
    /// As [`Ledger::frame`].
    pub(super) fn select(&self, names: &[&str]) -> PolarsResult<DataFrame> {
        let cats = Categories::random(PlSmallStr::from_static("kashi"), CategoricalPhysical::U32);
        let mapping = cats.mapping();
        let recode = self.words.words().map(|w| mapping.insert_cat(w)).collect::<PolarsResult<Vec<u32>>>()?;
        let dtype = DataType::Categorical(cats, mapping);
        let mut columns: Vec<polars::prelude::Column> = Vec::with_capacity(35);
        for (column, name) in TextColumn::ALL.into_iter().filter(|(_, name)| names.contains(name)) {
            let code = |block: &Block, at| block.text(column, at).and_then(|code| recode.get(code as usize).copied());
            let codes = self.each(code).collect_ca(PlSmallStr::from_static(name));
            columns
                .push(CategoricalChunked::<Categorical32Type>::from_cats_and_dtype(codes, dtype.clone()).into_column());
        }
        if names.contains(&"row") {
            let rows: UInt32Chunked = self.each(|block, at| Some(block.row(at))).collect_ca("row".into());
            columns.insert(columns.len().min(2), rows.into_column());
        }
        for (column, name) in TimeColumn::ALL.into_iter().filter(|(_, name)| names.contains(name)) {
            let micros: Int64Chunked = self.each(|block, at| block.time(column, at)).collect_ca(name.into());
            columns.push(micros.into_datetime(TimeUnit::Microseconds, Some(TimeZone::UTC)).into_column());
        }
        for (column, name) in MoneyColumn::ALL.into_iter().filter(|(_, name)| names.contains(name)) {
            let mantissa = |block: &Block, at| block.money(column, at).map(Mantissa::wide);
            let mantissas: Int128Chunked = self.each(mantissa).collect_ca(name.into());
            columns.push(mantissas.into_decimal(PRECISION, SCALE as usize)?.into_column());
        }
        DataFrame::new(self.len(), columns)
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.first + block.lines)
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The line at a place.
    pub fn line(&self, index: usize) -> Line<'_> {
        Line::new(self, index)
    }

    /// All lines, in the order of the bills.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line<'_>> {
        (0..self.len()).map(|index| self.line(index))
    }

    pub(super) fn word(&self, code: u32) -> Option<&str> {
        self.words.word(code)
    }

    pub(super) fn row_number(&self, index: usize) -> u32 {
        self.at(index).map(|(block, at)| block.row(at)).unwrap_or_default()
    }

    pub(super) fn text(&self, column: TextColumn, index: usize) -> Option<&str> {
        let (block, at) = self.at(index)?;
        self.word(block.text(column, at)?)
    }

    pub(super) fn money(&self, column: MoneyColumn, index: usize) -> Option<Decimal> {
        let (block, at) = self.at(index)?;
        match block.money(column, at)? {
            Mantissa::Narrow(mantissa) => Some(short_to_decimal(mantissa)),
            Mantissa::Wide(mantissa) => to_decimal(mantissa),
        }
    }

    pub(super) fn time(&self, column: TimeColumn, index: usize) -> Option<DateTime<Utc>> {
        let (block, at) = self.at(index)?;
        DateTime::from_timestamp_micros(block.time(column, at)?)
    }

    /// A figure of each line, in the order of the bills.
    pub(super) fn each<'a, T>(&'a self, figure: impl Fn(&'a Block, usize) -> T + Copy) -> impl Iterator<Item = T> {
        self.blocks.iter().flat_map(move |block| (0..block.lines).map(move |at| figure(block, at)))
    }

    /// The block of a line, and its place there.
    #[inline]
    pub(super) fn at(&self, index: usize) -> Option<(&Block, usize)> {
        // No block has more than BLOCK lines, so it is this one, or one behind it where a part of a
        // bill that was read on its own ended with fewer.
        let from = self.blocks.get(index / BLOCK..)?;
        let ends = |block: &Block| block.first + block.lines;
        let block = match from.first()? {
            block if index < ends(block) => block,
            _ => from.get(from.partition_point(|block| ends(block) <= index))?,
        };
        Some((block, index.checked_sub(block.first)?))
    }
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ledger({} lines)", self.len())
    }
}
