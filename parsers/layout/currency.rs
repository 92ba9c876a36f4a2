//! The mark beside an amount held against the currency of its line.
//!
//! A line has the currency that its columns name, else the one of kashi.toml's `[[account]]`, else
//! the platform's. An amount marked with another is refused: the same digits are other money. Only
//! where nothing names a currency do the marks give it, if they can mean but one.

use super::convert::Converter;
use super::draft::Draft;
use super::plan::Step;
use crate::ledger::marks::Currencies;
use crate::ledger::{Lines, TextColumn};
use crate::message::Message;
use crate::open::Record;

/// What the marks of amounts say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// Of the amount that is being read.
    pub(super) met: Currencies,
    /// Of the amounts of the line so far, where nothing else names a currency.
    line: Currencies,
}

impl Default for Met {
    fn default() -> Self {
        Self { met: Currencies::ANY, line: Currencies::ANY }
    }
}

impl Met {
    /// A further mark of the amount that is being read.
    pub(super) fn meet(&mut self, currencies: Currencies) {
        self.met = self.met.and(currencies);
    }
}

impl Converter<'_> {
    /// Refuses an amount whose mark is not that of its line's currency.
    ///
    /// The texts of a line are read before its amounts, so that its currency is known here.
    #[cold]
    pub(super) fn compare(&mut self, step: &Step, record: &Record, draft: &Draft, lines: &Lines) {
        let met = std::mem::replace(&mut self.currencies.met, Currencies::ANY);
        let own = draft.text(TextColumn::Currency).map(|code| lines.word(code));
        // What a quantity costs is in the currency of the price agreed.
        let known = own.or(self.told.currency.as_deref().filter(|_| !self.priced));
        let (expected, hint) = match known {
            Some(currency) if met.fits(currency) => return,
            Some(currency) => (message!("an amount in {currency}, the currency of the line"), self.other(own)),
            None => {
                let both = self.currencies.line.and(met);
                if !both.is_none() {
                    self.currencies.line = both;
                    return;
                }
                let hint = message!("one line has one currency; check the bill in the console, or export it again");
                (message!("an amount in the currency of the line's other amounts"), hint)
            }
        };
        let cell = step.place.and_then(|p| record.get(p)).or(step.given.as_deref()).unwrap_or_default();
        let found = String::from_utf8_lossy(cell).trim().to_owned();
        self.refuse(draft.row, &step.name, &found, expected, Some(hint));
    }

    /// What a user does about a mark of another currency.
    fn other(&self, own: Option<&str>) -> Message {
        match own {
            Some(_) => message!("the bill contradicts itself: check the line in the console, or export the bill again"),
            None => message!(
                "the export has no column for the currency, so that the platform's own was taken; if it is another, say it in kashi.toml: [[account]] platform = \"{}\", currency = \"…\"",
                self.plan.provider
            ),
        }
    }

    /// Gives a line whose export names no currency the one that its marks mean.
    pub(super) fn take_currency(&mut self, draft: &mut Draft, lines: &mut Lines) {
        if self.currencies.line == Currencies::ANY {
            return;
        }
        let marks = std::mem::replace(&mut self.currencies.line, Currencies::ANY);
        if let Some(currency) = marks.only().filter(|_| draft.text(TextColumn::Currency).is_none()) {
            draft.set_text(TextColumn::Currency, Some(lines.code(currency)));
        }
    }
}
