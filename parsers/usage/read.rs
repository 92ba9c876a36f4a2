//! Files in, hours out: what a file is shows in its first bytes.

use std::collections::BTreeMap;
use std::io::{BufRead, Read};
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use rustc_hash::FxHashSet;

use super::device::{About, Devices};
use super::events::{Event, settle};
use super::formats::{FORMATS, Head, Input};
use super::hour::UsageHour;
use super::label::labels;
use super::log::Log;
use super::rollup::Seen;
use super::text;
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
    /// What logs tell of besides load, by time.
    pub events: Vec<Event>,
    /// What is known of each device.
    pub(super) about: BTreeMap<String, About>,
}

/// Reads exports; a device that several files speak of has its hours joined.
///
/// # Errors
/// If a file cannot be read or is no export that kashi knows; it says what is missing.
pub fn read(files: &[(String, PathBuf)], options: &Options) -> Result<Usage> {
    read_all(files, options).map_err(|mut errors| errors.swap_remove(0))
}

/// Reads exports as [`read`] does, and names every one that cannot be used.
///
/// # Errors
/// One for each such file, in the order of the files; there is at least one.
pub fn read_all(files: &[(String, PathBuf)], options: &Options) -> std::result::Result<Usage, Vec<Error>> {
    let mut errors = Vec::new();
    let mut reading = Reading::new(options);
    for ((name, path), label) in files.iter().zip(labels(files)) {
        if let Err(error) = text::open(path, name).and_then(|reader| reading.take(reader, name, &label)) {
            errors.push(error);
            // What a file left behind half read is not held against the next one.
            reading = Reading::new(options);
        }
    }
    if errors.is_empty() { Ok(reading.finish()) } else { Err(errors) }
}

/// Reads one export from a stream.
///
/// # Errors
/// As [`read`].
pub fn read_from(name: &str, source: impl Read, options: &Options) -> Result<Usage> {
    let mut reading = Reading::new(options);
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

impl<'a> Reading<'a> {
    fn new(options: &'a Options) -> Self {
        Self { options, devices: Devices::default(), usage: Usage::default(), rolled: Vec::new() }
    }

    fn take(&mut self, reader: impl BufRead, name: &str, label: &str) -> Result<()> {
        let (format, log) = self.one(reader, name, label)?;
        let seen = self.devices.end_file(name)?;
        let mut notes = log.notes;
        notes.extend(remarks(&seen));
        notes.extend(std::mem::take(&mut self.devices.doubts).notes());
        let met = self.devices.names.iter().zip(&self.devices.about).filter(|(_, a)| a.files.iter().any(|f| f == name));
        let mut devices: Vec<String> = met.map(|(d, _)| d.clone()).collect();
        devices.extend(log.rolled);
        self.usage.events.extend(log.events);
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

    fn one(&mut self, reader: impl BufRead, name: &str, label: &str) -> Result<(&'static str, Log)> {
        let (head, mut reader) = Head::read(reader, name)?;
        let (devices, rolled) = (&mut self.devices, &mut self.rolled);
        let mut input = Input { file: name, label, head: &head, options: self.options, devices, rolled };
        for (format, is, read) in FORMATS {
            if is(&head) {
                return Ok((format, read(&mut reader, &mut input)?));
            }
        }
        Ok(("nothing", Log::default()))
    }

    fn finish(self) -> Usage {
        let mut usage = self.usage;
        (usage.hours, usage.about) = self.devices.finish();
        join(&mut usage, self.rolled);
        settle(&mut usage, self.options.zone);
        usage.hours.sort_by(|a, b| (&a.device, a.hour).cmp(&(&b.device, b.hour)));
        usage
    }
}

/// What a user should know of a log.
fn remarks(seen: &Seen) -> Vec<String> {
    let mut notes = Vec::new();
    if seen.span.is_some_and(|(first, last)| first == last) {
        notes.push("holds one moment alone, which stands for a minute of its hour".to_owned());
    }
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
