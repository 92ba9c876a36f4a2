//! What kashi.toml says must make sense together, not key by key alone.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use kashi_parsers::contract::{Price, Rate};
use kashi_parsers::ledger::marks::is_code;
use kashi_parsers::message;
use kashi_rules::Severity;
use rust_decimal::Decimal;

use super::Config;

/// Refuses what would be passed over in silence or answered with a wrong reason later.
///
/// # Errors
/// With the table and the key of the first that makes no sense.
pub(super) fn check(config: &Config, name: &str) -> Result<()> {
    let mut statements = BTreeSet::new();
    for statement in &config.statement {
        let file = statement.file.trim_start_matches("./");
        if !statements.insert((file, &statement.currency)) {
            bail!(message!(
                "{name}: two [[statement]] say what is owed for \"{file}\" in {}; keep the one that the vendor states",
                statement.currency
            ));
        }
    }
    if let Some(word) = config.fail_on.as_deref().filter(|word| Severity::from_word(word).is_none()) {
        bail!(message!("{name}: fail_on = {word:?} is not a severity; expected info, warning or critical"));
    }
    let mut layers = BTreeSet::new();
    if let Some(twice) = config.layer.iter().find(|layer| !layers.insert(&layer.name)) {
        bail!(message!("{name}: two [[layer]] are called {:?}; give each a name of its own", twice.name));
    }
    for price in &config.price {
        if is_no_unit(price) {
            bail!(message!(
                "{name}: [[price]] unit = {:?} is no unit of cards; expected card-hour, card-day or card-month behind the currency, such as \"{}/card-hour\"",
                price.unit,
                price.currency()
            ));
        }
    }
    check_rates(config, name)
}

/// Currencies are compared letter by letter: `usd` would meet no line in USD.
fn check_rates(config: &Config, name: &str) -> Result<()> {
    let own = config.currency.iter().map(|code| ("currency", code));
    let accounts = config.account.iter().filter_map(|a| Some(("[[account]] currency", a.currency.as_ref()?)));
    let rates = config.rate.iter().flat_map(|rate| [("[[rate]] from", &rate.from), ("[[rate]] to", &rate.to)]);
    let statements = config.statement.iter().map(|statement| ("[[statement]] currency", &statement.currency));
    let balances = config.balance.iter().map(|balance| ("[[balance]] currency", &balance.currency));
    for (key, code) in own.chain(accounts).chain(rates).chain(statements).chain(balances) {
        if !is_code(code) {
            bail!(message!("{name}: {key} = {code:?} is no currency; expected its ISO 4217 code, such as \"CNY\""));
        }
    }
    for (at, rate) in config.rate.iter().enumerate() {
        if rate.rate <= Decimal::ZERO {
            bail!(message!("{name}: [[rate]] rate = \"{}\" is no rate; expected more than 0", rate.rate));
        }
        if rate.from == rate.to {
            bail!(message!("{name}: a [[rate]] goes from {} to itself; expected another currency", rate.from));
        }
        let same = |other: &&Rate| (&other.from, &other.to, other.date) == (&rate.from, &rate.to, rate.date);
        if config.rate[..at].iter().any(|other| same(&other)) {
            bail!(message!("{name}: two [[rate]] from {} to {} are of {}; keep one", rate.from, rate.to, rate.date));
        }
        let turned = |other: &&Rate| (&other.to, &other.from, other.date) == (&rate.from, &rate.to, rate.date);
        if config.rate[..at].iter().any(|other| turned(&other)) {
            bail!(message!(
                "{name}: a [[rate]] from {} to {} and one the other way round are of {}; keep one, the other follows from it",
                rate.from,
                rate.to,
                rate.date
            ));
        }
    }
    Ok(())
}

/// Whether a price's unit is one of cards that no rule compares: it would be passed over.
///
/// Other units are a vendor's own and are compared with those of its bills.
fn is_no_unit(price: &Price) -> bool {
    let per = price.per().to_lowercase();
    per.starts_with("card") && !["card-hour", "card-day", "card-month"].contains(&price.per())
}
