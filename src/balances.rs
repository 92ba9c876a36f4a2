//! Balances from files: CSV with a header, or `[[balance]]` tables in TOML.

use anyhow::{Context, Result, bail};
use kashi_parsers::contract::Balance;
use serde::Deserialize;

use crate::places::Place;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    balance: Vec<Balance>,
}

/// Reads `platform, account, amount, currency, date, refundable`.
///
/// # Errors
/// If the file cannot be read or a row is wrong; the row is named.
pub fn read(place: &Place) -> Result<Vec<Balance>> {
    let text = std::fs::read_to_string(&place.path).with_context(|| format!("{}: cannot be read", place.name))?;
    let text = text.trim_start_matches('\u{feff}');
    if place.name.ends_with(".toml") {
        let file: File =
            toml::from_str(text).map_err(|e| anyhow::anyhow!("{}: {}", place.name, e.to_string().trim_end()))?;
        return Ok(file.balance);
    }
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let mut balances = Vec::new();
    for record in reader.deserialize::<Balance>() {
        match record {
            Ok(balance) => balances.push(balance),
            Err(error) => bail!(
                "{}: {error}; expected the columns platform, account, amount, currency, date (2026-10-31), refundable (true or false)",
                place.name
            ),
        }
    }
    Ok(balances)
}
