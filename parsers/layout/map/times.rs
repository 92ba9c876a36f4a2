//! How the times of a column are written.

use std::collections::BTreeSet;

use chrono::{DateTime, Datelike, Timelike};

use crate::ledger::time::{TimeFormat, Zone};

/// Ways to write a time, the usual ones first; `true` where the text carries its own zone.
const TIMES: &[(&str, bool)] = &[
    ("%Y-%m-%d %H:%M:%S", false),
    ("rfc3339", true),
    ("%Y-%m-%dT%H:%M:%S", false),
    ("%Y-%m-%dT%H:%M:%S%.f", false),
    ("%Y-%m-%d %H:%M:%S%.f", false),
    ("%Y/%m/%d %H:%M:%S", false),
    ("%Y-%m-%d %H:%M", false),
    ("%Y/%m/%d %H:%M", false),
    ("%Y-%m-%d %H:%M:%S %z", true),
    ("%Y-%m-%d %H:%M:%S%.f %#z", true),
    ("%Y-%m-%d %H:%M:%S %Z", false),
    ("%Y-%m-%d %H:%M:%S GMT%:z", true),
    ("%Y-%m-%d %H:%M:%S UTC%:z", true),
    ("%Y-%m-%dT%H:%M", false),
    ("%Y.%m.%d %H:%M:%S", false),
    ("%Y.%m.%d %H:%M", false),
    ("%Y%m%d%H%M%S", false),
    ("%Y-%m-%d", false),
    ("%Y/%m/%d", false),
    ("%Y.%m.%d", false),
    ("%Y%m%d", false),
    ("%Y年%m月%d日 %H:%M:%S", false),
    ("%Y年%m月%d日 %H:%M", false),
    ("%Y年%m月%d日", false),
    ("%m/%d/%Y %H:%M:%S", false),
    ("%d/%m/%Y %H:%M:%S", false),
    ("%m/%d/%Y %H:%M", false),
    ("%d/%m/%Y %H:%M", false),
    ("%m/%d/%Y %I:%M:%S %p", false),
    ("%m/%d/%Y %I:%M %p", false),
    ("%m/%d/%Y", false),
    ("%d/%m/%Y", false),
    ("%d.%m.%Y %H:%M:%S", false),
    ("%d.%m.%Y %H:%M", false),
    ("%d.%m.%Y", false),
    ("%b %d, %Y %H:%M:%S", false),
    ("%d %b %Y %H:%M:%S", false),
    ("%b %d, %Y", false),
    ("%d %b %Y", false),
    ("%d-%b-%Y", false),
];

/// Ways to write a month.
const MONTHS: &[&str] = &["%Y-%m", "%Y%m", "%Y/%m", "%Y年%m月", "%Y.%m", "%b %Y", "%B %Y"];

/// The most formats that one column mixes.
const MOST_FORMATS: usize = 3;

/// What the times of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    /// Months, or days that are all the first of a month.
    Month,
    /// Days.
    Day,
    /// Times of day.
    Instant,
}

/// How the times of a column are written, and what they are.
#[derive(Clone, Debug)]
pub(super) struct Times {
    /// Formats that together read every cell.
    pub(super) formats: Vec<String>,
    /// What they are.
    pub(super) grain: Grain,
    /// Whether every cell carries its zone.
    pub(super) zoned: bool,
    /// The other reading of `03/04/2026`, if no cell rules it out.
    pub(super) ambiguous: Option<&'static str>,
    /// A time that begins the cell and one that ends it: patterns for both.
    pub(super) range: Option<(String, String)>,
    /// Whether many end a second before the full hour or day.
    pub(super) inclusive: bool,
}

impl Times {
    /// A few words.
    pub(super) fn said(&self) -> &'static str {
        match (self.grain, &self.range) {
            (_, Some(_)) => "ranges of time",
            (Grain::Month, _) => "months",
            (Grain::Day, _) => "days",
            (Grain::Instant, _) => "times",
        }
    }

    /// Reads a cell in the zone given, UTC microseconds.
    pub(super) fn read(&self, cell: &str, zone: Zone) -> Option<i64> {
        TimeFormat::new(&self.formats, zone).read(cell)
    }
}

/// How the distinct cells of a column are written, if all of them are times; a column that is
/// named like a time may count seconds.
pub(super) fn of(cells: &BTreeSet<&str>, named: bool) -> Option<Times> {
    let digits = |c: &&str| c.bytes().filter(u8::is_ascii_digit).count() >= 5;
    if cells.is_empty() || !cells.iter().all(digits) {
        return None;
    }
    if let Some(format) = MONTHS.iter().find(|f| cells.iter().all(|c| is_month(c, f))) {
        let formats = vec![(*format).to_owned()];
        return Some(Times {
            formats,
            grain: Grain::Month,
            zoned: false,
            ambiguous: None,
            range: None,
            inclusive: false,
        });
    }
    if named && cells.iter().all(|c| is_epoch(c)) {
        let formats = vec!["%s".to_owned()];
        return Some(Times {
            formats,
            grain: Grain::Instant,
            zoned: true,
            ambiguous: None,
            range: None,
            inclusive: false,
        });
    }
    instants(cells).or_else(|| ranges(cells))
}

/// Seconds since 1970, of the years 2015 to 2035.
fn is_epoch(cell: &str) -> bool {
    cell.len() == 10 && cell.parse::<i64>().is_ok_and(|s| (1_420_070_400..2_051_222_400).contains(&s))
}

fn is_month(cell: &str, format: &str) -> bool {
    let month = TimeFormat::new(&[format.to_owned()], Zone::utc()).month(cell);
    // `202609` is a month, `12345` is not.
    month.is_some_and(|m| m.starts_with("20")) && cell.chars().count() >= 6 && cell.chars().count() <= 14
}

fn instants(cells: &BTreeSet<&str>) -> Option<Times> {
    let mut left: Vec<&str> = cells.iter().copied().collect();
    let mut formats: Vec<(&'static str, bool)> = Vec::new();
    while !left.is_empty() {
        if formats.len() == MOST_FORMATS {
            return None;
        }
        let reads = |format: &str| left.iter().filter(|c| instant(c, format).is_some()).count();
        let best = TIMES.iter().map(|f| (reads(f.0), f)).rev().max_by_key(|(n, _)| *n).filter(|(n, _)| *n > 0)?;
        formats.push(*best.1);
        left.retain(|c| instant(c, best.1.0).is_none());
    }
    let names: Vec<String> = formats.iter().map(|(f, _)| (*f).to_owned()).collect();
    let zoned = formats.iter().all(|(_, zoned)| *zoned);
    let times: Vec<DateTime<chrono::Utc>> = cells
        .iter()
        .filter_map(|c| formats.iter().find_map(|(f, _)| instant(c, f)))
        .filter_map(DateTime::from_timestamp_micros)
        .collect();
    Some(Times {
        grain: grain(&times, &names),
        ambiguous: formats.iter().find_map(|(f, _)| swapped(f, cells)),
        inclusive: times.iter().filter(|t| t.second() == 59).count() * 2 > times.len(),
        formats: names,
        zoned,
        range: None,
    })
}

fn instant(cell: &str, format: &str) -> Option<i64> {
    let micros = TimeFormat::new(&[format.to_owned()], Zone::utc()).read(cell)?;
    let year = DateTime::from_timestamp_micros(micros)?.year();
    (2005..2100).contains(&year).then_some(micros)
}

fn grain(times: &[DateTime<chrono::Utc>], formats: &[String]) -> Grain {
    let midnight = |t: &DateTime<chrono::Utc>| t.num_seconds_from_midnight() == 0;
    if times.iter().all(|t| t.day() == 1 && midnight(t)) {
        Grain::Month
    } else if formats.iter().all(|f| !f.contains("%H") && f != "rfc3339") || times.iter().all(midnight) {
        Grain::Day
    } else {
        Grain::Instant
    }
}

/// The format with day and month changed over, if it reads every cell too.
fn swapped(format: &str, cells: &BTreeSet<&str>) -> Option<&'static str> {
    let other = match format {
        "%m/%d/%Y" => "%d/%m/%Y",
        "%m/%d/%Y %H:%M" => "%d/%m/%Y %H:%M",
        "%m/%d/%Y %H:%M:%S" => "%d/%m/%Y %H:%M:%S",
        _ => return None,
    };
    cells.iter().all(|c| instant(c, other).is_some()).then_some(other)
}

/// Cells that hold two times of one form, glued: `a-b`, `a/b`, `a ~ b`, `a 至 b`; some may hold one.
fn ranges(cells: &BTreeSet<&str>) -> Option<Times> {
    const TIME: &str = r"\d{4}[-/]\d\d?[-/]\d\d?(?:[ T]\d\d:\d\d(?::\d\d)?)?(?:Z| ?(?:GMT|UTC)?[+-]\d\d:?\d\d)?";
    const GLUE: &str = r"\s*(?:-|/|~|～|至|到|to|–|—)\s*";
    let both = regex::Regex::new(&format!("^({TIME})(?:{GLUE}({TIME}))?$")).ok()?;
    let mut ranges = 0;
    let mut all: BTreeSet<&str> = BTreeSet::new();
    for cell in cells {
        let found = both.captures(cell)?;
        ranges += usize::from(found.get(2).is_some());
        all.extend(found.iter().skip(1).flatten().map(|time| time.as_str()));
    }
    let mut times = instants(&all)?;
    times.range = Some((format!("^({TIME})(?:{GLUE}{TIME})?$"), format!("^{TIME}{GLUE}({TIME})$")));
    (ranges > 0).then_some(times)
}
