//! One line of a log, cut into what is read of it.

use super::clock::Clock;
use super::columns::{Column, Columns, Field};
use super::known::Known;
use super::sample::Sample;

/// The bit of the throttle mask that means a card held by its own power limit.
const CAPPED: u64 = 0x4;
/// The bits that mean a card held down by hardware slowdown, heat or the power brake.
const SLOWED: u64 = 0x8 | 0x20 | 0x40 | 0x80;

/// What a line says.
pub(super) struct Parsed<'a> {
    pub(super) at: i64,
    /// Whether it is of the card that was expected; then the cells that tell are not read.
    pub(super) same: bool,
    pub(super) key: &'a [u8],
    pub(super) by: Field,
    pub(super) name: Option<&'a [u8]>,
    pub(super) host: Option<&'a [u8]>,
    pub(super) sample: Sample,
}

impl<'a> Parsed<'a> {
    /// Takes a cell that holds no number.
    #[inline]
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
            Field::Throttle => self.hold(mask(cell.trim_ascii())),
            Field::Capped if cell.trim_ascii() == b"Active" => self.hold(CAPPED),
            Field::Slowed if cell.trim_ascii() == b"Active" => self.hold(SLOWED),
            _ => {}
        }
    }

    fn hold(&mut self, mask: u64) {
        self.sample.throttled |= mask & (CAPPED | SLOWED) != 0;
        self.sample.slowed |= mask & SLOWED != 0;
    }
}

/// Reads a line as a sample, most likely of a known card; `None` if it has too few cells or no time.
#[inline]
pub(super) fn parse<'a>(
    text: &'a [u8],
    columns: &Columns,
    clock: &mut Clock,
    expected: Option<&Known>,
) -> Option<Parsed<'a>> {
    let runs = expected.map_or(&[][..], |known| &known.runs);
    let mut parsed = Parsed {
        at: i64::MIN,
        same: false,
        key: b"",
        by: Field::Other,
        name: None,
        host: None,
        sample: Sample::default(),
    };
    let (mut rest, mut more) = (text, true);
    let (mut column, mut met) = (0, 0);
    while let Some(Column { field, scale }) = columns.all.get(column) {
        if !more {
            return None;
        }
        while let [b' ' | b'\t', after @ ..] = rest {
            rest = after;
        }
        if let Some((run, over)) = runs.get(column).filter(|(_, over)| *over > 0) {
            if let Some(after) = rest.strip_prefix(run.as_slice()) {
                (rest, column, met) = (after, column + over, met + 1);
                continue;
            }
            if met > 0 {
                // Some of it is of the expected card and some is not: read it all.
                return parse(text, columns, clock, None);
            }
        }
        column += 1;
        let value = match field {
            Field::Util => Some(&mut parsed.sample.util),
            Field::Memory => Some(&mut parsed.sample.memory),
            Field::MemoryTotal => Some(&mut parsed.sample.memory_total),
            Field::MemoryFree => Some(&mut parsed.sample.memory_free),
            Field::MemoryReserved => Some(&mut parsed.sample.memory_reserved),
            Field::Power => Some(&mut parsed.sample.power),
            Field::PowerLimit => Some(&mut parsed.sample.power_limit),
            Field::Temperature => Some(&mut parsed.sample.temperature),
            _ => None,
        };
        if let Some(value) = value {
            let (number, after) = number(rest);
            rest = after;
            // Several columns may tell of one thing, as power.draw and power.draw.instant do.
            if value.is_nan() {
                *value = match after.first() {
                    None | Some(b',') => number * scale,
                    Some(_) => number * unit(after, *scale),
                };
            }
            let mut at = 0;
            while at < rest.len() && rest[at] != b',' {
                at += 1;
            }
            (more, rest) = (at < rest.len(), rest.get(at + 1..).unwrap_or_default());
            continue;
        }
        if *field == Field::Time {
            let (micros, after) = clock.read(rest)?;
            parsed.at = micros;
            (more, rest) = (after.is_some(), after.unwrap_or_default());
            continue;
        }
        let end = memchr::memchr(b',', rest);
        parsed.take(*field, &rest[..end.unwrap_or(rest.len())]);
        (more, rest) = (end.is_some(), end.map_or(&[][..], |e| &rest[e + 1..]));
    }
    parsed.same = met > 0 && expected.is_some_and(|known| known.count == met);
    if met > 0 && !parsed.same {
        return parse(text, columns, clock, None);
    }
    // More cells than the header has, or a card that does not even say which it is, as one that
    // fell off the bus: no sample.
    if parsed.at == i64::MIN
        || (more && !rest.trim_ascii().is_empty())
        || (!parsed.same && parsed.by == Field::Other && columns.names_card)
    {
        return None;
    }
    parsed.sample = parsed.sample.checked();
    Some(parsed)
}

/// `[N/A]`, `[Unknown Error]` and the like.
pub(super) fn is_missing(cell: &[u8]) -> bool {
    matches!(cell, [] | [b'[', ..] | b"N/A" | b"ERR!")
}

/// The number that a text begins with, and what is left of the text; `[N/A]` and the like are NaN.
#[inline]
fn number(text: &[u8]) -> (f32, &[u8]) {
    let (mut whole, mut at) = (0u32, 0);
    while at < text.len() && at < 9 && text[at].is_ascii_digit() {
        whole = whole * 10 + u32::from(text[at] - b'0');
        at += 1;
    }
    if at == 0 {
        return (f32::NAN, text);
    }
    let mut value = whole as f32;
    if text.get(at) == Some(&b'.') {
        let (mut part, mut scale) = (0u32, 1u32);
        at += 1;
        while at < text.len() && text[at].is_ascii_digit() && scale < 1_000_000 {
            part = part * 10 + u32::from(text[at] - b'0');
            scale *= 10;
            at += 1;
        }
        while at < text.len() && text[at].is_ascii_digit() {
            at += 1;
        }
        value += part as f32 / scale as f32;
    }
    (value, &text[at..])
}

/// What the unit behind a number makes of it; what follows without being a unit makes it unknown.
#[inline]
fn unit(after: &[u8], scale: f32) -> f32 {
    match after.trim_ascii_start() {
        [b'%' | b'M' | b'W' | b'C', ..] => 1.0,
        [] | [b',', ..] => scale,
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
