//! The events of `kashi usage`: counted on the terminal, written to a file where asked.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use chrono::SecondsFormat;
use kashi_parsers::message;
use kashi_parsers::usage::{Event, EventKind};

use crate::guard::{formula, printable};
use crate::text::{Lang, catalogue};

const COLUMNS: [&str; 10] = ["time", "timing", "kind", "code", "device", "host", "resource", "file", "row", "text"];

/// Prints how many events there are of each kind; nothing where there are none.
///
/// # Errors
/// If `err` cannot be written to.
pub(super) fn summary(events: &[Event], lang: Lang, err: &mut dyn Write) -> Result<()> {
    let mut counts: BTreeMap<EventKind, u64> = BTreeMap::new();
    events.iter().for_each(|event| *counts.entry(event.kind).or_default() += 1);
    if !counts.is_empty() {
        let counts: Vec<String> = counts.iter().map(|(kind, n)| format!("{n} × {}", kind.word())).collect();
        writeln!(err, "{}", catalogue::message(&message!("events: {}", counts.join(", ")), lang))?;
    }
    Ok(())
}

/// Writes events as CSV, a row each, by time; what is unknown is empty.
///
/// # Errors
/// If the name does not end in .csv, or the file cannot be written.
pub(super) fn write(events: &[Event], path: &Path) -> Result<()> {
    is_csv(path)?;
    let mut bytes = crate::MARK.to_vec();
    let mut writer = ::csv::Writer::from_writer(&mut bytes);
    writer.write_record(COLUMNS)?;
    for event in events {
        let some = |text: &Option<String>| text.clone().unwrap_or_default();
        let row = [
            event.time.map(|t| t.to_rfc3339_opts(SecondsFormat::AutoSi, true)).unwrap_or_default(),
            event.timing.word().to_owned(),
            event.kind.word().to_owned(),
            event.code.map(|code| code.to_string()).unwrap_or_default(),
            some(&event.device),
            some(&event.host),
            some(&event.resource),
            event.file.clone(),
            event.row.to_string(),
            event.text.clone(),
        ];
        // A log is written by whoever runs the program that is logged.
        writer.write_record(row.map(|cell| formula(&printable(&cell)).into_owned()))?;
    }
    writer.flush()?;
    drop(writer);
    crate::write_whole(path, &bytes)
}

/// Whether a text begins as a list of events does.
pub(super) fn is_list(text: &str) -> bool {
    text.starts_with(&COLUMNS.join(","))
}

/// Refuses a name that is not that of a CSV file.
///
/// # Errors
/// If the name does not end in .csv.
pub(super) fn is_csv(path: &Path) -> Result<()> {
    if path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("csv")) {
        bail!(message!("{}: events are written as .csv; name the file so", path.display()));
    }
    Ok(())
}
