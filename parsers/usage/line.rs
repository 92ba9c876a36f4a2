//! One line of a log, cut into what is read of it.

use super::clock::Clock;
use super::columns::{Column, Columns, Field};
use super::sample::{CAPPED, Left, SLOWED, Sample};

/// What a line says.
pub(super) struct Parsed<'a> {
    pub(super) at: i64,
    pub(super) key: &'a [u8],
    pub(super) by: Field,
    pub(super) name: Option<&'a [u8]>,
    pub(super) host: Option<&'a [u8]>,
    pub(super) sample: Sample,
    /// What was left out of the sample.
    pub(super) left: Left,
}

impl<'a> Parsed<'a> {
    /// Takes a cell that says which card it is.
    fn take(&mut self, field: Field, cell: &'a [u8]) {
        match field {
            Field::Uuid if !is_missing(cell) => (self.key, self.by) = (cell.trim_ascii_end(), Field::Uuid),
            Field::Bus if self.by != Field::Uuid && !is_missing(cell) => {
                (self.key, self.by) = (cell.trim_ascii_end(), Field::Bus)
            }
            Field::Index if self.by == Field::Other && !is_missing(cell) => {
                (self.key, self.by) = (cell.trim_ascii_end(), Field::Index)
            }
            Field::Name => self.name = Some(cell),
            Field::Host => self.host = Some(cell),
            _ => {}
        }
    }
}

/// Reads a line as a sample; `None` if it has too few cells or no time.
pub(super) fn parse<'a>(text: &'a [u8], columns: &Columns, clock: &mut Clock) -> Option<Parsed<'a>> {
    let (sample, left) = (Sample::default(), Left::default());
    let mut parsed = Parsed { at: i64::MIN, key: b"", by: Field::Other, name: None, host: None, sample, left };
    let (mut figures, mut reasons, mut values) = ([f32::NAN; Sample::FIGURES], 0, 0);
    let (mut rest, mut more) = (text, true);
    for Column { field, scale } in &columns.all {
        if !more {
            return None;
        }
        while let [b' ' | b'\t', after @ ..] = rest {
            rest = after;
        }
        if *field == Field::Time {
            let (micros, after) = clock.read(rest)?;
            parsed.at = micros;
            (more, rest) = (after.is_some(), after.unwrap_or_default());
            continue;
        }
        let end = memchr::memchr(b',', rest);
        let cell = &rest[..end.unwrap_or(rest.len())];
        match field.slot().and_then(|slot| figures.get_mut(slot)) {
            // Several columns may tell of one thing, as power.draw and power.draw.instant do.
            Some(figure) if figure.is_nan() => {
                let (number, tail) = number(cell);
                *figure = number * factor(tail, *scale);
                // A temperature charges nobody, and is not always read.
                values += u64::from(figure.is_nan() && is_meant(cell) && *field != Field::Temperature);
            }
            Some(_) => {}
            None => parsed.take(*field, cell),
        }
        reasons |= held(*field, cell);
        (more, rest) = (end.is_some(), end.map_or(&[][..], |e| &rest[e + 1..]));
    }
    // More cells than the header has, or a card that does not even say which it is, as one that
    // fell off the bus: no sample.
    let unnamed = parsed.by == Field::Other && columns.names_card;
    if parsed.at == i64::MIN || unnamed || (more && !rest.trim_ascii().is_empty()) {
        return None;
    }
    parsed.sample = Sample::of(figures, reasons);
    parsed.left = parsed.sample.check_whole();
    parsed.left.values += values;
    Some(parsed)
}

/// The bits of the throttle mask that a cell sets.
pub(super) fn held(field: Field, cell: &[u8]) -> u64 {
    match field {
        Field::Throttle => mask(cell.trim_ascii()),
        Field::Capped if cell.trim_ascii() == b"Active" => CAPPED,
        Field::Slowed if cell.trim_ascii() == b"Active" => SLOWED,
        _ => 0,
    }
}

/// `[N/A]`, `[Unknown Error]` and the like.
pub(super) fn is_missing(cell: &[u8]) -> bool {
    matches!(cell, [] | [b'[', ..] | b"N/A" | b"ERR!")
}

/// Whether a cell is meant for a number, be it below zero.
pub(super) fn is_meant(cell: &[u8]) -> bool {
    matches!(cell, [b'0'..=b'9', ..] | [b'-' | b'+' | b'.', b'0'..=b'9', ..] | [b'-' | b'+', b'.', b'0'..=b'9', ..])
}

/// The number that a cell begins with, and what is left of the cell; `[N/A]` and the like are NaN.
pub(super) fn number(text: &[u8]) -> (f32, &[u8]) {
    let (mut digits, mut at) = (0u64, 0);
    while at < text.len() && at < 9 && text[at].is_ascii_digit() {
        digits = digits * 10 + u64::from(text[at] - b'0');
        at += 1;
    }
    if at == 0 {
        return (f32::NAN, text);
    }
    let mut tens = 1u64;
    if text.get(at) == Some(&b'.') {
        at += 1;
        while at < text.len() && text[at].is_ascii_digit() {
            if tens < 1_000_000 {
                digits = digits * 10 + u64::from(text[at] - b'0');
                tens *= 10;
            }
            at += 1;
        }
    }
    // Fifteen digits at most are exact in an f64, so that this is the nearest there is.
    ((digits as f64 / tens as f64) as f32, &text[at..])
}

/// What stands behind a number in its cell makes of it: its unit, or what the header says; what is
/// neither makes it unknown.
pub(super) fn factor(after: &[u8], scale: f32) -> f32 {
    match after.trim_ascii_start() {
        [b'%' | b'M' | b'W' | b'C', ..] => 1.0,
        [] => scale,
        [b'G', ..] => 1024.0,
        [b'k' | b'K', b'W', ..] => 1000.0,
        [b'k' | b'K', ..] => 1.0 / 1024.0,
        [b'B' | b'b', ..] => 1.0 / (1024.0 * 1024.0),
        [b'm', b'W', ..] => 0.001,
        _ => f32::NAN,
    }
}

fn mask(cell: &[u8]) -> u64 {
    let text = std::str::from_utf8(cell).unwrap_or_default();
    text.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or_default()
}
