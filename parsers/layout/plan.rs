//! A layout made ready for one table: names become places, patterns are compiled.

use regex::Regex;
use rustc_hash::FxHashMap;

use super::adapters;
use super::beginning::Beginning;
use super::header::Header;
use super::schema::{Layout, Platform, Source, Thousands, Via};
use crate::ledger::money::Separators;
use crate::ledger::time::{TimeFormat, Zone};
use crate::ledger::{Category, Code, Kind, MoneyColumn, Terms, TextColumn, TimeColumn};

/// A ledger column that a layout fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Text(TextColumn),
    Money(MoneyColumn),
    Time(TimeColumn),
}

/// What a cell of a text source came to, remembered by its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Memo {
    /// No value.
    Nothing,
    /// A value.
    Value(Code),
    /// A value, and the place of the number of cards in [`Step::numbers`].
    Counted(Code, u32),
}

/// A source made ready.
pub(super) struct Step {
    /// The column's place; `None` for a constant.
    pub(super) place: Option<usize>,
    /// The column's name as printed.
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) is: FxHashMap<String, String>,
    pub(super) matches: Vec<(Regex, String)>,
    pub(super) pattern: Option<Regex>,
    /// The literal text that `pattern` begins with, if it is long enough to be worth a search.
    pub(super) begins: Option<Beginning>,
    pub(super) via: Option<Via>,
    /// Whether a number is taken as it stands.
    pub(super) plain: bool,
    pub(super) negate: bool,
    pub(super) divide: Option<i128>,
    pub(super) time: TimeFormat,
    pub(super) memo: FxHashMap<Box<[u8]>, Memo>,
    /// The cell that came last, and what it came to: most are met several times in a row.
    pub(super) last: Option<(Vec<u8>, Memo)>,
    pub(super) last_time: Option<(Vec<u8>, i64)>,
    /// Whether a cell stands for itself, so that the ledger's dictionary is all that is asked.
    pub(super) verbatim: bool,
    /// Numbers of cards that look-ups of a card gave.
    pub(super) numbers: Vec<i128>,
    /// Numbers of cards that look-ups gave, by cell.
    pub(super) counts: FxHashMap<Box<[u8]>, Option<i128>>,
}

/// A ledger column and its sources.
pub(super) struct Field {
    pub(super) target: Target,
    pub(super) steps: Vec<Step>,
}

/// A layout made ready for one header.
pub(super) struct Plan {
    pub(super) fields: Vec<Field>,
    pub(super) separators: Separators,
    pub(super) zone: Zone,
    pub(super) provider: String,
    /// Columns of the file that the layout does not know.
    pub(super) unknown: Vec<String>,
    /// Columns that stand twice in the header and are read.
    pub(super) repeated: Vec<String>,
}

/// Checks what a header is not needed for.
pub(super) fn check(platform: &Platform, layout: &Layout) -> Result<(), String> {
    for (name, sources) in &layout.columns {
        let target = target(name).ok_or_else(|| {
            let near = nearest(name);
            format!(
                "\"{name}\" is not a ledger column{}",
                near.map(|n| format!("; did you mean \"{n}\"?")).unwrap_or_default()
            )
        })?;
        for source in &sources.0 {
            step(platform, source, target, None).map_err(|e| format!("column {name}: {e}"))?;
        }
    }
    for needed in ["kind", "cost", "sku"] {
        if !layout.columns.contains_key(needed) {
            return Err(format!("the ledger column \"{needed}\" has no source"));
        }
    }
    if !["period", "start", "posted"].iter().any(|c| layout.columns.contains_key(*c)) {
        return Err("one of \"period\", \"start\" or \"posted\" must have a source".to_owned());
    }
    match &layout.adapter {
        Some(name) if adapters::adapter(name).is_none() => Err(format!("there is no adapter \"{name}\"")),
        _ => Ok(()),
    }
}

impl Plan {
    /// Makes a layout ready for a header.
    pub(super) fn new(platform: &Platform, layout: &Layout, header: &Header) -> Result<Self, String> {
        let mut fields = Vec::new();
        let mut used = vec![false; header.names.len()];
        let mut repeated = Vec::new();
        for (name, sources) in &layout.columns {
            let target = target(name).ok_or_else(|| format!("\"{name}\" is not a ledger column"))?;
            let mut steps = Vec::new();
            for source in &sources.0 {
                let place = header.find(&source.column.0);
                if place.is_none() && !source.column.0.is_empty() {
                    continue;
                }
                if let Some(place) = place {
                    used[place] = true;
                    if header.repeats(&source.column.0) {
                        repeated.push(header.names[place].clone());
                    }
                }
                let mut step = step(platform, source, target, place)?;
                step.name = place
                    .map(|p| header.names[p].trim_matches(crate::ledger::money::blank).to_owned())
                    .unwrap_or_default();
                steps.push(step);
            }
            if !steps.is_empty() {
                fields.push(Field { target, steps });
            }
        }
        fields.sort_by_key(|f| order(f.target));
        let unknown = header
            .names
            .iter()
            .zip(used)
            .filter(|(name, used)| !used && !name.trim().is_empty() && !ignored(layout, name))
            .map(|(name, _)| name.trim().to_owned())
            .collect();
        Ok(Self {
            fields,
            separators: match layout.thousands {
                Thousands::None => Separators::None,
                Thousands::Comma => Separators::Comma,
                Thousands::Point => Separators::Point,
            },
            zone: Zone::parse(&platform.zone).ok_or_else(|| format!("zone {:?} is unknown", platform.zone))?,
            provider: platform.name.clone(),
            unknown,
            repeated,
        })
    }

    /// The column that a target is read from first, for messages.
    pub(super) fn column_of(&self, target: Target) -> &str {
        self.fields
            .iter()
            .find(|f| f.target == target)
            .and_then(|f| f.steps.iter().find(|s| s.place.is_some()))
            .map_or("", |s| s.name.as_str())
    }

    /// The places of the columns that are read.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        self.fields.iter().flat_map(|f| &f.steps).filter_map(|s| s.place)
    }

    /// The place of the column that a target is read from first.
    pub(super) fn place_of(&self, target: Target) -> Option<usize> {
        self.fields.iter().find(|f| f.target == target)?.steps.iter().find_map(|s| s.place)
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

/// The columns of a header that a layout neither reads nor leaves out.
pub(super) fn unknown(layout: &Layout, header: &Header) -> Vec<String> {
    let read = |name: &str| {
        let name = super::fold(name);
        layout.columns.values().flat_map(|s| &s.0).flat_map(|s| &s.column.0).any(|alias| super::fold(alias) == name)
    };
    let names = header.names.iter().map(|name| name.trim_matches(crate::ledger::money::blank));
    names.filter(|name| !name.is_empty() && !ignored(layout, name) && !read(name)).map(str::to_owned).collect()
}

fn ignored(layout: &Layout, name: &str) -> bool {
    let name = super::fold(name);
    layout.ignore.iter().any(|pattern| {
        let pattern = super::fold(pattern);
        pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
    })
}

fn target(name: &str) -> Option<Target> {
    let text = TextColumn::ALL.iter().find(|(_, n)| *n == name).map(|(c, _)| Target::Text(*c));
    text.or_else(|| MoneyColumn::ALL.iter().find(|(_, n)| *n == name).map(|(c, _)| Target::Money(*c)))
        .or_else(|| TimeColumn::ALL.iter().find(|(_, n)| *n == name).map(|(c, _)| Target::Time(*c)))
}

fn nearest(name: &str) -> Option<&'static str> {
    let names = TextColumn::ALL.iter().map(|(_, n)| *n);
    let names = names.chain(MoneyColumn::ALL.iter().map(|(_, n)| *n)).chain(TimeColumn::ALL.iter().map(|(_, n)| *n));
    names.map(|n| (strsim::levenshtein(n, name), n)).min().filter(|(d, _)| *d <= 3).map(|(_, n)| n)
}

fn step(platform: &Platform, source: &Source, target: Target, place: Option<usize>) -> Result<Step, String> {
    if source.column.0.is_empty() == source.value.is_none() {
        return Err("a source has either a column or a value".to_owned());
    }
    let regex = |text: &str| {
        Regex::new(text).map_err(|e| {
            // The last line says what is wrong; those before draw the pattern again.
            let what = e.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            format!("pattern {text:?} is no regular expression: {what}; expected one such as '^([0-9.]+)'")
        })
    };
    let zone = source.zone.as_deref().unwrap_or(&platform.zone);
    let zone = Zone::parse(zone).ok_or_else(|| format!("zone {zone:?} is unknown"))?;
    for word in source.is.values().chain(source.matches.iter().map(|(_, w)| w)).chain(&source.value) {
        known_word(target, word)?;
    }
    let pattern = source.pattern.as_deref().map(regex).transpose()?;
    if pattern.as_ref().is_some_and(|p| p.captures_len() < 2) {
        return Err("a pattern needs one group in parentheses: the value".to_owned());
    }
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
        verbatim: !worked
            && place.is_some()
            && source.is.is_empty()
            && source.matches.is_empty()
            && source.pattern.is_none(),
        numbers: Vec::new(),
        plain: source.pattern.is_none() && source.is.is_empty() && !source.negate && source.divide.is_none(),
        place,
        name: String::new(),
        value: source.value.clone(),
        is: source.is.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
        matches: source.matches.iter().map(|(p, w)| Ok((regex(p)?, w.clone()))).collect::<Result<_, String>>()?,
        begins: source.pattern.as_deref().and_then(Beginning::of),
        pattern,
        via: source.via,
        negate: source.negate,
        divide: source.divide.map(i128::from).filter(|d| *d > 0),
        time: TimeFormat::new(&source.format.0, zone),
        memo: FxHashMap::default(),
        last: None,
        last_time: None,
        counts: FxHashMap::default(),
    })
}

/// The closed vocabularies refuse a word that they do not have.
fn known_word(target: Target, word: &str) -> Result<(), String> {
    let known: Vec<&str> = match target {
        Target::Text(TextColumn::Kind) => Kind::ALL.iter().map(|w| w.as_str()).collect(),
        Target::Text(TextColumn::Category) => Category::ALL.iter().map(|w| w.as_str()).collect(),
        Target::Text(TextColumn::Terms) => Terms::ALL.iter().map(|w| w.as_str()).collect(),
        _ => return Ok(()),
    };
    if known.contains(&word) {
        return Ok(());
    }
    Err(format!("{word:?} is not a word of this column; expected one of {}", known.join(", ")))
}
