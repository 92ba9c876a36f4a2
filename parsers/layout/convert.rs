//! One row becomes one line.

use std::borrow::Cow;

use super::complete::Vocabulary;
use super::draft::Draft;
use super::plan::{Memo, Plan, Step, Target};
use super::schema::Via;
use super::word::{instance, word};
use crate::catalogue;
use crate::error::{Origin, Refusal};
use crate::ledger::money::{self, NotExact, blank};
use crate::ledger::{Lines, MoneyColumn, TextColumn, TimeColumn, narrow};
use crate::open::Record;

/// Converts the rows of one table.
pub(super) struct Converter<'a> {
    pub(super) plan: Plan,
    pub(super) origin: Origin,
    /// For bills that name no currency.
    pub(super) currency: Option<&'a str>,
    pub(super) refusals: Vec<Refusal>,
    pub(super) vocabulary: Vocabulary,
}

impl Converter<'_> {
    /// Fills a line from a row; `false` if a cell was refused.
    pub(super) fn convert(&mut self, record: &Record, draft: &mut Draft, lines: &mut Lines) -> bool {
        let before = self.refusals.len();
        let mut fields = std::mem::take(&mut self.plan.fields);
        for field in &mut fields {
            match field.target {
                Target::Text(column) => {
                    for step in &mut field.steps {
                        if self.text(step, column, record, draft, lines) {
                            break;
                        }
                    }
                    if column == TextColumn::Kind && draft.text(column).is_none() {
                        self.unknown_kind(&field.steps, record, draft.row);
                    }
                }
                Target::Time(column) => {
                    for step in &mut field.steps {
                        if self.time(step, column, record, draft) {
                            break;
                        }
                    }
                }
                Target::Money(column) => {
                    for step in &mut field.steps {
                        if self.money(step, column, record, draft) {
                            break;
                        }
                    }
                }
            }
        }
        self.plan.fields = fields;
        if self.refusals.len() == before {
            self.complete(draft, lines);
        }
        self.refusals.len() == before
    }

    fn text(
        &mut self,
        step: &mut Step,
        column: TextColumn,
        record: &Record,
        draft: &mut Draft,
        lines: &mut Lines,
    ) -> bool {
        let cell = step.place.and_then(|p| record.get(p)).unwrap_or_default();
        if step.place.is_some() && cell.is_empty() {
            return false;
        }
        if step.verbatim
            && is_bare(cell)
            && let Some(code) = lines.code_of(cell)
        {
            draft.set_text(column, Some(code));
            return true;
        }
        let memo = match &step.last {
            Some((bytes, memo)) if bytes == cell => *memo,
            _ => match self.remembered(step, column, cell, draft.row, lines) {
                Some(memo) => memo,
                None => return true,
            },
        };
        match memo {
            Memo::Nothing => return false,
            Memo::Value(code) => draft.set_text(column, Some(code)),
            Memo::Counted(code, count) => {
                draft.set_text(column, Some(code));
                if draft.sign(MoneyColumn::Cards).is_none() {
                    draft.set_money(MoneyColumn::Cards, step.numbers.get(count as usize).copied());
                }
            }
        }
        true
    }

    /// What a cell comes to; worked out once for each distinct text. `None` if it was refused.
    fn remembered(
        &mut self,
        step: &mut Step,
        column: TextColumn,
        cell: &[u8],
        row: u32,
        lines: &mut Lines,
    ) -> Option<Memo> {
        let memo = match step.memo.get(cell) {
            Some(memo) => *memo,
            None => {
                let Ok(text) = std::str::from_utf8(cell) else {
                    self.refuse(
                        row,
                        &step.name,
                        &String::from_utf8_lossy(cell),
                        "text in UTF-8",
                        Some("the file mixes encodings; save it as CSV UTF-8"),
                    );
                    return None;
                };
                let memo = word(step, column, text, &self.plan.provider, lines);
                step.memo.insert(cell.into(), memo);
                memo
            }
        };
        match &mut step.last {
            Some((bytes, last)) => {
                bytes.clear();
                bytes.extend_from_slice(cell);
                *last = memo;
            }
            last => *last = Some((cell.to_vec(), memo)),
        }
        Some(memo)
    }

    fn time(&mut self, step: &mut Step, column: TimeColumn, record: &Record, draft: &mut Draft) -> bool {
        let Some(cell) = step.place.and_then(|p| record.get(p)) else { return false };
        if let Some((bytes, micros)) = &step.last_time
            && bytes == cell
        {
            draft.set_time(column, Some(*micros));
            return true;
        }
        let text = utf8(cell);
        let Some(text) = value(&text) else { return false };
        let text = match extract(step, text) {
            Some(text) => text,
            None => return false,
        };
        match step.time.read(text) {
            Some(micros) => {
                step.last_time = Some((cell.to_vec(), micros));
                draft.set_time(column, Some(micros));
            }
            None => self.refuse(draft.row, &step.name, text, &step.time.expected(), None),
        }
        true
    }

    fn money(&mut self, step: &mut Step, column: MoneyColumn, record: &Record, draft: &mut Draft) -> bool {
        if step.via.is_some() && column == MoneyColumn::Cards {
            return self.count(step, record, draft);
        }
        let constant = step.value.as_deref().unwrap_or_default();
        let cell = step.place.and_then(|p| record.get(p)).unwrap_or(constant.as_bytes());
        if cell.is_empty() {
            return false;
        }
        if step.plain {
            if let Some(mantissa) = narrow::short(cell) {
                draft.set_number(column, mantissa);
                return true;
            }
            if let Some(mantissa) = money::plain(cell) {
                draft.set_money(column, Some(mantissa));
                return true;
            }
        }
        let text = utf8(cell);
        let Some(text) = value(&text) else { return false };
        let Some(text) = extract(step, text) else { return false };
        let text = step.is.get(text).map_or(text, String::as_str);
        if !step.negate
            && step.divide.is_none()
            && let Some(mantissa) = narrow::short(text.as_bytes())
        {
            draft.set_number(column, mantissa);
            return true;
        }
        match money::parse(text, self.plan.separators).and_then(|m| scaled(step, m)) {
            Ok(mantissa) => draft.set_money(column, Some(mantissa)),
            Err(why) => {
                let hint = match why {
                    NotExact::Malformed if text.contains([',', '，']) => {
                        Some("if this export groups digits, its layout needs `thousands = \"comma\"` or \"point\"")
                    }
                    _ => None,
                };
                self.refuse(draft.row, &step.name, text, why.expected(), hint);
            }
        }
        true
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

    fn unknown_kind(&mut self, steps: &[Step], record: &Record, row: u32) {
        let named = steps.iter().find_map(|s| {
            let cell = String::from_utf8_lossy(record.get(s.place?)?).into_owned();
            value(&cell).map(|v| (s.name.clone(), v.to_owned()))
        });
        let (column, found) =
            named.unwrap_or_else(|| (steps.first().map(|s| s.name.clone()).unwrap_or_default(), String::new()));
        let mut known: Vec<&str> = steps.iter().flat_map(|s| s.is.keys().map(String::as_str)).collect();
        known.sort_unstable();
        known.dedup();
        let expected = if known.is_empty() {
            "a kind of charge that kashi knows".to_owned()
        } else {
            format!("a known kind of charge: {}", known.join(", "))
        };
        self.refuse(row, &column, &found, &expected, Some("a new kind of charge must be understood before it is added up; teach it in a platform file (`--platform-file`)"));
    }

    pub(super) fn refuse(&mut self, row: u32, column: &str, value: &str, expected: &str, hint: Option<&str>) {
        self.refusals.push(Refusal {
            origin: self.origin.at(row),
            column: column.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
            hint: hint.map(str::to_owned),
        });
    }
}

/// Whether a cell has no padding and does not say that there is no value, seen at its ends.
#[inline]
fn is_bare(cell: &[u8]) -> bool {
    cell.len() > 4 && cell[0].is_ascii_graphic() && cell[cell.len() - 1].is_ascii_graphic()
}

/// A cell as text; checking that it is UTF-8 is quicker than repairing it.
fn utf8(cell: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(cell).map_or_else(|_| String::from_utf8_lossy(cell), Cow::Borrowed)
}

/// A cell without its padding, unless it says that there is no value.
pub(super) fn value(text: &str) -> Option<&str> {
    let text = text.trim_matches(blank);
    match text {
        "" | "-" | "--" | "NULL" | "null" | "N/A" => None,
        text => Some(text),
    }
}

pub(super) fn extract<'t>(step: &Step, text: &'t str) -> Option<&'t str> {
    let Some(pattern) = &step.pattern else { return Some(text) };
    let Some(begins) = &step.begins else { return pattern.captures(text)?.get(1).map(|m| m.as_str()) };
    // What the pattern begins with is looked for first: most cells do not have it, and where it
    // stands only the rest of the pattern is left to match.
    let places = begins.literal.find_iter(text.as_bytes()).map(|at| at + begins.literal.needle().len());
    places.filter_map(|at| text.get(at..)).find_map(|rest| begins.rest.captures(rest)?.get(1)).map(|m| m.as_str())
}

fn scaled(step: &Step, mantissa: i128) -> Result<i128, NotExact> {
    let mantissa = match step.divide {
        Some(by) if mantissa % by != 0 => return Err(NotExact::TooFine),
        Some(by) => mantissa / by,
        None => mantissa,
    };
    Ok(if step.negate { -mantissa } else { mantissa })
}
