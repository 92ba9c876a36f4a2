//! `kashi usage`: utilization exports rolled up to hours by card.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::message;
use kashi_parsers::usage::{self, Options, Source, Usage};

use super::cluster::ClusterArgs;
use super::events;
use crate::guard::Screen;
use crate::places;
use crate::problems::{Problems, Several};
use crate::progress::Steps;
use crate::text::{Lang, catalogue};

/// Arguments of `kashi usage`.
#[derive(Debug, Args)]
pub struct UsageArgs {
    /// Utilization exports: files or folders
    #[arg(required_unless_present = "prometheus")]
    pub files: Vec<PathBuf>,
    /// The file to write: .csv or .jsonl; CSV to standard output without it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// A file for the events that logs tell of: out of memory, Xid, lost cards, throttling, start and stop
    #[arg(long, value_name = "FILE.csv")]
    pub events: Option<PathBuf>,
    /// The zone of logs, and of --from and --to, that carry none, such as +08:00; UTC if absent
    #[arg(long, value_name = "ZONE")]
    pub usage_zone: Option<String>,
    /// The field list of nvidia-smi logs without a header
    #[arg(long, value_name = "FIELDS")]
    pub fields: Option<String>,
    /// Where a metrics cluster is asked instead
    #[command(flatten)]
    pub cluster: ClusterArgs,
}

/// Reads exports and writes the hours.
///
/// # Errors
/// If an export cannot be used; it says what is missing.
pub fn run(args: &UsageArgs, lang: Lang, out: &mut dyn Write, err: &mut dyn Write) -> Result<()> {
    let zone = match &args.usage_zone {
        Some(zone) => Zone::parse(zone).ok_or_else(|| {
            anyhow!(message!(
                "--usage-zone {zone:?} is not a zone; expected an offset such as +08:00 or a name such as Asia/Shanghai"
            ))
        })?,
        None => Zone::utc(),
    };
    let format = args.output.as_deref().map(Format::of).transpose()?;
    super::are_apart(args.output.as_deref(), args.events.as_deref())?;
    for written in args.output.iter().chain(&args.events) {
        super::can_be_written(written)?;
    }
    if let Some(path) = &args.events {
        events::is_csv(path)?;
        super::not_another(path, events::is_list)?;
    }
    let usage = match &args.cluster.prometheus {
        Some(url) => args.cluster.ask(url, zone, lang)?,
        None => from_files(args, zone, lang)?,
    };
    summary(&usage, zone, lang, err)?;
    if let Some(path) = &args.events {
        events::write(&usage.events, path)?;
    }
    let Some((path, format)) = args.output.as_ref().zip(format) else {
        return Ok(usage::write_hours_csv(&usage.hours, out)?);
    };
    let mut bytes = Vec::new();
    match format {
        Format::Csv => {
            bytes.extend_from_slice(crate::MARK);
            usage::write_hours_csv(&usage.hours, &mut Screen::new(&mut bytes))?;
        }
        Format::Jsonl => jsonl(&usage, &mut bytes)?,
    }
    crate::write_whole(path, &bytes)
}

/// How the roll-up is written.
#[derive(Clone, Copy)]
enum Format {
    Csv,
    Jsonl,
}

impl Format {
    /// The format that a file's ending names.
    fn of(path: &Path) -> Result<Self> {
        match path.extension().and_then(|e| e.to_str()) {
            Some("csv") => Ok(Self::Csv),
            Some("jsonl") => Ok(Self::Jsonl),
            _ => bail!(message!("{}: the roll-up is written as .csv or .jsonl", path.display())),
        }
    }
}

fn from_files(args: &UsageArgs, zone: Zone, lang: Lang) -> Result<Usage> {
    let fields = args.fields.as_ref().map(|f| f.split(',').map(|f| f.trim().to_owned()).collect());
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for path in &args.files {
        match places::files(path) {
            Ok(found) => files.extend(found.into_iter().map(|p| (p.name, p.path))),
            Err(problem) => problems.push(problem),
        }
    }
    Several::none(problems)?;
    for written in args.output.iter().chain(&args.events) {
        super::not_an_input(written, files.iter().map(|(_, path)| path.as_path()))?;
    }
    if let Some(path) = &args.output {
        super::not_another_table(path)?;
    }
    let steps = Steps::new(lang);
    steps.say("reading the utilization exports");
    let usage = usage::read_all(&files, &Options { zone, fields });
    steps.done();
    Ok(usage.map_err(Problems::all)?)
}

fn summary(usage: &Usage, zone: Zone, lang: Lang, err: &mut dyn Write) -> Result<()> {
    for source in &usage.sources {
        let Source { file, format, samples, devices, .. } = source;
        let mut said = vec![match source.local {
            true => {
                message!("{file}: {}, {samples} samples, {} devices, times read as {zone}", format, devices.len())
            }
            false => message!("{file}: {}, {samples} samples, {} devices", format, devices.len()),
        }];
        said.extend(source.left_out.iter().map(|(why, n)| message!("  left out: {n} × {}", why)));
        said.extend(source.notes.iter().map(|note| message!("  note: {}", note)));
        for said in said {
            writeln!(err, "{}", catalogue::message(&said, lang))?;
        }
    }
    events::summary(&usage.events, lang, err)
}

/// One JSON object an hour, with the columns of the CSV; what is unknown is absent.
fn jsonl(usage: &Usage, bytes: &mut Vec<u8>) -> Result<()> {
    let mut csv = Vec::new();
    usage::write_hours_csv(&usage.hours, &mut csv)?;
    let mut reader = ::csv::Reader::from_reader(csv.as_slice());
    let header = reader.headers()?.clone();
    for record in reader.records() {
        let record = record?;
        let mut object = serde_json::Map::new();
        for (name, cell) in header.iter().zip(&record).filter(|(_, c)| !c.is_empty()) {
            let textual = ["device", "resource", "platform", "host", "name", "hour"].contains(&name);
            let value = if textual { serde_json::Value::from(cell) } else { serde_json::from_str(cell)? };
            object.insert(name.to_owned(), value);
        }
        serde_json::to_writer(&mut *bytes, &object)?;
        bytes.push(b'\n');
    }
    Ok(())
}
