//! What a row states as a number: amounts, prices, quantities, numbers of cards.

use super::cell::{extract, utf8, value};
use super::convert::Converter;
use super::draft::Draft;
use super::plan::Step;
use super::schema::Via;
use super::word::instance;
use crate::catalogue;
use crate::ledger::marks::{Currencies, around};
use crate::ledger::money::{self, NotExact, Separators};
use crate::ledger::{Lines, MoneyColumn, narrow};
use crate::open::Record;

impl Converter<'_> {
    /// Fills a decimal column; `false` if the source gives no value.
    pub(super) fn money(
        &mut self,
        step: &mut Step,
        column: MoneyColumn,
        record: &Record,
        draft: &mut Draft,
        lines: &Lines,
    ) -> bool {
        if step.via.is_some() && column == MoneyColumn::Cards {
            return self.count(step, record, draft);
        }
        if step.plain
            && self.plan.separators != Separators::Point
            && let Some(mantissa) = step.place.and_then(|p| record.get(p)).and_then(narrow::short)
        {
            draft.set_number(column, mantissa);
            return true;
        }
        match self.amount(step, record, draft.row) {
            Amount::None => return false,
            Amount::Refused => self.currencies.met = Currencies::ANY,
            Amount::Short(mantissa) => draft.set_number(column, mantissa),
            Amount::Is(mantissa) => draft.set_money(column, Some(mantissa)),
        }
        if self.currencies.met != Currencies::ANY {
            self.compare(step, record, draft, lines);
        }
        true
    }

    /// A source's number, multiplied and added to as the layout says.
    pub(super) fn amount(&mut self, step: &Step, record: &Record, row: u32) -> Amount {
        let mut sum = self.own(step, record, row);
        if !step.times.is_empty() && !matches!(sum, Amount::None) {
            sum = self.multiplied(sum, step, record, row);
            if matches!(sum, Amount::None) {
                // A factor is not known, and so the number is not, whatever is added to it.
                return sum;
            }
        }
        if step.add.is_empty() {
            return sum;
        }
        if let Amount::Short(mantissa) = sum {
            sum = Amount::Is(narrow::widen(mantissa));
        }
        for added in &step.add {
            let other = match self.amount(added, record, row) {
                Amount::Short(mantissa) => Amount::Is(narrow::widen(mantissa)),
                other => other,
            };
            sum = match (sum, other) {
                (Amount::Refused, _) | (_, Amount::Refused) => return Amount::Refused,
                (Amount::Is(one), Amount::Is(other)) => match checked(one, other) {
                    Ok(both) => Amount::Is(both),
                    Err(why) => return self.inexact(step, "", why, row),
                },
                (known, Amount::None) | (_, known) => known,
            };
        }
        sum
    }

    fn own(&mut self, step: &Step, record: &Record, row: u32) -> Amount {
        let given = step.given.as_deref().or(step.value.as_deref().map(str::as_bytes));
        let cell = step.place.and_then(|p| record.get(p)).or(given).unwrap_or_default();
        if cell.is_empty() {
            return Amount::None;
        }
        if step.plain
            && self.plan.separators != Separators::Point
            && let Some(mantissa) = money::plain(cell)
        {
            return Amount::Is(mantissa);
        }
        let text = utf8(cell);
        let Some(text) = value(&text) else { return Amount::None };
        if step.every {
            return self.sum(step, text, row);
        }
        let whole = text;
        let Some(text) = extract(step, whole) else { return Amount::None };
        if text.len() < whole.len() {
            let start = text.as_ptr() as usize - whole.as_ptr() as usize;
            self.currencies.meet(around(whole, start..start + text.len()));
        }
        let text = step.is.get(text).map_or(text, String::as_str);
        if !step.negate
            && step.divide.is_none()
            && self.plan.separators != Separators::Point
            && let Some(mantissa) = narrow::short(text.as_bytes())
        {
            return Amount::Short(mantissa);
        }
        match self.number(step, text, row) {
            Ok(mantissa) => Amount::Is(mantissa),
            Err(why) => self.inexact(step, text, why, row),
        }
    }

    /// Every number that the pattern finds in a cell, added up.
    fn sum(&mut self, step: &Step, text: &str, row: u32) -> Amount {
        let Some(pattern) = &step.pattern else { return Amount::None };
        let mut sum = Amount::None;
        for found in pattern.captures_iter(text).filter_map(|c| c.get(1)) {
            let so_far = if let Amount::Is(mantissa) = sum { mantissa } else { 0 };
            self.currencies.meet(around(text, found.range()));
            sum = match self.number(step, found.as_str(), row).and_then(|m| checked(so_far, m)) {
                Ok(mantissa) => Amount::Is(mantissa),
                Err(why) => return self.inexact(step, found.as_str(), why, row),
            };
        }
        sum
    }

    fn number(&mut self, step: &Step, text: &str, row: u32) -> Result<i128, NotExact> {
        let mantissa = match money::marked(text, self.plan.separators) {
            Err(NotExact::TooFine) if step.float => {
                self.rounded.push(row);
                money::rounded(text)?
            }
            exact => {
                let (mantissa, currencies) = exact?;
                self.currencies.meet(currencies);
                mantissa
            }
        };
        scaled(step, mantissa)
    }

    pub(super) fn inexact(&mut self, step: &Step, text: &str, why: NotExact, row: u32) -> Amount {
        let hint = match why {
            NotExact::Malformed if text.contains([',', '，']) => {
                Some(message!("if this export groups digits, its layout needs `thousands = \"comma\"` or \"point\""))
            }
            _ => None,
        };
        self.refuse(row, &step.name, text, why.expected(), hint);
        Amount::Refused
    }

    /// The number of cards that a look-up gives.
    fn count(&self, step: &mut Step, record: &Record, draft: &mut Draft) -> bool {
        let cell = step.place.and_then(|p| record.get(p)).unwrap_or_default();
        if let Some(count) = step.counts.get(cell) {
            draft.set_money(MoneyColumn::Cards, *count);
            return count.is_some();
        }
        let text = String::from_utf8_lossy(cell);
        let count = match step.via {
            Some(Via::Instance) => instance(&self.plan.provider, &text).map(|i| i.cards),
            _ => catalogue::count_in(&text),
        };
        let count = count.and_then(money::from_decimal);
        step.counts.insert(cell.into(), count);
        match count {
            Some(mantissa) => {
                draft.set_money(MoneyColumn::Cards, Some(mantissa));
                true
            }
            None => false,
        }
    }
}

/// What a source gives for a row.
pub(super) enum Amount {
    /// No value.
    None,
    /// A cell that is no number; it has been refused.
    Refused,
    /// A mantissa of eight bytes.
    Short(i64),
    /// A mantissa at the ledger's scale.
    Is(i128),
}

/// The sum of two mantissas, within the ledger's bounds.
fn checked(one: i128, other: i128) -> Result<i128, NotExact> {
    one.checked_add(other).filter(|sum| money::to_decimal(*sum).is_some()).ok_or(NotExact::TooLarge)
}

/// A number as the ledger has it: divided, and its sign turned, where the layout says so.
pub(super) fn scaled(step: &Step, mantissa: i128) -> Result<i128, NotExact> {
    let mantissa = match step.divide {
        Some(by) if mantissa % by != 0 => return Err(NotExact::TooFine),
        Some(by) => mantissa / by,
        None => mantissa,
    };
    Ok(if step.negate { -mantissa } else { mantissa })
}
