//! What kashi.toml says must make sense together, not key by key alone.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use kashi_parsers::contract::Price;
use kashi_parsers::message;

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
    Ok(())
}

/// Whether a price's unit is one of cards that no rule compares: it would be passed over.
///
/// Other units are a vendor's own and are compared with those of its bills.
fn is_no_unit(price: &Price) -> bool {
    let per = price.per().to_lowercase();
    per.starts_with("card") && !["card-hour", "card-day", "card-month"].contains(&price.per())
}
