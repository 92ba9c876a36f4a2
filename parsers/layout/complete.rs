//! What follows from the cells of a line, and what a line must not lack.

use rust_decimal::Decimal;

use super::convert::Converter;
use super::draft::Draft;
use super::plan::Target;
use crate::ledger::money;
use crate::ledger::{Category, Kind, Lines, MoneyColumn, Terms, TextColumn, TimeColumn, units};

impl Converter<'_> {
    /// Fills what follows from the rest of the line, and checks that nothing needed is missing.
    pub(super) fn complete(&mut self, draft: &mut Draft, lines: &mut Lines) {
        let kind = draft.text(TextColumn::Kind).and_then(|c| Kind::from_word(lines.word(c))).unwrap_or(Kind::Usage);
        let has_card = draft.text(TextColumn::Card).is_some();
        let category = draft.text(TextColumn::Category).and_then(|c| Category::from_word(lines.word(c)));
        let category = match category {
            Some(Category::Compute) | None if has_card => Category::Gpu,
            None => Category::Other,
            Some(known) => known,
        };
        let code = lines.code(category.as_str());
        draft.set_text(TextColumn::Category, Some(code));
        if matches!(
            category,
            Category::Storage | Category::Image | Category::Snapshot | Category::Egress | Category::Ip
        ) {
            // Some bills repeat the instance type on each line of an instance: its disk is no card.
            draft.set_text(TextColumn::Card, None);
            draft.set_money(MoneyColumn::Cards, None);
        }
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
        self.agree(draft, lines);
        self.needed(draft, lines, kind);
    }

    fn needed(&mut self, draft: &mut Draft, lines: &mut Lines, kind: Kind) {
        if draft.money(MoneyColumn::Cost).is_none() {
            let hint = match self.priced {
                true => self.unagreed(draft, lines),
                false => "every charge states what it costs; 0 is written as 0".to_owned(),
            };
            self.refuse_in(Target::Money(MoneyColumn::Cost), draft.row, "", "an amount", Some(&hint));
        }
        // Where no price was agreed, its currency is not known either: that is said once.
        let unpriced = self.priced && draft.money(MoneyColumn::Cost).is_none();
        if draft.text(TextColumn::Currency).is_none() && !unpriced {
            let hint = "this export names none; say it in kashi.toml: [[account]] platform = \"…\", currency = \"CNY\"";
            match self.currency {
                Some(currency) => draft.set_text(TextColumn::Currency, Some(lines.code(currency))),
                None => self.refuse_in(Target::Text(TextColumn::Currency), draft.row, "", "a currency", Some(hint)),
            }
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
            let expected = format!("a time at or after the start, {}", self.shown_time(start));
            self.refuse_in(Target::Time(TimeColumn::End), draft.row, &self.shown_time(end), &expected, None);
        }
    }

    /// A bill that names no month is of the month in which its time begins, on its own clock.
    fn period(&mut self, draft: &mut Draft, lines: &mut Lines) {
        if draft.text(TextColumn::Period).is_some() {
            return;
        }
        let time = draft.time(TimeColumn::Start).or(draft.time(TimeColumn::Posted));
        match time.and_then(chrono::DateTime::from_timestamp_micros) {
            Some(time) => {
                let month = self.plan.zone.local(time).format("%Y-%m").to_string();
                draft.set_text(TextColumn::Period, Some(lines.code(&month)));
            }
            None => {
                let expected = "the month of the bill or a time";
                self.refuse_in(Target::Text(TextColumn::Period), draft.row, "", expected, None);
            }
        }
    }

    /// What is given back is not charged: a negative quantity makes no positive cost.
    fn signs(&mut self, draft: &Draft, kind: Kind) {
        let quantity = draft.money(MoneyColumn::Quantity).filter(|q| *q < 0);
        let cost = draft.money(MoneyColumn::Cost).filter(|c| *c > 0);
        if let (Some(quantity), Some(_), Kind::Usage | Kind::Subscription) = (quantity, cost, kind) {
            let shown = money::to_decimal(quantity).map(|q| q.to_string()).unwrap_or_default();
            let expected = "a quantity of 0 or more on a line that costs money";
            self.refuse_in(Target::Money(MoneyColumn::Quantity), draft.row, &shown, expected, None);
        }
    }

    fn refuse_in(&mut self, target: Target, row: u32, value: &str, expected: &str, hint: Option<&str>) {
        let column = self.plan.column_of(target).to_owned();
        self.refuse(row, &column, value, expected, hint);
    }

    /// A time on the bill's own clock, as the user finds it there.
    fn shown_time(&self, micros: i64) -> String {
        let time = chrono::DateTime::from_timestamp_micros(micros).map(|t| self.plan.zone.local(t));
        time.map(|t| t.format("%Y-%m-%d %H:%M:%S").to_string()).unwrap_or_default()
    }
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
    if unit == Some("card_hour") && draft.money(MoneyColumn::Cards).is_none() {
        // A bill by the card-hour need not say how many cards ran: their mean over its time is known.
        let mean = hours.zip(charged).and_then(|(cards, time)| cards.checked_div(time));
        draft.set_money(MoneyColumn::Cards, mean.map(|c| c.round_dp(money::SCALE)).and_then(money::from_decimal));
    }
}
