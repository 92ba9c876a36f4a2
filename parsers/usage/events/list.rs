//! Lists of when instances ran: a row a run, with the resource, its start and its stop.
//!
//! Columns by name: `resource` (`instance`, `instance_id`, `实例ID`), `started` (`start`, `start_time`,
//! `started_at`, `开机时间`) and `stopped` (`stop`, `stop_time`, `stopped_at`, `关机时间`). No vendor's export:
//! the form is kashi's own.

use std::io::BufRead;

use chrono::DateTime;

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
    let origin = Origin::file(input.file);
    let (mut mark, mut names, mut row_cells) = (',', Vec::new(), Vec::<String>::new());
    let mut lines = Lines::new(reader, input.file);
    while let Some((row, line)) = lines.next()? {
        if row == 1 {
            mark = separator(line);
            cells(line, mark, &mut names);
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        cells(line, mark, &mut row_cells);
        let cell = |any: &[&str]| {
            let at = column(&names, any)?;
            Some((names[at].as_str(), row_cells.get(at).map_or("", String::as_str)))
        };
        let resource = cell(&RESOURCE).map_or("", |(_, c)| c);
        let mut refuse = |column: &str, value: &str, expected: &str| {
            let (column, value, expected) = (column.to_owned(), value.to_owned(), expected.to_owned());
            refusals.push(Refusal { origin: origin.at(row), column, value, expected, hint: None });
        };
        if resource.is_empty() {
            refuse(RESOURCE[0], "", "the id of the instance, as the bill has it");
        }
        for (kind, any) in [(EventKind::Started, &STARTED[..]), (EventKind::Stopped, &STOPPED[..])] {
            let Some((name, text)) = cell(any) else { continue };
            // It runs still, or ran before the list begins.
            if matches!(text, "" | "-" | "--") {
                continue;
            }
            let time = clock.read(text.as_bytes()).and_then(|(micros, _)| DateTime::from_timestamp_micros(micros));
            if time.is_none() {
                refuse(name, text, "a time such as 2026-10-31 18:05:00 or 2026-10-31T18:05:00+08:00");
            }
            log.events.push(Event {
                time,
                timing: Timing::Line,
                kind,
                code: None,
                device: None,
                host: None,
                resource: Some(resource.to_owned()),
                file: input.file.to_owned(),
                row,
                text: String::new(),
                named: Named::Nothing,
                yearless: None,
            });
        }
    }
    log.local = clock.local;
    if refusals.is_empty() { Ok(log) } else { Err(Error::cells(refusals)) }
}
