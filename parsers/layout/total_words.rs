//! The words that totals are told by, looked for in every cell of a bill.

use super::above::said;
use super::cell::{utf8, value};
use super::plan::{Plan, Target};
use crate::ledger::money::blank;
use crate::ledger::{TextColumn, TimeColumn};
use crate::open::Record;

/// The longest cell that is looked at.
const LONGEST: usize = 40;
/// What says by itself that a row is a total, in small letters.
const TOTALS: [&str; 37] = [
    "total",
    "grand total",
    "grand-total",
    "sub total",
    "sub-total",
    "subtotal",
    "sum",
    "sum total",
    "totals",
    "invoice total",
    "total amount",
    "total cost",
    "total due",
    "amount due",
    "page total",
    "total charges",
    "合计",
    "总计",
    "小计",
    "总和",
    "总额",
    "总金额",
    "总费用",
    "共计",
    "合计金额",
    "合计费用",
    "本页合计",
    "本页小计",
    "本月合计",
    "本期合计",
    "月合计",
    "总合计",
    "费用合计",
    "支出合计",
    "消费合计",
    "应付总额",
    "应付合计",
];
/// What may stand before one.
const BEFORE: [&str; 6] = [" ", "\t", "\n", "　", "\u{a0}", "\""];

/// How a word begins: with four letters, or with the first of characters that are often drawn apart.
fn beginning(word: &'static str) -> &'static str {
    let end = if word.is_ascii() { 4 } else { word.chars().next().map_or(0, char::len_utf8) };
    word.get(..end).unwrap_or(word)
}

/// The words that a bill's totals are told by.
pub(super) struct Words {
    /// By place in a cell and byte: a bit for each beginning that has the byte there.
    begin: [[u32; 256]; 4],
    /// Cells that the layout says are totals.
    listed: Vec<String>,
    /// The layout says that no row is a total.
    none: bool,
    /// A cell that is none, though it begins like one: most are met many times in a row.
    other: Vec<u8>,
    /// The places of resources and kinds of charge, of begins and of ends.
    charge: [Vec<usize>; 3],
}

impl Words {
    pub(super) fn new(listed: Option<&[String]>, plan: &Plan) -> Self {
        let none = listed.is_some_and(<[String]>::is_empty);
        let listed = listed.unwrap_or_default().to_vec();
        let mut begin = [[0; 256]; 4];
        let mut known: Vec<&str> = TOTALS.iter().map(|word| beginning(word)).chain(BEFORE).collect();
        known.sort_unstable();
        known.dedup();
        let all = known.into_iter().chain(listed.iter().map(String::as_str)).filter(|_| !none);
        for (at, word) in all.enumerate() {
            // Where there are more words than bits, some share one: that lets more cells pass, and none less.
            let bit = 1 << (at % 32);
            for (place, bytes) in begin.iter_mut().enumerate() {
                match word.as_bytes().get(place) {
                    Some(byte) => {
                        bytes[usize::from(byte.to_ascii_lowercase())] |= bit;
                        bytes[usize::from(byte.to_ascii_uppercase())] |= bit;
                    }
                    None => bytes.iter_mut().for_each(|bits| *bits |= bit),
                }
            }
        }
        let places = |targets: &[Target]| {
            plan.fields.iter().filter(|field| targets.contains(&field.target)).flat_map(said).collect()
        };
        let charge = [
            places(&[Target::Text(TextColumn::Resource), Target::Text(TextColumn::Kind)]),
            places(&[Target::Time(TimeColumn::Start)]),
            places(&[Target::Time(TimeColumn::End)]),
        ];
        Self { begin, listed, none, other: Vec::new(), charge }
    }

    /// Whether the layout says that its export states no totals.
    pub(super) fn are_none(&self) -> bool {
        self.none
    }

    /// The place of a cell behind the first that says nothing but that this is a total.
    #[inline]
    pub(super) fn place(&mut self, record: &mut Record) -> Option<usize> {
        if self.is_charge(record) {
            return None;
        }
        let may = (1..record.len()).any(|at| match record.bare(at) {
            Some(cell) => self.may_be(cell) && self.is_met(cell),
            None => record.get(at).is_some_and(|cell| self.may_begin(cell)),
        });
        if !may {
            return None;
        }
        // Quotes that are still there are no part of what cells say.
        record.whole();
        if self.is_charge(record) {
            return None;
        }
        record.iter().enumerate().skip(1).find(|(_, cell)| self.may_be(cell) && self.is_met(cell)).map(|(at, _)| at)
    }

    /// Whether a row says what was charged and from when to when, as no total does: most rows are such,
    /// and that is told by a few cells.
    #[inline]
    fn is_charge(&self, record: &Record) -> bool {
        let [what, begin, end] = &self.charge;
        // What is short may say that there is nothing: `-`, `N/A`, `null`.
        let says = |at: &usize| {
            record.bare(*at).is_some_and(|cell| cell.len() > 4 && !cell[0].is_ascii_punctuation() && !self.may_be(cell))
        };
        let is_time = |at: &usize| record.get(*at).is_some_and(|cell| cell.len() >= 8 && cell[0].is_ascii_digit());
        begin.iter().any(is_time) && end.iter().any(is_time) && what.iter().any(says)
    }

    /// The same of a cell with quotes inside, which are still there: one that begins with another is
    /// looked at more closely.
    fn may_begin(&self, cell: &[u8]) -> bool {
        let rest = cell.get(1..).unwrap_or_default();
        rest.iter().take(self.begin.len()).any(|b| *b == b'"') || self.may_be(rest.get(..LONGEST).unwrap_or(rest))
    }

    /// Whether a cell begins as a word for a total does; most do not, and that is told in a few steps.
    #[inline]
    fn may_be(&self, cell: &[u8]) -> bool {
        let [first, second, third, fourth] = &self.begin;
        let Some(bits) = cell.first().map(|a| first[usize::from(*a)]).filter(|bits| *bits != 0) else { return false };
        let &[_, b, c, ..] = cell else { return false };
        let bits = bits & second[usize::from(b)] & third[usize::from(c)];
        bits != 0 && bits & fourth[usize::from(cell.get(3).copied().unwrap_or(b' '))] != 0 && cell.len() <= LONGEST
    }

    /// Whether a cell is nothing but a word for a total, told in a few steps of most that are none.
    #[inline]
    pub(super) fn begins(&self, cell: &[u8]) -> bool {
        self.may_be(cell.trim_ascii_start()) && is_total(cell)
    }

    fn is_met(&mut self, cell: &[u8]) -> bool {
        if cell == self.other {
            return false;
        }
        let is = self.is(cell);
        if !is {
            self.other.clear();
            self.other.extend_from_slice(cell);
        }
        is
    }

    /// Whether a cell says nothing but that its row is a total.
    pub(super) fn is(&self, cell: &[u8]) -> bool {
        let cell = cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell);
        self.begins(cell) || self.lists(cell)
    }

    /// Whether the layout names the cell's text as a total.
    pub(super) fn lists(&self, cell: &[u8]) -> bool {
        !self.listed.is_empty() && self.listed.iter().any(|word| value(&utf8(cell)) == value(word))
    }
}

/// Whether a cell is nothing but a word for a total, which no layout need name.
fn is_total(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii_start();
    if cell.len() > LONGEST {
        return false;
    }
    let text = utf8(cell).to_lowercase();
    let text = text.trim_matches(|c| blank(c) || matches!(c, ':' | '：'));
    let text = text.split(['(', '（']).next().unwrap_or_default().trim_matches(blank);
    // Two characters are often drawn apart to the width of their cell.
    let together = |text: &str| text.chars().filter(|c| !blank(*c)).collect::<String>();
    TOTALS.contains(&text) || !text.is_ascii() && TOTALS.contains(&together(text).as_str())
}

/// Whether a word for a total is one that something may be called by.
pub(super) fn is_name(cell: &[u8]) -> bool {
    let text = utf8(cell).to_lowercase();
    matches!(text.trim_matches(|c| blank(c) || c == '"'), "total" | "totals" | "sum")
}

/// Whether a word for a total is one for a part of the bill.
pub(super) fn is_part(text: &str) -> bool {
    let text = text.to_lowercase();
    ["sub", "小", "本页"].iter().any(|word| text.trim_matches(blank).starts_with(word))
}
