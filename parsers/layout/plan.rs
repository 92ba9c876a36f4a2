//! A layout made ready for one table: names become places, patterns are compiled.

use std::sync::Arc;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::adapters;
use super::alike::Alike;
use super::beginning::Beginning;
use super::bind::{Binder, step};
use super::header::Header;
use super::headerless;
use super::numbered;
use super::schema::{Layout, Part, Platform, Thousands, Via};
use super::tags::Key;
use crate::ledger::money::Separators;
use crate::ledger::time::{TimeFormat, Zone};
use crate::ledger::{Code, MoneyColumn, TextColumn, TimeColumn};
use crate::message::Message;
use crate::open::{Record, Said};

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
    /// The column's place; `None` for a constant and for what the document says.
    pub(super) place: Option<usize>,
    /// What the document says.
    pub(super) given: Option<Arc<[u8]>>,
    /// The source counts only where this column's cell matches.
    pub(super) when: Option<(usize, Regex)>,
    pub(super) float: bool,
    /// Every match of the pattern counts.
    pub(super) every: bool,
    /// What is added to the number.
    pub(super) add: Vec<Step>,
    /// What the number is multiplied by.
    pub(super) times: Vec<Step>,
    /// Columns that hold one tag each: the tag's name and the column's place.
    pub(super) gather: Vec<(Key, usize)>,
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
    /// Microseconds that are added to a time.
    pub(super) later: i64,
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

impl Step {
    /// Adds the places that the source looks at. All of them: rows that have the same cells there come to
    /// the same text ([`Alike`]).
    fn places(&self, places: &mut Vec<usize>) {
        places.extend(self.place.into_iter().chain(self.when.as_ref().map(|(place, _)| *place)));
        places.extend(self.gather.iter().flat_map(|(key, place)| [Some(*place), key.place()]).flatten());
        self.add.iter().chain(&self.times).for_each(|other| other.places(places));
    }

    /// Whether the source counts for a row.
    pub(super) fn applies(&self, record: &Record) -> bool {
        let Some((place, pattern)) = &self.when else { return true };
        record.get(*place).is_some_and(|cell| pattern.is_match(&String::from_utf8_lossy(cell)))
    }
}

/// A ledger column and its sources.
pub(super) struct Field {
    pub(super) target: Target,
    pub(super) steps: Vec<Step>,
}

/// The ledger columns that a row fills: texts before numbers, which need to know the currency.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) texts: Vec<Field>,
    /// Amounts and times.
    pub(super) numbers: Vec<Field>,
}

impl Fields {
    fn new(fields: Vec<Field>) -> Self {
        let (texts, numbers) = fields.into_iter().partition(|field| matches!(field.target, Target::Text(_)));
        Self { texts, numbers }
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Field> {
        self.texts.iter().chain(&self.numbers)
    }
}

/// A part of a row, made ready.
pub(super) struct PartPlan {
    /// Its cost comes on top of the row's.
    pub(super) adds: bool,
    pub(super) fields: Fields,
}

/// A layout made ready for one header.
pub(super) struct Plan {
    pub(super) fields: Fields,
    /// What the texts of rows before came to.
    pub(super) alike: Alike,
    pub(super) parts: Vec<PartPlan>,
    pub(super) separators: Separators,
    pub(super) zone: Zone,
    pub(super) provider: String,
    /// Columns of the file that the layout does not know.
    pub(super) unknown: Vec<String>,
    /// Columns that stand twice in the header and are read.
    pub(super) repeated: Vec<String>,
}

/// Checks what a header is not needed for.
pub(super) fn check(platform: &Platform, layout: &Layout) -> Result<(), Message> {
    for (name, sources) in layout.all_columns() {
        let target = target(name).ok_or_else(|| match nearest_column(name) {
            Some(near) => message!("\"{name}\" is not a ledger column; did you mean \"{near}\"?"),
            None => message!("\"{name}\" is not a ledger column"),
        })?;
        for source in &sources.0 {
            step(platform, source, target, None).map_err(|e| message!("column {name}: {e}"))?;
        }
    }
    headerless::check(layout)?;
    if layout.parts.iter().any(|part| !part.columns.contains_key("cost")) {
        return Err("a part has no source for the ledger column \"cost\"".into());
    }
    for needed in ["kind", "cost", "sku"] {
        let priced = layout.priced && needed == "cost";
        if !priced && !layout.columns.contains_key(needed) {
            return Err(message!("the ledger column \"{needed}\" has no source"));
        }
    }
    if !["period", "start", "posted"].iter().any(|c| layout.columns.contains_key(*c)) {
        return Err("one of \"period\", \"start\" or \"posted\" must have a source".into());
    }
    match &layout.adapter {
        Some(name) if adapters::adapter(name).is_none() => Err(message!("there is no adapter \"{name}\"")),
        _ => Ok(()),
    }
}

impl Plan {
    /// Makes a layout ready for a table.
    pub(super) fn new(
        platform: &Platform,
        layout: &Layout,
        header: &Header,
        (document, file): (&[Said], &str),
    ) -> Result<Self, Message> {
        let mut binder = Binder::new(platform, header, document, file);
        let fields = Fields::new(binder.fields(&layout.columns)?);
        let mut parts = Vec::new();
        for Part { adds, columns } in layout.parts.iter().flat_map(|part| numbered::parts(part, header)) {
            let fields = Fields::new(binder.fields(&columns)?);
            // A part whose amount the table does not have is none.
            if fields.iter().any(|f| f.target == Target::Money(MoneyColumn::Cost)) {
                parts.push(PartPlan { adds, fields });
            }
        }
        let ignored = ignored(layout);
        let is_ignored = |name: &String| ignored.iter().any(|pattern| covers(pattern, &super::fold(name)));
        let others = places(fields.numbers.iter().chain(parts.iter().flat_map(|part: &PartPlan| part.fields.iter())));
        Ok(Self {
            alike: Alike::new(header.names.len(), &fields.texts, &others),
            fields,
            parts,
            separators: match layout.thousands {
                Thousands::None => Separators::None,
                Thousands::Comma => Separators::Comma,
                Thousands::Point => Separators::Point,
            },
            zone: Zone::parse(&platform.zone).ok_or_else(|| message!("zone {:?} is unknown", platform.zone))?,
            provider: platform.name.clone(),
            unknown: binder.unused().filter(|name| !is_ignored(name)).collect(),
            repeated: binder.repeated,
        })
    }

    /// Whether the table has anything that a target is read from.
    pub(super) fn names(&self, target: Target) -> bool {
        self.fields.iter().any(|field| field.target == target)
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
        places(self.fields.iter().chain(self.parts.iter().flat_map(|part| part.fields.iter()))).into_iter()
    }

    /// The place of the column that a target is read from first.
    pub(super) fn place_of(&self, target: Target) -> Option<usize> {
        self.fields.iter().find(|f| f.target == target)?.steps.iter().find_map(|s| s.place)
    }
}

/// The places of the columns that fields are read from.
pub(super) fn places<'f>(fields: impl Iterator<Item = &'f Field>) -> Vec<usize> {
    let mut places = Vec::new();
    fields.flat_map(|field| &field.steps).for_each(|step| step.places(&mut places));
    places
}

/// The columns of a header that a layout neither reads nor leaves out.
pub(super) fn unknown(layout: &Layout, header: &Header) -> Vec<String> {
    let sources = layout.all_columns().flat_map(|(_, s)| s.each());
    let aliases: Vec<String> = sources.flat_map(|s| &s.column.0).map(|alias| super::fold(alias)).collect();
    let mut ignored = ignored(layout);
    let gathered = layout.all_columns().flat_map(|(_, s)| &s.0).flat_map(|s| &s.gather.0);
    ignored.extend(gathered.map(|pattern| super::fold(pattern)));
    let is_known = |name: &str| {
        let name = super::fold(name);
        ignored.iter().any(|pattern| covers(pattern, &name)) || aliases.iter().any(|alias| numbered::is(alias, &name))
    };
    let names = header.names.iter().map(|name| name.trim_matches(crate::ledger::money::blank));
    names.filter(|name| !name.is_empty() && !is_known(name)).map(str::to_owned).collect()
}

/// The folded names, or beginnings of names, that a layout has no use for.
fn ignored(layout: &Layout) -> Vec<String> {
    layout.ignore.iter().map(|pattern| super::fold(pattern)).collect()
}

fn covers(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

/// The ledger column of a name.
pub(super) fn target(name: &str) -> Option<Target> {
    let text = TextColumn::ALL.iter().find(|(_, n)| *n == name).map(|(c, _)| Target::Text(*c));
    text.or_else(|| MoneyColumn::ALL.iter().find(|(_, n)| *n == name).map(|(c, _)| Target::Money(*c)))
        .or_else(|| TimeColumn::ALL.iter().find(|(_, n)| *n == name).map(|(c, _)| Target::Time(*c)))
}

fn nearest_column(name: &str) -> Option<&'static str> {
    let names = TextColumn::ALL.iter().map(|(_, n)| *n);
    let names = names.chain(MoneyColumn::ALL.iter().map(|(_, n)| *n)).chain(TimeColumn::ALL.iter().map(|(_, n)| *n));
    crate::nearest(name, names)
}
