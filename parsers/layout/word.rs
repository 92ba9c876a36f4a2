//! What a text cell means in the ledger's vocabulary.

use super::cell::{extract, value};
use super::plan::{Memo, Step};
use super::schema::Via;
use super::tags;
use crate::catalogue;
use crate::ledger::money;
use crate::ledger::{Category, Kind, Lines, Terms, TextColumn, units};

/// What a text cell means in its column.
pub(super) fn word(step: &mut Step, column: TextColumn, text: &str, provider: &str, lines: &mut Lines) -> Memo {
    if let Some(constant) = &step.value {
        return Memo::Value(lines.code(constant));
    }
    let Some(text) = value(text).and_then(|t| extract(step, t)) else { return Memo::Nothing };
    let closed = matches!(column, TextColumn::Kind | TextColumn::Category | TextColumn::Terms);
    if let Some(known) =
        step.is.get(text).or_else(|| step.matches.iter().find(|(p, _)| p.is_match(text)).map(|(_, w)| w))
    {
        return Memo::Value(lines.code(known));
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
        return word.map_or(Memo::Nothing, |w| Memo::Value(lines.code(w)));
    }
    match column {
        TextColumn::Tags => tags::canonical(text).map_or(Memo::Nothing, |tags| Memo::Value(lines.code(&tags))),
        TextColumn::Unit => Memo::Value(lines.code(units::canonical(text).unwrap_or(text))),
        TextColumn::Currency => Memo::Value(lines.code(&currency(text))),
        TextColumn::Period => step.time.month(text).map_or(Memo::Nothing, |m| Memo::Value(lines.code(&m))),
        _ => Memo::Value(lines.code(text)),
    }
}

fn card(step: &mut Step, text: &str, provider: &str, lines: &mut Lines) -> Memo {
    let (card, count) = match step.via {
        Some(Via::Instance) => match instance(provider, text) {
            Some(instance) => (instance.card.map(str::to_owned), Some(instance.cards)),
            None => (None, None),
        },
        Some(Via::Card) => (catalogue::find_in(text).map(|c| c.id.to_string()), catalogue::count_in(text)),
        None => (catalogue::card(text).map(|c| c.id.to_string()), None),
    };
    let Some(id) = card else { return Memo::Nothing };
    let code = lines.code(&id);
    match count.and_then(money::from_decimal) {
        Some(count) => {
            step.numbers.push(count);
            Memo::Counted(code, step.numbers.len() as u32 - 1)
        }
        None => Memo::Value(code),
    }
}

/// The instance type at this provider; in a format that many providers share, one that means the
/// same cards wherever it is known.
pub(super) fn instance(provider: &str, text: &str) -> Option<&'static catalogue::InstanceType> {
    if catalogue::lists(provider) {
        return catalogue::instance(provider, text);
    }
    let named = catalogue::named_instances(text);
    let first = named.first().copied()?;
    named.iter().all(|other| other.card == first.card && other.cards == first.cards).then_some(first)
}

/// The code of a currency; capital letters, however the bill writes it.
fn currency(text: &str) -> String {
    match text {
        "元" | "人民币" | "¥" | "￥" => "CNY".to_owned(),
        "美元" | "$" | "US$" => "USD".to_owned(),
        other => match other.to_ascii_uppercase().as_str() {
            "RMB" | "YUAN" => "CNY".to_owned(),
            code => code.to_owned(),
        },
    }
}
