//! `kashi ledger`: the clean line items of bills.

use std::io::Write;

use anyhow::{Result, bail};
use kashi_parsers::layout::{Bill, Reason};
use kashi_parsers::ledger::TextColumn;
use kashi_parsers::{Message, message, nearest};

use crate::cli::LedgerArgs;
use crate::copies::Distinct;
use crate::progress::Steps;
use crate::text::{Lang, catalogue, dozen};
use crate::{bills, export, guard, places};

/// Reads bills and writes their lines, or their totals.
///
/// # Errors
/// If a bill cannot be read, or a cell was refused and no quarantine is named.
pub fn run(args: &LedgerArgs, lang: Lang, out: &mut dyn Write, err: &mut dyn Write) -> Result<()> {
    let platforms = super::platforms(&args.platform_file)?;
    // What cannot be written is said before anything is looked for.
    args.output.as_deref().map(export::Format::of).transpose()?;
    let places = places::gather(&args.bills)?;
    let config = super::config(args.config.as_deref(), &places)?;
    super::are_apart(args.output.as_deref(), args.quarantine.as_deref())?;
    for written in args.output.iter().chain(&args.quarantine) {
        super::can_be_written(written)?;
        super::not_an_input(written, places.bills.iter().map(|bill| bill.path.as_path()))?;
        super::not_another_table(written)?;
    }
    let by = columns(&args.by)?;
    let steps = Steps::new(lang);
    steps.say("reading the bills");
    let distinct = Distinct::told_apart(&places.bills)?;
    let read = bills::read(&distinct.places, &platforms, config.given(), args.quarantine.is_some());
    steps.done();
    let mut read = read?;
    distinct.note(&mut read.bills);
    if let Some(file) = &args.quarantine {
        super::quarantine(file, &read.bills)?;
    }
    notes(&read.bills, lang, err)?;
    if args.totals || !by.is_empty() {
        top_ups(&read, lang, err)?;
    }
    if !by.is_empty() {
        return totals_by(&read, &by, out);
    }
    if args.totals {
        return totals(&read, out);
    }
    steps.say("writing the lines");
    let written = match &args.output {
        Some(path) => crate::export::write_ledger(&read.ledger, path, None),
        None => crate::export::csv(&read.ledger, None, out),
    };
    steps.done();
    written
}

/// The text columns of names, each once.
fn columns(names: &[String]) -> Result<Vec<TextColumn>> {
    let mut columns = Vec::new();
    for name in names {
        let column = column(name)?;
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    Ok(columns)
}

/// The text column of a name.
fn column(name: &str) -> Result<TextColumn> {
    let name = name.trim();
    if let Some((column, _)) = TextColumn::ALL.iter().find(|(_, known)| *known == name) {
        return Ok(*column);
    }
    let names = TextColumn::ALL.map(|(_, known)| known);
    let near = nearest(name, names).map(|known| message!("; did you mean {known:?}?"));
    bail!(message!(
        "--by {name:?} is no column of texts{}; expected one of {}",
        near.unwrap_or_default(),
        names.join(", ")
    ))
}

/// Prints the exact sums by currency and the columns asked for.
fn totals_by(read: &bills::Bills, by: &[TextColumn], out: &mut dyn Write) -> Result<()> {
    let mut csv = ::csv::Writer::from_writer(out);
    let names = by.iter().map(|column| TextColumn::ALL[*column as usize].1);
    // Currencies never meet, so that the column is there unless the user has put it elsewhere.
    let currency = (!by.contains(&TextColumn::Currency)).then_some("currency");
    csv.write_record(names.chain(["lines", "card_hours", "cost"]).chain(currency))?;
    for group in read.ledger.totals_by(by)? {
        let mut cells: Vec<String> =
            group.keys.iter().map(|key| guard::formula(key.as_deref().unwrap_or_default()).into_owned()).collect();
        let hours = group.card_hours.map(|hours| hours.to_string()).unwrap_or_default();
        cells.extend([group.lines.to_string(), hours, group.cost.to_string()]);
        cells.extend(currency.map(|_| group.currency));
        csv.write_record(&cells)?;
    }
    Ok(csv.flush()?)
}

/// Says what the totals leave out: money paid in advance is spent by other lines.
fn top_ups(read: &bills::Bills, lang: Lang, err: &mut dyn Write) -> Result<()> {
    for (currency, lines, paid) in read.ledger.top_ups()? {
        let said =
            message!("not in these totals: {lines} top-ups of {paid} {currency}, money paid in advance and no cost");
        writeln!(err, "{}", catalogue::message(&said, lang))?;
    }
    Ok(())
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
fn notes(bills: &[Bill], lang: Lang, err: &mut dyn Write) -> Result<()> {
    for bill in bills {
        let place = catalogue::origin(&bill.origin, lang);
        let mut said = vec![message!("{}: {}, {} rows, {} lines", place, bill.layout, bill.rows, bill.lines)];
        if bill.refused_rows > 0 {
            said.push(message!("  refused: {} rows", bill.refused_rows));
        }
        let left: Vec<String> = bill.left_out.iter().map(|(reason, n)| left_out(*reason, *n).into()).collect();
        if !left.is_empty() {
            said.push(message!("  left out: {}", left.join(", ")));
        }
        if !bill.unknown_columns.is_empty() {
            let columns: Vec<String> = bill.unknown_columns.iter().map(|name| format!("{name:?}")).collect();
            said.push(message!("  columns that the layout does not know: {}", dozen(&columns, ", ")));
        }
        said.extend(bill.notes.iter().map(|note| message!("  note: {}", note)));
        for said in said {
            writeln!(err, "{}", catalogue::message(&said, lang))?;
        }
    }
    Ok(())
}

fn left_out(reason: Reason, n: usize) -> Message {
    match reason {
        Reason::Title => message!("{n} title"),
        Reason::Blank => message!("{n} blank"),
        Reason::Header => message!("{n} header"),
        Reason::Total => message!("{n} total"),
        Reason::Detailed => message!("{n} that another bill states in detail"),
        Reason::Repeated => message!("{n} that another export has too"),
        Reason::Restated => message!("{n} that a newer export states anew"),
        Reason::OtherMonth => message!("{n} of another month"),
    }
}
