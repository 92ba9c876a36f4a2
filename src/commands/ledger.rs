//! `kashi ledger`: the clean line items of bills.

use std::io::Write;

use anyhow::Result;
use kashi_parsers::layout::Bill;

use crate::cli::LedgerArgs;
use crate::config::Config;
use crate::{bills, places};

/// Reads bills and writes their lines, or their totals.
///
/// # Errors
/// If a bill cannot be read, or a cell was refused and no quarantine is named.
pub fn run(args: &LedgerArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<()> {
    let platforms = super::platforms(&args.platform_file)?;
    let places = places::gather(&args.bills)?;
    let config = match (&args.config, &places.config) {
        (Some(path), _) => Config::read(path, &path.display().to_string())?,
        (None, Some(place)) => Config::read(&place.path, &place.name)?,
        (None, None) => Config::default(),
    };
    let read = bills::read(&places.bills, &platforms, config.given(), args.quarantine.is_some())?;
    if let Some(file) = &args.quarantine {
        super::quarantine(file, &read.bills)?;
    }
    notes(&read.bills, err)?;
    if args.totals {
        totals(&read, out)
    } else {
        match &args.output {
            Some(path) => crate::export::write_ledger(&read.ledger, path, None),
            None => crate::export::csv(&read.ledger, None, out),
        }
    }
}

/// Prints the exact totals by currency and category.
fn totals(read: &bills::Bills, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "currency,category,lines,cost")?;
    for total in read.ledger.totals()? {
        writeln!(out, "{},{},{},{}", total.currency, total.category, total.lines, total.cost)?;
    }
    Ok(())
}

/// Says what a user should know of each file: rows left out, columns that nobody knows.
fn notes(bills: &[Bill], err: &mut dyn Write) -> Result<()> {
    for bill in bills {
        writeln!(err, "{}: {}, {} rows, {} lines", bill.origin, bill.layout, bill.rows, bill.lines)?;
        let left: Vec<String> = bill.left_out.iter().map(|(reason, n)| format!("{n} {}", reason.as_str())).collect();
        if bill.refused_rows > 0 {
            writeln!(err, "  refused: {} rows", bill.refused_rows)?;
        }
        if !left.is_empty() {
            writeln!(err, "  left out: {}", left.join(", "))?;
        }
        if !bill.unknown_columns.is_empty() {
            writeln!(err, "  columns that the layout does not know: {}", bill.unknown_columns.join(", "))?;
        }
        for note in &bill.notes {
            writeln!(err, "  note: {note}")?;
        }
    }
    Ok(())
}
