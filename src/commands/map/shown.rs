//! What `kashi map` prints.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use kashi_parsers::layout::map::{Doubt, Guess, Proposal, Sure};
use kashi_parsers::layout::schema::Source;
use kashi_parsers::message;
use kashi_parsers::open::Table;

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
    let words = Words::of(lang);
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
        let values = if values.is_empty() { words.empty.to_owned() } else { values.join(" | ") };
        writeln!(out, "  {}: {values}", short(name))?;
    }
    writeln!(out, "\n{}", words.proposed)?;
    for guess in &proposal.guesses {
        writeln!(out, "  {:13} <- {}  [{}]", guess.ledger, from(guess, words), words.sure(guess.sure))?;
        writeln!(out, "  {:13}    {}", "", said(&guess.why, lang))?;
    }
    writeln!(out, "  {:13} <- {}  [{}]", "zone", proposal.zone, catalogue::text(&proposal.zone_why, lang))?;
    if let Some(adapter) = proposal.adapter {
        writeln!(out, "  {:13} <- {adapter}{}", "adapter", words.unsigned)?;
    }
    rest(proposal, lang, out)
}

/// What is not taken over, and what is doubtful.
fn rest(proposal: &Proposal, lang: Lang, out: &mut dyn Write) -> Result<()> {
    let words = Words::of(lang);
    let unread = proposal.unread();
    let left: Vec<_> = proposal.left.iter().filter(|(name, _)| unread.contains(&name.as_str())).collect();
    if !left.is_empty() {
        writeln!(out, "\n{}", words.left)?;
        for (name, why) in left {
            writeln!(out, "  \"{name}\": {}", catalogue::text(why, lang))?;
        }
    }
    for note in &proposal.notes {
        writeln!(out, "{}{}", words.note, catalogue::text(note, lang))?;
    }
    if proposal.doubts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", words.doubtful)?;
    for doubt in &proposal.doubts {
        let needed = if doubt.needed { words.needed } else { "" };
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
        writeln!(out, "  {stated_in}{}{}", Words::of(lang).states, stated.amount.normalize())?;
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

fn from(guess: &Guess, words: &Words) -> String {
    let sources: Vec<String> = guess.sources.iter().map(|s| source(s, words)).collect();
    sources.join(words.or)
}

fn source(source: &Source, words: &Words) -> String {
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
        text.push_str(words.part);
    }
    if source.negate {
        text.push_str(words.negated);
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

/// The reasons for a guess.
fn said(why: &[String], lang: Lang) -> String {
    let each: Vec<String> = why.iter().map(|why| catalogue::text(why, lang)).collect();
    each.join(if lang == Lang::Zh { "；" } else { "; " })
}

/// The words around what is shown.
struct Words {
    empty: &'static str,
    proposed: &'static str,
    left: &'static str,
    note: &'static str,
    doubtful: &'static str,
    needed: &'static str,
    or: &'static str,
    part: &'static str,
    negated: &'static str,
    unsigned: &'static str,
    states: &'static str,
    sure: [&'static str; 4],
}

impl Words {
    const fn of(lang: Lang) -> &'static Self {
        match lang {
            Lang::En => &Self {
                empty: "(empty)",
                proposed: "proposed:",
                left: "not taken over:",
                note: "note: ",
                doubtful: "doubtful:",
                needed: " (needed)",
                or: ", else ",
                part: " (a part of it)",
                negated: " (sign turned)",
                unsigned: ": what is given back is printed without a sign",
                states: ": the bill states ",
                sure: ["doubtful", "likely", "sure", "given"],
            },
            Lang::Zh => &Self {
                empty: "（空）",
                proposed: "建议：",
                left: "没有采用：",
                note: "注意：",
                doubtful: "存疑：",
                needed: "（必须回答）",
                or: "，否则 ",
                part: "（取其中一部分）",
                negated: "（正负颠倒）",
                unsigned: "：退回的金额没有写负号",
                states: "：账单写明 ",
                sure: ["存疑", "可能", "确定", "您指定"],
            },
        }
    }

    const fn sure(&self, sure: Sure) -> &'static str {
        self.sure[sure as usize]
    }
}
