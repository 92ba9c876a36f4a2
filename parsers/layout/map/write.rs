//! A proposal becomes the text of a platform file.

use std::fmt::Write as _;

use super::super::schema::{Names, Platform, Source, Via};
use super::propose::{Guess, Proposal, Sure};
use crate::ledger::money::Separators;

/// What the platform file is called, and for whom.
#[derive(Clone, Copy, Debug)]
pub struct Naming<'a> {
    /// The platform's name.
    pub name: &'a str,
    /// The file that was mapped, as it is shown.
    pub file: &'a str,
    /// What kashi knows of a platform of this name.
    pub known: Option<&'a Platform>,
}

/// The name of a layout that was mapped.
pub const LAYOUT: &str = "mapped";

/// Writes the platform file of a proposal.
pub fn platform_file(proposal: &Proposal, naming: &Naming<'_>) -> String {
    let mut text = head(proposal, naming);
    let file = quoted(naming.file);
    let _ = writeln!(text, "\n[[layout]]\nname = \"{LAYOUT}\"");
    let title = quoted(&format!("Bill as mapped from {}", naming.file));
    let zh = quoted(&format!("按 {} 对应的账单", naming.file));
    let _ = writeln!(text, "title = {{ en = {title}, zh = {zh} }}");
    let source = format!("guessed by `kashi map` from the names and values of {file}");
    let _ = writeln!(text, "mark = \"inferred\"\nsource = {}", quoted(&source));
    match proposal.sample.separators {
        Separators::None => {}
        Separators::Comma => text.push_str("thousands = \"comma\"\n"),
        Separators::Point => text.push_str("thousands = \"point\"\n"),
    }
    if let Some(adapter) = proposal.adapter {
        let _ = writeln!(text, "# What is given back is printed without a sign.\nadapter = \"{adapter}\"");
    }
    for (key, values) in
        [("ignore", proposal.unread()), ("total", proposal.sample.total.iter().map(String::as_str).collect())]
    {
        if !values.is_empty() {
            let _ = writeln!(text, "{key} = [{}]", list(values.into_iter()));
        }
    }
    text.push_str("\n[layout.columns]\n");
    let zone =
        naming.known.map(|k| k.zone.as_str()).filter(|zone| *zone != proposal.zone).map(|_| proposal.zone.as_str());
    for guess in &proposal.guesses {
        column(&mut text, guess, zone);
    }
    text
}

fn head(proposal: &Proposal, naming: &Naming<'_>) -> String {
    let sample = &proposal.sample;
    let mut text = format!(
        "# Drafted by `kashi map` from {}: header in row {}, {} columns.\n# What its columns mean is guessed from their names and values. Read it once against the bill.\n",
        one_line(naming.file),
        sample.row,
        sample.names.len()
    );
    let _ = writeln!(text, "name = {}", quoted(naming.name));
    // A platform that kashi knows keeps its title, zone and currency: they hold for its other layouts too.
    match naming.known {
        Some(known) => {
            let _ = writeln!(text, "title = {{ en = {}, zh = {} }}", quoted(&known.title.en), quoted(&known.title.zh));
            let _ = writeln!(text, "zone = {}", quoted(&known.zone));
            if let Some(currency) = &known.currency {
                let _ = writeln!(text, "currency = {}", quoted(currency));
            }
        }
        None => {
            let _ = writeln!(text, "title = {{ en = {0}, zh = {0} }}", quoted(naming.name));
            let _ = writeln!(
                text,
                "# The zone of its times: {}.\nzone = {}",
                one_line(&proposal.zone_why),
                quoted(&proposal.zone)
            );
        }
    }
    text
}

fn column(text: &mut String, guess: &Guess, zone: Option<&str>) {
    if guess.sure == Sure::Doubtful {
        let _ = writeln!(text, "# Doubtful: {}.", one_line(&guess.why.join("; ")));
    }
    let timed = ["period", "start", "end", "posted"].contains(&guess.ledger);
    let zone = zone.filter(|_| timed);
    let sources: Vec<String> = guess.sources.iter().map(|s| source(s, zone)).collect();
    let _ = match (sources.as_slice(), guess.sources.first()) {
        // `column = "…"` alone has a short form, but not within a list.
        ([one], Some(first)) if *one == format!("{{ column = {} }}", names(&first.column)) => {
            writeln!(text, "{} = {}", guess.ledger, names(&first.column))
        }
        ([one], _) => writeln!(text, "{} = {one}", guess.ledger),
        (many, _) => writeln!(text, "{} = [\n  {},\n]", guess.ledger, many.join(",\n  ")),
    };
}

fn source(source: &Source, zone: Option<&str>) -> String {
    let mut keys: Vec<String> = Vec::new();
    if !source.column.0.is_empty() {
        keys.push(format!("column = {}", names(&source.column)));
    }
    if let Some(value) = &source.value {
        keys.push(format!("value = {}", quoted(value)));
    }
    if let Some(pattern) = &source.pattern {
        keys.push(format!("pattern = {}", quoted(pattern)));
    }
    if !source.format.0.is_empty() {
        keys.push(format!("format = {}", names(&source.format)));
    }
    if let Some(zone) = source.zone.as_deref().or(zone).filter(|_| source.value.is_none()) {
        keys.push(format!("zone = {}", quoted(zone)));
    }
    if !source.is.is_empty() {
        let words = source.is.iter().map(|(cell, word)| format!("{} = {}", quoted(cell), quoted(word)));
        keys.push(format!("is = {{ {} }}", words.collect::<Vec<_>>().join(", ")));
    }
    if !source.matches.is_empty() {
        let words = source.matches.iter().map(|(pattern, word)| format!("[{}, {}]", quoted(pattern), quoted(word)));
        keys.push(format!("matches = [{}]", words.collect::<Vec<_>>().join(", ")));
    }
    match source.via {
        Some(Via::Instance) => keys.push("via = \"instance\"".to_owned()),
        Some(Via::Card) => keys.push("via = \"card\"".to_owned()),
        None => {}
    }
    for (key, set) in [("negate", source.negate), ("float", source.float)] {
        if set {
            keys.push(format!("{key} = true"));
        }
    }
    format!("{{ {} }}", keys.join(", "))
}

fn names(names: &Names) -> String {
    match names.0.as_slice() {
        [one] => quoted(one),
        many => format!("[{}]", list(many.iter().map(String::as_str))),
    }
}

fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.map(quoted).collect::<Vec<_>>().join(", ")
}

/// A text as TOML on one line, whatever is in it.
fn quoted(text: &str) -> String {
    let literal = text.contains('\\') && !text.contains('\'') && !text.chars().any(char::is_control);
    if literal {
        return format!("'{text}'");
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A text that cannot leave its comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
