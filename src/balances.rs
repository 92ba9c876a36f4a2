//! Balances from files: CSV with a header, or `[[balance]]` tables in TOML.

use anyhow::{Context, Result, bail};
use kashi_parsers::contract::Balance;
use kashi_parsers::message;
use kashi_parsers::open::{self, Record};
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
    if place.name.ends_with(".toml") {
        let text = std::fs::read_to_string(&place.path).with_context(|| message!("{}: cannot be read", place.name))?;
        let text = text.trim_start_matches('\u{feff}');
        let file: File = toml::from_str(text)
            .map_err(|e| anyhow::anyhow!(message!("{}: {}", place.name, e.to_string().trim_end())))?;
        if file.balance.is_empty() {
            bail!(message!("{}: holds no balance; expected a table [[balance]] for each, with {COLUMNS}", place.name));
        }
        return Ok(file.balance);
    }
    let mut balances = Vec::new();
    for table in open::open(&place.path, &place.name)? {
        let mut rows = table.rows(b',')?;
        let mut record = Record::new();
        let Some(_) = rows.next(&mut record)? else { continue };
        let header = cells(&record);
        while let Some(row) = rows.next(&mut record)? {
            let origin = table.origin.at(row);
            let cells = cells(&record);
            if cells.iter().all(String::is_empty) {
                continue;
            }
            match balance(&header, &cells) {
                Ok(balance) => balances.push(balance),
                Err(error) => bail!(message!("{origin}: {error}; expected the columns {COLUMNS}")),
            }
        }
    }
    if balances.is_empty() {
        bail!(message!(
            "{}: holds no balance; expected a first row that names the columns {COLUMNS}, and a row for each balance",
            place.name
        ));
    }
    Ok(balances)
}

const COLUMNS: &str = "platform, account, amount, currency, date (2026-10-31), refundable (true or false)";

fn cells(record: &Record) -> Vec<String> {
    record
        .iter()
        .map(|cell| {
            String::from_utf8_lossy(cell).trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').to_owned()
        })
        .collect()
}

/// A row as the table that kashi.toml would hold; what is blank is left out.
fn balance(header: &[String], cells: &[String]) -> Result<Balance> {
    if header.len() != cells.len() {
        bail!(message!("has {} cells under {} headers", cells.len(), header.len()));
    }
    let mut table = toml::Table::new();
    for (name, cell) in header.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
        let value = match (name.as_str(), cell.to_ascii_lowercase().as_str()) {
            ("refundable", "true" | "yes" | "是") => toml::Value::Boolean(true),
            ("refundable", "false" | "no" | "否") => toml::Value::Boolean(false),
            _ => toml::Value::String(cell.clone()),
        };
        table.insert(name.to_lowercase(), value);
    }
    Balance::deserialize(toml::Value::Table(table))
        .map_err(|e| anyhow::anyhow!(message!("{}", e.to_string().trim_end())))
}
