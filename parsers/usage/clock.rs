//! The times of a log.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta, Timelike};

use crate::ledger::time::Zone;

/// Reads times, and remembers the minute that it read last.
pub(super) struct Clock {
    zone: Zone,
    /// `2026/10/31 18:05:`, and its begin.
    minute: [u8; MINUTE],
    micros: i64,
    /// Whether a time without a zone was met.
    pub(super) local: bool,
}

/// Bytes of a time up to its seconds.
const MINUTE: usize = 17;

impl Clock {
    pub(super) fn new(zone: Zone) -> Self {
        Self { zone, minute: [0; MINUTE], micros: 0, local: false }
    }

    /// UTC microseconds of the cell that a text begins with, and what follows its comma, if one
    /// does; `None` if it is no time.
    #[inline]
    pub(super) fn read<'a>(&mut self, text: &'a [u8]) -> Option<(i64, Option<&'a [u8]>)> {
        if let Some((micros, len)) = self.again(text) {
            return Some((micros, text.get(len..)));
        }
        let end = memchr::memchr(b',', text);
        let micros = self.fresh(text[..end.unwrap_or(text.len())].trim_ascii_end())?;
        Some((micros, end.map(|e| &text[e + 1..])))
    }

    /// The same, and the bytes up to behind the comma, where the minute is that of the time before.
    #[inline(always)]
    pub(super) fn again(&self, text: &[u8]) -> Option<(i64, usize)> {
        let (minute, rest) = text.split_first_chunk()?;
        if *minute != self.minute {
            return None;
        }
        let (micros, len) = match rest.first_chunk().and_then(|word| millis(u64::from_le_bytes(*word))) {
            Some(millis) => (millis * 1000, 7),
            None => seconds(rest)?,
        };
        Some((self.micros + i64::from(micros), MINUTE + len))
    }

    /// The begin of the minute that was read last, UTC microseconds.
    pub(super) fn minute(&self) -> Option<i64> {
        (self.micros != 0).then_some(self.micros)
    }

    #[cold]
    fn fresh(&mut self, cell: &[u8]) -> Option<i64> {
        if let Some((local, micros)) = cell.get(..19).and_then(plain).zip(cell.get(19..).and_then(fraction)) {
            let second = self.utc(local)?;
            self.local = true;
            self.minute.copy_from_slice(cell.get(..MINUTE)?);
            self.micros = second - i64::from(local.second()) * 1_000_000;
            return second.checked_add(micros);
        }
        let text = std::str::from_utf8(cell.trim_ascii()).ok()?;
        if let Ok(zoned) = chrono::DateTime::parse_from_rfc3339(text) {
            return Some(zoned.timestamp_micros());
        }
        if let Some(epoch) = epoch(text) {
            return Some(epoch);
        }
        let (second, rest) = text.split_at_checked(19)?;
        let shapes = ["%Y-%m-%dT%H:%M:%S", "%m-%d-%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S"];
        let local = shapes.iter().find_map(|shape| NaiveDateTime::parse_from_str(second, shape).ok())?;
        // A log kept in a field of another meaning would put samples into the Middle Ages.
        if local.date() < NaiveDate::from_ymd_opt(2000, 1, 1)? {
            return None;
        }
        self.local = true;
        let micros = self.utc(local)?.checked_add(fraction(rest.as_bytes())?);
        self.micros = micros.unwrap_or(self.micros);
        self.minute = [0; MINUTE];
        micros
    }
}

impl Clock {
    /// A local time that was read elsewhere, as UTC microseconds.
    pub(super) fn local_time(&mut self, local: NaiveDateTime) -> Option<i64> {
        self.local = true;
        let micros = self.utc(local)?;
        (self.micros, self.minute) = (micros, [0; MINUTE]);
        Some(micros)
    }

    /// A local time as UTC. The hour that the end of summer time repeats is told apart by the time
    /// before: a clock that seems to go back by about an hour has gone on.
    fn utc(&self, local: NaiveDateTime) -> Option<i64> {
        let early = self.zone.to_utc(local)?;
        let late = early + TimeDelta::hours(1);
        let back = self.micros - early.timestamp_micros();
        let repeats = (HALF_HOUR..3 * HALF_HOUR).contains(&back) && self.zone.local(late) == local;
        Some(if repeats { late } else { early }.timestamp_micros())
    }
}

/// Microseconds in half an hour.
const HALF_HOUR: i64 = 1_800_000_000;

/// Milliseconds of `09.123,` within a minute, as nvidia-smi prints them: all digits at once.
#[inline(always)]
fn millis(word: u64) -> Option<u32> {
    let digits = (word ^ u64::from_le_bytes(*b"00.000,\0")) & 0x00ff_ffff_ffff_ffff;
    // What must be added to a byte for its highest bit to show that it is more than 5, 9 or 0.
    let over = u64::from_le_bytes([0x7a, 0x76, 0x7f, 0x76, 0x76, 0x76, 0x7f, 0]);
    if (digits.wrapping_add(over) | digits) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let byte = |word: u64, at: u32| (word >> (8 * at)) as u32 & 0xff;
    Some(byte(pairs, 0) * 1000 + byte(pairs, 3) * 10 + byte(digits, 5))
}

/// Microseconds of `09.123,` within a minute, and the bytes of it.
fn seconds(text: &[u8]) -> Option<(u32, usize)> {
    let [tens @ b'0'..=b'5', ones @ b'0'..=b'9', b'.', rest @ ..] = text else { return None };
    let second = u32::from(tens - b'0') * 10 + u32::from(ones - b'0');
    let (mut micros, mut place, mut at) = (second * 1_000_000, 100_000u32, 0);
    while at < rest.len() && at < 6 && rest[at].is_ascii_digit() {
        micros += u32::from(rest[at] - b'0') * place;
        place /= 10;
        at += 1;
    }
    (rest.get(at) == Some(&b',')).then_some((micros, at + 4))
}

/// `2026/10/31 18:05:09`, the same with `-`, by hand: a log of one card has a new second in every line.
fn plain(cell: &[u8]) -> Option<NaiveDateTime> {
    let [y1, y2, y3, y4, b'/' | b'-', m1, m2, b'/' | b'-', d1, d2, b' ', h1, h2, b':', n1, n2, b':', s1, s2] = cell
    else {
        return None;
    };
    let two = |a: &u8, b: &u8| {
        let (a, b) = (a.wrapping_sub(b'0'), b.wrapping_sub(b'0'));
        (a < 10 && b < 10).then(|| u32::from(a) * 10 + u32::from(b))
    };
    let year = i32::try_from(two(y1, y2)? * 100 + two(y3, y4)?).ok().filter(|y| *y >= 2000)?;
    NaiveDate::from_ymd_opt(year, two(m1, m2)?, two(d1, d2)?)?.and_hms_opt(two(h1, h2)?, two(n1, n2)?, two(s1, s2)?)
}

/// Microseconds of `.123`; zero for nothing, `None` for anything else.
#[inline]
fn fraction(rest: &[u8]) -> Option<i64> {
    let Some(digits) = rest.strip_prefix(b".") else { return rest.trim_ascii().is_empty().then_some(0) };
    let (mut micros, mut place) = (0, 100_000);
    for digit in digits.trim_ascii_end() {
        if !digit.is_ascii_digit() {
            return None;
        }
        micros += i64::from(digit - b'0') * place;
        place /= 10;
    }
    Some(micros)
}

/// Seconds or milliseconds since 1970, with decimals.
pub(super) fn epoch(text: &str) -> Option<i64> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    if !(9..=13).contains(&whole.len()) || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let rest: String = rest.chars().take(6).collect();
    let micros = fraction(format!(".{rest}").as_bytes())?;
    Some(if whole > 99_999_999_999 { whole * 1000 } else { whole * 1_000_000 + micros })
}
