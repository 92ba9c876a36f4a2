//! One line of a log, cut into what is read of it.

use super::clock::Clock;
use super::columns::{Column, Columns, Field};
use super::sample::Sample;

/// The bit of the throttle mask that means a card held by its own power limit.
const CAPPED: u64 = 0x4;
/// The bits that mean a card held down by hardware slowdown, heat or the power brake.
const SLOWED: u64 = 0x8 | 0x20 | 0x40 | 0x80;

/// What a line says.
pub(super) struct Parsed<'a> {
    pub(super) at: i64,
    pub(super) key: &'a [u8],
    pub(super) by: Field,
    pub(super) name: Option<&'a [u8]>,
    pub(super) host: Option<&'a [u8]>,
    pub(super) sample: Sample,
}

impl Parsed<'_> {
    fn hold(&mut self, mask: u64) {
        self.sample.throttled |= mask & (CAPPED | SLOWED) != 0;
        self.sample.slowed |= mask & SLOWED != 0;
    }
}

/// Reads a line as a sample; `None` if it has too few cells or no time.
#[inline]
pub(super) fn parse<'a>(
    text: &'a [u8],
    columns: &Columns,
    clock: &mut Clock,
    expected: &[Vec<u8>],
) -> Option<Parsed<'a>> {
    let mut parsed =
        Parsed { at: i64::MIN, key: b"", by: Field::Other, name: None, host: None, sample: Sample::default() };
    let mut rest = text;
    let mut more = true;
    for (at, Column { field, scale }) in columns.all.iter().enumerate() {
        if !more {
            return None;
        }
        while let [b' ' | b'\t', after @ ..] = rest {
            rest = after;
        }
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
        let same = expected.get(at).filter(|e| rest.starts_with(e) && rest.get(e.len()) == Some(&b','));
        let end = same.map(Vec::len).or_else(|| memchr::memchr(b',', rest));
        let cell = &rest[..end.unwrap_or(rest.len())];
        (more, rest) = (end.is_some(), end.map_or(&[][..], |e| &rest[e + 1..]));
        match field {
            Field::Uuid if !is_missing(cell) => (parsed.key, parsed.by) = (cell.trim_ascii_end(), Field::Uuid),
            Field::Bus if parsed.by != Field::Uuid && !is_missing(cell) => {
                (parsed.key, parsed.by) = (cell.trim_ascii_end(), Field::Bus)
            }
            Field::Index if parsed.by == Field::Other && !is_missing(cell) => {
                (parsed.key, parsed.by) = (cell.trim_ascii_end(), Field::Index)
            }
            Field::Name => parsed.name = Some(cell),
            Field::Host => parsed.host = Some(cell),
            Field::Throttle => parsed.hold(mask(cell.trim_ascii())),
            Field::Capped if cell.trim_ascii() == b"Active" => parsed.hold(CAPPED),
            Field::Slowed if cell.trim_ascii() == b"Active" => parsed.hold(SLOWED),
            _ => {}
        }
    }
    // More cells than the header has, or a card that does not even say which it is, as one that
    // fell off the bus: no sample.
    if parsed.at == i64::MIN
        || (more && !rest.trim_ascii().is_empty())
        || (parsed.by == Field::Other && columns.names_card)
    {
        return None;
    }
    let sample = &mut parsed.sample;
    // A card without a byte in use does no work: its first reading after a pause is false.
    if !(0.0..=100.0).contains(&sample.util) || (sample.memory < 1.0 && sample.util > 0.0) {
        sample.util = f32::NAN;
    }
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
