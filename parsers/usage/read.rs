//! Files in, hours out: what a file is shows in its first bytes.

use std::collections::BTreeMap;
use std::io::{BufRead, Read};
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use rustc_hash::FxHashSet;

use super::device::{About, Devices};
use super::hour::UsageHour;
use super::label::labels;
use super::log::Log;
use super::rollup::Seen;
use super::{foreign, hours, monitors, pods, prometheus, smi, text};
use crate::error::{Error, Result};
use crate::ledger::time::Zone;

/// How exports are read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The zone of times that carry none.
    pub zone: Zone,
    /// The fields of nvidia-smi logs without a header, in order.
    pub fields: Option<Vec<String>>,
}

impl Default for Options {
    fn default() -> Self {
        Self { zone: Zone::utc(), fields: None }
    }
}

/// What became of a file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file, as shown.
    pub file: String,
    /// What it was taken for.
    pub format: &'static str,
    /// Samples read.
    pub samples: u64,
    /// The time of the first and the last sample.
    pub span: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// Whether its times carry no zone, so that the one of the options was taken.
    pub local: bool,
    /// Lines and series left out, by reason.
    pub left_out: BTreeMap<String, u64>,
    /// Devices found in it.
    pub devices: Vec<String>,
    /// What a user should know of it.
    pub notes: Vec<String>,
}

/// The hours of all files.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    /// By device and hour.
    pub hours: Vec<UsageHour>,
    /// What became of each file.
    pub sources: Vec<Source>,
    /// What is known of each device.
    pub(super) about: BTreeMap<String, About>,
}

/// Reads exports; a device that several files speak of has its hours joined.
///
/// # Errors
/// If a file cannot be read or is no export that kashi knows; it says what is missing.
pub fn read(files: &[(String, PathBuf)], options: &Options) -> Result<Usage> {
    let mut reading = Reading { options, devices: Devices::default(), usage: Usage::default(), rolled: Vec::new() };
    for ((name, path), label) in files.iter().zip(labels(files)) {
        reading.take(text::open(path, name)?, name, &label)?;
    }
    Ok(reading.finish())
}

/// Reads one export from a stream.
///
/// # Errors
/// As [`read`].
pub fn read_from(name: &str, source: impl Read, options: &Options) -> Result<Usage> {
    let mut reading = Reading { options, devices: Devices::default(), usage: Usage::default(), rolled: Vec::new() };
    reading.take(text::decoded(source, name)?, name, super::label::stem(name))?;
    Ok(reading.finish())
}

/// Files on their way into hours.
struct Reading<'a> {
    options: &'a Options,
    devices: Devices,
    usage: Usage,
    rolled: Rolled,
}

impl Reading<'_> {
    fn take(&mut self, reader: impl BufRead, name: &str, label: &str) -> Result<()> {
        let (format, log, known) = self.one(reader, name, label)?;
        let seen = self.devices.end_file(name)?;
        let mut notes = log.notes;
        notes.extend(remarks(&seen));
        let met = self.devices.names.iter().zip(&self.devices.about).filter(|(_, a)| a.files.iter().any(|f| f == name));
        let mut devices: Vec<String> = met.map(|(d, _)| d.clone()).collect();
        devices.extend(known);
        let time = |micros| DateTime::from_timestamp_micros(micros);
        self.usage.sources.push(Source {
            file: name.to_owned(),
            format,
            samples: log.samples,
            span: seen.span.and_then(|(first, last)| time(first).zip(time(last))),
            local: log.local,
            left_out: log.left_out,
            devices,
            notes,
        });
        Ok(())
    }

    fn one(&mut self, mut reader: impl BufRead, name: &str, label: &str) -> Result<(&'static str, Log, Vec<String>)> {
        let head = reader.fill_buf().map_err(|e| Error::io(name, &e))?;
        let head = String::from_utf8_lossy(&head[..head.len().min(4096)]).trim_start_matches('\u{feff}').to_owned();
        if let Some((format, _, read)) = monitors::of(&head) {
            let (file, zone, devices) = (name, self.options.zone, &mut self.devices);
            let log = read(&mut monitors::Export { reader: &mut reader, file, label, zone, devices })?;
            return Ok((*format, log, Vec::new()));
        }
        if head.trim_start().starts_with(['{', '[']) {
            let log = prometheus::read(reader, name, label, &mut self.devices)?;
            return Ok(("Prometheus query_range", log, Vec::new()));
        }
        if let Some(error) = foreign::refused(&head, name) {
            return Err(error);
        }
        let first = head.lines().next().unwrap_or_default();
        let cells: Vec<String> = first.split(',').map(|c| c.trim().trim_matches('"').to_owned()).collect();
        if hours::is_header(&cells) {
            let mut text = String::new();
            reader.read_to_string(&mut text).map_err(|e| Error::io(name, &e))?;
            let read = hours::read_hours_csv(&text, name)?;
            let log = Log { samples: read.len() as u64, ..Log::default() };
            let mut known: Vec<String> = read.iter().map(|h| h.device.clone()).collect();
            known.dedup();
            self.rolled.extend(read.into_iter().map(|h| (name.to_owned(), h)));
            return Ok(("kashi roll-up", log, known));
        }
        if pods::is_header(first) {
            return Ok(("series by container", pods::read(reader, name, &mut self.devices)?, Vec::new()));
        }
        let fields = self.options.fields.as_deref();
        let log = smi::read(reader, name, label, self.options.zone, fields, &mut self.devices)?;
        Ok(("nvidia-smi --query-gpu", log, Vec::new()))
    }

    fn finish(self) -> Usage {
        let mut usage = self.usage;
        (usage.hours, usage.about) = self.devices.finish();
        join(&mut usage, self.rolled);
        usage.hours.sort_by(|a, b| (&a.device, a.hour).cmp(&(&b.device, b.hour)));
        usage
    }
}

/// What a user should know of a log.
fn remarks(seen: &Seen) -> Vec<String> {
    let mut notes = Vec::new();
    if seen.joined > 0 {
        notes.push(format!("{} rows have the time of the row before and name no other card; they count as one sample, idle only if both are", seen.joined));
    }
    if seen.late > 0 {
        notes.push(format!("{} rows come before the row ahead of them", seen.late));
    }
    if seen.repeated > 0 {
        notes.push(format!("{} samples are of a time that an earlier log or series of the same card covers; they are not counted again", seen.repeated));
    }
    notes
}

/// Adds the hours of roll-ups; an hour that is known already is not added again.
fn join(usage: &mut Usage, rolled: Rolled) {
    let mut known: FxHashSet<(String, DateTime<Utc>)> =
        usage.hours.iter().map(|h| (h.device.clone(), h.hour)).collect();
    for (name, hour) in rolled {
        if !known.insert((hour.device.clone(), hour.hour)) {
            if let Some(source) = usage.sources.iter_mut().find(|s| s.file == name) {
                *source.left_out.entry("hour that another file tells of".to_owned()).or_default() += 1;
            }
            continue;
        }
        let about = usage.about.entry(hour.device.clone()).or_default();
        if !about.files.contains(&name) {
            about.files.push(name);
        }
        usage.hours.push(hour);
    }
}

type Rolled = Vec<(String, UsageHour)>;
