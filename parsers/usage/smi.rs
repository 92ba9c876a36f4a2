//! nvidia-smi logs: `--query-gpu=… --format=csv`, in every shape that people keep them in.
//!
//! One line is one sample of one card. The hot path looks at bytes only: no cell is copied, and
//! the time of a second is worked out once for all cards.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::clock::Clock;
use super::columns::{CARD, Columns, Field, field, is_header};
use super::device::Devices;
use super::line::{Parsed, is_missing, parse};
use crate::error::{Error, Kind, Origin, Result};
use crate::ledger::time::Zone;

/// The most bytes that a line may have.
const MOST_LINE: usize = 1 << 20;

/// What became of a log.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) samples: u64,
    pub(super) left_out: BTreeMap<String, u64>,
    pub(super) notes: Vec<String>,
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
        if let Some(columns) = &self.columns
            && text == columns.header.as_slice()
        {
            return Ok(Line::Header);
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

/// A file's name without folder and ending.
pub(super) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '!']).next().unwrap_or(file);
    let name = name.strip_suffix(".gz").unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii().strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes.trim_ascii())
}
