//! Lists of when instances ran: a row a run, with the resource, its start and its stop.
//!
//! Columns by name: `resource` (`instance`, `instance_id`, `实例ID`), `started` (`start`, `start_time`,
//! `started_at`, `开机时间`) and `stopped` (`stop`, `stop_time`, `stopped_at`, `关机时间`). No vendor's export:
//! the form is kashi's own.

use std::io::BufRead;

use chrono::{DateTime, Utc};

use super::super::clock::Clock;
use super::super::formats::{Head, Input};
use super::super::log::Log;
use super::super::monitors::lines::{Lines, cells, header, separator};
use super::named::Named;
use super::{Event, EventKind, Timing};
use crate::error::{Error, Origin, Refusal, Result};

const RESOURCE: [&str; 6] = ["resource", "instance", "instance_id", "instanceid", "实例id", "实例"];
const STARTED: [&str; 7] = ["started", "start", "start_time", "started_at", "start_at", "开机时间", "启动时间"];
const STOPPED: [&str; 7] = ["stopped", "stop", "stop_time", "stopped_at", "stop_at", "关机时间", "停止时间"];

/// Whether a text begins as such a list.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let names = header(&head.text);
    // With an amount beside it, it is a bill.
    let bill = ["cost", "price", "amount", "fee", "金额", "费用", "应付"];
    [&RESOURCE[..], &STARTED[..], &STOPPED[..]].iter().all(|any| column(&names, any).is_some())
        && !names.iter().any(|n| bill.iter().any(|word| n.to_lowercase().contains(word)))
}

fn column(names: &[String], any: &[&str]) -> Option<usize> {
    names.iter().position(|n| any.contains(&n.trim().to_lowercase().as_str()))
}

/// Reads a list.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut clock, mut refusals) = (Log::default(), Clock::new(input.options.zone), Vec::new());
    let (mut mark, mut names, mut row_cells) = (',', Vec::new(), Vec::<String>::new());
    let mut lines = Lines::new(reader, input.file);
    while let Some((row, line)) = lines.next()? {
        if row == 1 {
            mark = separator(line);
            cells(line, mark, &mut names);
        } else if !line.trim().is_empty() {
            cells(line, mark, &mut row_cells);
            let run = Run { names: &names, cells: &row_cells, origin: Origin::file(input.file).at(row) };
            log.events.extend(run.events(&mut clock, &mut refusals));
        }
    }
    log.local = clock.local;
    if refusals.is_empty() { Ok(log) } else { Err(Error::cells(refusals)) }
}

/// A row: one run of an instance.
struct Run<'a> {
    names: &'a [String],
    cells: &'a [String],
    origin: Origin,
}

impl Run<'_> {
    /// A column's name and its cell.
    fn cell(&self, any: &[&str]) -> (&str, &str) {
        let at = column(self.names, any).unwrap_or_default();
        (self.names.get(at).map_or("", String::as_str), self.cells.get(at).map_or("", String::as_str))
    }

    /// The start and the stop that are told; what is no time is refused.
    fn events(&self, clock: &mut Clock, refusals: &mut Vec<Refusal>) -> Vec<Event> {
        let mut refuse = |column: &str, value: &str, expected: &'static str| {
            let (column, value, expected) = (column.to_owned(), value.to_owned(), expected.into());
            refusals.push(Refusal { origin: self.origin.clone(), column, value, expected, hint: None });
        };
        let (name, resource) = self.cell(&RESOURCE);
        if resource.is_empty() {
            refuse(name, "", "the id of the instance, as the bill has it");
        }
        let mut events = Vec::new();
        for (kind, any) in [(EventKind::Started, &STARTED[..]), (EventKind::Stopped, &STOPPED[..])] {
            let (name, text) = self.cell(any);
            // It runs still, or ran before the list begins.
            if matches!(text, "" | "-" | "--") {
                continue;
            }
            match clock.read(text.as_bytes()).and_then(|(micros, _)| DateTime::from_timestamp_micros(micros)) {
                Some(time) => events.push(self.event(kind, time, resource)),
                None => refuse(name, text, "a time such as 2026-10-31 18:05:00 or 2026-10-31T18:05:00+08:00"),
            }
        }
        events
    }

    fn event(&self, kind: EventKind, time: DateTime<Utc>, resource: &str) -> Event {
        Event {
            time: Some(time),
            timing: Timing::Line,
            kind,
            code: None,
            device: None,
            host: None,
            resource: Some(resource.to_owned()),
            file: self.origin.file.to_string(),
            row: self.origin.row,
            text: String::new(),
            named: Named::Nothing,
            yearless: None,
        }
    }
}
