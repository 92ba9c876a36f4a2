//! Files in, hours out: what a file is shows in its first bytes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rustc_hash::FxHashSet;

use super::device::{About, Devices};
use super::hour::UsageHour;
use super::smi::Log;
use super::{hours, pods, prometheus, smi};
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
    let mut devices = Devices::default();
    let mut usage = Usage::default();
    let mut rolled = Vec::new();
    for (name, path) in files {
        let (format, log, known) = one(path, name, options, &mut devices, &mut rolled)?;
        let mut notes = log.notes;
        let (disordered, repeated) = devices.end_file();
        if disordered > 0 {
            notes.push(format!("{disordered} samples come more than an hour before the one ahead of them; several logs may have been joined"));
        }
        if repeated > 0 {
            notes.push(format!("{repeated} samples are of a time that an earlier log or series of the same card covers; they are not counted again"));
        }
        let seen = devices.names.iter().zip(&devices.about).filter(|(_, a)| a.files.iter().any(|f| f == name));
        let mut found: Vec<String> = seen.map(|(d, _)| d.clone()).collect();
        found.extend(known);
        usage.sources.push(Source {
            file: name.clone(),
            format,
            samples: log.samples,
            left_out: log.left_out,
            devices: found,
            notes,
        });
    }
    (usage.hours, usage.about) = devices.finish();
    join(&mut usage, rolled);
    usage.hours.sort_by(|a, b| (&a.device, a.hour).cmp(&(&b.device, b.hour)));
    Ok(usage)
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

fn one(
    path: &Path,
    name: &str,
    options: &Options,
    devices: &mut Devices,
    rolled: &mut Rolled,
) -> Result<(&'static str, Log, Vec<String>)> {
    let mut reader = opened(path, name)?;
    let head = reader.fill_buf().map_err(|e| Error::io(name, &e))?;
    let first: String = String::from_utf8_lossy(&head[..head.len().min(4096)])
        .trim_start_matches('\u{feff}')
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned();
    let start = head.iter().find(|b| !b.is_ascii_whitespace()).copied();
    if matches!(start, Some(b'{' | b'[')) {
        return Ok(("Prometheus query_range", prometheus::read(reader, name, devices)?, Vec::new()));
    }
    let cells: Vec<String> = first.split(',').map(|c| c.trim().trim_matches('"').to_owned()).collect();
    if hours::is_header(&cells) {
        let mut text = String::new();
        reader.read_to_string(&mut text).map_err(|e| Error::io(name, &e))?;
        let read = hours::read_hours_csv(&text, name)?;
        let log = Log { samples: read.len() as u64, ..Log::default() };
        let mut known: Vec<String> = read.iter().map(|h| h.device.clone()).collect();
        known.dedup();
        rolled.extend(read.into_iter().map(|h| (name.to_owned(), h)));
        return Ok(("kashi roll-up", log, known));
    }
    if pods::is_header(&first) {
        return Ok(("series by container", pods::read(reader, name, devices)?, Vec::new()));
    }
    let log = smi::read(reader, name, options.zone, options.fields.as_deref(), devices)?;
    Ok(("nvidia-smi --query-gpu", log, Vec::new()))
}

/// A file as UTF-8 text, whatever it was kept in.
fn opened(path: &Path, name: &str) -> Result<Box<dyn BufRead>> {
    let failed = |e: std::io::Error| Error::io(name, &e);
    let file = File::open(path).map_err(failed)?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let head = reader.fill_buf().map_err(failed)?;
    if head.starts_with(&[0x1f, 0x8b]) {
        return Ok(Box::new(BufReader::with_capacity(1 << 18, flate2::bufread::MultiGzDecoder::new(reader))));
    }
    match encoding_rs::Encoding::for_bom(head) {
        Some((encoding, _)) if encoding != encoding_rs::UTF_8 => {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes).map_err(failed)?;
            let (text, _, _) = encoding.decode(&bytes);
            Ok(Box::new(Cursor::new(text.into_owned().into_bytes())))
        }
        _ => Ok(Box::new(reader)),
    }
}
