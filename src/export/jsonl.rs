//! The ledger as JSON lines.

use std::io::{BufWriter, Write};

use anyhow::Result;
use kashi_parsers::ledger::Ledger;
use kashi_rules::JoinRow;

use super::{Cell, cells, header, rfc3339};

/// Writes one object a line, every column in each: amounts as strings, times in RFC 3339.
pub(super) fn jsonl(ledger: &Ledger, join: Option<&[JoinRow]>, out: &mut dyn Write) -> Result<()> {
    let mut out = BufWriter::new(out);
    let names = header(join.is_some());
    for line in ledger.lines() {
        let mut name = names.iter();
        let mut before = '{';
        cells(line, join, |cell| {
            write!(out, "{before}\"{}\":", name.next().copied().unwrap_or_default())?;
            before = ',';
            match cell {
                Cell::Nothing => out.write_all(b"null")?,
                Cell::Row(row) => write!(out, "{row}")?,
                Cell::Text(text) => serde_json::to_writer(&mut out, text)?,
                Cell::Time(time) => write!(out, "\"{}\"", rfc3339(time))?,
                Cell::Number(number) => write!(out, "\"{number}\"")?,
            }
            Ok(())
        })?;
        out.write_all(b"}\n")?;
    }
    out.flush()?;
    Ok(())
}
