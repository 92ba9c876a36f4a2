//! What follows from the cells of a line, and what a line must not lack.

use rust_decimal::Decimal;

use super::convert::Converter;
use super::draft::Draft;
use super::plan::Target;
use crate::ledger::money;
use crate::ledger::{Category, Code, Kind, Lines, MoneyColumn, Terms, TextColumn, TimeColumn, units};
use crate::message::Message;

/// The ledger's own words as its dictionary has them, so that no line compares texts.
pub(super) struct Vocabulary {
    kinds: Vec<(Code, Kind)>,
    categories: Vec<(Code, Category)>,
    on_demand: Code,
    card_hour: Code,
    /// The unit met last, and what it is of an hour.
    unit: Option<(Code, Option<(Decimal, Decimal)>)>,
}

impl Vocabulary {
    pub(super) fn new(lines: &mut Lines) -> Self {
        Self {
            kinds: Kind::ALL.iter().map(|kind| (lines.code(kind.as_str()), *kind)).collect(),
            categories: Category::ALL.iter().map(|category| (lines.code(category.as_str()), *category)).collect(),
            on_demand: lines.code(Terms::OnDemand.as_str()),
            card_hour: lines.code("card_hour"),
            unit: None,
        }
    }

    fn kind(&self, code: Code) -> Option<Kind> {
        self.kinds.iter().find(|(known, _)| *known == code).map(|(_, kind)| *kind)
    }

    fn category(&self, code: Code) -> Option<Category> {
        self.categories.iter().find(|(known, _)| *known == code).map(|(_, category)| *category)
    }

    fn code(&self, category: Category) -> Option<Code> {
        self.categories.iter().find(|(_, known)| *known == category).map(|(code, _)| *code)
    }

    fn hours(&mut self, unit: Code, lines: &Lines) -> Option<(Decimal, Decimal)> {
        match self.unit {
            Some((code, hours)) if code == unit => hours,
            _ => {
                let hours = units::hours(lines.word(unit));
                self.unit = Some((unit, hours));
                hours
            }
        }
    }
}

impl Converter<'_> {
    /// Fills what follows from the rest of the line, and checks that nothing needed is missing.
    pub(super) fn complete(&mut self, draft: &mut Draft, lines: &mut Lines) {
        let kind = draft.text(TextColumn::Kind).and_then(|c| self.vocabulary.kind(c)).unwrap_or(Kind::Usage);
        if kind == Kind::Subscription {
            self.package(draft, lines);
        }
        let has_card = draft.text(TextColumn::Card).is_some();
        let category = draft.text(TextColumn::Category).and_then(|c| self.vocabulary.category(c));
        let category = match category {
            Some(Category::Compute) | None if has_card => Category::Gpu,
            None => Category::Other,
            Some(known) => known,
        };
        draft.set_text(TextColumn::Category, self.vocabulary.code(category));
        if matches!(
            category,
            Category::Storage | Category::Image | Category::Snapshot | Category::Egress | Category::Ip
        ) {
            // Some bills repeat the instance type on each line of an instance: its disk is no card.
            draft.set_text(TextColumn::Card, None);
            draft.set_money(MoneyColumn::Cards, None);
        }
        if draft.text(TextColumn::Terms).is_none() && kind == Kind::Usage {
            draft.set_text(TextColumn::Terms, Some(self.vocabulary.on_demand));
        }
        if kind == Kind::TopUp {
            // Money paid in advance is no cost: it moves to `paid`.
            let amount = draft.money(MoneyColumn::Cost).map(i128::abs);
            if draft.sign(MoneyColumn::Paid).is_none() {
                draft.set_money(MoneyColumn::Paid, amount);
            }
            if amount.is_some() {
                draft.set_number(MoneyColumn::Cost, 0);
            }
        }
        // What is given back, taxed or corrected is no time of a card: the charge has it already.
        if category == Category::Gpu && matches!(kind, Kind::Usage | Kind::Subscription) {
            self.card_hours(draft, lines);
            if kind == Kind::Subscription {
                self.ask_for_package(draft);
            }
        }
        self.agree(draft, lines);
        self.needed(draft, lines, kind);
    }

    fn needed(&mut self, draft: &mut Draft, lines: &mut Lines, kind: Kind) {
        if draft.sign(MoneyColumn::Cost).is_none() {
            let hint = match self.priced {
                true => self.unagreed(draft, lines),
                false => message!("every charge states what it costs; 0 is written as 0"),
            };
            self.refuse_in(Target::Money(MoneyColumn::Cost), draft.row, "", "an amount", Some(hint));
        }
        // Where no price was agreed, its currency is not known either: that is said once.
        let unpriced = self.priced && draft.sign(MoneyColumn::Cost).is_none();
        if draft.text(TextColumn::Currency).is_none() && !unpriced {
            match &self.told.currency {
                Some(currency) => draft.set_text(TextColumn::Currency, Some(lines.code(currency))),
                None => {
                    let entry = &self.told.entry;
                    let hint = message!("this export names none; say it in kashi.toml: {entry}, currency = \"CNY\"");
                    self.refuse_in(Target::Text(TextColumn::Currency), draft.row, "", "a currency", Some(hint));
                }
            }
        }
        if draft.text(TextColumn::Account).is_none() {
            draft.set_text(TextColumn::Account, self.account);
        }
        if draft.text(TextColumn::Sku).is_none() {
            let code = lines.code(kind.as_str());
            draft.set_text(TextColumn::Sku, Some(code));
        }
        self.signs(draft, kind);
        self.times(draft);
        self.period(draft, lines);
    }

    fn times(&mut self, draft: &Draft) {
        let (Some(start), Some(end)) = (draft.time(TimeColumn::Start), draft.time(TimeColumn::End)) else { return };
        if end < start {
            let expected = message!("a time at or after the start, {}", self.shown_time(start));
            self.refuse_in(Target::Time(TimeColumn::End), draft.row, &self.shown_time(end), expected, None);
        }
    }

    /// A bill that names no month is of the month in which its time begins, on its platform's clock:
    /// the same charge is of one month, on whichever clock an export of it was printed.
    fn period(&mut self, draft: &mut Draft, lines: &mut Lines) {
        if draft.text(TextColumn::Period).is_some() {
            return;
        }
        let time = draft.time(TimeColumn::Start).or(draft.time(TimeColumn::Posted));
        let time = time.and_then(chrono::DateTime::from_timestamp_micros);
        let clock = self.told.months.as_ref().unwrap_or(&self.plan.zone);
        let month = time.map(|time| clock.local(time).format("%Y-%m").to_string());
        match month.or_else(|| self.told.period.clone()) {
            Some(month) => draft.set_text(TextColumn::Period, Some(lines.code(&month))),
            None => {
                let expected = "the month of the bill or a time";
                let hint = message!("say it in kashi.toml: {}, period = \"2026-10\"", self.told.entry);
                self.refuse_in(Target::Text(TextColumn::Period), draft.row, "", expected, Some(hint));
            }
        }
    }

    /// Refuses hours that no ledger holds: left blank, they would look unknown.
    #[cold]
    fn too_many_hours(&mut self, draft: &Draft) {
        let shown = |column| draft.decimal(column).map_or("?".to_owned(), |number| number.to_string());
        let found = format!("{} × {}", shown(MoneyColumn::Cards), shown(MoneyColumn::Quantity));
        let expected = message!("cards and hours whose product is below 10^15");
        self.refuse_in(Target::Money(MoneyColumn::Quantity), draft.row, &found, expected, None);
    }

    /// What is given back is not charged: a negative quantity makes no positive cost, and no charge
    /// is for less than no card.
    fn signs(&mut self, draft: &Draft, kind: Kind) {
        if let (Some(-1), Kind::Usage | Kind::Subscription) = (draft.sign(MoneyColumn::Cards), kind) {
            let shown = draft.decimal(MoneyColumn::Cards).map(|cards| cards.to_string()).unwrap_or_default();
            let expected = message!("a number of cards, 0 or more");
            self.refuse_in(Target::Money(MoneyColumn::Cards), draft.row, &shown, expected, None);
        }
        let signs = (draft.sign(MoneyColumn::Quantity), draft.sign(MoneyColumn::Cost), kind);
        if let (Some(-1), Some(1), Kind::Usage | Kind::Subscription) = signs {
            let shown = draft.decimal(MoneyColumn::Quantity).map(|q| q.to_string()).unwrap_or_default();
            let expected = "a quantity of 0 or more on a line that costs money";
            self.refuse_in(Target::Money(MoneyColumn::Quantity), draft.row, &shown, expected, None);
        }
    }

    fn refuse_in(
        &mut self,
        target: Target,
        row: u32,
        value: &str,
        expected: impl Into<Message>,
        hint: Option<Message>,
    ) {
        let column = self.plan.column_of(target).to_owned();
        self.refuse(row, &column, value, expected, hint);
    }

    /// A time on the bill's own clock, as the user finds it there.
    fn shown_time(&self, micros: i64) -> String {
        let time = chrono::DateTime::from_timestamp_micros(micros).map(|t| self.plan.zone.local(t));
        time.map(|t| t.format("%Y-%m-%d %H:%M:%S").to_string()).unwrap_or_default()
    }

    /// GPUs × hours of a line, from the metered time if it is one, else from the charged time.
    ///
    /// Not money: a number of seconds that is no finite decimal of an hour is rounded at 18 decimals.
    fn card_hours(&mut self, draft: &mut Draft, lines: &Lines) {
        if draft.sign(MoneyColumn::CardHours).is_some() {
            return;
        }
        let unit = draft.text(TextColumn::Unit);
        let quantity = draft.decimal(MoneyColumn::Quantity);
        let cards = draft.decimal(MoneyColumn::Cards).unwrap_or(Decimal::ONE);
        let metered = unit.and_then(|unit| self.vocabulary.hours(unit, lines)).zip(quantity);
        let metered = metered.and_then(|((up, down), q)| match q * up {
            hours if down == Decimal::ONE => Some(hours),
            hours => hours.checked_div(down),
        });
        let by_card = unit == Some(self.vocabulary.card_hour);
        let time = if by_card { quantity } else { metered.or_else(|| charged(draft)) };
        let hours = if by_card { time } else { time.and_then(|h| h.checked_mul(cards)) };
        match hours {
            Some(hours) => draft.set_decimal(MoneyColumn::CardHours, hours.round_dp(money::SCALE)),
            None => draft.set_money(MoneyColumn::CardHours, None),
        }
        if time.is_some() && draft.sign(MoneyColumn::CardHours).is_none() {
            self.too_many_hours(draft);
        }
        if by_card && draft.sign(MoneyColumn::Cards).is_none() {
            // A bill by the card-hour need not say how many cards ran: their mean over its time is known.
            let mean = hours.zip(charged(draft)).and_then(|(cards, time)| cards.checked_div(time));
            if let Some(mean) = mean {
                draft.set_decimal(MoneyColumn::Cards, mean.round_dp(money::SCALE));
            }
        }
    }
}

/// Hours from the start of a line to its end.
fn charged(draft: &Draft) -> Option<Decimal> {
    let (start, end) = draft.time(TimeColumn::Start).zip(draft.time(TimeColumn::End))?;
    Decimal::from(end - start).checked_div(Decimal::from(3_600_000_000u64))
}
