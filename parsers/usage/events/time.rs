//! The time that a line of a log begins with, and the machine behind it.

use chrono::{NaiveDate, NaiveDateTime};

use super::super::clock::{Clock, epoch};

/// The time of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stamp {
    /// UTC microseconds.
    At(i64),
    /// On the log's clock, without its year; the year is 2000, which has every day.
    Yearless(NaiveDateTime),
}

/// Bytes of a line among which its time is looked for.
const FRONT: usize = 64;

/// The time of a line, and what follows it.
pub(super) fn read<'a>(line: &'a str, clock: &mut Clock) -> Option<(Stamp, &'a str)> {
    let mut end = line.len().min(FRONT);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let front = &line[..end];
    let bytes = front.as_bytes();
    let begins = |at: usize| at == 0 || !bytes[at - 1].is_ascii_alphanumeric() && bytes[at - 1] != b'.';
    (0..bytes.len()).filter(|at| front.is_char_boundary(*at) && begins(*at)).find_map(|at| match bytes[at] {
        b'0'..=b'9' => full(line, at, clock)
            .or_else(|| day(line, at).filter(|_| is_level(&line[..at])))
            .or_else(|| seconds(line, at).filter(|_| at <= 1)),
        b'A'..=b'Z' => month(line, at, clock).or_else(|| klog(line, at).filter(|_| at == 0)),
        _ => None,
    })
}

/// `2026-10-31 18:05:09`, with `/`, `T`, decimals and a zone.
fn full<'a>(line: &'a str, at: usize, clock: &mut Clock) -> Option<(Stamp, &'a str)> {
    let text = line.get(at..at + 19)?;
    let shape = text.bytes().zip(*b"0000-00-00 00:00:00").all(|(b, s)| match s {
        b'0' => b.is_ascii_digit(),
        b'-' => matches!(b, b'-' | b'/'),
        b' ' => matches!(b, b' ' | b'T'),
        s => b == s,
    });
    if !shape {
        return None;
    }
    let mut rest = &line[at + 19..];
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let digits = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
        // A row of a table goes on with a comma and a cell: that is for others to read.
        rest = if digits > 0 { &fraction[digits..] } else { rest };
    }
    let plain = text.replace(['/'], "-").replace('T', " ");
    let zoned = zone(rest).and_then(|(zone, after)| {
        let text = format!("{}{zone}", plain.replacen(' ', "T", 1));
        Some((clock.read(text.as_bytes())?.0, after))
    });
    let (micros, rest) = match zoned {
        Some(zoned) => zoned,
        None => (clock.read(plain.as_bytes())?.0, rest),
    };
    Some((Stamp::At(micros), rest))
}

/// A zone behind a time, as RFC 3339 writes it, and what follows.
fn zone(rest: &str) -> Option<(String, &str)> {
    let text = rest.strip_prefix(' ').unwrap_or(rest);
    for utc in ["Z", "UTC", "GMT"] {
        if let Some(after) = text.strip_prefix(utc).filter(|a| !a.starts_with(|c: char| c.is_alphanumeric())) {
            return Some(("+00:00".to_owned(), after));
        }
    }
    let sign = text.chars().next().filter(|c| matches!(c, '+' | '-'))?;
    let digits: String = text[1..].chars().take(5).filter(char::is_ascii_digit).take(4).collect();
    let len = if text.as_bytes().get(3) == Some(&b':') { 6 } else { 5 };
    let after = text.get(len..).filter(|_| digits.len() == 4)?;
    Some((format!("{sign}{}:{}", &digits[..2], &digits[2..]), after))
}

/// `Oct 31 18:05:09 node-a kernel: …`, `[Sat Oct 31 18:05:09 2026] …`.
fn month<'a>(line: &'a str, at: usize, clock: &mut Clock) -> Option<(Stamp, &'a str)> {
    const NAMES: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let name = line.get(at..at + 3)?;
    let month = (1..).zip(NAMES).find(|(_, n)| *n == name)?.0;
    let rest = line.get(at + 3..)?.strip_prefix(' ')?.trim_start_matches(' ');
    let (day, rest) = rest.split_once(' ')?;
    let (time, rest) = rest.split_at_checked(8)?;
    let local = local(month, day.parse().ok()?, time)?;
    let year = rest.strip_prefix(' ').and_then(|r| r.get(..4)).filter(|y| y.bytes().all(|b| b.is_ascii_digit()));
    if let Some((year, after)) = year.zip(rest.get(5..)).filter(|(_, a)| !a.starts_with(|c: char| c.is_alphanumeric()))
    {
        let text = format!("{year}-{}", local.format("%m-%d %H:%M:%S"));
        return Some((Stamp::At(clock.read(text.as_bytes())?.0), after));
    }
    Some((Stamp::Yearless(local), rest))
}

/// `INFO 10-31 18:05:09 [engine.py:12] …`.
fn day(line: &str, at: usize) -> Option<(Stamp, &str)> {
    let text = line.get(at..at + 14)?;
    let (date, time) = text.split_once(' ')?;
    let (month, day) = date.split_once('-').filter(|(m, d)| m.len() == 2 && d.len() == 2)?;
    Some((Stamp::Yearless(local(month.parse().ok()?, day.parse().ok()?, time)?), &line[at + 14..]))
}

/// `E1031 18:05:09.123456 …`.
fn klog(line: &str, at: usize) -> Option<(Stamp, &str)> {
    let text = line.get(at..at + 14)?;
    let (date, time) = text.split_once(' ')?;
    let digits = date.strip_prefix(['I', 'W', 'E', 'F']).filter(|d| d.len() == 4)?;
    let (month, day) = (digits.get(..2)?.parse().ok()?, digits.get(2..)?.parse().ok()?);
    Some((Stamp::Yearless(local(month, day, time)?), &line[at + 14..]))
}

/// `1790000000.123 …`.
fn seconds(line: &str, at: usize) -> Option<(Stamp, &str)> {
    let rest = &line[at..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    (end >= 10).then(|| Some((Stamp::At(epoch(&rest[..end])?), &rest[end..])))?
}

fn local(month: u32, day: u32, time: &str) -> Option<NaiveDateTime> {
    let mut parts = time.get(..8)?.split(':').map(str::parse::<u32>);
    let (hour, minute, second) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    NaiveDate::from_ymd_opt(2000, month, day)?.and_hms_opt(hour, minute, second)
}

const LEVELS: [&str; 8] = ["INFO", "WARNING", "WARN", "ERROR", "DEBUG", "CRITICAL", "FATAL", "TRACE"];

/// Whether the word before a place is a level, or there is none.
fn is_level(front: &str) -> bool {
    let word = front.trim_end().trim_start_matches(['[', '(']).rsplit(' ').next().unwrap_or_default();
    word.is_empty() || LEVELS.contains(&word)
}

/// The machine in `node-a kernel: …`, which follows the time in a system log.
pub(super) fn host(rest: &str) -> Option<&str> {
    let mut words = rest.trim_start_matches([']', ' ']).split(' ').filter(|w| !w.is_empty());
    let (host, program) = (words.next()?, words.next()?);
    let name = program.strip_suffix(':')?;
    let name = name.split('[').next().unwrap_or_default();
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/'));
    let is_host = plain(host) && host.starts_with(|c: char| c.is_ascii_alphanumeric()) && !LEVELS.contains(&host);
    (is_host && !name.is_empty() && plain(name)).then_some(host)
}
