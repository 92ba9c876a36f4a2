//! A ledger line before it is written.

use crate::ledger::{Lines, MoneyColumn, TextColumn, TimeColumn};

use super::adapters::Adapter;
use crate::error::Refusal;
use crate::ledger::Code;

/// One line, column by column, while conversion and adapters work on it.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The row of the bill.
    pub row: u32,
    text: [Option<Code>; TextColumn::ALL.len()],
    money: [Option<i128>; MoneyColumn::ALL.len()],
    time: [Option<i64>; TimeColumn::ALL.len()],
}

impl Draft {
    /// An empty line read from a row.
    pub fn new(row: u32) -> Self {
        Self {
            row,
            text: [None; TextColumn::ALL.len()],
            money: [None; MoneyColumn::ALL.len()],
            time: [None; TimeColumn::ALL.len()],
        }
    }

    /// A text column's code in the ledger's dictionary.
    #[inline]
    pub fn text(&self, column: TextColumn) -> Option<Code> {
        self.text[column as usize]
    }

    /// Sets a text column.
    #[inline]
    pub fn set_text(&mut self, column: TextColumn, code: Option<Code>) {
        self.text[column as usize] = code;
    }

    /// A decimal column's mantissa at the ledger's scale.
    #[inline]
    pub fn money(&self, column: MoneyColumn) -> Option<i128> {
        self.money[column as usize]
    }

    /// Sets a decimal column.
    #[inline]
    pub fn set_money(&mut self, column: MoneyColumn, mantissa: Option<i128>) {
        self.money[column as usize] = mantissa;
    }

    /// A time column, UTC microseconds.
    #[inline]
    pub fn time(&self, column: TimeColumn) -> Option<i64> {
        self.time[column as usize]
    }

    /// Sets a time column.
    #[inline]
    pub fn set_time(&mut self, column: TimeColumn, micros: Option<i64>) {
        self.time[column as usize] = micros;
    }

    /// Writes the line.
    pub(super) fn write(&self, lines: &mut Lines) {
        for (column, _) in TextColumn::ALL {
            if let Some(code) = self.text(column) {
                lines.coded(column, code);
            }
        }
        for (column, _) in MoneyColumn::ALL {
            if let Some(mantissa) = self.money(column) {
                lines.money(column, mantissa);
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

    /// Lets the adapter see all lines, then writes them.
    pub(super) fn finish(mut self) -> Vec<Refusal> {
        let refusals = self.adapter.take().map_or_else(Vec::new, |adapt| adapt(&mut self));
        for draft in &self.held {
            draft.write(self.lines);
        }
        refusals
    }
}
