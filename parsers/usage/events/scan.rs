//! Plain logs of training, serving and the kernel, read for what they tell of cards.
//!
//! Lines are told apart by words that the programs print (confirmed: PyTorch's, the kernel's and the
//! NVIDIA driver's messages in public logs); losses, checkpoints and the rest are not interpreted.

use std::io::BufRead;

use rustc_hash::FxHashMap;

use super::super::clock::Clock;
use super::super::columns::Columns;
use super::super::foreign::READS;
use super::super::formats::{Head, Input};
use super::super::log::Log;
use super::super::monitors::lines::Lines;
use super::json_line;
use super::kind::{Told, told};
use super::named::Named;
use super::time::{self, Stamp};
use super::{Event, EventKind, Timing};
use crate::error::{Error, Kind, Origin, Result};
use crate::ledger::time::Zone;

/// Rows within which the same words are one event: a traceback is printed again as it is handed up.
const NEAR: u32 = 200;

/// Whether a text is a log for people: most of its lines begin with a time and go on in words, or
/// are words.
pub(in crate::usage) fn is(head: &Head) -> bool {
    if head.is_json() || head.text.contains("NVIDIA-SMI has failed") {
        return false;
    }
    let mut clock = Clock::new(Zone::utc());
    let (mut prose, mut all) = (0, 0);
    for line in head.lines().take(40) {
        if line.starts_with(['+', '|', '#', '<']) || matches!(Columns::of_header(line, "", 1), Some(Ok(_))) {
            return false;
        }
        let rest = time::read(line, &mut clock).map(|(_, rest)| rest);
        let row = rest.unwrap_or(line).trim_start().starts_with(',');
        all += 1;
        prose += usize::from(!row && (told(line).is_some() || rest.is_some_and(has_words) || is_prose(line)));
    }
    all > 0 && prose * 2 > all
}

/// Whether a text is a log with a JSON object a line.
pub(in crate::usage) fn is_json(head: &Head) -> bool {
    head.first().starts_with('{') && json_line::plain(head.first()).is_some()
}

/// Whether a text holds a word of letters.
fn has_words(text: &str) -> bool {
    text.split_whitespace().any(|w| w.chars().filter(|c| c.is_alphabetic()).count() > 2)
}

/// Whether a text is a sentence rather than a row of cells.
fn is_prose(text: &str) -> bool {
    let words = text.split_whitespace().filter(|w| w.len() > 1 && w.chars().all(|c| c.is_alphabetic() || c == ':'));
    let cells = text.matches([',', ';', '\t']).count();
    words.count() >= 3 && cells < 3
}

/// Reads a log.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let mut scan = Scan::new(input.options.zone, input.file);
    let mut log = Log::default();
    let mut lines = Lines::new(reader, input.file);
    while let Some((row, line)) = lines.next()? {
        match line.starts_with('{').then(|| json_line::plain(line)).flatten() {
            Some(plain) => scan.line(&plain, row, &mut log),
            None => scan.line(line, row, &mut log),
        }
    }
    log.local = scan.clock.local || scan.events.iter().any(|e| e.yearless.is_some());
    log.events = scan.events;
    if log.events.is_empty() && scan.last.is_none() {
        let first: String = scan.first.chars().take(100).collect();
        let message =
            format!("holds no sample that kashi understands, and tells of no event; it begins with {first:?}");
        return Err(Error::new(Kind::Usage, message).at(Origin::file(input.file).at(1)).hint(READS));
    }
    if log.events.is_empty() {
        log.notes.push("tells of no event of a card".to_owned());
    }
    Ok(log)
}

/// A log on its way into events.
struct Scan<'a> {
    file: &'a str,
    clock: Clock,
    /// The time of the last line that had one.
    last: Option<Stamp>,
    /// The first line that is not blank.
    first: String,
    host: Option<String>,
    /// Which card is at a place on the bus, as the driver says before it complains.
    buses: FxHashMap<String, String>,
    /// What happened lately: kind, words or process, time, row.
    lately: Vec<(EventKind, String, Option<Stamp>, u32)>,
    events: Vec<Event>,
}

impl<'a> Scan<'a> {
    fn new(zone: Zone, file: &'a str) -> Self {
        Self {
            file,
            clock: Clock::new(zone),
            last: None,
            first: String::new(),
            host: None,
            buses: FxHashMap::default(),
            lately: Vec::new(),
            events: Vec::new(),
        }
    }

    fn line(&mut self, line: &str, row: u32, log: &mut Log) {
        let stamp = time::read(line, &mut self.clock);
        if self.first.is_empty() {
            line.trim().clone_into(&mut self.first);
        }
        if let Some((stamp, rest)) = stamp {
            self.last = Some(stamp);
            if let Some(host) = time::host(rest) {
                self.host = Some(host.to_owned());
            }
        }
        if line.contains("GPU at PCI:")
            && let (Named::Uuid(id), Some(bus)) = (Named::of(line), super::named::bus(line))
        {
            self.buses.insert(bus, id);
        }
        let Some(told) = told(line) else { return };
        if self.is_told(&told, line, row) {
            log.leave("line that tells of the event above once more");
            return;
        }
        let own = stamp.map(|(stamp, _)| stamp);
        self.events.push(self.event(told, own, line, row));
    }

    /// Whether an event was told a few lines above.
    fn is_told(&mut self, told: &Told, line: &str, row: u32) -> bool {
        let words = match told.pid {
            Some(pid) => pid.to_string(),
            None => format!("{:?} {:?} {}", told.code, told.named, &line[told.at..]),
        };
        self.lately.retain(|(.., at)| row - at <= NEAR);
        let same = |a: Option<Stamp>, b: Option<Stamp>| match (a, b) {
            (Some(Stamp::At(a)), Some(Stamp::At(b))) => (b - a).abs() <= 2_000_000,
            (Some(Stamp::Yearless(a)), Some(Stamp::Yearless(b))) => (b - a).num_seconds().abs() <= 2,
            (a, b) => a == b,
        };
        let known =
            self.lately.iter().any(|(kind, w, at, _)| *kind == told.kind && *w == words && same(*at, self.last));
        if !known {
            self.lately.push((told.kind, words, self.last, row));
        }
        known
    }

    fn event(&self, told: Told, own: Option<Stamp>, line: &str, row: u32) -> Event {
        let named = match told.named {
            Named::Bus(bus) => self.buses.get(&bus).map_or(Named::Bus(bus), |id| Named::Uuid(id.clone())),
            named => named,
        };
        let (time, yearless) = match own.or(self.last) {
            Some(Stamp::At(micros)) => (chrono::DateTime::from_timestamp_micros(micros), None),
            Some(Stamp::Yearless(local)) => (None, Some(local)),
            None => (None, None),
        };
        let timing = match (own, self.last) {
            (Some(_), _) => Timing::Line,
            (None, Some(_)) => Timing::Above,
            (None, None) => Timing::Unknown,
        };
        Event {
            time,
            timing,
            kind: told.kind,
            code: told.code,
            device: named.text(),
            host: self.host.clone(),
            resource: None,
            file: self.file.to_owned(),
            row,
            text: line.trim().chars().take(200).collect(),
            named,
            yearless,
        }
    }
}

/// An event that a log of samples tells of between its lines.
pub(in crate::usage) fn within(line: &str, at: Option<i64>, file: &str, row: u32) -> Option<Event> {
    let mut scan = Scan::new(Zone::utc(), file);
    scan.last = at.map(Stamp::At);
    let told = told(line)?;
    Some(scan.event(told, None, line, row))
}
