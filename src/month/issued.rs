//! When a file was exported, as far as its name says.

use chrono::{DateTime, NaiveDateTime};

/// The time of export that a file's name states: 14 digits of a date and a time (with `-`, `_` or
/// `T` between them, if anything), or the 13 digits of milliseconds since 1970. Days alone are
/// mostly those that the bill is of, and say nothing.
pub(super) fn issued(file: &str) -> Option<NaiveDateTime> {
    let mut found = None;
    let names: Vec<&str> = file.split('!').filter_map(|part| part.rsplit('/').next()).collect();
    let name = names.join("!");
    let runs: Vec<(usize, &str)> = digits(&name);
    for (at, (start, run)) in runs.iter().enumerate() {
        let joined = runs.get(at + 1).filter(|(next, _)| {
            *next == start + run.len() + 1 && matches!(name.as_bytes()[next - 1], b'-' | b'_' | b'T' | b't')
        });
        let time = match (run.len(), joined) {
            (14, _) => NaiveDateTime::parse_from_str(run, "%Y%m%d%H%M%S").ok(),
            (8, Some((_, time))) if time.len() == 6 => {
                NaiveDateTime::parse_from_str(&format!("{run}{time}"), "%Y%m%d%H%M%S").ok()
            }
            (13, _) => run.parse().ok().and_then(DateTime::from_timestamp_millis).map(|time| time.naive_utc()),
            _ => None,
        };
        found = found.max(time.filter(|time| (2010..2100).contains(&chrono::Datelike::year(time))));
    }
    found
}

/// The runs of digits in a name, each with where it begins.
fn digits(name: &str) -> Vec<(usize, &str)> {
    let mut runs = Vec::new();
    let mut start = None;
    for (at, byte) in name.bytes().chain([b' ']).enumerate() {
        match (byte.is_ascii_digit(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                runs.push((from, &name[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    runs
}
