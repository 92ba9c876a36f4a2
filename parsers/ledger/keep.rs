//! A ledger without some of its lines, and lines told apart by their texts.

use polars::prelude::*;

use super::frame::Mantissas;
use super::{Code, Ledger, TextColumn};

impl Ledger {
    /// The lines that are kept, in their order; `keep` has one mark a line.
    ///
    /// # Errors
    /// If there are not as many marks as lines.
    pub fn keep(&self, keep: &[bool]) -> PolarsResult<Self> {
        let mask = BooleanChunked::from_slice(PlSmallStr::EMPTY, keep);
        let money = |column: &Mantissas| {
            Ok(match column {
                Mantissas::Narrow(column) => Mantissas::Narrow(column.filter(&mask)?),
                Mantissas::Wide(column) => Mantissas::Wide(column.filter(&mask)?),
            })
        };
        Ok(Self {
            row: self.row.filter(&mask)?,
            text: self.text.iter().map(|column| column.filter(&mask)).collect::<PolarsResult<_>>()?,
            money: self.money.iter().map(money).collect::<PolarsResult<_>>()?,
            time: self.time.iter().map(|column| column.filter(&mask)).collect::<PolarsResult<_>>()?,
            words: self.words.clone(),
        })
    }

    /// A text as the ledger stores it: two lines have the same text where they have the same code.
    pub fn code(&self, column: TextColumn, index: usize) -> Option<Code> {
        self.text[column as usize].get(index).map(Code)
    }

    /// The text of a code.
    pub fn text_of(&self, code: Code) -> &str {
        self.word(code.0).unwrap_or_default()
    }
}
