//! What `kashi map` prints.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use kashi_parsers::layout::map::{Doubt, Guess, Proposal};
use kashi_parsers::layout::schema::Source;
use kashi_parsers::open::Table;

use crate::bills::Bills;
use crate::places::Place;

/// Characters of a sample value that are shown.
const MOST_SHOWN: usize = 28;
/// Sample values that are shown of a column.
const VALUES: usize = 3;

/// Prints the header with sample values, the guesses with their reasons, and what is doubtful.
pub(super) fn proposal(table: &Table, proposal: &Proposal, out: &mut dyn Write) -> Result<()> {
    let sample = &proposal.sample;
    writeln!(
        out,
        "{}: header in row {}, {} columns, {} rows seen, {}, delimiter {:?}",
        table.origin,
        sample.row,
        sample.names.len(),
        sample.rows.len(),
        table.encoding,
        char::from(sample.delimiter)
    )?;
    for (at, name) in sample.names.iter().enumerate().filter(|(_, n)| !n.is_empty()) {
        let mut values: Vec<String> = Vec::new();
        for cell in sample.cells(at).map(short) {
            if values.len() < VALUES && !values.contains(&cell) {
                values.push(cell);
            }
        }
        let values = if values.is_empty() { "(empty)".to_owned() } else { values.join(" | ") };
        writeln!(out, "  {}: {values}", short(name))?;
    }
    writeln!(out, "\nproposed:")?;
    for guess in &proposal.guesses {
        writeln!(out, "  {:13} <- {}  [{}]", guess.ledger, from(guess), guess.sure.as_str())?;
        writeln!(out, "  {:13}    {}", "", guess.why.join("; "))?;
    }
    writeln!(out, "  {:13} <- {}  [{}]", "zone", proposal.zone, proposal.zone_why)?;
    if let Some(adapter) = proposal.adapter {
        writeln!(out, "  {:13} <- {adapter}: what is given back is printed without a sign", "adapter")?;
    }
    rest(proposal, out)
}

/// What is not taken over, and what is doubtful.
fn rest(proposal: &Proposal, out: &mut dyn Write) -> Result<()> {
    let unread = proposal.unread();
    let left: Vec<_> = proposal.left.iter().filter(|(name, _)| unread.contains(&name.as_str())).collect();
    if !left.is_empty() {
        writeln!(out, "\nnot taken over:")?;
        for (name, why) in left {
            writeln!(out, "  \"{name}\": {why}")?;
        }
    }
    for note in &proposal.notes {
        writeln!(out, "note: {note}")?;
    }
    if proposal.doubts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\ndoubtful:")?;
    for doubt in &proposal.doubts {
        writeln!(out, "  {}{}", doubt.question, if doubt.needed { " (needed)" } else { "" })?;
        for set in doubt.sets.iter().take(3) {
            writeln!(out, "    --set {}", argument(set))?;
        }
    }
    Ok(())
}

/// How to go on.
pub(super) fn next(proposal: &Proposal, place: &Place, out: &mut dyn Write) -> Result<()> {
    let sets: String = proposal
        .doubts
        .iter()
        .filter(|d| d.needed)
        .filter_map(|d| d.sets.first())
        .map(|s| format!(" --set {}", argument(s)))
        .collect();
    writeln!(out, "\nnothing is written yet: kashi map {}{sets} -o our-cloud.toml", argument(&place.name))?;
    Ok(())
}

/// What the bill came to, read through the platform file.
pub(super) fn read(bills: &Bills, place: &Place, written: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    let lines: usize = bills.bills.iter().map(|b| b.lines).sum();
    let mut costs: std::collections::BTreeMap<String, rust_decimal::Decimal> = std::collections::BTreeMap::new();
    for total in bills.ledger.totals()? {
        let sum = costs.entry(total.currency.to_string()).or_default();
        *sum += total.cost;
    }
    let costs: Vec<String> = costs.iter().map(|(currency, cost)| format!("{} {currency}", cost.normalize())).collect();
    writeln!(
        out,
        "\n{}: read whole: {lines} lines, {}; compare it with what the vendor says is owed",
        place.name,
        costs.join(", ")
    )?;
    for stated in bills.bills.iter().flat_map(|b| &b.stated) {
        writeln!(out, "  {}: the bill states {}", stated.origin, stated.amount.normalize())?;
    }
    if let Some(file) = written {
        let file = file.display().to_string();
        writeln!(out, "{file}: written; use it with `--platform-file {}`", argument(&file))?;
    }
    Ok(())
}

/// A question on a terminal.
pub(super) fn question(doubt: &Doubt, screen: &mut dyn Write) -> Result<()> {
    writeln!(screen, "\n{}", doubt.question)?;
    for (number, set) in doubt.sets.iter().enumerate() {
        writeln!(screen, "  {}  {set}", number + 1)?;
    }
    write!(screen, "a number, a setting of your own, or Enter for the first: ")?;
    screen.flush()?;
    Ok(())
}

/// A setting as a shell takes it.
pub(super) fn argument(set: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '=' | '_' | '-' | '+' | ':' | '.' | '/');
    if set.chars().all(plain) { set.to_owned() } else { format!("'{}'", set.replace('\'', "'\\''")) }
}

fn from(guess: &Guess) -> String {
    let sources: Vec<String> = guess.sources.iter().map(source).collect();
    sources.join(", else ")
}

fn source(source: &Source) -> String {
    let mut text = match (&source.value, source.column.0.first()) {
        (Some(value), _) => format!("={value}"),
        (None, name) => format!("\"{}\"", name.map(String::as_str).unwrap_or_default()),
    };
    if !source.is.is_empty() {
        let words: Vec<String> = source.is.iter().map(|(cell, word)| format!("{cell} = {word}")).collect();
        text.push_str(&format!(" ({})", words.join(", ")));
    }
    if !source.format.0.is_empty() {
        text.push_str(&format!(" ({})", source.format.0.join(", ")));
    }
    if source.pattern.is_some() {
        text.push_str(" (a part of it)");
    }
    if source.negate {
        text.push_str(" (sign turned)");
    }
    text
}

fn short(cell: &str) -> String {
    let cell: String = cell.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if cell.chars().count() <= MOST_SHOWN {
        return cell;
    }
    let start: String = cell.chars().take(MOST_SHOWN).collect();
    format!("{start}…")
}
