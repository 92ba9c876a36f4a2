//! The walk through a JSON text: what is a record, and which fields it has.

use rustc_hash::FxHashSet;

use super::super::{MOST_ROW, Said};
use super::MOST_COLUMNS;
use super::columns::{Path, RECORD, Refused, Taken};
use super::scan::{Event, Holder, Scanner};
use super::sheet::Sheet;
use crate::error::{Error, Kind, Origin, Result};
use crate::message::Message;

/// Reads the records of a text.
pub(super) struct Reader<'a> {
    text: &'a str,
    scanner: Scanner<'a>,
    origin: Origin,
    sheets: Vec<Sheet>,
    /// What the document says outside its arrays, by dotted path.
    values: Vec<Said>,
    /// Arrays that could have held records and do not, and what they hold.
    without: Vec<(String, &'static str)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, origin: Origin) -> Self {
        let scanner = Scanner::new(text, origin.clone());
        Self { text, scanner, origin, sheets: Vec::new(), values: Vec::new(), without: Vec::new() }
    }

    /// One value after the other: an object is a record, an array holds some.
    pub(super) fn lines(&mut self) -> Result<()> {
        let mut sheet = Sheet::new("");
        while let Some(event) = self.scanner.event()? {
            match event {
                Event::Begin(Holder::Object) => self.record(&mut sheet)?,
                Event::Begin(Holder::Array) => self.records(&mut sheet)?,
                _ => return Err(self.no_record(&sheet)),
            }
        }
        self.keep(sheet)
    }

    /// One value: an array of records, or an object that has such arrays somewhere.
    pub(super) fn document(&mut self) -> Result<()> {
        let mut keys: Vec<String> = Vec::new();
        let mut path = String::new();
        let mut seen = FxHashSet::default();
        let mut length = 0usize;
        while let Some(event) = self.scanner.event()? {
            match event {
                Event::Key(key) => {
                    keys.push(key.into_owned());
                    path = keys.join(".");
                    length = length.saturating_add(path.len());
                    if length > MOST_ROW {
                        return Err(self.scanner.wrong("is JSON whose field names are longer than a row may be"));
                    }
                    if !seen.insert(path.clone()) {
                        return Err(self.twice(&path, "the document"));
                    }
                }
                Event::Begin(Holder::Object) => continue,
                Event::End(_) => {
                    keys.pop();
                }
                Event::Scalar(text) => {
                    self.values.push((path.clone(), text.into_owned()));
                    keys.pop();
                }
                Event::Begin(Holder::Array) => {
                    self.array(&path)?;
                    keys.pop();
                }
            }
        }
        if self.sheets.is_empty() { self.alone() } else { Ok(()) }
    }

    /// An array of the document itself.
    fn array(&mut self, path: &str) -> Result<()> {
        if self.scanner.is_empty() {
            self.without.push((path.to_owned(), "is empty"));
            return self.skip();
        }
        if self.scanner.holds_scalars() {
            self.without.push((path.to_owned(), "holds plain values"));
            let joined = self.joined()?;
            self.values.push((path.to_owned(), joined));
            return Ok(());
        }
        if self.scanner.begins_with_array() {
            self.without.push((path.to_owned(), "holds lists"));
            return self.skip();
        }
        let mut sheet = Sheet::new(path);
        self.records(&mut sheet)?;
        self.keep(sheet)
    }

    fn keep(&mut self, sheet: Sheet) -> Result<()> {
        if sheet.columns.names.is_empty() {
            let what = if sheet.records == 0 { "is empty" } else { "holds records without a field" };
            self.without.push((sheet.path, what));
        } else {
            self.sheets.push(sheet);
        }
        Ok(())
    }

    /// A document without an array of records: an object with fields is itself one, nothing is not.
    fn alone(&mut self) -> Result<()> {
        let empty = self.without.iter().any(|(_, what)| *what != "holds plain values");
        if empty || self.values.iter().all(|(path, _)| path.is_empty()) {
            return Ok(());
        }
        self.values.clear();
        self.scanner = Scanner::new(self.text, self.origin.clone());
        self.lines()
    }

    /// The tables' records, and what the document says beside them.
    pub(super) fn finish(self) -> Result<(Vec<Sheet>, Vec<Said>)> {
        if self.sheets.is_empty() { Err(self.no_records()) } else { Ok((self.sheets, self.values)) }
    }

    /// The elements of an array that has just begun.
    fn records(&mut self, sheet: &mut Sheet) -> Result<()> {
        loop {
            match self.scanner.event()? {
                Some(Event::Begin(Holder::Object)) => self.record(sheet)?,
                Some(Event::End(_)) => return Ok(()),
                _ => return Err(self.no_record(sheet)),
            }
        }
    }

    /// The fields of an object that has just begun, down to the last.
    fn record(&mut self, sheet: &mut Sheet) -> Result<()> {
        sheet.records = sheet.records.saturating_add(1);
        // The paths to what is open below the record, and the place in an array.
        let mut open: Vec<(Path, Option<usize>)> = vec![(RECORD, None)];
        let mut at = RECORD;
        while let Some(event) = self.scanner.event()? {
            if let (Event::Begin(_) | Event::Scalar(_), Some((array, Some(index)))) = (&event, open.last_mut()) {
                let (array, key) = (*array, index.to_string());
                *index += 1;
                at = self.taken(sheet, |s| s.columns.field(array, &key, s.records))?;
            }
            match event {
                Event::Key(key) => {
                    let parent = open.last().map_or(RECORD, |o| o.0);
                    at = self.taken(sheet, |s| s.columns.field(parent, &key, s.records))?;
                }
                Event::Scalar(text) => self.cell(sheet, at, &text)?,
                Event::Begin(Holder::Object) => open.push((at, None)),
                Event::Begin(Holder::Array) if self.scanner.holds_scalars() => {
                    let joined = self.joined()?;
                    self.cell(sheet, at, &joined)?;
                }
                Event::Begin(Holder::Array) => open.push((at, Some(0))),
                Event::End(_) => {
                    open.pop();
                    if open.is_empty() {
                        break;
                    }
                }
            }
        }
        sheet.end_record(&self.origin)
    }

    fn cell(&self, sheet: &mut Sheet, path: Path, text: &str) -> Result<()> {
        let column = self.taken(sheet, |s| s.columns.column(path, s.records))?;
        sheet.set(column, text);
        Ok(())
    }

    /// An array of plain values as one cell.
    fn joined(&mut self) -> Result<String> {
        let mut joined = String::new();
        let mut first = true;
        while let Some(Event::Scalar(text)) = self.scanner.event()? {
            if !first {
                joined.push(';');
            }
            first = false;
            joined.push_str(&text);
        }
        Ok(joined)
    }

    /// Passes over the rest of an array that has just begun.
    fn skip(&mut self) -> Result<()> {
        let mut depth = 1usize;
        while depth > 0 {
            match self.scanner.event()? {
                Some(Event::Begin(_)) => depth += 1,
                Some(Event::End(_)) => depth -= 1,
                Some(_) => {}
                None => break,
            }
        }
        Ok(())
    }

    /// What the columns gave, or why not, with its place in the text.
    fn taken<T>(&self, sheet: &mut Sheet, take: impl FnOnce(&mut Sheet) -> Taken<T>) -> Result<T> {
        let message = match take(sheet) {
            Ok(taken) => return Ok(taken),
            Err(Refused::Twice(name)) => return Err(self.twice(&name, named(sheet))),
            Err(Refused::TooMany) => message!("is JSON with more than {MOST_COLUMNS} different fields"),
            Err(Refused::TooLong) => message!("is JSON whose field names take more than {MOST_ROW} bytes"),
        };
        let hint = "no bill has so many: fields whose names are data (ids, dates) must become records";
        Err(Error::new(Kind::Bound, message).at(self.origin.at(sheet.records.saturating_add(1))).hint(hint))
    }

    fn twice(&self, field: &str, place: impl std::fmt::Display) -> Error {
        self.scanner
            .wrong(message!("has the field {field:?} twice in {place}"))
            .hint("export it again, or remove the copy: kashi does not guess which one counts")
    }

    fn no_record(&self, sheet: &Sheet) -> Error {
        let place = named(sheet);
        self.scanner.wrong(message!("holds something else than a record, an object in braces, after {place}"))
    }

    fn no_records(&self) -> Error {
        let arrays: Vec<String> = self
            .without
            .iter()
            .map(
                |(path, what)| {
                    if path.is_empty() { message!("its list {what}") } else { message!("the list {path:?} {what}") }
                },
            )
            .map(String::from)
            .collect();
        let message = match arrays.as_slice() {
            [] => message!("is JSON without a record"),
            arrays => message!("is JSON without a record: {}", arrays.join(", ")),
        };
        let hint = if self.without.iter().any(|(_, what)| *what == "holds lists") {
            "kashi reads records, objects that name their fields: ask the platform for that form, or make it a CSV"
        } else {
            "the platform may have had nothing to charge for this time; leave the file out, or ask for it again with other dates"
        };
        Error::new(Kind::Unclaimed, message).at(self.origin.clone()).hint(hint)
    }
}

fn named(sheet: &Sheet) -> Message {
    match sheet.path.as_str() {
        "" => message!("record {}", sheet.records),
        path => message!("record {} of {:?}", sheet.records, path),
    }
}
