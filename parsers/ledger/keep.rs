//! A ledger without some of its lines, and lines told apart by their texts.

use super::block::{BLOCK, Block, Mantissa, Open};
use super::{Code, Ledger, MoneyColumn, TextColumn, TimeColumn};

impl Ledger {
    /// The lines that are kept, in their order; `keep` has one mark a line.
    #[must_use]
    pub fn keep(&self, keep: &[bool]) -> Self {
        let (mut sealed, mut open, mut first) = (Vec::new(), Open::default(), 0);
        for block in self.blocks.iter() {
            let kept = (0..block.lines).filter(|at| keep.get(block.first + at) == Some(&true));
            for at in kept {
                write(block, at, &mut open);
                if open.lines == BLOCK {
                    sealed.push(open.seal(first));
                    first += BLOCK;
                }
            }
        }
        if open.lines > 0 {
            sealed.push(open.seal(first));
        }
        Self { blocks: sealed.into(), words: self.words.clone() }
    }

    /// A text as the ledger stores it: two lines have the same text where they have the same code.
    pub fn code(&self, column: TextColumn, index: usize) -> Option<Code> {
        let (block, at) = self.at(index)?;
        block.text(column, at).map(Code)
    }

    /// The text of a code.
    pub fn text_of(&self, code: Code) -> &str {
        self.word(code.0).unwrap_or_default()
    }
}

/// Writes a line of a block again.
fn write(block: &Block, at: usize, open: &mut Open) {
    for (column, _) in TextColumn::ALL {
        if let Some(code) = block.text(column, at) {
            open.text(column, code);
        }
    }
    for (column, _) in MoneyColumn::ALL {
        match block.money(column, at) {
            None => {}
            Some(Mantissa::Narrow(mantissa)) => open.number(column, mantissa),
            Some(Mantissa::Wide(mantissa)) => open.money(column, mantissa),
        }
    }
    for (column, _) in TimeColumn::ALL {
        if let Some(micros) = block.time(column, at) {
            open.time(column, micros);
        }
    }
    open.commit(block.row(at));
}
