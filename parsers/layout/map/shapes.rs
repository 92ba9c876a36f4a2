//! What the values of a column look like: numbers, times, currencies, units, ids, cards.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::lexicon::{CURRENCIES, Word};
use super::names::Name;
use super::sample::Sample;
use super::times::{self, Times};
use crate::catalogue;
use crate::ledger::marks::is_code;
use crate::ledger::money::{self, NotExact};
use crate::ledger::units;

/// Share of the cells, in percent, that must be of a kind for the column to be of it.
const NEARLY_ALL: usize = 97;

/// A column of a sample and what its values look like.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Rows of the sample.
    pub(super) rows: usize,
    /// Filled cells.
    pub(super) filled: usize,
    /// Distinct values among them.
    pub(super) distinct: usize,
    /// The numbers by row, if (nearly) all filled cells are numbers.
    pub(super) numbers: Option<Vec<Option<Decimal>>>,
    /// Whether some of them have more decimals than any price: binary floating point, printed.
    pub(super) float: bool,
    /// Negative numbers.
    pub(super) negative: usize,
    /// Numbers with a fraction.
    pub(super) fractions: usize,
    /// How the times are written, if all filled cells are times.
    pub(super) times: Option<Times>,
    /// Whether all are currencies.
    pub(super) currencies: bool,
    /// A currency mark that all numbers carry.
    pub(super) mark: Option<&'static str>,
    /// Cells that are a unit of quantity.
    pub(super) units: usize,
    /// Cells that look like an id: digits with letters or dashes, no blanks.
    pub(super) ids: usize,
    /// Cells in which a card is named.
    pub(super) cards: usize,
    /// Cells that are an instance type of some provider.
    pub(super) instances: usize,
    /// Cells that are structured text: JSON, links, long sentences.
    pub(super) structured: usize,
    /// A label such as `ID：` before an id within a longer text, as a pattern.
    pub(super) labelled: Option<String>,
}

impl Shape {
    /// Looks at a column.
    pub(super) fn of(sample: &Sample, at: usize, name: &Name) -> Self {
        let cells: Vec<&str> = sample.cells(at).collect();
        let distinct: BTreeSet<&str> = cells.iter().copied().collect();
        let count = |is: &dyn Fn(&str) -> bool| distinct.iter().filter(|c| is(c)).count();
        let (numbers, float) = numbers(sample, at, cells.len());
        let named = [Word::Time, Word::Start, Word::End].iter().any(|w| name.has(*w));
        let mut shape = Self {
            rows: sample.rows.len(),
            filled: cells.len(),
            distinct: distinct.len(),
            negative: 0,
            fractions: 0,
            times: times::of(&distinct, named),
            currencies: !cells.is_empty() && distinct.iter().all(|c| is_currency(c)),
            mark: mark(&distinct).filter(|_| numbers.is_some()),
            units: count(&|c| units::canonical(c).is_some()),
            ids: count(&is_id),
            cards: count(&|c| catalogue::find_in(c).is_some()),
            instances: count(&|c| catalogue::named_instances(c).iter().any(|i| i.card.is_some())),
            structured: count(&|c| c.starts_with(['{', '[']) || c.contains("://") || c.chars().count() > 160),
            labelled: labelled(&cells),
            numbers,
            float,
        };
        let each = || shape.numbers.iter().flatten().flatten();
        let (negative, fractions) = (
            each().filter(|n| n.is_sign_negative() && !n.is_zero()).count(),
            each().filter(|n| !n.fract().is_zero()).count(),
        );
        (shape.negative, shape.fractions) = (negative, fractions);
        shape
    }

    /// Whether every row has a value.
    pub(super) fn is_full(&self) -> bool {
        self.filled > 0 && self.filled * 100 >= self.rows * NEARLY_ALL
    }

    /// Whether it is text: no number, no time.
    pub(super) fn is_text(&self) -> bool {
        self.filled > 0 && self.times.is_none() && (self.numbers.is_none() || self.fractions == 0)
    }

    /// A few words on the values, for an explanation.
    pub(super) fn said(&self) -> String {
        let what = if let Some(times) = &self.times {
            times.said().to_owned()
        } else if self.currencies {
            "currencies".to_owned()
        } else if self.numbers.is_some() {
            match (self.mark, self.fractions) {
                (Some(mark), _) => format!("amounts in {mark}"),
                (None, 0) => "whole numbers".to_owned(),
                (None, _) => "decimal numbers".to_owned(),
            }
        } else if self.units == self.distinct && self.units > 0 {
            "units".to_owned()
        } else if self.ids * 2 > self.distinct {
            "ids".to_owned()
        } else {
            "text".to_owned()
        };
        let filled = if self.is_full() {
            "in every row".to_owned()
        } else {
            format!("in {} of {} rows", self.filled, self.rows)
        };
        format!("{what} {filled}, {} distinct", self.distinct)
    }
}

/// The numbers of a column, if nearly all its cells are, and whether some have noise at their end.
fn numbers(sample: &Sample, at: usize, filled: usize) -> (Option<Vec<Option<Decimal>>>, bool) {
    let mut float = false;
    let read = |row: &Vec<String>| {
        let cell = row.get(at).filter(|c| !c.is_empty())?;
        let mantissa = match money::parse(cell, sample.separators) {
            Err(NotExact::TooFine) => {
                float = true;
                money::rounded(cell)
            }
            read => read,
        };
        mantissa.ok().and_then(money::to_decimal)
    };
    let numbers: Vec<Option<Decimal>> = sample.rows.iter().map(read).collect();
    let read = numbers.iter().flatten().count();
    ((read > 0 && read * 100 >= filled * NEARLY_ALL).then_some(numbers), float)
}

/// Whether a cell is an ISO code or a usual name of a currency.
fn is_currency(cell: &str) -> bool {
    const NAMES: [&str; 8] = ["元", "人民币", "RMB", "¥", "￥", "美元", "$", "US$"];
    let known = || CURRENCIES.iter().any(|(code, _)| code.eq_ignore_ascii_case(cell));
    NAMES.contains(&cell) || is_code(cell) || known()
}

/// The currency that every cell is marked with.
fn mark(distinct: &BTreeSet<&str>) -> Option<&'static str> {
    const MARKS: [(&str, &str); 9] = [
        ("￥", "CNY"),
        ("¥", "CNY"),
        ("元", "CNY"),
        ("CNY", "CNY"),
        ("RMB", "CNY"),
        ("US$", "USD"),
        ("USD", "USD"),
        ("$", "USD"),
        ("€", "EUR"),
    ];
    let all = |mark: &str| distinct.iter().all(|c| c.contains(mark));
    MARKS.iter().find(|(mark, _)| !distinct.is_empty() && all(mark)).map(|(_, code)| *code)
}

fn is_id(cell: &str) -> bool {
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    let letters = cell.bytes().filter(u8::is_ascii_alphabetic).count();
    let other = cell.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':' | b'/' | b';'));
    other && cell.len() >= 6 && digits >= 2 && (letters > 0 || cell.len() >= 9)
}

/// A pattern for ids that stand behind a label within text, where most filled cells have one.
fn labelled(cells: &[&str]) -> Option<String> {
    let mut labels: BTreeSet<&str> = BTreeSet::new();
    let mut found = 0;
    for cell in cells {
        let Some((label, rest)) = cell.split_once(['：', ':']) else { continue };
        let label =
            label.rsplit(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | ';' | '；')).next().unwrap_or(label);
        let id: &str = rest.trim_start();
        let id = id.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).next().unwrap_or_default();
        let names = ["ID", "Id", "id", "编号", "实例"].iter().any(|end| label.ends_with(end));
        if names && label.chars().count() <= 24 && is_id(id) {
            labels.insert(label);
            found += 1;
        }
    }
    if found * 2 < cells.len() || labels.len() != 1 || found < 2 {
        return None;
    }
    labels.first().map(|label| format!("{}\\s*[：:]\\s*([0-9A-Za-z_-]+)", regex::escape(label)))
}
