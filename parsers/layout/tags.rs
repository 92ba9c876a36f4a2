//! Tags in one form, however a bill writes them: `key=value; key=value`, sorted by key.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cell::{utf8, value};
use super::convert::Converter;
use super::draft::Draft;
use super::fold;
use super::header::Header;
use super::plan::Step;
use crate::ledger::money::blank;
use crate::ledger::{Lines, TextColumn};
use crate::open::Record;

type Pairs = BTreeMap<String, String>;

impl Converter<'_> {
    /// The tags that stand in columns of their own; `false` if the row has none.
    pub(super) fn gathered(&mut self, step: &Step, record: &Record, draft: &mut Draft, lines: &mut Lines) -> bool {
        let mut pairs = Pairs::new();
        let cell = |place: usize| utf8(record.get(place).unwrap_or_default());
        for (key, place) in &step.gather {
            let text = cell(*place);
            let Some(text) = value(&text) else { continue };
            match key {
                Key::Is(key) => drop(pairs.insert(key.clone(), text.to_owned())),
                Key::In(place) => {
                    if let Some(key) = value(&cell(*place)) {
                        pairs.insert(key.to_owned(), text.to_owned());
                    }
                }
            }
        }
        let Some(text) = joined(&pairs) else { return false };
        draft.set_text(TextColumn::Tags, Some(lines.code(&text)));
        true
    }
}

/// What a tag is called.
#[derive(Clone, Debug)]
pub(super) enum Key {
    /// As its column is.
    Is(String),
    /// As the column at this place says.
    In(usize),
}

impl Key {
    /// The place of the column that says it.
    pub(super) fn place(&self) -> Option<usize> {
        if let Self::In(place) = self { Some(*place) } else { None }
    }
}

/// The columns of tags that a header has: what a tag is called, and where it stands. A column is of
/// the first pattern that it begins with; `labels.*.value` are the values of a list of records, whose
/// `labels.*.key` say what they are called.
pub(super) fn columns(patterns: &[String], header: &Header) -> Vec<(Key, usize)> {
    let records = patterns.iter().filter_map(|pattern| pattern.strip_suffix(VALUE));
    let records: Vec<(Key, usize)> = records.flat_map(|start| of_records(start, header)).collect();
    if !records.is_empty() {
        return records;
    }
    let starts: Vec<String> =
        patterns.iter().filter(|p| !p.ends_with(VALUE)).map(|p| fold(p.trim_end_matches('*'))).collect();
    let key = |name: &str| {
        let name = name.trim_matches(blank);
        let start = starts.iter().find(|start| fold(name).starts_with(*start))?;
        let key: String = name.chars().skip(start.chars().count()).collect();
        let key = key.trim_matches(blank);
        (!key.is_empty()).then(|| key.to_owned())
    };
    header.names.iter().enumerate().filter_map(|(at, name)| Some((Key::Is(key(name)?), at))).collect()
}

/// The end of a pattern that stands for a list of records.
const VALUE: &str = ".*.value";

fn of_records(start: &str, header: &Header) -> Vec<(Key, usize)> {
    let find = |number: usize, field: &str| header.find(&[format!("{start}.{number}.{field}")]);
    (0..header.names.len()).map_while(|n| Some((Key::In(find(n, "key")?), find(n, "value")?))).collect()
}

/// Tags of a cell in one form; a text that is none of the known forms stays as it is, and `None` is
/// a list without a tag.
pub(super) fn canonical(text: &str) -> Option<String> {
    match json(text).or_else(|| named(text)).or_else(|| listed(text)) {
        Some(pairs) => joined(&pairs),
        None => Some(text.to_owned()),
    }
}

fn joined(pairs: &Pairs) -> Option<String> {
    let pairs: Vec<String> =
        pairs.iter().map(|(key, value)| format!("{}={}", shown(key, true), shown(value, false))).collect();
    (!pairs.is_empty()).then(|| pairs.join("; "))
}

/// A key or value, in quotes where it could not be told from what stands around it.
fn shown(text: &str, key: bool) -> String {
    let padded = text.trim_matches(blank) != text;
    match padded || text.contains([';', '"']) || (key && text.contains('=')) {
        true => Value::from(text).to_string(),
        false => text.to_owned(),
    }
}

/// JSON: an object, a list of keys and values, or the inside of an object without its braces, as
/// Azure writes it. Python's single quotes are read too.
fn json(text: &str) -> Option<Pairs> {
    let text = text.trim_matches(blank);
    let whole = match text.chars().next()? {
        '{' | '[' => text.to_owned(),
        '"' => format!("{{{text}}}"),
        _ => return None,
    };
    let read = serde_json::from_str(&whole).or_else(|_| serde_json::from_str(&whole.replace('\'', "\"")));
    match read.ok()? {
        Value::Object(tags) => Some(tags.into_iter().filter_map(|(key, value)| Some((key, plain(&value)?))).collect()),
        Value::Array(tags) => tags.iter().map(pair).collect(),
        _ => None,
    }
}

/// `{"key": "team", "value": "nlp"}`.
fn pair(tag: &Value) -> Option<(String, String)> {
    let of = |names: [&str; 3]| names.iter().find_map(|name| tag.get(name)).and_then(plain);
    Some((of(["key", "Key", "TagKey"])?, of(["value", "Value", "TagValue"]).unwrap_or_default()))
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// `key:team value:nlp; key:owner value:ml`, as Alibaba writes it.
fn named(text: &str) -> Option<Pairs> {
    let each = |part: &str| {
        let (key, value) = part.trim_matches(blank).strip_prefix("key:")?.split_once(" value:")?;
        Some((key.trim_matches(blank).to_owned(), value.trim_matches(blank).to_owned()))
    };
    parts(text)?.iter().map(|part| each(part)).collect()
}

/// `team=nlp; owner=ml` or `team:nlp;owner:ml`.
fn listed(text: &str) -> Option<Pairs> {
    let parts = parts(text)?;
    let by = if parts.iter().all(|part| part.contains('=')) { '=' } else { ':' };
    let each = |part: &String| {
        let (key, value) = match part.strip_prefix('"') {
            // A quoted key ends with its quote, whatever it holds.
            Some(_) => {
                let end = quote(part)?;
                (part.get(..end)?, part.get(end..)?.strip_prefix(by)?)
            }
            None => part.split_once(by)?,
        };
        let key = bare(key)?;
        // An address is no tag.
        (!key.is_empty() && !value.starts_with("//")).then_some((key, bare(value)?))
    };
    parts.iter().map(each).collect()
}

/// The parts between semicolons that are outside of quotes.
fn parts(text: &str) -> Option<Vec<String>> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(next) = text.get(at..)?.find(['"', ';']) {
        at += next;
        if text.as_bytes().get(at) == Some(&b'"') {
            // A quote that never closes is a character like any other.
            at += text.get(at..).and_then(quote).unwrap_or(1);
            continue;
        }
        parts.push(text.get(start..at)?.trim_matches(blank).to_owned());
        at += 1;
        start = at;
    }
    parts.push(text.get(start..)?.trim_matches(blank).to_owned());
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then_some(parts)
}

/// Where the JSON string ends that a text begins with.
fn quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn bare(text: &str) -> Option<String> {
    let text = text.trim_matches(blank);
    match text.starts_with('"') {
        true => serde_json::from_str(text).ok(),
        false => Some(text.to_owned()),
    }
}
