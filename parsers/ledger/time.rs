//! Times: any zone in, UTC microseconds inside.

use crate::message::Message;
use chrono::format::{Item, StrftimeItems};
use chrono::{
    DateTime, Datelike, FixedOffset, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeZone, Utc,
};
use chrono_tz::Tz;

/// The zone that times without one are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// A fixed distance from UTC.
    Fixed(FixedOffset),
    /// A named zone with its summer times.
    Named(Tz),
}

impl Zone {
    /// Universal time.
    pub fn utc() -> Self {
        Self::Fixed(Utc.fix())
    }

    /// Reads `+08:00`, `UTC`, `Z` or an IANA name such as `Asia/Shanghai`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text == "Z" || text.eq_ignore_ascii_case("utc") {
            return Some(Self::utc());
        }
        if let Ok(offset) = text.parse::<FixedOffset>() {
            return Some(Self::Fixed(offset));
        }
        text.parse::<Tz>().ok().map(Self::Named)
    }

    /// A local time as UTC; the earlier of two, `None` for one that the clock skips.
    pub fn to_utc(self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        match self {
            Self::Fixed(offset) => offset.from_local_datetime(&local).single().map(|t| t.to_utc()),
            Self::Named(zone) => match zone.from_local_datetime(&local) {
                LocalResult::Single(t) | LocalResult::Ambiguous(t, _) => Some(t.to_utc()),
                LocalResult::None => None,
            },
        }
    }

    /// A UTC time on this zone's clock.
    pub fn local(self, utc: DateTime<Utc>) -> NaiveDateTime {
        match self {
            Self::Fixed(offset) => utc.with_timezone(&offset).naive_local(),
            Self::Named(zone) => utc.with_timezone(&zone).naive_local(),
        }
    }
}

impl std::fmt::Display for Zone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fixed(offset) if offset.local_minus_utc() == 0 => f.write_str("UTC"),
            Self::Fixed(offset) => write!(f, "{offset}"),
            Self::Named(zone) => write!(f, "{zone}"),
        }
    }
}

/// The begin of the year 1, UTC.
const FIRST: i64 = -62_135_596_800_000_000;
/// The last microsecond of the year 9999, UTC.
const LAST: i64 = 253_402_300_799_999_999;

/// A layout's way to write times: formats tried in order, in a zone.
#[derive(Clone, Debug)]
pub struct TimeFormat {
    formats: Vec<Format>,
    zone: Zone,
}

#[derive(Clone, Debug)]
enum Format {
    /// `%Y-%m-%d %H:%M:%S`, read by hand: this is the hot path.
    Plain,
    /// RFC 3339, with or without seconds and fractions.
    Rfc3339,
    /// Any other strftime pattern.
    Pattern(String),
}

impl TimeFormat {
    /// The formats of a layout, or the usual ones if it names none.
    pub fn new(formats: &[String], zone: Zone) -> Self {
        let usual: Vec<String> = ["%Y-%m-%d %H:%M:%S", "rfc3339", "%Y-%m-%dT%H:%M:%S", "%Y/%m/%d %H:%M:%S", "%Y-%m-%d"]
            .map(String::from)
            .into();
        let formats = if formats.is_empty() { &usual } else { formats };
        let formats = formats
            .iter()
            .map(|f| match f.as_str() {
                "%Y-%m-%d %H:%M:%S" => Format::Plain,
                "rfc3339" => Format::Rfc3339,
                other => Format::Pattern(other.to_owned()),
            })
            .collect();
        Self { formats, zone }
    }

    /// Reads a time as UTC microseconds; `None` if no format fits or the day does not exist.
    pub fn read(&self, text: &str) -> Option<i64> {
        // No bill is of a year with five digits, and times this far apart leave 64 bits.
        let written = |micros: &i64| (FIRST..=LAST).contains(micros);
        self.formats.iter().find_map(|format| match format {
            Format::Plain => plain(text.as_bytes(), self.zone),
            Format::Rfc3339 => rfc3339(text).filter(written),
            Format::Pattern(pattern) => self.pattern(text, pattern).filter(written),
        })
    }

    /// Reads the month of a bill as `2026-10`.
    pub fn month(&self, text: &str) -> Option<String> {
        for format in &self.formats {
            if let Format::Pattern(pattern) = format {
                let with_day = NaiveDate::parse_from_str(&format!("{text}|01"), &format!("{pattern}|%d"));
                if let Ok(date) = with_day
                    && (1..=9999).contains(&date.year())
                {
                    return Some(format!("{:04}-{:02}", date.year(), date.month()));
                }
            }
        }
        let micros = self.read(text)?;
        let local = self.zone.local(DateTime::from_timestamp_micros(micros)?);
        Some(format!("{:04}-{:02}", local.year(), local.month()))
    }

    /// An example of each format, for a refusal.
    pub fn expected(&self) -> Message {
        let example = NaiveDate::from_ymd_opt(2026, 10, 31).and_then(|d| d.and_hms_opt(18, 5, 9));
        let examples: Vec<String> = self
            .formats
            .iter()
            .map(|format| match format {
                Format::Plain => "2026-10-31 18:05:09".to_owned(),
                Format::Rfc3339 => "2026-10-31T18:05:09Z".to_owned(),
                Format::Pattern(p) if is_pattern(p) => {
                    example.map_or_else(String::new, |e| e.and_utc().format(p).to_string())
                }
                Format::Pattern(p) => p.clone(),
            })
            .collect();
        message!("a date that exists, written as {}", examples.join(" or "))
    }

    fn pattern(&self, text: &str, pattern: &str) -> Option<i64> {
        if let Ok(zoned) = DateTime::parse_from_str(text, pattern) {
            return Some(zoned.timestamp_micros());
        }
        let local = NaiveDateTime::parse_from_str(text, pattern)
            .or_else(|_| NaiveDate::parse_from_str(text, pattern).map(|d| d.and_time(NaiveTime::MIN)))
            .ok()?;
        self.zone.to_utc(local).map(|t| t.timestamp_micros())
    }
}

/// Whether a text is a strftime pattern: writing a time with another one fails.
pub(crate) fn is_pattern(text: &str) -> bool {
    !StrftimeItems::new(text).any(|item| matches!(item, Item::Error))
}

fn rfc3339(text: &str) -> Option<i64> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.timestamp_micros());
    }
    // Oracle writes minutes only: 2023-11-13T10:00Z.
    DateTime::parse_from_str(text, "%Y-%m-%dT%H:%M%#z").ok().map(|t| t.timestamp_micros())
}

/// `2026-10-31 18:05:09` without a format engine.
fn plain(bytes: &[u8], zone: Zone) -> Option<i64> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b' ', h1, h2, b':', n1, n2, b':', s1, s2] = bytes else {
        return None;
    };
    let two = |a: &u8, b: &u8| {
        let (a, b) = (a.wrapping_sub(b'0'), b.wrapping_sub(b'0'));
        (a < 10 && b < 10).then(|| u32::from(a) * 10 + u32::from(b))
    };
    let year = two(y1, y2)? * 100 + two(y3, y4)?;
    let (month, day) = (two(m1, m2)?, two(d1, d2)?);
    let (hour, minute, second) = (two(h1, h2)?, two(n1, n2)?, two(s1, s2)?);
    if hour > 23 || minute > 59 || second > 59 || day == 0 || day > days_in(year, month)? {
        return None;
    }
    if let Zone::Fixed(offset) = zone {
        let seconds = days_from_civil(i64::from(year), month, day) * 86_400
            + i64::from(hour * 3600 + minute * 60 + second)
            - i64::from(offset.local_minus_utc());
        return Some(seconds * 1_000_000);
    }
    let local = NaiveDate::from_ymd_opt(year as i32, month, day)?.and_hms_opt(hour, minute, second)?;
    zone.to_utc(local).map(|t| t.timestamp_micros())
}

fn days_in(year: u32, month: u32) -> Option<u32> {
    Some(match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => return None,
    })
}

/// Days since 1970-01-01 of a Gregorian date, counting years from March so that the leap day
/// comes last.
fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * i64::from((month + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}
