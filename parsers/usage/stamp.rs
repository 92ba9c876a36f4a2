//! Times that are printed around what a tool prints, which itself tells none.
//!
//! People keep such output with `date` before each piece or with `ts` before each line.

use chrono::NaiveDateTime;

use super::clock::Clock;
use super::formats::Input;
use super::log::Log;
use crate::error::{Error, Kind, Origin, Result};

/// The time that holds for what is read.
pub(super) struct Stamps {
    clock: Clock,
    now: Option<i64>,
    /// Samples without a time, and the row of the first.
    timeless: (u64, u32),
}

impl Stamps {
    pub(super) fn new(input: &Input<'_>) -> Self {
        Self { clock: Clock::new(input.options.zone), now: None, timeless: (0, 0) }
    }

    /// Takes the time that a line begins with or is, and returns the rest of the line.
    pub(super) fn strip<'a>(&mut self, line: &'a str) -> &'a str {
        if let Some(now) = self.alone(line) {
            self.now = Some(now);
            return "";
        }
        let Some((time, rest)) = prefix(line) else { return line };
        match self.read(time) {
            Some(now) => {
                self.now = Some(now);
                rest
            }
            None => line,
        }
    }

    /// The time of a sample whose own time is none; counts it where nothing tells one.
    pub(super) fn now(&mut self, row: u32) -> Option<i64> {
        if self.now.is_none() {
            self.timeless = (self.timeless.0 + 1, if self.timeless.0 == 0 { row } else { self.timeless.1 });
        }
        self.now
    }

    /// Reads a time that an export prints itself.
    pub(super) fn read(&mut self, text: &str) -> Option<i64> {
        let text = text.trim();
        self.clock.read(text.as_bytes()).map(|(micros, _)| micros).or_else(|| self.written(text))
    }

    /// Says what became of samples without a time.
    ///
    /// # Errors
    /// If none had one; the message says what prints them, the hint how to save them.
    pub(super) fn end(self, input: &Input<'_>, log: &mut Log, what: &'static str, hint: &'static str) -> Result<()> {
        log.local |= self.clock.local;
        let (timeless, row) = self.timeless;
        if timeless > 0 && log.samples == 0 {
            let message = message!("holds {what} without a time, so that no hour can be told");
            return Err(Error::new(Kind::Usage, message).at(Origin::file(input.file).at(row)).hint(hint));
        }
        (0..timeless).for_each(|_| log.leave("sample before the first time"));
        Ok(())
    }

    /// A time that is all a line holds, be it within `=== … ===`.
    fn alone(&mut self, line: &str) -> Option<i64> {
        let bare = line.trim_matches(['=', '-', '#', '*', ' ', '\t']);
        if !(9..=40).contains(&bare.len()) || !bare.bytes().any(|b| b.is_ascii_digit()) || bare.contains(',') {
            return None;
        }
        self.read(bare)
    }

    /// `Fri Aug  4 11:44:30 2023`, and what `date` prints: `Fri Aug  4 11:44:30 AM UTC 2023`.
    fn written(&mut self, text: &str) -> Option<i64> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [_, _, _, _, rest @ ..] = words.as_slice() else { return None };
        let half = rest.first().filter(|w| matches!(**w, "AM" | "PM"));
        let zone = rest.iter().find(|w| w.len() >= 2 && !matches!(**w, "AM" | "PM") && !is_year(w));
        let year = rest.last().filter(|w| is_year(w))?;
        let shape = if half.is_some() { "%b %d %I:%M:%S %p %Y" } else { "%b %d %H:%M:%S %Y" };
        let bare = [&words[1..4], half.map_or(&[][..], std::slice::from_ref), &[*year]].concat().join(" ");
        let local = NaiveDateTime::parse_from_str(&bare, shape).ok()?;
        if zone.is_some_and(|z| matches!(*z, "UTC" | "GMT")) {
            return Some(local.and_utc().timestamp_micros());
        }
        self.clock.local_time(local)
    }
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit())
}

/// A time before a line, `2026-09-28 10:00:01 `, `[2026-09-28T10:00:01] ` or `1790589601 `, and the line.
fn prefix(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(['[', ' ']);
    let seconds = line.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(line.len());
    if (10..=20).contains(&seconds) && line[seconds..].starts_with([' ', '\t', ']']) {
        return Some((&line[..seconds], line[seconds..].trim_start_matches([']', ' ', '\t'])));
    }
    let dated = line.len() >= 19 && line.as_bytes().get(4).is_some_and(|b| matches!(b, b'-' | b'/'));
    if !dated || !line.is_char_boundary(19) {
        return None;
    }
    let end = line[19..].find([' ', '\t', ']']).map_or(line.len(), |at| at + 19);
    // A comma ends a cell of the export's own.
    if line[..end].contains(',') {
        return None;
    }
    Some((&line[..end], line[end..].trim_start_matches([']', ' ', '\t'])))
}
