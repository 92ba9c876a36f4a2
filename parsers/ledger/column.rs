//! One growing buffer of a ledger column.

use super::narrow::widen;

/// A column of optional values that costs nothing until its first value.
#[derive(Debug, Default)]
pub(super) struct Column<T> {
    pub(super) values: Vec<T>,
    /// Whether a row has none.
    pub(super) gaps: bool,
}

impl<T: Copy> Column<T> {
    #[inline]
    pub(super) fn set(&mut self, row: usize, value: T, null: T, expected_rows: usize) {
        if self.values.len() != row || row == 0 {
            self.pad(row, null, expected_rows);
        }
        self.values.push(value);
    }

    /// Fills the rows that had no value.
    #[cold]
    fn pad(&mut self, row: usize, null: T, expected_rows: usize) {
        if self.values.is_empty() {
            self.values.reserve(expected_rows.max(row + 1));
        }
        self.gaps |= self.values.len() < row;
        self.values.resize(row, null);
    }

    /// The values, one a row; empty if no row has one.
    pub(super) fn finish(mut self, rows: usize, null: T) -> Self {
        if !self.values.is_empty() {
            self.gaps |= self.values.len() < rows;
            self.values.resize(rows, null);
            self.values.shrink_to_fit();
        }
        self
    }
}

/// A decimal column: eight bytes a value as long as each fits, then sixteen.
#[derive(Debug)]
pub(super) enum Numbers {
    /// Mantissas at scale [`super::narrow::NARROW`].
    Narrow(Column<i64>),
    /// Mantissas at [`super::money::SCALE`].
    Wide(Column<i128>),
}

impl Default for Numbers {
    fn default() -> Self {
        Self::Narrow(Column::default())
    }
}

impl Numbers {
    #[inline]
    pub(super) fn set(&mut self, row: usize, mantissa: i64, expected_rows: usize) {
        match self {
            Self::Narrow(values) => values.set(row, mantissa, NO_NUMBER, expected_rows),
            Self::Wide(values) => values.set(row, widen(mantissa), NO_MONEY, expected_rows),
        }
    }

    /// Sets a number that is too fine or too large for eight bytes.
    #[cold]
    pub(super) fn set_wide(&mut self, row: usize, mantissa: i128, expected_rows: usize) {
        if let Self::Narrow(column) = self {
            let wide = |v: &i64| if *v == NO_NUMBER { NO_MONEY } else { widen(*v) };
            let mut values = Vec::with_capacity(column.values.capacity());
            values.extend(column.values.iter().map(wide));
            *self = Self::Wide(Column { values, gaps: column.gaps });
        }
        if let Self::Wide(column) = self {
            column.set(row, mantissa, NO_MONEY, expected_rows);
        }
    }
}

pub(super) const NO_CODE: u32 = u32::MAX;
pub(super) const NO_MONEY: i128 = i128::MIN;
pub(super) const NO_NUMBER: i64 = i64::MIN;
pub(super) const NO_TIME: i64 = i64::MIN;
