//! Packages whose bill does not say for how long they run: kashi.toml does.

use chrono::{DateTime, Days, NaiveDate, NaiveTime};

use super::convert::Converter;
use super::draft::Draft;
use crate::catalogue;
use crate::contract::Package;
use crate::ledger::{Lines, MoneyColumn, TextColumn, TimeColumn};

impl Converter<'_> {
    /// Fills terms, time and cards of a package, where the bill leaves them open.
    pub(super) fn package(&self, draft: &mut Draft, lines: &mut Lines) {
        let Some(package) = self.told.packages.iter().find(|package| self.is_of(package, draft, lines)) else { return };
        if draft.text(TextColumn::Terms).is_none() {
            draft.set_text(TextColumn::Terms, Some(lines.code(&package.terms)));
        }
        if draft.time(TimeColumn::Start).is_none() && draft.time(TimeColumn::End).is_none() {
            draft.set_time(TimeColumn::Start, package.from.and_then(|day| self.midnight(day)));
            let after = package.until.and_then(|day| day.checked_add_days(Days::new(1)));
            draft.set_time(TimeColumn::End, after.and_then(|day| self.midnight(day)));
        }
        if draft.text(TextColumn::Card).is_none() {
            let card = package.card.as_deref().and_then(catalogue::card);
            draft.set_text(TextColumn::Card, card.map(|card| lines.code(&card.id)));
        }
        if let Some(cards) = package.cards.filter(|_| draft.sign(MoneyColumn::Cards).is_none()) {
            draft.set_decimal(MoneyColumn::Cards, cards.into());
        }
    }

    /// Remembers a package of cards of which terms or time are not known.
    pub(super) fn ask_for_package(&mut self, draft: &Draft) {
        let timed = draft.sign(MoneyColumn::CardHours).is_some() || draft.time(TimeColumn::End).is_some();
        if draft.text(TextColumn::Terms).is_none() || !timed {
            self.unpacked.push(draft.row);
        }
    }

    /// Whether a package is what a line pays for: the resource or product, and a charge within its
    /// time or on the day before, when it is renewed.
    fn is_of(&self, package: &Package, draft: &Draft, lines: &Lines) -> bool {
        let word = |column| draft.text(column).map(|code| lines.word(code));
        let same = |column, named: &Option<String>| named.as_deref().is_none_or(|named| word(column) == Some(named));
        let time = draft.time(TimeColumn::Start).or(draft.time(TimeColumn::Posted));
        let day = time.and_then(DateTime::from_timestamp_micros).map(|time| self.plan.zone.local(time).date());
        let within = match (day, word(TextColumn::Period)) {
            (Some(day), _) => {
                package.from.is_none_or(|from| from <= day.checked_add_days(Days::new(1)).unwrap_or(day))
                    && package.until.is_none_or(|until| day <= until)
            }
            (None, Some(month)) => package.from.is_none_or(|from| from.format("%Y-%m").to_string() == month),
            (None, None) => false,
        };
        same(TextColumn::Resource, &package.resource) && same(TextColumn::Sku, &package.sku) && within
    }

    fn midnight(&self, day: NaiveDate) -> Option<i64> {
        self.plan.zone.to_utc(day.and_time(NaiveTime::MIN)).map(|time| time.timestamp_micros())
    }
}

/// What is to be said of packages of cards, by their rows, of which terms or time are not known.
pub(super) fn note(rows: &[u32], platform: &str) -> Option<String> {
    let first = rows.first()?;
    Some(format!(
        "{} lines of packages (first in row {first}) do not say their terms or how long they run, so that their card-hours are not known: say it in kashi.toml: [[package]] platform = \"{platform}\", resource = \"…\", terms = \"monthly\", from = 2026-10-01, until = 2026-10-31",
        rows.len(),
    ))
}
