//! The sources of a layout bound to the columns of one table.

use std::collections::BTreeMap;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::beginning::Beginning;
use super::header::Header;
use super::numbered;
use super::plan::{Field, Step, Target, target};
use super::schema::{Platform, Source, Sources, Through};
use crate::ledger::money::blank;
use crate::ledger::time::{TimeFormat, Zone, is_pattern};
use crate::ledger::{Category, Kind, Terms, TextColumn};
use crate::message::Message;
use crate::open::Said;

/// Binds sources to a header.
pub(super) struct Binder<'a> {
    platform: &'a Platform,
    header: &'a Header,
    document: &'a [Said],
    file: &'a str,
    used: Vec<bool>,
    /// Columns that stand twice in the header and are read.
    pub(super) repeated: Vec<String>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(platform: &'a Platform, header: &'a Header, document: &'a [Said], file: &'a str) -> Self {
        Self { platform, header, document, file, used: vec![false; header.names.len()], repeated: Vec::new() }
    }

    /// Columns that nothing has been read from.
    pub(super) fn unused(&self) -> impl Iterator<Item = String> {
        let names = self.header.names.iter().zip(&self.used).filter(|(_, used)| !**used);
        names.map(|(name, _)| name.trim().to_owned()).filter(|name| !name.is_empty())
    }

    /// The ledger columns that have a source in the table, kind and card first.
    pub(super) fn fields(&mut self, columns: &BTreeMap<String, Sources>) -> Result<Vec<Field>, Message> {
        let mut fields = Vec::new();
        for (name, sources) in columns {
            let target = target(name).ok_or_else(|| message!("\"{name}\" is not a ledger column"))?;
            let mut steps = Vec::new();
            for source in sources.0.iter().flat_map(|s| numbered::sources(s, self.header)) {
                steps.extend(self.step(&source, target)?);
            }
            if !steps.is_empty() {
                fields.push(Field { target, steps });
            }
        }
        fields.sort_by_key(|f| order(f.target));
        Ok(fields)
    }

    /// A source made ready; `None` if the table does not have what it reads.
    fn step(&mut self, source: &Source, target: Target) -> Result<Option<Step>, Message> {
        let place = self.header.find(&source.column.0);
        if place.is_none() && !source.column.0.is_empty() {
            return Ok(None);
        }
        let mut step = step(self.platform, source, target, place)?;
        if let Some(path) = &source.document {
            let Some((_, text)) = self.document.iter().find(|(p, _)| p == path) else { return Ok(None) };
            step.given = Some(text.as_bytes().into());
            step.name = path.clone();
        }
        if source.file.is_some() {
            // Folders may be named after anything; the file and the member of an archive are the bill's.
            let names: Vec<&str> = self.file.split('!').filter_map(|part| part.rsplit('/').next()).collect();
            step.given = Some(names.join("!").as_bytes().into());
            step.name = "the file's name".to_owned();
        }
        if let Some((column, pattern)) = &source.when {
            let Some(place) = self.header.find(std::slice::from_ref(column)) else { return Ok(None) };
            self.used[place] = true;
            step.when = Some((place, regex(pattern)?));
        }
        if let Some(place) = place {
            self.used[place] = true;
            let name = &self.header.names[place];
            if self.header.repeats(&source.column.0) {
                self.repeated.push(name.clone());
            }
            step.name = name.trim_matches(blank).to_owned();
        }
        for added in &source.add {
            step.add.extend(self.step(added, target)?);
        }
        Ok(Some(step))
    }
}

/// Kind and card come before what is derived from them.
fn order(target: Target) -> u8 {
    match target {
        Target::Text(TextColumn::Kind) => 0,
        Target::Text(TextColumn::Card) => 1,
        Target::Text(_) => 2,
        Target::Time(_) => 3,
        Target::Money(_) => 4,
    }
}

/// A source made ready, but for its place in a table.
pub(super) fn step(
    platform: &Platform,
    source: &Source,
    target: Target,
    place: Option<usize>,
) -> Result<Step, Message> {
    let ways = [!source.column.0.is_empty(), source.value.is_some(), source.document.is_some(), source.file.is_some()];
    if ways.iter().filter(|way| **way).count() != 1 {
        return Err(
            "a source has either a column, a value, a path in the document or a pattern of the file's name".into()
        );
    }
    numbered::check(source)?;
    if let Some((_, pattern)) = &source.when {
        regex(pattern)?;
    }
    let zone = source.zone.as_deref().unwrap_or(&platform.zone);
    let zone = Zone::parse(zone).ok_or_else(|| message!("zone {zone:?} is unknown"))?;
    for word in source.is.values().chain(source.matches.iter().map(|(_, w)| w)).chain(&source.value) {
        known_word(target, word)?;
    }
    if let Some(format) = source.format.0.iter().find(|format| !is_pattern(format)) {
        return Err(message!("format {format:?} is no time format; expected one such as \"%Y-%m-%d %H:%M:%S\""));
    }
    if source.divide == Some(0) {
        return Err("`divide` is 0, which divides nothing; expected a number such as 1000".into());
    }
    let written = source.pattern.as_deref().or(source.file.as_deref());
    let pattern = written.map(regex).transpose()?;
    if source.every && pattern.is_none() {
        return Err("`every` needs a pattern: its matches are added up".into());
    }
    if (source.every || !source.add.is_empty()) && !matches!(target, Target::Money(_)) {
        return Err("`every` and `add` are for columns of numbers".into());
    }
    for added in &source.add {
        step(platform, added, target, None)?;
    }
    if pattern.as_ref().is_some_and(|p| p.captures_len() < 2) {
        return Err("a pattern needs one group in parentheses: the value".into());
    }
    let given = place.is_some() || source.document.is_some() || source.file.is_some();
    let worked = matches!(
        target,
        Target::Text(
            TextColumn::Kind
                | TextColumn::Category
                | TextColumn::Terms
                | TextColumn::Card
                | TextColumn::Unit
                | TextColumn::Currency
                | TextColumn::Period
        )
    );
    Ok(Step {
        verbatim: given && !worked && source.is.is_empty() && source.matches.is_empty() && written.is_none(),
        plain: source.pattern.is_none()
            && source.is.is_empty()
            && !source.negate
            && source.divide.is_none()
            && source.add.is_empty(),
        numbers: Vec::new(),
        place,
        given: None,
        when: None,
        float: source.float,
        every: source.every,
        add: Vec::new(),
        name: String::new(),
        value: source.value.clone(),
        is: source.is.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        matches: source.matches.iter().map(|(p, w)| Ok((regex(p)?, w.clone()))).collect::<Result<_, Message>>()?,
        begins: written.and_then(Beginning::of),
        pattern,
        via: source.via,
        negate: source.negate,
        divide: source.divide.map(i128::from).filter(|d| *d > 0),
        time: TimeFormat::new(&source.format.0, zone),
        later: source.through.map_or(0, |Through::Day| 86_400_000_000),
        memo: FxHashMap::default(),
        last: None,
        last_time: None,
        counts: FxHashMap::default(),
    })
}

/// The closed vocabularies refuse a word that they do not have.
fn known_word(target: Target, word: &str) -> Result<(), Message> {
    let known: Vec<&str> = match target {
        Target::Text(TextColumn::Kind) => Kind::ALL.iter().map(|w| w.as_str()).collect(),
        Target::Text(TextColumn::Category) => Category::ALL.iter().map(|w| w.as_str()).collect(),
        Target::Text(TextColumn::Terms) => Terms::ALL.iter().map(|w| w.as_str()).collect(),
        _ => return Ok(()),
    };
    if known.contains(&word) {
        return Ok(());
    }
    Err(message!("{word:?} is not a word of this column; expected one of {}", known.join(", ")))
}

fn regex(text: &str) -> Result<Regex, Message> {
    Regex::new(text).map_err(|e| {
        // The last line says what is wrong; those before draw the pattern again.
        let what = e.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        message!("pattern {text:?} is no regular expression: {what}; expected one such as '^([0-9.]+)'")
    })
}
