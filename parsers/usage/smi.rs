//! nvidia-smi logs: `--query-gpu=… --format=csv`, in every shape that people keep them in.
//!
//! One line is one sample of one card. The hot path looks at bytes only: no cell is copied, and
//! the time of a second is worked out once for all cards.

use std::io::BufRead;

use super::clock::Clock;
use super::columns::{Columns, Field};
use super::device::Devices;
use super::events::within;
use super::foreign::{QUERY, READS};
use super::formats::Input;
use super::headerless;
use super::known::Known;
use super::line::{Parsed, is_missing, parse};
use super::lines::{self, trim};
use super::log::Log;
use crate::error::{Error, Kind, Origin, Result};
use crate::ledger::time::Zone;

/// Rows of cards that are not named follow each other within this time, microseconds.
const ONE_SAMPLE: i64 = 50_000;

/// Reads a log line by line.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let Input { file, label, options, .. } = *input;
    let devices = &mut *input.devices;
    let mut log = Log::default();
    let columns = options.fields.as_deref().map(|f| Columns::given(f, file)).transpose()?;
    let mut lines = Lines::new(columns, options.zone, file, label);
    let mut source = lines::Lines::new(reader, file);
    loop {
        source.ahead(|bytes, row| lines.ahead(bytes, row, devices, &mut log))?;
        let Some(line) = source.next()? else { break };
        lines.take(line.bytes, line.row, line.cut, devices, &mut log)?;
    }
    lines.finish(&mut log)?;
    Ok(log)
}

struct Lines<'a> {
    columns: Option<Columns>,
    clock: Clock,
    /// The devices of this file.
    places: Vec<Known>,
    /// The place in `places` that was met last: cards take turns.
    last: usize,
    file: &'a str,
    label: &'a str,
    /// The first line that is neither header nor sample, and its row.
    first: Option<(String, u32)>,
    /// Whether the table for people was met.
    table: bool,
}

impl<'a> Lines<'a> {
    fn new(columns: Option<Columns>, zone: Zone, file: &'a str, label: &'a str) -> Self {
        let clock = Clock::new(zone);
        Self { columns, clock, places: Vec::new(), last: 0, file, label, first: None, table: false }
    }

    /// Takes the lines that bytes begin with, as long as each is of the card whose turn it is and
    /// has the form of that card's lines; says how many bytes and lines that are.
    #[inline(always)]
    fn ahead(&mut self, bytes: &[u8], row: u32, devices: &mut Devices, log: &mut Log) -> (usize, u32) {
        let (mut used, mut rows) = (0, 0);
        loop {
            let next = self.next();
            let Some(known) = self.places.get(next) else { break };
            let Some(form) = &known.form else { break };
            let Some(line) = form.read(&bytes[used..], &self.clock) else { break };
            (used, rows, self.last) = (used + line.len, rows + 1, next);
            devices.push_next(known.place, line.at, row.saturating_add(rows), &line.sample);
        }
        log.samples += u64::from(rows);
        (used, rows)
    }

    /// Cards take turns, so the next line is most likely of the card after the last one.
    #[inline(always)]
    fn next(&self) -> usize {
        if self.last + 1 < self.places.len() { self.last + 1 } else { 0 }
    }

    /// Takes a line, and counts what it was.
    fn take(&mut self, line: &[u8], row: u32, cut: bool, devices: &mut Devices, log: &mut Log) -> Result<()> {
        match self.columns.as_ref().and_then(|c| c.dressed) {
            None => self.plain(line, row, cut, devices, log),
            Some(separator) => self.plain(&undressed(line, separator), row, cut, devices, log),
        }
    }

    fn plain(&mut self, line: &[u8], row: u32, cut: bool, devices: &mut Devices, log: &mut Log) -> Result<()> {
        let Some(parsed) = self.columns.as_ref().and_then(|c| parse(line, c, &mut self.clock)) else {
            return self.text(trim(line), row, cut, log);
        };
        if cut && self.is_cut(&parsed, line) {
            log.leave("last line cut off");
            return Ok(());
        }
        let place = self.place(&parsed, line, devices);
        devices.doubts.add(parsed.left, row);
        devices.push_next(place, parsed.at, row, &parsed.sample);
        log.samples += 1;
        Ok(())
    }

    /// Whether a last line without an end lacks a part: of the card's id, which would make a card
    /// of its own, or of a value, which has lost its unit.
    #[cold]
    fn is_cut(&self, parsed: &Parsed<'_>, line: &[u8]) -> bool {
        let Some(known) = self.places.iter().find(|known| known.is(parsed)) else {
            return self.places.iter().any(|k| k.key.len() > parsed.key.len() && k.key.starts_with(parsed.key));
        };
        let unit = |cell: &[u8]| cell.trim_ascii_end().last().is_some_and(|b| !b.is_ascii_digit());
        let last = line.rsplit(|b| *b == b',').next().unwrap_or_default();
        unit(&known.last) && !is_missing(&known.last) && !unit(last)
    }

    /// Takes a line that is no sample: a header, or what the tool had to say.
    #[cold]
    fn text(&mut self, text: &[u8], row: u32, cut: bool, log: &mut Log) -> Result<()> {
        if text.is_empty() || self.columns.as_ref().is_some_and(|c| text == c.header.as_slice()) {
            return Ok(());
        }
        let words = String::from_utf8_lossy(text);
        if words.starts_with(['+', '|']) {
            self.table = true;
            log.leave("line of the table that nvidia-smi prints for people");
            return Ok(());
        }
        match Columns::of_header(&words, self.file, row) {
            Some(Ok(columns)) => {
                self.columns = Some(columns);
                // What is known of the cards is known by column.
                self.places.clear();
                return Ok(());
            }
            Some(Err(error)) if self.columns.is_none() => return Err(error),
            _ => {}
        }
        log.events.extend(within(&words, self.clock.minute(), self.file, row));
        if self.first.is_none() {
            self.first = Some((words.chars().take(400).collect(), row));
        }
        match (cut, words.starts_with(|c: char| c.is_ascii_digit())) {
            (true, _) => log.leave("last line cut off"),
            (false, true) => log.leave("line that does not fit the header"),
            (false, false) if words.contains(|c: char| c.is_control() && c != '\t') => {
                log.leave("line that is no text")
            }
            (false, false) => log.leave(&format!("line that says: {}", words.chars().take(100).collect::<String>())),
        }
        Ok(())
    }

    fn place(&mut self, parsed: &Parsed<'_>, line: &[u8], devices: &mut Devices) -> usize {
        let is = |known: &Known| known.is(parsed);
        let next = Some(self.next()).filter(|next| self.places.get(*next).is_some_and(is));
        let Some(at) = next.or_else(|| self.places.iter().position(is)) else {
            return self.met(parsed, line, devices);
        };
        self.last = at;
        if let Some(columns) = &self.columns {
            self.places[at].learn(line, columns);
        }
        self.places[at].place
    }

    #[cold]
    fn met(&mut self, parsed: &Parsed<'_>, line: &[u8], devices: &mut Devices) -> usize {
        let key = String::from_utf8_lossy(parsed.key).into_owned();
        let host = parsed.host.filter(|h| !is_missing(h)).map(|h| String::from_utf8_lossy(h.trim_ascii()).into_owned());
        // An index is only unique on its machine; a UUID or a bus address stands for itself.
        let device = match (parsed.by, key.as_str()) {
            (_, "") => self.label.to_owned(),
            (Field::Uuid, _) => key,
            _ => format!("{}/{key}", host.as_deref().unwrap_or(self.label)),
        };
        let place = devices.place(&device, self.file);
        if parsed.by == Field::Other {
            devices.join_within(place, ONE_SAMPLE);
        }
        let about = &mut devices.about[place];
        if let Some(name) = parsed.name.filter(|n| about.name.is_empty() && !is_missing(n)) {
            about.name = String::from_utf8_lossy(name.trim_ascii()).into_owned();
        }
        about.host = host.or(about.host.take());
        let mut known = Known::new(parsed, place, line);
        if let Some(columns) = &self.columns {
            known.learn(line, columns);
        }
        self.places.push(known);
        self.last = self.places.len().saturating_sub(1);
        place
    }

    fn finish(self, log: &mut Log) -> Result<()> {
        log.local = self.clock.local;
        let Some(columns) = &self.columns else { return Err(self.unknown()) };
        if log.samples == 0 {
            if let Some((line, row)) = &self.first {
                let message = message!(
                    "holds no sample: no line fits the {} columns, the first that does not is {line:?}",
                    columns.all.len()
                );
                return Err(Error::new(Kind::Usage, message)
                    .at(Origin::file(self.file).at(*row))
                    .hint(message!("log it with `{QUERY}`")));
            }
            log.notes.push("has a header but no sample".to_owned());
        }
        if !columns.has(Field::Util) {
            log.notes.push("has no utilization: hours stay unknown; add utilization.gpu to the query".to_owned());
        }
        if !columns.names_card {
            log.notes.push(
                "names no card: all samples are taken for one; add index or uuid to the query if there are several"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// The error for a log of which no line is a header.
    fn unknown(&self) -> Error {
        if self.table {
            return Error::new(Kind::Usage, "is the table that nvidia-smi prints for people, not a log of samples")
                .at(Origin::file(self.file))
                .hint(message!("log it with `{QUERY}`"));
        }
        let Some((line, row)) = &self.first else {
            return Error::new(Kind::Usage, "holds nothing").at(Origin::file(self.file)).hint(READS);
        };
        headerless::refused(line, self.file, *row).unwrap_or_else(|| {
            let line: String = line.chars().take(100).collect();
            Error::new(Kind::Usage, message!("holds no sample that kashi understands; it begins with {line:?}"))
                .at(Origin::file(self.file).at(*row))
                .hint(READS)
        })
    }
}

/// A line with commas between its cells and no quotes: spreadsheets and R write others.
#[cold]
fn undressed(line: &[u8], separator: u8) -> Vec<u8> {
    let bare = line.iter().filter(|b| **b != b'"');
    // Where the semicolon parts cells, the comma is the decimal point.
    bare.map(|b| match *b {
        b if b == separator => b',',
        b',' if separator == b';' => b'.',
        b => b,
    })
    .collect()
}
