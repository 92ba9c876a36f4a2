//! The finished ledger.

use chrono::{DateTime, Utc};
use polars::prelude::*;
use rust_decimal::Decimal;

use super::Line;
use super::column::{Column, NO_CODE, NO_MONEY, NO_NUMBER, NO_TIME, Numbers};
use super::columns::{Lines, MoneyColumn, TextColumn, TimeColumn};
use super::dictionary::Dictionary;
use super::money::{PRECISION, SCALE, to_decimal};
use super::narrow::{short_to_decimal, widen};

/// Every line of every bill, exact.
///
/// The columns lie in polars arrays from the start; [`Ledger::frame`] puts them together, which
/// a command that only adds up does not need.
#[derive(Clone)]
pub struct Ledger {
    pub(super) row: UInt32Chunked,
    pub(super) text: Vec<UInt32Chunked>,
    pub(super) money: Vec<Mantissas>,
    pub(super) time: Vec<Int64Chunked>,
    pub(super) words: std::sync::Arc<Dictionary>,
}

impl Ledger {
    /// Takes the written lines; nothing is copied.
    pub fn new(lines: Lines) -> Self {
        let Lines { rows, row, text, money, time, words, .. } = lines;
        let named = |name| PlSmallStr::from_static(name);
        Self {
            row: UInt32Chunked::from_vec(named("row"), row),
            text: text.into_iter().zip(TextColumn::ALL).map(|(c, (_, n))| nullable(c, n, rows, NO_CODE)).collect(),
            money: money.into_iter().zip(MoneyColumn::ALL).map(|(c, (_, n))| Mantissas::new(c, n, rows)).collect(),
            time: time.into_iter().zip(TimeColumn::ALL).map(|(c, (_, n))| nullable(c, n, rows, NO_TIME)).collect(),
            words: words.into(),
        }
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
        for (codes, _) in self.text.iter().zip(TextColumn::ALL).filter(|(_, (_, name))| names.contains(name)) {
            let codes = codes.apply_values(|code| recode.get(code as usize).copied().unwrap_or(code));
            columns
                .push(CategoricalChunked::<Categorical32Type>::from_cats_and_dtype(codes, dtype.clone()).into_column());
        }
        if names.contains(&"row") {
            columns.insert(columns.len().min(2), self.row.clone().into_column());
        }
        for (micros, _) in self.time.iter().zip(TimeColumn::ALL).filter(|(_, (_, name))| names.contains(name)) {
            columns.push(micros.clone().into_datetime(TimeUnit::Microseconds, Some(TimeZone::UTC)).into_column());
        }
        for (mantissas, _) in self.money.iter().zip(MoneyColumn::ALL).filter(|(_, (_, name))| names.contains(name)) {
            columns.push(mantissas.wide().into_decimal(PRECISION, SCALE as usize)?.into_column());
        }
        DataFrame::new(self.len(), columns)
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.row.len()
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
        self.row.get(index).unwrap_or_default()
    }

    pub(super) fn text(&self, column: TextColumn, index: usize) -> Option<&str> {
        self.text[column as usize].get(index).and_then(|code| self.word(code))
    }

    pub(super) fn money(&self, column: MoneyColumn, index: usize) -> Option<Decimal> {
        self.money[column as usize].decimal(index)
    }

    pub(super) fn time(&self, column: TimeColumn, index: usize) -> Option<DateTime<Utc>> {
        self.time[column as usize].get(index).and_then(DateTime::from_timestamp_micros)
    }
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ledger({} lines)", self.len())
    }
}

/// A column whose `null` marks become a validity bitmap, without a copy of the values.
fn nullable<T: PolarsNumericType>(
    column: Column<T::Native>,
    name: &'static str,
    rows: usize,
    null: T::Native,
) -> ChunkedArray<T>
where
    T::Native: PartialEq + Copy,
{
    let name = PlSmallStr::from_static(name);
    let Column { values, gaps } = column.finish(rows, null);
    if values.is_empty() {
        return ChunkedArray::<T>::full_null(name, rows);
    }
    if !gaps {
        return ChunkedArray::from_vec(name, values);
    }
    let validity = values.iter().map(|v| *v != null).collect();
    ChunkedArray::from_vec_validity(name, values, Some(validity))
}

/// A decimal column, as narrow as its values allow.
#[derive(Clone)]
pub(super) enum Mantissas {
    /// At scale [`super::narrow::NARROW`].
    Narrow(Int64Chunked),
    /// At [`SCALE`].
    Wide(Int128Chunked),
}

impl Mantissas {
    fn new(column: Numbers, name: &'static str, rows: usize) -> Self {
        match column {
            Numbers::Narrow(column) => Self::Narrow(nullable(column, name, rows, NO_NUMBER)),
            Numbers::Wide(column) => Self::Wide(nullable(column, name, rows, NO_MONEY)),
        }
    }

    /// The mantissas at [`SCALE`], as polars' decimals want them.
    fn wide(&self) -> Int128Chunked {
        match self {
            Self::Narrow(column) => column.apply_nonnull_values_generic(DataType::Int128, widen),
            Self::Wide(column) => column.clone(),
        }
    }

    fn decimal(&self, index: usize) -> Option<Decimal> {
        match self {
            Self::Narrow(column) => column.get(index).map(short_to_decimal),
            Self::Wide(column) => column.get(index).and_then(to_decimal),
        }
    }

    /// The mantissas at [`SCALE`], 0 where there is none.
    pub(super) fn iter(&self) -> Box<dyn Iterator<Item = i128> + '_> {
        match self {
            Self::Narrow(column) => Box::new(column.iter().map(|m| m.map_or(0, widen))),
            Self::Wide(column) => Box::new(column.iter().map(|m| m.unwrap_or(0))),
        }
    }
}
