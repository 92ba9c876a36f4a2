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
    /// Mantissas at [`narrow::NARROW`].
    money: [i64; MoneyColumn::ALL.len()],
    /// Those that do not fit there, at [`money::SCALE`].
    wide: Vec<(MoneyColumn, i128)>,
    time: [i64; TimeColumn::ALL.len()],
}

/// The mark of a number or a time that is not there; none is this.
const NONE: i64 = i64::MIN;

impl Draft {
    /// An empty line read from a row.
    pub fn new(row: u32) -> Self {
        Self {
            row,
            text: [Code::NONE; TextColumn::ALL.len()],
            money: [NONE; MoneyColumn::ALL.len()],
            wide: Vec::new(),
            time: [NONE; TimeColumn::ALL.len()],
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
            NONE => self.wide(column),
            mantissa => Some(narrow::widen(mantissa)),
        }
    }

    fn wide(&self, column: MoneyColumn) -> Option<i128> {
        self.wide.iter().find(|(wide, _)| *wide == column).map(|(_, mantissa)| *mantissa)
    }

    /// Sets a decimal column.
    #[inline]
    pub fn set_money(&mut self, column: MoneyColumn, mantissa: Option<i128>) {
        let narrow = mantissa.and_then(narrow::narrow);
        self.set_number(column, narrow.unwrap_or(NONE));
        if let Some(mantissa) = mantissa.filter(|_| narrow.is_none()) {
            self.wide.push((column, mantissa));
        }
    }

    /// Sets a decimal column; a mantissa at [`narrow::NARROW`].
    #[inline]
    pub(super) fn set_number(&mut self, column: MoneyColumn, mantissa: i64) {
        self.money[column as usize] = mantissa;
        self.wide.retain(|(wide, _)| *wide != column);
    }

    /// A decimal column as a number to compute with.
    pub(super) fn decimal(&self, column: MoneyColumn) -> Option<Decimal> {
        match self.money[column as usize] {
            NONE => self.wide(column).and_then(money::to_decimal),
            mantissa => Some(narrow::short_to_decimal(mantissa)),
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
            NONE => self.wide(column).map(|mantissa| mantissa.signum() as i64),
            mantissa => Some(mantissa.signum()),
        }
    }

    /// A time column, UTC microseconds.
    #[inline]
    pub fn time(&self, column: TimeColumn) -> Option<i64> {
        let micros = self.time[column as usize];
        (micros != NONE).then_some(micros)
    }

    /// Sets a time column.
    #[inline]
    pub fn set_time(&mut self, column: TimeColumn, micros: Option<i64>) {
        self.time[column as usize] = micros.unwrap_or(NONE);
    }

    /// Writes the line.
    pub(super) fn write(&self, lines: &mut Lines) {
        lines.write(&self.text, &self.money, &self.time);
        for (column, mantissa) in &self.wide {
            lines.money(*column, *mantissa);
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
