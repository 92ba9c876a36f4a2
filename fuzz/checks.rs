//! What must hold of any bytes, whatever they are: one function for each fuzz target.
//!
//! The targets run them on bytes that nobody has thought of, the tests (`tests/fuzzed.rs`) on the
//! bytes that once broke them.

use std::fmt::Write as _;

use kashi_parsers::layout::{self, Bill, Given, Platforms};
use kashi_parsers::ledger::{Ledger, Lines};
use kashi_parsers::open::{Record, Table, open_bytes};
use kashi_parsers::usage::{self, Options, Usage};
use kashi_parsers::{Error, error};

#[path = "parts/mod.rs"]
pub(crate) mod parts;
#[path = "reference.rs"]
mod reference;

/// The rows of a table, each with its number.
type Rows = Vec<(u32, Vec<Vec<u8>>)>;

/// Bytes as a text file: read twice the same, rows in rising order, and what the `csv` crate makes of them.
pub(crate) fn csv(bytes: &[u8]) {
    let Ok(tables) = opened(bytes, "bill.csv") else { return };
    tables.iter().for_each(rows_hold);
    let plain = [&b"\x1f\x8b"[..], b"PK", b"\xd0\xcf", b"\xff\xfe", b"\xfe\xff"].iter().all(|m| !bytes.starts_with(m));
    let ([table], Ok(text)) = (tables.as_slice(), std::str::from_utf8(bytes)) else { return };
    if !plain || table.encoding != "UTF-8" {
        return;
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // The crate drops a byte-order mark too: of two of them it would drop both.
    if text.starts_with('\u{feff}') {
        return;
    }
    for &delimiter in table.delimiters() {
        if !reference::never_closes(text, delimiter) {
            assert_eq!(read(table, delimiter), reference::rows(text, delimiter), "cut at {:?}", delimiter as char);
        }
    }
}

/// Bytes as a workbook: as they come if they are a zip or an XLS, else as the parts of one, cut at zeros.
pub(crate) fn xlsx(bytes: &[u8]) {
    let whole = bytes.starts_with(b"PK") || bytes.starts_with(b"\xd0\xcf\x11\xe0");
    let packed = if whole { bytes.to_vec() } else { parts::workbook(bytes) };
    let Ok(tables) = opened(&packed, "bill.xlsx") else { return };
    tables.iter().for_each(rows_hold);
}

/// Bytes as JSON: what is taken is JSON to another reader too, and a list of flat records keeps every text.
pub(crate) fn json(bytes: &[u8]) {
    for name in ["bill.json", "bill.jsonl"] {
        let tables = opened(bytes, name);
        tables.iter().flatten().for_each(rows_hold);
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        if !text.starts_with(['{', '[']) {
            continue;
        }
        let whole: Vec<Result<serde_json::Value, _>> = serde_json::Deserializer::from_str(text).into_iter().collect();
        let json = whole.iter().all(Result::is_ok);
        match &tables {
            Ok(tables) if tables.iter().any(|t| t.encoding == "JSON") => {
                // What serde_json alone refuses: numbers beyond a double, which here are text.
                let beyond = whole.iter().filter_map(|v| v.as_ref().err()).any(|e| e.to_string().contains("range"));
                assert!(json || beyond, "taken, and no JSON: {text:?}");
                if let ([Ok(serde_json::Value::Array(records))], [table]) = (whole.as_slice(), tables.as_slice()) {
                    texts_are_kept(records, table);
                }
            }
            Err(error) => assert!(!json || !error.to_string().contains("is broken JSON"), "{error}: {text:?}"),
            Ok(_) => {}
        }
    }
}

/// Bytes as the XML of nvidia-smi.
pub(crate) fn xml(bytes: &[u8]) {
    let mut document = Vec::new();
    if !String::from_utf8_lossy(bytes).contains("<nvidia_smi_log") {
        document.extend_from_slice(b"<!-- <nvidia_smi_log -->");
    }
    document.extend_from_slice(bytes);
    hours_hold(&document, "smi.xml");
}

/// Bytes as a log of nvidia-smi dmon.
pub(crate) fn dmon(bytes: &[u8]) {
    hours_hold(bytes, "dmon.log");
}

/// Bytes as any utilization export.
pub(crate) fn usage(bytes: &[u8]) {
    hours_hold(bytes, "usage.csv");
}

/// Bytes as a platform file: what is taken claims a table of its own columns, which adds up.
pub(crate) fn platform(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut platforms = Platforms::default();
    if platforms.add("our-cloud.toml", text).is_err() {
        return;
    }
    for platform in platforms.iter().cloned().collect::<Vec<_>>() {
        for layout in &platform.layouts {
            let table = Table::from_text("bill.csv", &columns_filled(layout));
            account_for(&table, &platforms);
        }
    }
}

/// Bytes as a bill of any platform: every row is a line, left out or refused.
pub(crate) fn bill(bytes: &[u8]) {
    let Ok(tables) = opened(bytes, "bill") else { return };
    let Ok(platforms) = layout::shipped() else { panic!("a shipped platform file is wrong") };
    tables.iter().for_each(|table| account_for(table, platforms));
}

fn opened(bytes: &[u8], name: &str) -> Result<Vec<Table>, Error> {
    open_bytes(bytes.to_vec(), name).inspect_err(|error| said(error, name))
}

/// An error says where, and something.
fn said(error: &Error, name: &str) {
    // Refused cells each have a place of their own.
    let mut places = error.origin().into_iter().chain(error.refusals().iter().map(|refusal| &refusal.origin));
    assert!(places.any(|o| o.file.starts_with(name)), "no place: {error}");
    assert!(!error.to_string().is_empty() && error.to_string().len() < 100_000, "an error of no use");
}

fn read(table: &Table, delimiter: u8) -> Rows {
    let Ok(mut rows) = table.rows(delimiter) else { return Rows::new() };
    let mut record = Record::new();
    let mut all = Rows::new();
    loop {
        match rows.next(&mut record) {
            Ok(Some(row)) => all.push((row, record.iter().map(<[u8]>::to_vec).collect())),
            Ok(None) => return all,
            Err(error) => {
                assert_eq!(error.kind(), error::Kind::Bound, "{error}");
                return all;
            }
        }
    }
}

/// Rows rise, and are the same when they are read again, with and without the quotes taken off at once.
fn rows_hold(table: &Table) {
    for &delimiter in table.delimiters() {
        let all = read(table, delimiter);
        assert!(all.windows(2).all(|two| two[0].0 < two[1].0), "rows do not rise");
        assert!(all.iter().all(|(row, cells)| *row > 0 && !cells.is_empty()), "a row without a number or a cell");
        let (Ok(mut rows), mut record, mut again) = (table.rows(delimiter), Record::new(), Rows::new()) else { return };
        record.want([0, 2].into_iter(), [1].into_iter());
        while let Ok(Some(row)) = rows.next(&mut record) {
            record.whole();
            again.push((row, record.iter().map(<[u8]>::to_vec).collect()));
        }
        assert_eq!(all, again, "read again");
    }
}

/// Each record of flat texts is a row with these texts under these names.
fn texts_are_kept(records: &[serde_json::Value], table: &Table) {
    let rows = read(table, b',');
    let Some(((_, names), body)) = rows.split_first() else { panic!("a table without a header") };
    assert_eq!(body.len(), records.len(), "a record was lost");
    for (record, (_, cells)) in records.iter().zip(body) {
        let serde_json::Value::Object(fields) = record else { panic!("a record that is no object") };
        for (name, value) in fields {
            let serde_json::Value::String(text) = value else { continue };
            let place = names.iter().position(|n| n == name.as_bytes());
            let cell = place.and_then(|at| cells.get(at)).map(Vec::as_slice).unwrap_or_default();
            assert_eq!(cell, text.as_bytes(), "{name:?}");
        }
    }
}

/// Hours add up, are the same when read again, and survive being written and read.
fn hours_hold(bytes: &[u8], name: &str) {
    let once = usage::read_from(name, bytes, &Options::default());
    let again = usage::read_from(name, bytes, &Options::default());
    let read = match (once, again) {
        (Ok(once), Ok(again)) => {
            assert_eq!(format!("{once:?}"), format!("{again:?}"), "read again");
            once
        }
        (Err(one), Err(other)) => {
            said(&one, name);
            return assert_eq!(one.to_string(), other.to_string(), "read again");
        }
        _ => panic!("read once, refused once"),
    };
    let Usage { hours, sources, .. } = &read;
    assert!(hours.windows(2).all(|two| (&two[0].device, two[0].hour) < (&two[1].device, two[1].hour)), "an hour twice");
    for hour in hours {
        assert!((0.0..=3600.001).contains(&hour.observed_s), "{hour:?}");
        assert!(hour.idle_s >= 0.0 && hour.busy_s >= 0.0, "{hour:?}");
        // Each is rounded to thousandths by itself.
        assert!(hour.idle_s + hour.busy_s <= hour.observed_s + 0.002, "{hour:?}");
        assert!(hour.util_mean.is_none_or(|mean| (0.0..=100.001).contains(&mean)), "{hour:?}");
        assert!(hour.util_max.is_none_or(|most| (0.0..=100.0).contains(&most)), "{hour:?}");
        assert!(hour.memory_max.is_none_or(|mib| mib.is_finite() && mib >= 0.0), "{hour:?}");
    }
    if sources.iter().all(|s| s.format != "kashi roll-up") {
        let mut written = Vec::new();
        usage::write_hours_csv(hours, &mut written).expect("memory");
        let back = usage::read_hours_csv(&String::from_utf8_lossy(&written), name).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(back.len(), hours.len(), "written and read");
    }
}

/// A table with every column that a layout reads, and rows of what a cell may hold.
fn columns_filled(layout: &layout::Layout) -> String {
    const CELLS: [&str; 12] = [
        "2026-09-01",
        "12.5",
        "",
        "2026-09-01 10:00:00",
        "-0.000000000000000001",
        "N/A",
        "1790870400",
        "1e15",
        "中,\"文\"",
        "202609",
        "999999999999999",
        "usage",
    ];
    let parts = layout.parts.iter().flat_map(|part| part.columns.values());
    let sources = layout.columns.values().chain(parts).flat_map(|s| &s.0);
    let mut names: Vec<String> = sources.filter_map(|s| s.column.0.first()).map(|n| n.replace('*', "0")).collect();
    names.sort();
    names.dedup();
    names.truncate(200);
    if names.len() < 2 {
        names.extend(["x".to_owned(), "y".to_owned()]);
    }
    let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
    let mut text = names.iter().map(|n| quoted(n)).collect::<Vec<_>>().join(",");
    for row in 0..CELLS.len() {
        let cells: Vec<String> = (0..names.len()).map(|at| quoted(CELLS[(row + at * row) % CELLS.len()])).collect();
        let _ = write!(text, "\n{}", cells.join(","));
    }
    if let Some(total) = layout.total.iter().flatten().next() {
        let _ = write!(text, "\n{}{}", quoted(total), ",1".repeat(names.len() - 1));
    }
    text
}

/// A table that a layout claims is accounted for row by row, twice the same.
fn account_for(table: &Table, platforms: &Platforms) {
    let claim = match layout::identify(table, platforms) {
        Ok(claim) => claim,
        Err(error) => return said(&error, &table.origin.file),
    };
    let last = read(table, claim.delimiter).last().map_or(0, |(row, _)| *row as usize);
    let ledger = |lines: &mut Lines| layout::read(table, &claim, Given::default(), lines);
    let (mut lines, mut again) = (Lines::new(), Lines::new());
    let bill = match (ledger(&mut lines), ledger(&mut again)) {
        (Ok(bill), Ok(_)) => bill,
        (Err(one), Err(other)) => return assert_eq!(one.to_string(), other.to_string(), "read again"),
        _ => panic!("read once, refused once"),
    };
    conserved(&bill, last, lines.len());
    let (one, other) = (Ledger::new(lines), Ledger::new(again));
    let shown = |ledger: &Ledger| ledger.lines().map(|line| format!("{line:?}")).collect::<Vec<_>>();
    assert_eq!(shown(&one), shown(&other), "read again");
    for line in one.lines() {
        assert!(line.start().zip(line.end()).is_none_or(|(start, end)| start <= end), "{line:?}");
        assert!(line.currency().len() < 1 << 20 && !line.sku().is_empty(), "{line:?}");
    }
    let _ = one.totals();
}

/// The first law: rows = lines + left out + refused.
fn conserved(bill: &Bill, last: usize, lines: usize) {
    let left: usize = bill.left_out.values().sum();
    assert_eq!(bill.lines, lines, "lines");
    assert_eq!(bill.rows + bill.parts, bill.lines + left + bill.refused_rows, "a row was lost: {bill:?}");
    assert_eq!(bill.rows, last, "rows of the table");
    assert_eq!(bill.refusals.is_empty(), bill.refused_rows == 0, "a row refused without a reason: {bill:?}");
}
