//! nvidia-smi logs: `--query-gpu=… --format=csv`, in every shape that people keep them in.
//!
//! One line is one sample of one card. The hot path looks at bytes only: no cell is copied, and
//! the time of a second is worked out once for all cards.

use std::collections::BTreeMap;
use std::io::BufRead;

use chrono::{NaiveDate, NaiveDateTime};

use super::device::Devices;
use super::rollup::Sample;
use crate::error::{Error, Kind, Origin, Result};
use crate::ledger::time::Zone;

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Time,
    Uuid,
    Bus,
    Index,
    Name,
    Host,
    Util,
    Memory,
    MemoryTotal,
    MemoryFree,
    Power,
    PowerLimit,
    Temperature,
    Throttle,
    Other,
}

/// Names of the columns: nvidia-smi's own, and those that people make of them.
fn field(name: &str) -> Field {
    let name = name.split('[').next().unwrap_or_default().trim().to_lowercase().replace([' ', '_', '-'], ".");
    match name.as_str() {
        "timestamp" | "time" | "datetime" | "date.time" => Field::Time,
        "uuid" | "gpu.uuid" => Field::Uuid,
        "pci.bus.id" | "gpu.bus.id" | "pci.bus" => Field::Bus,
        "index" | "index.gpu" | "gpu.index" | "gpu" | "gpu.id" => Field::Index,
        "name" | "gpu.name" => Field::Name,
        "host" | "hostname" => Field::Host,
        "utilization.gpu" | "gpu.utilization" | "gpu.util" | "gpu.usage" | "util" => Field::Util,
        "memory.used" | "gpu.memory.used" | "mem.used" => Field::Memory,
        "memory.total" | "gpu.memory.total" | "mem.total" => Field::MemoryTotal,
        "memory.free" | "gpu.memory.free" | "mem.free" => Field::MemoryFree,
        "power.draw" | "power.draw.instant" | "power.draw.average" => Field::Power,
        "power.limit" | "enforced.power.limit" => Field::PowerLimit,
        "temperature.gpu" | "gpu.temperature" | "temp" => Field::Temperature,
        "clocks.event.reasons.active" | "clocks.throttle.reasons.active" => Field::Throttle,
        _ => Field::Other,
    }
}

/// Columns that say which card a sample is of.
const CARD: [Field; 3] = [Field::Uuid, Field::Bus, Field::Index];

/// Bits of the throttle mask that mean a card held down: power cap, slowdown, heat, power brake.
const HELD_DOWN: u64 = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

/// The most bytes that a line may have.
const MOST_LINE: usize = 1 << 20;

/// What became of a log.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) samples: u64,
    pub(super) left_out: BTreeMap<String, u64>,
    pub(super) notes: Vec<String>,
}

/// Whether a line is a header of such a log.
pub(super) fn is_header(line: &str) -> bool {
    let known = line.split([',', '\t', ';']).filter(|c| !matches!(field(c), Field::Other)).count();
    known > 0 && !line.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// Reads a log line by line.
pub(super) fn read(
    mut reader: impl BufRead,
    file: &str,
    zone: Zone,
    fields: Option<&[String]>,
    devices: &mut Devices,
) -> Result<Log> {
    let mut log = Log::default();
    let mut lines = Lines { columns: None, clock: Clock::new(zone), places: Vec::new(), last: 0, file, first: None };
    if let Some(fields) = fields {
        let columns: Vec<Field> = fields.iter().map(|f| field(f)).collect();
        lines.columns = Some(Columns::new(columns, file, 0)?);
    }
    let mut row = 0u32;
    // A line that a buffer ends in is kept until the rest of it comes.
    let mut rest: Vec<u8> = Vec::new();
    loop {
        let buffer = reader.fill_buf().map_err(|e| Error::io(file, &e))?;
        if buffer.is_empty() {
            break;
        }
        let len = buffer.len();
        let mut start = 0;
        while let Some(end) = memchr::memchr(b'\n', &buffer[start..]) {
            let line = &buffer[start..start + end];
            start += end + 1;
            row = row.saturating_add(1);
            if rest.is_empty() {
                lines.take(line, row, false, devices, &mut log)?;
            } else {
                rest.extend_from_slice(line);
                lines.take(&rest, row, false, devices, &mut log)?;
                rest.clear();
            }
        }
        rest.extend_from_slice(&buffer[start..]);
        reader.consume(len);
        if rest.len() > MOST_LINE {
            return Err(Error::new(Kind::Bound, format!("has a line of more than {MOST_LINE} bytes"))
                .at(Origin::file(file).at(row + 1)));
        }
    }
    if !rest.is_empty() {
        lines.take(&rest, row.saturating_add(1), true, devices, &mut log)?;
    }
    lines.finish(&mut log)?;
    Ok(log)
}

enum Line {
    Header,
    Text,
}

struct Lines<'a> {
    columns: Option<Columns>,
    clock: Clock,
    /// The devices of this file.
    places: Vec<Known>,
    /// The place in `places` that was met last: cards take turns.
    last: usize,
    file: &'a str,
    first: Option<String>,
}

/// A device of a file: what its text cells hold, and its place.
struct Known {
    key: Vec<u8>,
    host: Vec<u8>,
    place: usize,
    /// The text cells of its first sample, by column: they are the same in every line of it.
    cells: Vec<Vec<u8>>,
}

struct Columns {
    fields: Vec<Field>,
    header: Vec<u8>,
    /// Whether a column says which card a sample is of.
    names_card: bool,
}

impl Columns {
    fn of_header(header: &str, file: &str, row: u32) -> Result<Self> {
        if let Some(other) = [';', '\t'].into_iter().find(|d| header.contains(*d) && !header.contains(',')) {
            return Err(Error::new(Kind::Usage, format!("has its cells parted by {other:?}, not by commas"))
                .at(Origin::file(file).at(row))
                .hint("save it as CSV with commas, as nvidia-smi writes it"));
        }
        Self::new(header.split(',').map(field).collect(), file, row)
    }

    fn new(fields: Vec<Field>, file: &str, row: u32) -> Result<Self> {
        if !fields.contains(&Field::Time) {
            return Err(Error::new(Kind::Usage, "has no column with the time of a sample, so no hour can be told")
                .at(Origin::file(file).at(row))
                .hint("log it with `nvidia-smi --query-gpu=timestamp,index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw --format=csv -l 30`"));
        }
        let useful = [Field::Util, Field::Memory, Field::Power];
        if !useful.iter().any(|f| fields.contains(f)) {
            return Err(Error::new(Kind::Usage, "has neither utilization, nor memory, nor power")
                .at(Origin::file(file).at(row))
                .hint("add utilization.gpu and memory.used to the query"));
        }
        let names_card = fields.iter().any(|f| CARD.contains(f));
        Ok(Self { fields, header: Vec::new(), names_card })
    }
}

impl Lines<'_> {
    /// Takes a line, and counts what it was.
    #[inline]
    fn take(&mut self, line: &[u8], row: u32, cut: bool, devices: &mut Devices, log: &mut Log) -> Result<()> {
        // Cards take turns, so the next line is most likely of the card after the last one.
        let next = if self.last + 1 < self.places.len() { self.last + 1 } else { 0 };
        let expected = self.places.get(next).map_or(&[][..], |known| &known.cells);
        if let Some(parsed) = self.columns.as_ref().and_then(|c| parse(line, c, &mut self.clock, expected)) {
            // A line cut within the card's id would make a card of its own.
            if cut
                && self.places.iter().any(|k| k.key.len() > parsed.key.len() && k.key.starts_with(parsed.key))
                && !self.places.iter().any(|k| k.key == parsed.key)
            {
                *log.left_out.entry("last line cut off".to_owned()).or_default() += 1;
                return Ok(());
            }
            let place = self.place(&parsed, next, line, devices);
            devices.push(place, parsed.at, parsed.sample);
            log.samples += 1;
            return Ok(());
        }
        let text = trim(line);
        if text.is_empty() {
            return Ok(());
        }
        match self.line(text, row)? {
            Line::Header => {}
            Line::Text if cut => *log.left_out.entry("last line cut off".to_owned()).or_default() += 1,
            Line::Text => *log.left_out.entry("line that is no sample".to_owned()).or_default() += 1,
        }
        Ok(())
    }

    #[cold]
    fn line(&mut self, text: &[u8], row: u32) -> Result<Line> {
        if let Some(columns) = &self.columns {
            if text == columns.header.as_slice() {
                return Ok(Line::Header);
            }
        }
        let words = String::from_utf8_lossy(text);
        if words.starts_with("+---") || words.starts_with("| NVIDIA-SMI") {
            return Err(Error::new(Kind::Usage, "is the table that nvidia-smi prints for people, not a log of samples")
                .at(Origin::file(self.file).at(row))
                .hint("log it with `nvidia-smi --query-gpu=timestamp,index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw --format=csv -l 30 >> gpu.csv`"));
        }
        if is_header(&words) {
            let mut columns = Columns::of_header(&words, self.file, row)?;
            columns.header = text.to_vec();
            self.columns = Some(columns);
            return Ok(Line::Header);
        }
        if self.columns.is_none()
            && self.first.is_none()
            && text.first().is_some_and(u8::is_ascii_digit)
            && text.contains(&b',')
        {
            self.first = Some(words.into_owned());
        }
        Ok(Line::Text)
    }

    fn place(&mut self, parsed: &Parsed<'_>, next: usize, line: &[u8], devices: &mut Devices) -> usize {
        let is = |known: &Known| {
            known.key == parsed.key && (parsed.by == Field::Uuid || known.host == parsed.host.unwrap_or_default())
        };
        if let Some(known) = self.places.get(next).filter(|known| is(known)) {
            self.last = next;
            return known.place;
        }
        if let Some(at) = self.places.iter().position(is) {
            self.last = at;
            return self.places[at].place;
        }
        self.met(parsed, line, devices)
    }

    #[cold]
    fn met(&mut self, parsed: &Parsed<'_>, line: &[u8], devices: &mut Devices) -> usize {
        let key = String::from_utf8_lossy(parsed.key).into_owned();
        let stem = stem(self.file);
        let host = parsed.host.filter(|h| !is_missing(h)).map(|h| String::from_utf8_lossy(h.trim_ascii()).into_owned());
        // An index is only unique on its machine; a UUID or a bus address stands for itself.
        let device = match (parsed.by, key.as_str()) {
            (_, "") => stem.to_owned(),
            (Field::Uuid, _) => key,
            _ => format!("{}/{key}", host.as_deref().unwrap_or(stem)),
        };
        let place = devices.place(&device, self.file);
        let about = &mut devices.about[place];
        if let Some(name) = parsed.name.filter(|n| about.name.is_empty() && !is_missing(n)) {
            about.name = String::from_utf8_lossy(name.trim_ascii()).into_owned();
        }
        about.host = host.or(about.host.take());
        let cells = line.split(|b| *b == b',').map(|c| c.trim_ascii_start().to_vec()).collect();
        self.places.push(Known {
            key: parsed.key.to_vec(),
            host: parsed.host.unwrap_or_default().to_vec(),
            place,
            cells,
        });
        self.last = self.places.len() - 1;
        place
    }

    fn finish(self, log: &mut Log) -> Result<()> {
        if self.columns.is_none() {
            if let Some(first) = self.first {
                let shapes: Vec<String> =
                    first.split(',').enumerate().map(|(at, cell)| format!("{}: {}", at + 1, cell.trim())).collect();
                return Err(Error::new(Kind::Usage, format!("has no header line; its first line holds {}", shapes.join(" | ")))
                    .at(Origin::file(self.file).at(1))
                    .hint("say what the columns are, as in the query that made the log: --fields timestamp,utilization.gpu,utilization.memory,memory.used,memory.free,temperature.gpu,power.draw"));
            }
            return Err(Error::new(Kind::Usage, "holds no sample that kashi understands")
                .at(Origin::file(self.file))
                .hint("it reads nvidia-smi --query-gpu logs, Prometheus query_range JSON of dcgm-exporter or nvidia_gpu_exporter, and its own roll-up"));
        }
        if log.samples == 0 {
            log.notes.push("has a header but no sample".to_owned());
        }
        let columns = self.columns.map(|c| c.fields).unwrap_or_default();
        if !columns.contains(&Field::Util) {
            log.notes.push("has no utilization: hours stay unknown; add utilization.gpu to the query".to_owned());
        }
        if !CARD.iter().any(|f| columns.contains(f)) {
            log.notes.push(
                "names no card: all samples are taken for one; add index or uuid to the query if there are several"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

struct Parsed<'a> {
    at: i64,
    key: &'a [u8],
    by: Field,
    name: Option<&'a [u8]>,
    host: Option<&'a [u8]>,
    sample: Sample,
}

/// Reads a line as a sample; `None` if it has too few cells or no time.
#[inline]
fn parse<'a>(text: &'a [u8], columns: &Columns, clock: &mut Clock, expected: &[Vec<u8>]) -> Option<Parsed<'a>> {
    let mut parsed =
        Parsed { at: i64::MIN, key: b"", by: Field::Other, name: None, host: None, sample: Sample::default() };
    let mut free = f32::NAN;
    let mut rest = text;
    let mut more = true;
    for (at, field) in columns.fields.iter().enumerate() {
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
            Field::MemoryFree => Some(&mut free),
            Field::Power => Some(&mut parsed.sample.power),
            Field::PowerLimit => Some(&mut parsed.sample.power_limit),
            Field::Temperature => Some(&mut parsed.sample.temperature),
            _ => None,
        };
        if let Some(value) = value {
            (*value, rest) = number(rest);
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
            Field::Throttle => parsed.sample.throttled = mask(cell.trim_ascii()) & HELD_DOWN != 0,
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
    if sample.memory_total.is_nan() {
        sample.memory_total = sample.memory + free;
    }
    // A card without a byte in use does no work: its first reading after a pause is false.
    if !(0.0..=100.0).contains(&sample.util) || (sample.memory < 1.0 && sample.util > 0.0) {
        sample.util = f32::NAN;
    }
    Some(parsed)
}

/// `[N/A]`, `[Unknown Error]` and the like.
fn is_missing(cell: &[u8]) -> bool {
    matches!(cell, [] | [b'[', ..] | b"N/A" | b"ERR!")
}

/// The number that a text begins with, whatever unit follows, and what is left of the text;
/// `[N/A]` and the like are NaN.
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
    let ends = matches!(text.get(at), None | Some(b',' | b' ' | b'%' | b'M' | b'W' | b'C' | b'\r'));
    (if ends { value } else { f32::NAN }, &text[at..])
}

fn mask(cell: &[u8]) -> u64 {
    let text = std::str::from_utf8(cell).unwrap_or_default();
    text.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or_default()
}

fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii().strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes.trim_ascii())
}

/// A file's name without folder and ending.
pub(super) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '!']).next().unwrap_or(file);
    let name = name.strip_suffix(".gz").unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Reads times, and remembers the second that it read last.
struct Clock {
    zone: Zone,
    second: Vec<u8>,
    micros: i64,
}

impl Clock {
    fn new(zone: Zone) -> Self {
        Self { zone, second: Vec::new(), micros: 0 }
    }

    /// UTC microseconds of the cell that a text begins with, and what follows its comma, if one
    /// does; `None` if it is no time.
    #[inline]
    fn read<'a>(&mut self, text: &'a [u8]) -> Option<(i64, Option<&'a [u8]>)> {
        if text.len() > 19 && text[..19] == *self.second {
            // `.123,` in the second read last: the usual case.
            let (mut micros, mut place, mut at) = (0u32, 100_000u32, 20);
            if text[19] == b'.' {
                while at < text.len() && at < 26 && text[at].is_ascii_digit() {
                    micros += u32::from(text[at] - b'0') * place;
                    place /= 10;
                    at += 1;
                }
                if text.get(at) == Some(&b',') {
                    return Some((self.micros + i64::from(micros), Some(&text[at + 1..])));
                }
            }
        }
        let end = memchr::memchr(b',', text);
        let micros = self.fresh(text[..end.unwrap_or(text.len())].trim_ascii_end())?;
        Some((micros, end.map(|e| &text[e + 1..])))
    }

    #[cold]
    fn fresh(&mut self, cell: &[u8]) -> Option<i64> {
        if let Some((local, micros)) = cell.get(..19).and_then(plain).zip(cell.get(19..).and_then(fraction)) {
            self.micros = self.zone.to_utc(local)?.timestamp_micros();
            self.second.clear();
            self.second.extend_from_slice(&cell[..19]);
            return self.micros.checked_add(micros);
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
        self.micros = self.zone.to_utc(local)?.timestamp_micros();
        self.second = second.as_bytes().to_vec();
        self.micros.checked_add(fraction(rest.as_bytes())?)
    }
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
