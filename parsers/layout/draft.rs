//! A ledger line before it is written.

use rust_decimal::Decimal;

use super::adapters::Adapter;
use super::plan::Target;
use crate::error::Refusal;
use crate::ledger::{Code, Lines, MoneyColumn, TextColumn, TimeColumn, money, narrow};

/// One line, column by column, while conversion and adapters work on it.
///
/// One is filled and written for each row of a bill, so it is small: a mark stands for no value.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The row of the bill.
    pub row: u32,
    text: [Code; TextColumn::ALL.len()],
    money: [Number; MoneyColumn::ALL.len()],
    time: [i64; TimeColumn::ALL.len()],
}

/// A decimal as it was read.
#[derive(Clone, Copy, Debug)]
enum Number {
    None,
    /// A mantissa at [`narrow::NARROW`].
    Narrow(i64),
    /// A mantissa at [`money::SCALE`].
    Wide(i128),
}

const NO_TIME: i64 = i64::MIN;

impl Draft {
    /// An empty line read from a row.
    pub fn new(row: u32) -> Self {
        Self {
            row,
            text: [Code::NONE; TextColumn::ALL.len()],
            money: [Number::None; MoneyColumn::ALL.len()],
            time: [NO_TIME; TimeColumn::ALL.len()],
        }
    }

    /// A text column's code in the ledger's dictionary.
    #[inline]
    pub fn text(&self, column: TextColumn) -> Option<Code> {
        let code = self.text[column as usize];
        (code != Code::NONE).then_some(code)
    }

    /// Sets a text column.
    #[inline]
    pub fn set_text(&mut self, column: TextColumn, code: Option<Code>) {
        self.text[column as usize] = code.unwrap_or(Code::NONE);
    }

    /// A decimal column's mantissa at the ledger's scale.
    #[inline]
    pub fn money(&self, column: MoneyColumn) -> Option<i128> {
        match self.money[column as usize] {
            Number::None => None,
            Number::Narrow(mantissa) => Some(narrow::widen(mantissa)),
            Number::Wide(mantissa) => Some(mantissa),
        }
    }

    /// Sets a decimal column.
    #[inline]
    pub fn set_money(&mut self, column: MoneyColumn, mantissa: Option<i128>) {
        self.money[column as usize] = mantissa.map_or(Number::None, Number::Wide);
    }

    /// Sets a decimal column; a mantissa at [`narrow::NARROW`].
    #[inline]
    pub(super) fn set_number(&mut self, column: MoneyColumn, mantissa: i64) {
        self.money[column as usize] = Number::Narrow(mantissa);
    }

    /// A decimal column as a number to compute with.
    pub(super) fn decimal(&self, column: MoneyColumn) -> Option<Decimal> {
        match self.money[column as usize] {
            Number::None => None,
            Number::Narrow(mantissa) => Some(narrow::short_to_decimal(mantissa)),
            Number::Wide(mantissa) => money::to_decimal(mantissa),
        }
    }

    /// Sets a decimal column to a computed number, or to none if it does not fit the ledger.
    pub(super) fn set_decimal(&mut self, column: MoneyColumn, value: Decimal) {
        match narrow::short_decimal(value) {
            Some(mantissa) => self.set_number(column, mantissa),
            None => self.set_money(column, money::from_decimal(value)),
        }
    }

    /// The sign of a decimal column: -1, 0 or 1.
    #[inline]
    pub(super) fn sign(&self, column: MoneyColumn) -> Option<i64> {
        match self.money[column as usize] {
            Number::None => None,
            Number::Narrow(mantissa) => Some(mantissa.signum()),
            Number::Wide(mantissa) => Some(mantissa.signum() as i64),
        }
    }

    /// A time column, UTC microseconds.
    #[inline]
    pub fn time(&self, column: TimeColumn) -> Option<i64> {
        let micros = self.time[column as usize];
        (micros != NO_TIME).then_some(micros)
    }

    /// Sets a time column.
    #[inline]
    pub fn set_time(&mut self, column: TimeColumn, micros: Option<i64>) {
        self.time[column as usize] = micros.unwrap_or(NO_TIME);
    }

    /// Writes the line.
    pub(super) fn write(&self, lines: &mut Lines) {
        for (column, _) in TextColumn::ALL {
            if let Some(code) = self.text(column) {
                lines.coded(column, code);
            }
        }
        for (column, _) in MoneyColumn::ALL {
            match self.money[column as usize] {
                Number::None => {}
                Number::Narrow(mantissa) => lines.number(column, mantissa),
                Number::Wide(mantissa) => lines.money(column, mantissa),
            }
        }
        for (column, _) in TimeColumn::ALL {
            if let Some(micros) = self.time(column) {
                lines.time(column, micros);
            }
        }
        lines.commit(self.row);
    }
}

/// Lines on their way into the ledger: straight through, or held for an adapter that must see
/// the whole bill.
pub struct Drafts<'a> {
    /// The ledger, whose dictionary an adapter uses.
    pub lines: &'a mut Lines,
    /// The lines held, in the order of the bill.
    pub held: Vec<Draft>,
    adapter: Option<Adapter>,
}

impl<'a> Drafts<'a> {
    pub(super) fn new(lines: &'a mut Lines, adapter: Option<Adapter>) -> Self {
        Self { lines, held: Vec::new(), adapter }
    }

    pub(super) fn push(&mut self, draft: &Draft) {
        if self.adapter.is_some() {
            self.held.push(draft.clone());
        } else {
            draft.write(self.lines);
        }
    }

    /// The place behind the last line: in the ledger, or among those that are held.
    pub(super) fn end(&self) -> usize {
        if self.adapter.is_some() { self.held.len() } else { self.lines.len() }
    }

    /// What the line at a place costs.
    pub(super) fn cost_at(&self, at: usize) -> Option<i128> {
        match self.adapter {
            Some(_) => self.held.get(at)?.money(MoneyColumn::Cost),
            None => self.lines.money_at(MoneyColumn::Cost, at),
        }
    }

    /// Whether the line at a place has a column.
    pub(super) fn has_at(&self, target: Target, at: usize) -> bool {
        let held = self.adapter.and_then(|_| self.held.get(at));
        match (target, held) {
            (Target::Text(column), Some(draft)) => draft.text(column).is_some(),
            (Target::Text(column), None) => self.lines.has_text(column, at),
            (Target::Money(column), Some(draft)) => draft.sign(column).is_some(),
            (Target::Money(column), None) => self.lines.money_at(column, at).is_some(),
            (Target::Time(column), Some(draft)) => draft.time(column).is_some(),
            (Target::Time(column), None) => self.lines.has_time(column, at),
        }
    }

    /// Lets the adapter see all lines, then writes them.
    pub(super) fn finish(mut self) -> Vec<Refusal> {
        let refusals = self.adapter.take().map_or_else(Vec::new, |adapt| adapt(&mut self));
        for draft in &self.held {
            draft.write(self.lines);
        }
        refusals
    }
}
