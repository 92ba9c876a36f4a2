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

/// Bits of the throttle mask that mean a card held down: power cap, slowdown, heat, power brake.
const HELD_DOWN: u64 = 0x4 | 0x8 | 0x20 | 0x40 | 0x80;

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
    let mut lines = Lines { columns: None, clock: Clock::new(zone), places: Vec::new(), file, first: None };
    if let Some(fields) = fields {
        let columns: Vec<Field> = fields.iter().map(|f| field(f)).collect();
        lines.columns = Some(Columns::new(columns, file, 0)?);
    }
    let mut line = Vec::with_capacity(512);
    let mut row = 0u32;
    loop {
        line.clear();
        let got = reader.read_until(b'\n', &mut line).map_err(|e| Error::io(file, &e))?;
        if got == 0 {
            break;
        }
        row = row.saturating_add(1);
        let cut = line.last() != Some(&b'\n');
        let text = trim(&line);
        if text.is_empty() {
            continue;
        }
        match lines.line(text, row, devices)? {
            Line::Sample => log.samples += 1,
            Line::Header => {}
            Line::Text if cut => *log.left_out.entry("last line cut off".to_owned()).or_default() += 1,
            Line::Text => *log.left_out.entry("line that is no sample".to_owned()).or_default() += 1,
        }
    }
    lines.finish(&mut log)?;
    Ok(log)
}

enum Line {
    Sample,
    Header,
    Text,
}

struct Lines<'a> {
    columns: Option<Columns>,
    clock: Clock,
    /// Device keys of this file and their places.
    places: Vec<(Vec<u8>, usize)>,
    file: &'a str,
    first: Option<String>,
}

struct Columns {
    fields: Vec<Field>,
    /// Number that brings memory to MiB.
    memory: f32,
    header: Vec<u8>,
}

impl Columns {
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
        Ok(Self { fields, memory: 1.0, header: Vec::new() })
    }
}

impl Lines<'_> {
    fn line(&mut self, text: &[u8], row: u32, devices: &mut Devices) -> Result<Line> {
        if let Some(columns) = &self.columns {
            if text == columns.header.as_slice() {
                return Ok(Line::Header);
            }
            if let Some(parsed) = parse(text, columns, &mut self.clock) {
                let place = self.place(&parsed, devices);
                devices.push(place, parsed.at, parsed.sample);
                return Ok(Line::Sample);
            }
        }
        let words = String::from_utf8_lossy(text);
        if words.starts_with("+---") || words.starts_with("| NVIDIA-SMI") {
            return Err(Error::new(Kind::Usage, "is the table that nvidia-smi prints for people, not a log of samples")
                .at(Origin::file(self.file).at(row))
                .hint("log it with `nvidia-smi --query-gpu=timestamp,index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw --format=csv -l 30 >> gpu.csv`"));
        }
        if is_header(&words) {
            let mut columns = Columns::new(words.split(',').map(field).collect(), self.file, row)?;
            columns.header = text.to_vec();
            self.columns = Some(columns);
            return Ok(Line::Header);
        }
        if self.columns.is_none() && self.first.is_none() && text.first().is_some_and(u8::is_ascii_digit) && text.contains(&b',') {
            self.first = Some(words.into_owned());
        }
        Ok(Line::Text)
    }

    fn place(&mut self, parsed: &Parsed<'_>, devices: &mut Devices) -> usize {
        if let Some((_, place)) = self.places.iter().find(|(key, _)| key == parsed.key) {
            return *place;
        }
        let key = String::from_utf8_lossy(parsed.key).into_owned();
        let stem = stem(self.file);
        // An index is only unique on its machine; a UUID or a bus address stands for itself.
        let device = match (parsed.by, key.as_str()) {
            (_, "") => stem.to_owned(),
            (Field::Uuid, _) => key,
            _ => format!("{}/{key}", parsed.host.map_or_else(|| stem.to_owned(), |h| String::from_utf8_lossy(h).into_owned())),
        };
        let place = devices.place(&device, self.file);
        let about = &mut devices.about[place];
        if let Some(name) = parsed.name.filter(|_| about.name.is_empty()) {
            about.name = String::from_utf8_lossy(name).into_owned();
        }
        about.host = parsed.host.map(|h| String::from_utf8_lossy(h).into_owned()).or(about.host.take());
        self.places.push((parsed.key.to_vec(), place));
        place
    }

    fn finish(self, log: &mut Log) -> Result<()> {
        if self.columns.is_none() {
            if let Some(first) = self.first {
                let shapes: Vec<String> = first.split(',').enumerate().map(|(at, cell)| format!("{}: {}", at + 1, cell.trim())).collect();
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
        if ![Field::Uuid, Field::Bus, Field::Index].iter().any(|f| columns.contains(f)) {
            log.notes.push("names no card: all samples are taken for one; add index or uuid to the query if there are several".to_owned());
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
fn parse<'a>(text: &'a [u8], columns: &Columns, clock: &mut Clock) -> Option<Parsed<'a>> {
    let mut parsed = Parsed { at: i64::MIN, key: b"", by: Field::Other, name: None, host: None, sample: Sample::default() };
    let mut free = None;
    let mut cells = 0;
    let mut start = 0;
    let ends = memchr::memchr_iter(b',', text).chain(std::iter::once(text.len()));
    for (end, field) in ends.zip(&columns.fields) {
        let cell = trim(&text[start..end]);
        start = end + 1;
        cells += 1;
        match field {
            Field::Time => parsed.at = clock.read(cell)?,
            Field::Uuid => (parsed.key, parsed.by) = (cell, Field::Uuid),
            Field::Bus if parsed.by != Field::Uuid => (parsed.key, parsed.by) = (cell, Field::Bus),
            Field::Index if parsed.by == Field::Other => (parsed.key, parsed.by) = (cell, Field::Index),
            Field::Name => parsed.name = Some(cell),
            Field::Host => parsed.host = Some(cell),
            Field::Util => parsed.sample.util = number(cell).filter(|u| (0.0..=100.0).contains(u)),
            Field::Memory => parsed.sample.memory = number(cell).map(|m| m * columns.memory),
            Field::MemoryTotal => parsed.sample.memory_total = number(cell).map(|m| m * columns.memory),
            Field::MemoryFree => free = number(cell).map(|m| m * columns.memory),
            Field::Power => parsed.sample.power = number(cell),
            Field::PowerLimit => parsed.sample.power_limit = number(cell),
            Field::Temperature => parsed.sample.temperature = number(cell),
            Field::Throttle => parsed.sample.throttled = mask(cell) & HELD_DOWN != 0,
            _ => {}
        }
    }
    if cells < columns.fields.len() || parsed.at == i64::MIN {
        return None;
    }
    if parsed.sample.memory_total.is_none() {
        parsed.sample.memory_total = parsed.sample.memory.zip(free).map(|(used, free)| used + free);
    }
    Some(parsed)
}

/// The number at the start of a cell, whatever unit follows; `[N/A]` and the like are none.
#[inline]
fn number(cell: &[u8]) -> Option<f32> {
    let (mut whole, mut at) = (0u32, 0);
    while at < cell.len() && cell[at].is_ascii_digit() && at < 9 {
        whole = whole * 10 + u32::from(cell[at] - b'0');
        at += 1;
    }
    if at == 0 {
        return None;
    }
    let mut value = whole as f32;
    if cell.get(at) == Some(&b'.') {
        let mut place = 0.1f32;
        at += 1;
        while at < cell.len() && cell[at].is_ascii_digit() {
            value += f32::from(cell[at] - b'0') * place;
            place /= 10.0;
            at += 1;
        }
    }
    matches!(cell.get(at), None | Some(b' ' | b'%' | b'M' | b'W' | b'C')).then_some(value)
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

    /// UTC microseconds of a cell; `None` if it is no time.
    #[inline]
    fn read(&mut self, cell: &[u8]) -> Option<i64> {
        if cell.len() >= 19 && cell[..19] == *self.second {
            return self.micros.checked_add(fraction(&cell[19..])?);
        }
        self.fresh(cell)
    }

    #[cold]
    fn fresh(&mut self, cell: &[u8]) -> Option<i64> {
        let text = std::str::from_utf8(cell).ok()?;
        if let Ok(zoned) = chrono::DateTime::parse_from_rfc3339(text) {
            return Some(zoned.timestamp_micros());
        }
        if let Some(epoch) = epoch(text) {
            return Some(epoch);
        }
        let (second, rest) = text.split_at_checked(19)?;
        let shapes = ["%Y/%m/%d %H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%m-%d-%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S"];
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

/// Microseconds of `.123`; zero for nothing, `None` for anything else.
#[inline]
fn fraction(rest: &[u8]) -> Option<i64> {
    let Some(digits) = rest.strip_prefix(b".") else { return rest.is_empty().then_some(0) };
    let (mut micros, mut place) = (0, 100_000);
    for digit in digits {
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
