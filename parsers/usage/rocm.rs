//! `rocm-smi --json` and `--csv`: one moment, and no time.
//!
//! Names of the fields change from version to version; they are told by what they begin with.
//! The time must stand around them: `date '+%F %T'` before each piece, or a column of its own.

use std::io::BufRead;

use super::card::{Card, figure, known};
use super::documents;
use super::formats::{Head, Input};
use super::lines;
use super::log::Log;
use super::sample::Sample;
use super::stamp::Stamps;
use crate::error::Result;

/// How to save it.
const SAVE: &str = "put the time before each piece: `while sleep 60; do date '+%F %T'; rocm-smi --showuse --showmeminfo vram --showpower --showuniqueid --csv; done >> rocm.csv`, or log `amd-smi metric --csv -w 60 --file amd.csv`, which prints it";

/// Whether a file is such JSON.
pub(super) fn is_json(head: &Head) -> bool {
    head.text.contains("\"card0\":") || head.text.contains("\"GPU use (%)\"")
}

/// Whether a file is such CSV.
pub(super) fn is_csv(head: &Head) -> bool {
    head.lines().take(20).any(|line| columns(line).is_some())
}

/// Reads JSON document by document.
pub(super) fn read_json(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    documents::objects(reader, input, ("what rocm-smi prints", SAVE), |object, row, stamps, log, input| {
        let cards = object.as_object().into_iter().flatten().filter(|(key, _)| key.starts_with("card"));
        for (key, fields) in cards {
            let fields: Vec<(&str, &str)> = fields
                .as_object()
                .into_iter()
                .flatten()
                .filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)))
                .collect();
            push(key, &fields, (row, stamps, log), input);
        }
    })
}

/// Reads CSV row by row.
pub(super) fn read_csv(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut stamps, mut log) = (Stamps::new(input), Log::default());
    let mut header: Vec<String> = Vec::new();
    let file = input.file;
    lines::each(reader, file, |line| {
        let text = line.text();
        if let Some(columns) = columns(&text) {
            header = columns;
            return Ok(());
        }
        let text = stamps.strip(&text);
        if text.is_empty() {
            return Ok(());
        }
        let cells = lines::cells(text);
        let device = header.iter().position(|name| name == "device").and_then(|at| cells.get(at));
        let Some(key) = device.filter(|_| cells.len() == header.len()) else {
            log.leave(match (line.cut, header.is_empty() || cells.len() == 1) {
                (true, _) => "last line cut off",
                (false, true) => "line that is no row of rocm-smi",
                (false, false) => "line that does not fit the header",
            });
            return Ok(());
        };
        let fields: Vec<(&str, &str)> =
            header.iter().map(String::as_str).zip(cells.iter().map(AsRef::as_ref)).collect();
        if let Some((_, time)) = fields.iter().find(|(name, _)| matches!(*name, "timestamp" | "time")) {
            stamps.strip(time);
        }
        push(key, &fields, (line.row, &mut stamps, &mut log), input);
        Ok(())
    })?;
    stamps.end(input, &mut log, "what rocm-smi prints", SAVE)?;
    Ok(log)
}

/// Takes what is printed of a card.
fn push(key: &str, fields: &[(&str, &str)], at: (u32, &mut Stamps, &mut Log), input: &mut Input<'_>) {
    let (row, stamps, log) = at;
    // A name that says the same in words of its own counts where the first is not printed.
    let field = |names: &[&str]| {
        let find = |name: &str| fields.iter().find(|(n, v)| n.eq_ignore_ascii_case(name) && !known(v).is_empty());
        names.iter().find_map(|name| find(name)).map_or("", |(_, value)| value)
    };
    let Some(at) = stamps.now(row) else { return };
    let bytes = |names: &[&str]| figure(field(names)) / (1024.0 * 1024.0);
    let sample = Sample {
        util: figure(field(&["GPU use (%)"])),
        memory: bytes(&["VRAM Total Used Memory (B)"]),
        memory_total: bytes(&["VRAM Total Memory (B)"]),
        power: figure(field(&POWER)),
        power_limit: figure(field(&["Max Graphics Package Power (W)"])),
        temperature: figure(field(&["Temperature (Sensor junction) (C)", "Temperature (Sensor edge) (C)"])),
        ..Sample::default()
    };
    // The id is printed where it is asked for, and only some cards have one.
    let uuid = field(&["Unique ID"]);
    let name = field(&["Card Series", "Device Name"]);
    let card = Card { uuid, index: key.trim_start_matches("card"), name, ..Card::default() };
    let place = input.place(&card);
    input.devices.push_whole(place, at, row, sample);
    log.samples += 1;
}

/// Names of the power draw, newest first.
const POWER: [&str; 4] = [
    "Current Socket Graphics Package Power (W)",
    "Average Graphics Package Power (W)",
    "Average Socket Power (W)",
    "Power (W)",
];

/// The names of the columns; `None` if a line is no header. A word before it is the name of the
/// time that stands before each row.
fn columns(line: &str) -> Option<Vec<String>> {
    let line = line.rsplit_once("device,").map_or(line, |(before, _)| match before.contains(',') {
        true => line,
        false => &line[before.len()..],
    });
    let names: Vec<String> = lines::cells(line).iter().map(|cell| cell.to_string()).collect();
    let tells = |n: &String| n.contains("(%)") || n.contains("(B)") || n.contains("(W)") || n.contains("(C)");
    (names.iter().any(|n| n == "device") && names.iter().any(tells)).then_some(names)
}
