//! One row becomes one line.

use super::cell::{extract, is_bare, same, utf8, value};
use super::complete::Vocabulary;
use super::currency::Met;
use super::draft::Draft;
use super::given::Told;
use super::plan::{Field, Memo, Plan, Step, Target};
use super::word::word;
use crate::contract::Price;
use crate::error::{Origin, Refusal};
use crate::ledger::{Code, Lines, MoneyColumn, TextColumn, TimeColumn};
use crate::message::Message;
use crate::open::Record;

/// Converts the rows of one table.
pub(super) struct Converter<'a> {
    pub(super) plan: Plan,
    pub(super) origin: Origin,
    /// What is said of the bill, where it says nothing itself.
    pub(super) told: Told,
    /// The account that is said of it.
    pub(super) account: Option<Code>,
    /// The export states quantities, and these are the prices agreed.
    pub(super) priced: bool,
    pub(super) prices: &'a [Price],
    pub(super) refusals: Vec<Refusal>,
    pub(super) vocabulary: Vocabulary,
    /// What the marks beside amounts say of their currency.
    pub(super) currencies: Met,
    /// Rows with a number that was rounded at the ledger's last decimal.
    pub(super) rounded: Vec<u32>,
    /// Rows whose parts do not come to their cost.
    pub(super) uneven: Vec<u32>,
    /// Rows of packages of cards that do not say their terms or time.
    pub(super) unpacked: Vec<u32>,
}

impl<'a> Converter<'a> {
    pub(super) fn new(
        plan: Plan,
        origin: Origin,
        told: Told,
        (priced, prices): (bool, &'a [Price]),
        lines: &mut Lines,
    ) -> Self {
        let vocabulary = Vocabulary::new(lines);
        let account = told.account.as_deref().map(|id| lines.code(id));
        Self {
            plan,
            origin,
            told,
            account,
            priced,
            prices,
            refusals: Vec::new(),
            vocabulary,
            currencies: Met::default(),
            rounded: Vec::new(),
            uneven: Vec::new(),
            unpacked: Vec::new(),
        }
    }

    /// Fills a line from a row; `false` if a cell was refused.
    pub(super) fn convert(&mut self, record: &mut Record, draft: &mut Draft, lines: &mut Lines) -> bool {
        let before = self.refusals.len();
        self.fill(record, draft, lines);
        if self.refusals.len() == before {
            self.complete(draft, lines);
        }
        self.refusals.len() == before
    }

    /// Fills the ledger columns that a row has, and keeps its texts for the rows to come.
    pub(super) fn fill(&mut self, record: &mut Record, draft: &mut Draft, lines: &mut Lines) {
        if !self.plan.alike.fill(record, draft) {
            let (noted, refused) = (self.plan.alike.note(record), self.refusals.len());
            record.late();
            let mut texts = std::mem::take(&mut self.plan.fields.texts);
            self.texts(&mut texts, record, draft, lines);
            self.plan.fields.texts = texts;
            if let Some(noted) = noted.filter(|_| self.refusals.len() == refused) {
                self.plan.alike.keep(noted, draft);
            }
        }
        let mut numbers = std::mem::take(&mut self.plan.fields.numbers);
        self.numbers(&mut numbers, record, draft, lines);
        self.plan.fields.numbers = numbers;
    }

    /// Fills text columns.
    pub(super) fn texts(&mut self, fields: &mut [Field], record: &Record, draft: &mut Draft, lines: &mut Lines) {
        for field in fields {
            let Target::Text(column) = field.target else { continue };
            let mut steps = field.steps.iter_mut().filter(|step| step.applies(record));
            steps.any(|step| self.text(step, column, record, draft, lines));
            if column == TextColumn::Kind && draft.text(column).is_none() {
                self.unknown_kind(&field.steps, record, draft.row);
            }
        }
    }

    /// Fills columns of amounts and times.
    pub(super) fn numbers(&mut self, fields: &mut [Field], record: &Record, draft: &mut Draft, lines: &mut Lines) {
        for field in fields {
            let mut steps = field.steps.iter_mut().filter(|step| step.applies(record));
            match field.target {
                Target::Text(_) => false,
                Target::Time(column) => steps.any(|step| self.time(step, column, record, draft)),
                Target::Money(column) => steps.any(|step| self.money(step, column, record, draft, lines)),
            };
        }
        self.take_currency(draft, lines);
    }

    fn text(
        &mut self,
        step: &mut Step,
        column: TextColumn,
        record: &Record,
        draft: &mut Draft,
        lines: &mut Lines,
    ) -> bool {
        if !step.gather.is_empty() {
            return self.gathered(step, record, draft, lines);
        }
        let given;
        let cell = match step.place.and_then(|p| record.get(p)) {
            Some(cell) => cell,
            None => {
                given = step.given.clone();
                given.as_deref().unwrap_or_default()
            }
        };
        if step.value.is_none() && cell.is_empty() {
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
            Some((bytes, memo)) if same(bytes, cell) => *memo,
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
                        Some(message!("the file mixes encodings; save it as CSV UTF-8")),
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
        let given;
        let cell = match step.place.and_then(|p| record.get(p)) {
            Some(cell) => cell,
            None => {
                given = step.given.clone();
                let Some(cell) = given.as_deref() else { return false };
                cell
            }
        };
        if let Some((bytes, micros)) = &step.last_time
            && same(bytes, cell)
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
                let micros = micros + step.later;
                step.last_time = Some((cell.to_vec(), micros));
                draft.set_time(column, Some(micros));
            }
            None => self.refuse(draft.row, &step.name, text, step.time.expected(), None),
        }
        true
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
            message!("a kind of charge that kashi knows")
        } else {
            message!("a known kind of charge: {}", known.join(", "))
        };
        self.refuse(row, &column, &found, expected, Some(message!("a new kind of charge must be understood before it is added up; teach it in a platform file (`--platform-file`)")));
    }

    pub(super) fn refuse(
        &mut self,
        row: u32,
        column: &str,
        value: &str,
        expected: impl Into<Message>,
        hint: Option<Message>,
    ) {
        self.refusals.push(Refusal {
            origin: self.origin.at(row),
            column: column.to_owned(),
            value: value.to_owned(),
            expected: expected.into(),
            hint,
        });
    }
}
