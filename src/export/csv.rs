//! The ledger as CSV.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::Result;
use kashi_parsers::ledger::Ledger;
use kashi_rules::JoinRow;

use super::{Cell, cells, header, rfc3339};
use crate::guard::{formula, visible};

/// Writes the ledger as CSV: times in RFC 3339, amounts without trailing zeros, texts guarded.
///
/// # Errors
/// If `out` cannot be written to.
pub fn csv(ledger: &Ledger, join: Option<&[JoinRow]>, out: &mut dyn Write) -> Result<()> {
    let mut writer = ::csv::Writer::from_writer(out);
    writer.write_record(header(join.is_some()))?;
    let mut text = String::new();
    for line in ledger.lines() {
        cells(line, join, |cell| {
            text.clear();
            match cell {
                Cell::Nothing => {}
                Cell::Row(row) => write!(text, "{row}")?,
                Cell::Text(word) => text.push_str(&formula(&visible(word))),
                Cell::Time(time) => text.push_str(&rfc3339(time)),
                Cell::Number(number) => write!(text, "{number}")?,
            }
            Ok(writer.write_field(&text)?)
        })?;
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()?;
    Ok(())
}
