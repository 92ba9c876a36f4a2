//! Exports that state quantities alone: what a line costs follows from the price that was agreed.

use rust_decimal::Decimal;

use super::convert::Converter;
use super::draft::Draft;
use crate::catalogue;
use crate::contract::Price;
use crate::ledger::money::{self, SCALE};
use crate::ledger::{Lines, MoneyColumn, Terms, TextColumn, TimeColumn, units};
use crate::message::Message;

impl Converter<'_> {
    /// Fills cost, price and currency of a line from the contract, if its export names no amounts
    /// and a price holds for it; the product is rounded at the ledger's last decimal.
    pub(super) fn agree(&self, draft: &mut Draft, lines: &mut Lines) {
        if !self.priced || draft.money(MoneyColumn::Cost).is_some() {
            return;
        }
        let found = self.prices.iter().filter(|price| self.holds(price, draft, lines));
        let Some((price, units)) = found.filter_map(|p| Some((p, charged(p, draft, lines)?))).next() else { return };
        let cost = price.price.checked_mul(units).map(|cost| cost.round_dp(SCALE)).and_then(money::from_decimal);
        draft.set_money(MoneyColumn::Cost, cost);
        draft.set_money(MoneyColumn::Price, money::from_decimal(price.price));
        let currency = lines.code(price.currency());
        draft.set_text(TextColumn::Currency, Some(currency));
    }

    /// What a user does about a line without a price.
    pub(super) fn unagreed(&self, draft: &Draft, lines: &Lines) -> Message {
        let word = |column| draft.text(column).map_or("…", |code| lines.word(code));
        let what = match draft.text(TextColumn::Card) {
            Some(card) => format!("card = \"{}\"", lines.word(card)),
            None => format!("sku = \"{}\"", word(TextColumn::Sku)),
        };
        let per = match word(TextColumn::Unit) {
            "card_hour" => "card-hour",
            unit => unit,
        };
        message!(
            "this export states quantities alone; say the agreed price in kashi.toml: [[price]] platform = \"{}\", {what}, terms = \"{}\", price = \"…\", unit = \"USD/{per}\"",
            word(TextColumn::Platform),
            draft.text(TextColumn::Terms).map_or(Terms::OnDemand.as_str(), |code| lines.word(code)),
        )
    }

    fn holds(&self, price: &Price, draft: &Draft, lines: &Lines) -> bool {
        let word = |column| draft.text(column).map(|code| lines.word(code));
        let day = draft.time(TimeColumn::Start).and_then(chrono::DateTime::from_timestamp_micros);
        let day = day.map(|time| self.plan.zone.local(time).date());
        let what = match (&price.sku, &price.card) {
            (Some(sku), _) => word(TextColumn::Sku) == Some(sku),
            (None, Some(card)) => {
                word(TextColumn::Card).is_some_and(|id| id == card || catalogue::card(card).is_some_and(|c| c.id == id))
            }
            (None, None) => false,
        };
        let terms = |text: Option<&str>| text.unwrap_or(Terms::OnDemand.as_str()).to_owned();
        what && price.platform.as_deref().is_none_or(|name| word(TextColumn::Platform) == Some(name))
            && terms(price.terms.as_deref()) == terms(word(TextColumn::Terms))
            && day.is_none_or(|day| price.holds(day))
            && word(TextColumn::Currency).is_none_or(|currency| currency == price.currency())
    }
}

/// How many of a price's units a line has; `None` if it is measured in something else.
fn charged(price: &Price, draft: &Draft, lines: &Lines) -> Option<Decimal> {
    let quantity = draft.money(MoneyColumn::Quantity).and_then(money::to_decimal)?;
    let unit = draft.text(TextColumn::Unit).map(|code| lines.word(code))?;
    let per = units::canonical(price.per()).unwrap_or(price.per());
    if folded(per) == folded(unit) {
        return Some(quantity);
    }
    match per {
        "card_hour" => draft.money(MoneyColumn::CardHours).and_then(money::to_decimal),
        "hour" => units::hours(unit).and_then(|(up, down)| quantity.checked_mul(up)?.checked_div(down)),
        _ => None,
    }
}

/// A unit as it is compared: `GiB-Hours` and `gib_hour` are one.
fn folded(unit: &str) -> String {
    let text: String = unit.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    text.strip_suffix('s').map_or(text.clone(), str::to_owned)
}
