//! The roll-up as a file, out and in again.

use std::io::{BufRead, Write};

use chrono::{DateTime, SecondsFormat, Utc};

use super::formats::{Head, Input};
use super::hour::UsageHour;
use super::log::Log;
use crate::error::{Error, Kind, Origin, Refusal, Result};

/// The columns, in order.
const COLUMNS: [&str; 21] = [
    "device",
    "resource",
    "platform",
    "host",
    "name",
    "hour",
    "observed_s",
    "idle_s",
    "busy_s",
    "util_mean",
    "util_p95",
    "util_max",
    "memory_max",
    "memory_total",
    "power_max",
    "power_limit",
    "full_s",
    "full_power_max",
    "throttled_s",
    "throttled_cool_s",
    "oom",
];

/// Whether a file is a roll-up.
pub(super) fn is(head: &Head) -> bool {
    let cells: Vec<String> = head.first().split(',').map(|c| c.trim().trim_matches('"').to_owned()).collect();
    is_header(&cells)
}

/// Takes the hours of a roll-up.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let mut text = String::new();
    reader.read_to_string(&mut text).map_err(|e| Error::io(input.file, &e))?;
    let hours = read_hours_csv(&text, input.file)?;
    let mut log = Log { samples: hours.len() as u64, ..Log::default() };
    log.rolled = hours.iter().map(|h| h.device.clone()).collect();
    log.rolled.dedup();
    input.rolled.extend(hours.into_iter().map(|h| (input.file.to_owned(), h)));
    Ok(log)
}

fn is_header(header: &[String]) -> bool {
    header.iter().any(|c| c == "hour")
        && header.iter().any(|c| c == "device" || c == "resource")
        && header.iter().all(|c| COLUMNS.contains(&c.as_str()))
}

/// Writes hours as CSV.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_hours_csv(hours: &[UsageHour], out: &mut dyn Write) -> std::io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS).map_err(std::io::Error::other)?;
    for h in hours {
        let number = |v: Option<f64>| v.map(|v| v.to_string()).unwrap_or_default();
        let text = |v: &Option<String>| v.clone().unwrap_or_default();
        writer
            .write_record([
                h.device.clone(),
                text(&h.resource),
                text(&h.platform),
                text(&h.host),
                h.name.clone(),
                h.hour.to_rfc3339_opts(SecondsFormat::Secs, true),
                h.observed_s.to_string(),
                h.idle_s.to_string(),
                h.busy_s.to_string(),
                number(h.util_mean),
                number(h.util_p95),
                number(h.util_max),
                number(h.memory_max),
                number(h.memory_total),
                number(h.power_max),
                number(h.power_limit),
                h.full_s.to_string(),
                number(h.full_power_max),
                h.throttled_s.to_string(),
                h.throttled_cool_s.to_string(),
                h.oom.to_string(),
            ])
            .map_err(std::io::Error::other)?;
    }
    writer.flush()
}

/// Reads hours back; any subset of the columns that has `hour` and `device` or `resource`.
///
/// # Errors
/// If a column is unknown or a value is wrong; every wrong one is named.
pub fn read_hours_csv(text: &str, file: &str) -> Result<Vec<UsageHour>> {
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let origin = Origin::file(file);
    let broken = |e: csv::Error| Error::new(Kind::Usage, e.to_string()).at(origin.clone());
    let header: Vec<String> = reader.headers().map_err(broken)?.iter().map(str::to_owned).collect();
    if !is_header(&header) {
        return Err(Error::new(
            Kind::Usage,
            message!("is no roll-up: it needs hour and device or resource, and knows only {}", COLUMNS.join(", ")),
        )
        .at(origin));
    }
    let mut hours = Vec::new();
    let mut refusals = Vec::new();
    for (at, record) in reader.records().enumerate() {
        let record = record.map_err(broken)?;
        let row = u32::try_from(at + 2).unwrap_or(u32::MAX);
        let mut hour = UsageHour::unknown("", DateTime::<Utc>::UNIX_EPOCH);
        hour.observed_s = 3600.0;
        for (column, cell) in header.iter().zip(&record).filter(|(_, c)| !c.is_empty()) {
            if let Err(expected) = set(&mut hour, column, cell) {
                refusals.push(Refusal {
                    origin: origin.at(row),
                    column: column.clone(),
                    value: cell.to_owned(),
                    expected: expected.into(),
                    hint: None,
                });
            }
        }
        if let Some((column, value, expected)) = impossible(&hour) {
            refusals.push(Refusal {
                origin: origin.at(row),
                column: column.to_owned(),
                value: value.to_string(),
                expected: expected.into(),
                hint: None,
            });
        }
        if hour.device.is_empty() {
            hour.device = hour.resource.clone().unwrap_or_default();
        }
        hours.push(hour);
    }
    if !refusals.is_empty() {
        return Err(Error::cells(refusals));
    }
    hours.sort_by(|a, b| (&a.device, a.hour).cmp(&(&b.device, b.hour)));
    Ok(hours)
}

/// What no hour can be: longer than itself, busy for longer than it was seen, over its full use.
fn impossible(hour: &UsageHour) -> Option<(&'static str, f64, &'static str)> {
    // Seconds are rounded to thousandths where a roll-up is written, each by itself.
    const ROUNDED: f64 = 0.002;
    let use_of = [("util_mean", hour.util_mean), ("util_p95", hour.util_p95), ("util_max", hour.util_max)];
    let over =
        use_of.into_iter().find_map(|(column, percent)| Some((column, percent.filter(|p| *p > 100.0 + ROUNDED)?)));
    if hour.observed_s > 3600.0 + ROUNDED {
        Some(("observed_s", hour.observed_s, "seconds of one hour, 3600 at most"))
    } else if hour.idle_s + hour.busy_s > hour.observed_s + ROUNDED {
        Some(("busy_s", hour.busy_s, "idle and busy seconds that together are no more than those observed"))
    } else {
        over.map(|(column, percent)| (column, percent, "a percentage, 100 at most"))
    }
}

fn set(hour: &mut UsageHour, column: &str, cell: &str) -> std::result::Result<(), &'static str> {
    let number = || cell.parse::<f64>().ok().filter(|v| v.is_finite() && *v >= 0.0).ok_or("a number of zero or more");
    match column {
        "device" => cell.clone_into(&mut hour.device),
        "resource" => hour.resource = Some(cell.to_owned()),
        "platform" => hour.platform = Some(cell.to_owned()),
        "host" => hour.host = Some(cell.to_owned()),
        "name" => cell.clone_into(&mut hour.name),
        "hour" => {
            let time =
                DateTime::parse_from_rfc3339(cell).map_err(|_| "a UTC hour such as 2026-10-31T18:00:00Z")?.to_utc();
            if time.timestamp() % 3600 != 0 {
                return Err("a full hour such as 2026-10-31T18:00:00Z");
            }
            hour.hour = time;
        }
        "observed_s" => hour.observed_s = number()?,
        "idle_s" => hour.idle_s = number()?,
        "busy_s" => hour.busy_s = number()?,
        "full_s" => hour.full_s = number()?,
        "throttled_s" => hour.throttled_s = number()?,
        "throttled_cool_s" => hour.throttled_cool_s = number()?,
        "util_mean" => hour.util_mean = Some(number()?),
        "util_p95" => hour.util_p95 = Some(number()?),
        "util_max" => hour.util_max = Some(number()?),
        "memory_max" => hour.memory_max = Some(number()?),
        "memory_total" => hour.memory_total = Some(number()?),
        "power_max" => hour.power_max = Some(number()?),
        "power_limit" => hour.power_limit = Some(number()?),
        "full_power_max" => hour.full_power_max = Some(number()?),
        "oom" => hour.oom = cell.parse().map_err(|_| "a count")?,
        _ => return Err("a column of the roll-up"),
    }
    Ok(())
}
