//! One row becomes one line.

use csv::ByteRecord;
use rust_decimal::Decimal;

use super::draft::Draft;
use super::plan::{Memo, Plan, Step, Target};
use super::schema::Via;
use crate::catalogue;
use crate::error::{Origin, Refusal};
use crate::ledger::money::{self, NotExact, blank};
use crate::ledger::{Category, Kind, Lines, MoneyColumn, Terms, TextColumn, TimeColumn, units};

/// Converts the rows of one table.
pub(super) struct Converter<'a> {
    pub(super) plan: Plan,
    pub(super) origin: Origin,
    /// For bills that name no currency.
    pub(super) currency: Option<&'a str>,
    pub(super) refusals: Vec<Refusal>,
}

impl Converter<'_> {
    /// Fills a line from a row; `false` if a cell was refused.
    pub(super) fn convert(&mut self, record: &ByteRecord, draft: &mut Draft, lines: &mut Lines) -> bool {
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
        record: &ByteRecord,
        draft: &mut Draft,
        lines: &mut Lines,
    ) -> bool {
        let cell = step.place.and_then(|p| record.get(p)).unwrap_or_default();
        if step.place.is_some() && cell.is_empty() {
            return false;
        }
        let memo = match &step.last {
            Some((bytes, memo)) if bytes == cell => *memo,
            _ => match self.remembered(step, column, cell, draft.row, lines) {
                Some(memo) => memo,
                None => return true,
            },
        };
        match memo {
            Memo::Nothing => false,
            Memo::Value(code, count) => {
                draft.set_text(column, Some(code));
                if draft.money(MoneyColumn::Cards).is_none() && column == TextColumn::Card {
                    draft.set_money(MoneyColumn::Cards, count);
                }
                true
            }
        }
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
        step.last = Some((cell.to_vec(), memo));
        Some(memo)
    }

    fn time(&mut self, step: &mut Step, column: TimeColumn, record: &ByteRecord, draft: &mut Draft) -> bool {
        let Some(cell) = step.place.and_then(|p| record.get(p)) else { return false };
        if let Some((bytes, micros)) = &step.last_time {
            if bytes == cell {
                draft.set_time(column, Some(*micros));
                return true;
            }
        }
        let text = String::from_utf8_lossy(cell);
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

    fn money(&mut self, step: &mut Step, column: MoneyColumn, record: &ByteRecord, draft: &mut Draft) -> bool {
        if step.via.is_some() && column == MoneyColumn::Cards {
            return self.count(step, record, draft);
        }
        let constant = step.value.clone().unwrap_or_default();
        let cell = step.place.and_then(|p| record.get(p)).unwrap_or(constant.as_bytes());
        if cell.is_empty() {
            return false;
        }
        let text = String::from_utf8_lossy(cell);
        let Some(text) = value(&text) else { return false };
        let Some(text) = extract(step, text) else { return false };
        let text = step.is.get(text).map_or(text, String::as_str);
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
    fn count(&self, step: &Step, record: &ByteRecord, draft: &mut Draft) -> bool {
        let cell = step.place.and_then(|p| record.get(p)).unwrap_or_default();
        let text = String::from_utf8_lossy(cell);
        let count = match step.via {
            Some(Via::Instance) => instance(&self.plan.provider, &text).map(|i| i.cards),
            _ => catalogue::count_in(&text),
        };
        match count.and_then(money::from_decimal) {
            Some(mantissa) => {
                draft.set_money(MoneyColumn::Cards, Some(mantissa));
                true
            }
            None => false,
        }
    }

    /// Fills what follows from the rest of the line, and checks that nothing needed is missing.
    fn complete(&mut self, draft: &mut Draft, lines: &mut Lines) {
        let kind = draft.text(TextColumn::Kind).and_then(|c| Kind::from_word(lines.word(c))).unwrap_or(Kind::Usage);
        self.needed(draft, lines, kind);
        let has_card = draft.text(TextColumn::Card).is_some();
        let category = draft.text(TextColumn::Category).and_then(|c| Category::from_word(lines.word(c)));
        let category = match category {
            Some(Category::Compute) | None if has_card => Category::Gpu,
            None => Category::Other,
            Some(known) => known,
        };
        let code = lines.code(category.as_str());
        draft.set_text(TextColumn::Category, Some(code));
        if draft.text(TextColumn::Terms).is_none() && kind == Kind::Usage {
            let code = lines.code(Terms::OnDemand.as_str());
            draft.set_text(TextColumn::Terms, Some(code));
        }
        if kind == Kind::TopUp {
            // Money paid in advance is no cost: it moves to `paid`.
            let amount = draft.money(MoneyColumn::Cost).map(i128::abs);
            if draft.money(MoneyColumn::Paid).is_none() {
                draft.set_money(MoneyColumn::Paid, amount);
            }
            draft.set_money(MoneyColumn::Cost, Some(0));
        }
        // What is given back, taxed or corrected is no time of a card: the charge has it already.
        if category == Category::Gpu && matches!(kind, Kind::Usage | Kind::Subscription) {
            card_hours(draft, lines);
        }
    }

    fn needed(&mut self, draft: &mut Draft, lines: &mut Lines, kind: Kind) {
        self.signs(draft, kind);
        if draft.money(MoneyColumn::Cost).is_none() {
            let column = self.plan.column_of(Target::Money(MoneyColumn::Cost)).to_owned();
            self.refuse(
                draft.row,
                &column,
                "",
                "an amount",
                Some("every charge states what it costs; 0 is written as 0"),
            );
        }
        if draft.text(TextColumn::Currency).is_none() {
            match self.currency {
                Some(currency) => {
                    let code = lines.code(currency);
                    draft.set_text(TextColumn::Currency, Some(code));
                }
                None => self.refuse(
                    draft.row,
                    self.plan.column_of(Target::Text(TextColumn::Currency)).to_owned().as_str(),
                    "",
                    "a currency",
                    Some("this export names none; say it in kashi.toml: [[account]] platform = \"…\", currency = \"CNY\""),
                ),
            }
        }
        if draft.text(TextColumn::Sku).is_none() {
            let code = lines.code(kind.as_str());
            draft.set_text(TextColumn::Sku, Some(code));
        }
        if let (Some(start), Some(end)) = (draft.time(TimeColumn::Start), draft.time(TimeColumn::End)) {
            if end < start {
                let column = self.plan.column_of(Target::Time(TimeColumn::End)).to_owned();
                self.refuse(
                    draft.row,
                    &column,
                    &shown_time(end),
                    &format!("a time at or after the start, {}", shown_time(start)),
                    None,
                );
            }
        }
        if draft.text(TextColumn::Period).is_none() {
            let time = draft.time(TimeColumn::Start).or(draft.time(TimeColumn::Posted));
            match time.and_then(chrono::DateTime::from_timestamp_micros) {
                Some(time) => {
                    let month = self.plan.zone.local(time).format("%Y-%m").to_string();
                    draft.set_text(TextColumn::Period, Some(lines.code(&month)));
                }
                None => {
                    let column = self.plan.column_of(Target::Text(TextColumn::Period)).to_owned();
                    self.refuse(draft.row, &column, "", "the month of the bill or a time", None);
                }
            }
        }
    }

    /// Time cannot be given back and charged at once: a negative quantity makes a negative cost.
    fn signs(&mut self, draft: &Draft, kind: Kind) {
        let quantity = draft.money(MoneyColumn::Quantity).filter(|q| *q < 0);
        let cost = draft.money(MoneyColumn::Cost).filter(|c| *c > 0);
        if let (Some(quantity), Some(_), Kind::Usage | Kind::Subscription) = (quantity, cost, kind) {
            let column = self.plan.column_of(Target::Money(MoneyColumn::Quantity)).to_owned();
            let shown = money::to_decimal(quantity).map(|q| q.to_string()).unwrap_or_default();
            self.refuse(draft.row, &column, &shown, "a quantity of 0 or more on a line that costs money", None);
        }
    }

    fn unknown_kind(&mut self, steps: &[Step], record: &ByteRecord, row: u32) {
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

    fn refuse(&mut self, row: u32, column: &str, value: &str, expected: &str, hint: Option<&str>) {
        self.refusals.push(Refusal {
            origin: self.origin.at(row),
            column: column.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
            hint: hint.map(str::to_owned),
        });
    }
}

/// A cell without its padding, unless it says that there is no value.
pub(super) fn value(text: &str) -> Option<&str> {
    let text = text.trim_matches(blank);
    match text {
        "" | "-" | "--" | "NULL" | "null" | "N/A" => None,
        text => Some(text),
    }
}

fn extract<'t>(step: &Step, text: &'t str) -> Option<&'t str> {
    match &step.pattern {
        Some(pattern) => pattern.captures(text)?.get(1).map(|m| m.as_str()),
        None => Some(text),
    }
}

/// What a text cell means in its column.
fn word(step: &Step, column: TextColumn, text: &str, provider: &str, lines: &mut Lines) -> Memo {
    if let Some(constant) = &step.value {
        return Memo::Value(lines.code(constant), None);
    }
    let Some(text) = value(text).and_then(|t| extract(step, t)) else { return Memo::Nothing };
    let closed = matches!(column, TextColumn::Kind | TextColumn::Category | TextColumn::Terms);
    if let Some(known) =
        step.is.get(text).or_else(|| step.matches.iter().find(|(p, _)| p.is_match(text)).map(|(_, w)| w))
    {
        return Memo::Value(lines.code(known), None);
    }
    if column == TextColumn::Card {
        return card(step, text, provider, lines);
    }
    if closed {
        // Without a table of its own the column holds the ledger's words, as kashi's own export does.
        let word = match column {
            TextColumn::Kind => Kind::from_word(text).map(Kind::as_str),
            TextColumn::Category => Category::from_word(text).map(Category::as_str),
            _ => Terms::from_word(text).map(Terms::as_str),
        };
        return word.map_or(Memo::Nothing, |w| Memo::Value(lines.code(w), None));
    }
    match column {
        TextColumn::Unit => Memo::Value(lines.code(units::canonical(text).unwrap_or(text)), None),
        TextColumn::Currency => Memo::Value(lines.code(currency(text)), None),
        TextColumn::Period => step.time.month(text).map_or(Memo::Nothing, |m| Memo::Value(lines.code(&m), None)),
        _ => Memo::Value(lines.code(text), None),
    }
}

fn card(step: &Step, text: &str, provider: &str, lines: &mut Lines) -> Memo {
    let (card, count) = match step.via {
        Some(Via::Instance) => match instance(provider, text) {
            Some(instance) => (instance.card.map(str::to_owned), Some(instance.cards)),
            None => (None, None),
        },
        Some(Via::Card) => (catalogue::find_in(text).map(|c| c.id.to_string()), catalogue::count_in(text)),
        None => (catalogue::card(text).map(|c| c.id.to_string()), None),
    };
    card.map_or(Memo::Nothing, |id| Memo::Value(lines.code(&id), count.and_then(money::from_decimal)))
}

/// The instance type at this provider; in a format that many providers share, one that means the
/// same cards wherever it is known.
fn instance(provider: &str, text: &str) -> Option<&'static catalogue::InstanceType> {
    if catalogue::instances().iter().any(|all| all.provider == provider) {
        return catalogue::instance(provider, text);
    }
    let named = catalogue::named_instances(text);
    let first = named.first().copied()?;
    named.iter().all(|other| other.card == first.card && other.cards == first.cards).then_some(first)
}

fn currency(text: &str) -> &str {
    match text {
        "元" | "人民币" | "RMB" | "¥" | "￥" => "CNY",
        "美元" | "$" | "US$" => "USD",
        other => other,
    }
}

fn scaled(step: &Step, mantissa: i128) -> Result<i128, NotExact> {
    let mantissa = match step.divide {
        Some(by) if mantissa % by != 0 => return Err(NotExact::TooFine),
        Some(by) => mantissa / by,
        None => mantissa,
    };
    Ok(if step.negate { -mantissa } else { mantissa })
}

/// GPUs × hours of a line, from the metered time if it is one, else from the charged time.
///
/// Not money: a number of seconds that is no finite decimal of an hour is rounded at 18 decimals.
fn card_hours(draft: &mut Draft, lines: &Lines) {
    if draft.money(MoneyColumn::CardHours).is_some() {
        return;
    }
    let unit = draft.text(TextColumn::Unit).map(|c| lines.word(c));
    let quantity = draft.money(MoneyColumn::Quantity).and_then(money::to_decimal);
    let cards = draft.money(MoneyColumn::Cards).and_then(money::to_decimal).unwrap_or(Decimal::ONE);
    let metered = unit.and_then(units::hours).zip(quantity).and_then(|((up, down), q)| (q * up).checked_div(down));
    let charged = draft
        .time(TimeColumn::Start)
        .zip(draft.time(TimeColumn::End))
        .and_then(|(start, end)| Decimal::from(end - start).checked_div(Decimal::from(3_600_000_000u64)));
    let hours =
        if unit == Some("card_hour") { quantity } else { metered.or(charged).and_then(|h| h.checked_mul(cards)) };
    let mantissa = hours.map(|h| h.round_dp(money::SCALE)).and_then(money::from_decimal);
    draft.set_money(MoneyColumn::CardHours, mantissa);
}

fn shown_time(micros: i64) -> String {
    chrono::DateTime::from_timestamp_micros(micros)
        .map(|t| t.format("%Y-%m-%d %H:%M:%S UTC").to_string())
        .unwrap_or_default()
}
