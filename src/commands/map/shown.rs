//! What `kashi map` prints.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use kashi_parsers::layout::map::{Doubt, Guess, Proposal, Sure};
use kashi_parsers::layout::schema::Source;
use kashi_parsers::open::Table;
use kashi_parsers::{Message, message};

use crate::bills::Bills;
use crate::places::Place;
use crate::text::{Lang, catalogue};

/// Characters of a sample value that are shown.
const MOST_SHOWN: usize = 28;
/// Sample values that are shown of a column.
const VALUES: usize = 3;

/// Prints the header with sample values, the guesses with their reasons, and what is doubtful.
pub(super) fn proposal(table: &Table, proposal: &Proposal, lang: Lang, out: &mut dyn Write) -> Result<()> {
    let sample = &proposal.sample;
    let say = |said: Message| catalogue::message(&said, lang);
    let seen = message!(
        "{}: header in row {}, {} columns, {} rows seen, {}, delimiter {:?}",
        catalogue::origin(&table.origin, lang),
        sample.row,
        sample.names.len(),
        sample.rows.len(),
        table.encoding,
        char::from(sample.delimiter)
    );
    writeln!(out, "{}", catalogue::message(&seen, lang))?;
    for (at, name) in sample.names.iter().enumerate().filter(|(_, n)| !n.is_empty()) {
        let mut values: Vec<String> = Vec::new();
        for cell in sample.cells(at).map(short) {
            if values.len() < VALUES && !values.contains(&cell) {
                values.push(cell);
            }
        }
        let values = if values.is_empty() { say(message!("(empty)")) } else { values.join(" | ") };
        writeln!(out, "  {}: {values}", short(name))?;
    }
    writeln!(out, "\n{}", say(message!("proposed:")))?;
    for guess in &proposal.guesses {
        writeln!(out, "  {:13} <- {}  [{}]", guess.ledger, from(guess, lang), say(sure(guess.sure)))?;
        writeln!(out, "  {:13}    {}", "", said(&guess.why, lang))?;
    }
    writeln!(out, "  {:13} <- {}  [{}]", "zone", proposal.zone, catalogue::text(&proposal.zone_why, lang))?;
    if let Some(adapter) = proposal.adapter {
        writeln!(
            out,
            "  {:13} <- {adapter}{}",
            "adapter",
            say(message!(": what is given back is printed without a sign"))
        )?;
    }
    rest(proposal, lang, out)
}

/// What is not taken over, and what is doubtful.
fn rest(proposal: &Proposal, lang: Lang, out: &mut dyn Write) -> Result<()> {
    let say = |said: Message| catalogue::message(&said, lang);
    let unread = proposal.unread();
    let left: Vec<_> = proposal.left.iter().filter(|(name, _)| unread.contains(&name.as_str())).collect();
    if !left.is_empty() {
        writeln!(out, "\n{}", say(message!("not taken over:")))?;
        for (name, why) in left {
            writeln!(out, "  \"{name}\": {}", catalogue::text(why, lang))?;
        }
    }
    for note in &proposal.notes {
        writeln!(out, "{}{}", say(message!("note: ")), catalogue::text(note, lang))?;
    }
    if proposal.doubts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", say(message!("doubtful:")))?;
    for doubt in &proposal.doubts {
        let needed = if doubt.needed { say(message!(" (needed)")) } else { String::new() };
        writeln!(out, "  {}{needed}", catalogue::text(&doubt.question, lang))?;
        for set in doubt.sets.iter().take(3) {
            writeln!(out, "    --set {}", argument(set))?;
        }
    }
    Ok(())
}

/// How to go on.
pub(super) fn next(
    proposal: &Proposal,
    place: &Place,
    name: Option<&str>,
    lang: Lang,
    out: &mut dyn Write,
) -> Result<()> {
    let sets: String = proposal
        .doubts
        .iter()
        .filter(|d| d.needed)
        .filter_map(|d| d.sets.first())
        .map(|s| format!(" --set {}", argument(s)))
        .collect();
    let name = name.map(|name| format!(" --name {}", argument(name))).unwrap_or_default();
    let next =
        message!("nothing is written yet: kashi map {} -o our-cloud.toml", argument(&place.name) + &name + &sets);
    writeln!(out, "\n{}", catalogue::message(&next, lang))?;
    Ok(())
}

/// What the bill came to, read through the platform file.
pub(super) fn read(
    bills: &Bills,
    place: &Place,
    written: Option<&Path>,
    lang: Lang,
    out: &mut dyn Write,
) -> Result<()> {
    let lines: usize = bills.bills.iter().map(|b| b.lines).sum();
    let mut costs: std::collections::BTreeMap<String, rust_decimal::Decimal> = std::collections::BTreeMap::new();
    for total in bills.ledger.totals()? {
        let sum = costs.entry(total.currency.to_string()).or_default();
        *sum += total.cost;
    }
    let costs: Vec<String> = costs.iter().map(|(currency, cost)| format!("{} {currency}", cost.normalize())).collect();
    let whole = message!(
        "{}: read whole: {} lines, {}; compare it with what the vendor says is owed",
        place.name,
        lines,
        costs.join(", ")
    );
    writeln!(out, "\n{}", catalogue::message(&whole, lang))?;
    for stated in bills.bills.iter().flat_map(|b| &b.stated) {
        let stated_in = catalogue::origin(&stated.origin, lang);
        writeln!(
            out,
            "  {stated_in}{}{}",
            catalogue::message(&message!(": the bill states "), lang),
            stated.amount.normalize()
        )?;
    }
    if let Some(file) = written {
        let file = file.display().to_string();
        let written = message!("{file}: written; use it with `--platform-file {}`", argument(&file));
        writeln!(out, "{}", catalogue::message(&written, lang))?;
    }
    Ok(())
}

/// A question on a terminal.
pub(super) fn question(doubt: &Doubt, lang: Lang, screen: &mut dyn Write) -> Result<()> {
    writeln!(screen, "\n{}", catalogue::text(&doubt.question, lang))?;
    for (number, set) in doubt.sets.iter().enumerate() {
        writeln!(screen, "  {}  {set}", number + 1)?;
    }
    let ask = message!("a number, a setting of your own, or Enter for the first: ");
    write!(screen, "{}", catalogue::message(&ask, lang))?;
    screen.flush()?;
    Ok(())
}

/// A setting as a shell takes it.
pub(super) fn argument(set: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '=' | '_' | '-' | '+' | ':' | '.' | '/');
    if set.chars().all(plain) { set.to_owned() } else { format!("'{}'", set.replace('\'', "'\\''")) }
}

fn from(guess: &Guess, lang: Lang) -> String {
    let sources: Vec<String> = guess.sources.iter().map(|s| source(s, lang)).collect();
    sources.join(&catalogue::message(&message!(", else "), lang))
}

fn source(source: &Source, lang: Lang) -> String {
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
        text.push_str(&catalogue::message(&message!(" (a part of it)"), lang));
    }
    if source.negate {
        text.push_str(&catalogue::message(&message!(" (sign turned)"), lang));
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

/// How sure a guess is.
fn sure(sure: Sure) -> Message {
    match sure {
        Sure::Doubtful => message!("doubtful"),
        Sure::Likely => message!("likely"),
        Sure::Sure => message!("sure"),
        Sure::Given => message!("given"),
    }
}

/// The reasons for a guess.
fn said(why: &[String], lang: Lang) -> String {
    let each: Vec<String> = why.iter().map(|why| catalogue::text(why, lang)).collect();
    each.join(if lang == Lang::Zh { "；" } else { "; " })
}
