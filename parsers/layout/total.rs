//! Rows that state a total: the amount is taken where it is beyond doubt, else the user is told.

use super::amount::scaled;
use super::called::Called;
use super::cell::{utf8, value};
use super::draft::Drafts;
use super::plan::Target;
use super::read::{Bill, Reason, Stated};
use super::reader::{Left, Reader};
use super::says::Remarks;
use super::total_words::is_part;
use crate::error::{Origin, Refusal};
use crate::ledger::marks::Currencies;
use crate::ledger::money::{self, blank};
use crate::ledger::{Lines, MoneyColumn, TextColumn};
use crate::open::Record;

/// A stated total with the mark of a currency.
pub(super) struct Marked {
    pub(super) row: u32,
    text: String,
    currencies: Currencies,
}

/// An amount as a total row has it.
pub(super) struct Amount {
    pub(super) mantissa: i128,
    currencies: Currencies,
    pub(super) text: String,
}

impl Reader<'_> {
    /// A row whose first filled cell begins as totals do states an amount: in the column of the cost,
    /// or, where it is shorter than the header, in its only other cell.
    pub(super) fn total(&mut self, at: usize, record: &mut Record, row: u32, drafts: &Drafts<'_>) -> Option<Left> {
        if record.bare(at).is_none() {
            record.whole();
        }
        let first = record.bare(at).unwrap_or_default();
        let layout = self.claim.layout();
        // Most rows are none, and their first byte or their length says so.
        let start = first.trim_ascii_start().first();
        let may = |t: &String| start.is_some_and(|b| !b.is_ascii() || t.as_bytes().first() == Some(b));
        if self.words.are_none() || !layout.total.iter().flatten().any(may) && !self.words.begins(first) {
            return None;
        }
        let first = first.to_owned();
        let text = String::from_utf8_lossy(&first);
        let text = text.trim_matches(blank);
        let label = layout.total.iter().flatten().filter(|t| text.starts_with(t.as_str())).map(String::as_str);
        let label = label.max_by_key(|t| t.len()).or_else(|| self.words.begins(&first).then_some(text))?;
        record.whole();
        // The cells of a short row do not stand under their headers.
        let short = record.len() < self.claim.header.names.len();
        let place = |target| self.converter.plan.place_of(target).and_then(|p| record.get(p));
        // A charge whose first cell begins like a total still says what kind of charge it is.
        let kind = place(Target::Text(TextColumn::Kind)).filter(|_| !short);
        if kind.is_some_and(|kind| kind != first.as_slice() && value(&String::from_utf8_lossy(kind)).is_some()) {
            return None;
        }
        let cost = if short { None } else { self.cost(record) };
        if !short {
            match self.called((at, true), cost.as_ref(), record, row, drafts) {
                Called::Charge => return None,
                Called::Unclear => return Some(Left::Refused),
                Called::Total => {}
            }
        }
        let stated = cost.or_else(|| self.only(&text[label.len()..], record, short));
        self.state(stated, text, row);
        self.above.total(drafts);
        Some(Left::Out(Reason::Total))
    }

    /// A full row with the name of a total behind its first filled cell, which a month or a number may
    /// take.
    pub(super) fn total_behind(&mut self, record: &mut Record, row: u32, drafts: &Drafts<'_>) -> Option<Left> {
        let at = self.words.place(record)?;
        record.whole();
        if record.len() < self.claim.header.names.len() {
            return None;
        }
        let amount = self.cost(record);
        match self.called((at, false), amount.as_ref(), record, row, drafts) {
            Called::Charge => return None,
            Called::Unclear => return Some(Left::Refused),
            Called::Total => {}
        }
        let text = record.get(at).map(utf8).unwrap_or_default().into_owned();
        // What some rows come to says nothing of the bill.
        let some = amount.as_ref().is_some_and(|a| !self.above.is_all(a) && (self.above.comes_to(a) || is_part(&text)));
        if !some {
            self.state(amount, &text, row);
        }
        self.above.total(drafts);
        Some(Left::Out(Reason::Total))
    }

    /// Takes down what a total row states.
    fn state(&mut self, stated: Option<Amount>, text: &str, row: u32) {
        match stated.and_then(|amount| Some((money::to_decimal(amount.mantissa)?, amount))) {
            Some((amount, Amount { currencies, text, .. })) => {
                if currencies != Currencies::ANY {
                    self.marked.push(Marked { row, text, currencies });
                }
                self.bill.stated.push(Stated { origin: self.bill.origin.at(row), amount });
            }
            None => self.unclear(text, row),
        }
    }

    /// The amount in the column of the cost, as its lines have it.
    fn cost(&self, record: &Record) -> Option<Amount> {
        let field = self.converter.plan.fields.iter().find(|f| f.target == Target::Money(MoneyColumn::Cost))?;
        let step = field.steps.iter().find(|step| step.place.is_some())?;
        let amount = self.amount(&utf8(record.get(step.place?)?))?;
        Some(Amount { mantissa: scaled(step, amount.mantissa).ok()?, ..amount })
    }

    fn amount(&self, cell: &str) -> Option<Amount> {
        let text = value(cell)?;
        let (mantissa, currencies) = money::marked(text, self.converter.plan.separators).ok()?;
        Some(Amount { mantissa, currencies, text: text.to_owned() })
    }

    /// The one amount of a row that is shorter than the header, or that says all in its first cell.
    fn only(&self, rest: &str, record: &Record, short: bool) -> Option<Amount> {
        let mut cells = record.iter().map(utf8).filter(|cell| value(cell).is_some()).skip(1);
        match (behind(rest), cells.next(), cells.next()) {
            (Some(text), None, None) => self.amount(text),
            // What stands in a full row under another header is another total.
            (None, Some(cell), None) if short => self.amount(&cell),
            _ => None,
        }
    }

    /// A total row that states nothing is no check of the bill: that is not kept from the user.
    fn unclear(&mut self, text: &str, row: u32) {
        const COUNTED: [&str; 5] = ["条", "笔", "项", "页", "行"];
        if COUNTED.iter().any(|word| text.trim_end_matches(|c| "记录数据账单。.".contains(c)).ends_with(word)) {
            // How many there are is no amount.
            return;
        }
        self.unclear.push((row, text.chars().take(60).collect()));
    }
}

/// Says which totals were not understood, and refuses those in another currency than the lines'.
pub(super) fn check(remarks: &Remarks, bill: &mut Bill, lines: &mut Lines) {
    for (row, shown) in &remarks.unclear {
        let note = message!(
            "row {row} ({shown:?}) reads like a total, but its amount was not understood: the lines were not checked against it; say the total with [[statement]] in kashi.toml"
        );
        bill.notes.push(note.into());
    }
    for Marked { row, text, currencies } in &remarks.marked {
        let Some(currency) = other_currency(bill, lines, *currencies) else { continue };
        bill.stated.retain(|stated| stated.origin.row != *row);
        bill.refusals.push(total_refused(bill.origin.at(*row), &remarks.cost, text, &currency));
    }
}

/// The one currency of a bill's lines, if the marks of a total cannot mean it.
pub(super) fn other_currency(bill: &Bill, lines: &mut Lines, marks: Currencies) -> Option<String> {
    if marks == Currencies::ANY {
        return None;
    }
    match lines.texts_from(bill.first_line, TextColumn::Currency)[..] {
        [currency] if !marks.fits(currency) => Some(currency.to_owned()),
        _ => None,
    }
}

/// What is said of such a total.
pub(super) fn total_refused(origin: Origin, column: &str, text: &str, currency: &str) -> Refusal {
    Refusal {
        origin,
        column: column.to_owned(),
        value: text.to_owned(),
        expected: message!("a total in {currency}, the currency of the lines"),
        hint: Some(message!("check the bill in the console, or export it again")),
    }
}

/// What follows the label in its own cell, without the words and signs between: `合计（元）：5` says 5.
fn behind(rest: &str) -> Option<&str> {
    let mut rest = rest.trim_matches(blank);
    if let Some((inner, after)) = ["（）", "()"].iter().find_map(|pair| {
        let mut pair = pair.chars();
        rest.strip_prefix(pair.next()?)?.split_once(pair.next()?)
    }) && !inner.contains(|c: char| c.is_ascii_digit())
    {
        rest = after.trim_matches(blank);
    }
    for word in ["金额", "费用", "应付", "amount"] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let rest = rest.trim_start_matches(|c| blank(c) || matches!(c, ':' | '：' | '=' | '＝'));
    (!rest.is_empty()).then_some(rest)
}
