//! Grafana's "Download CSV" of a panel.
//!
//! Layout (confirmed: Grafana's `csv.ts`): a header of quoted names, the first `Time`; lines end with
//! CRLF; an empty cell is no value; frames follow each other, each with its own header and an empty line.
//! The separator is the locale's; older versions write `sep=,` first, newer ones UTF-16 with tabs for Excel.
//! Times are epoch milliseconds (confirmed), or local ones where formatting is on; then values carry a
//! unit such as `35 %` or `1.5 GiB` (inferred).

use std::io::BufRead;

use super::super::clock::Clock;
use super::super::columns::Columns;
use super::super::formats::{Head, Input};
use super::super::label::stem;
use super::super::labelled;
use super::super::log::Log;
use super::card::{Card, index, uuid};
use super::feed::Feed;
use super::labels;
use super::lines::{Lines, cells, header, separator};
use super::measure::Measure;
use super::series::end;
use super::wide::Wide;
use crate::error::Result;

/// Whether a text begins as such a download. One that also is a log of one card is read as that.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let cells = header(head);
    let first = head.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    cells.len() > 1
        && cells[0] == "Time"
        && (first.starts_with("sep=")
            || cells.iter().any(|c| c.contains('{'))
            || !matches!(Columns::of_header(first, "", 1), Some(Ok(_)))
                // A spreadsheet that saved it again took the quotes away.
                && (first.starts_with('"') || cells.iter().skip(1).any(|c| Measure::of_words(c).is_some())))
}

/// Reads a download, frame by frame.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let mut wide = Wide::default();
    let mut mark = ',';
    let mut row_cells = Vec::new();
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        if line.is_empty() || line.starts_with("sep=") {
            continue;
        }
        let begins = line.trim_start_matches('"').starts_with("Time");
        if begins {
            mark = separator(line);
        }
        cells(line, mark, &mut row_cells);
        if begins && row_cells[0] == "Time" {
            wide = frame(&row_cells, mark, input.file, input.label, input.devices, &mut log);
            continue;
        }
        match clock.read(row_cells[0].as_bytes()) {
            Some((at, _)) if !wide.is_empty() => wide.row(&row_cells, at, row, &mut feed, input.devices),
            Some(_) => {}
            None => log.leave("line without a time"),
        }
    }
    end(
        input,
        log,
        feed,
        clock.local,
        "query a metric by its plain name, such as DCGM_FI_DEV_GPU_UTIL, without a legend; where the panel has a legend, keep its title in the file's name, as Grafana does",
    )
}

/// What the columns of a frame are.
fn frame(
    names: &[String],
    mark: char,
    file: &str,
    label: &str,
    devices: &mut super::super::device::Devices,
    log: &mut Log,
) -> Wide {
    let mut wide = Wide::default();
    wide.comma = mark != ',';
    for (column, name) in names.iter().enumerate().skip(1) {
        let found = labelled(name, file, label, devices).or_else(|| legend(name, file, label, devices));
        match found {
            None => log.leave(&format!("series of {}", name.chars().take(80).collect::<String>())),
            Some((place, measure)) if wide.add(place, column, measure) => {}
            Some((_, measure)) => {
                // Two series that seem to be one card's are two: the whole legend tells them apart.
                let card = Card { host: Some(label), index: Some(name), ..Card::default() };
                let place = card.place(devices, file, label);
                wide.add(place, column, measure);
            }
        }
    }
    wide
}

/// A series with its labels.
fn labelled(
    name: &str,
    file: &str,
    label: &str,
    devices: &mut super::super::device::Devices,
) -> Option<(usize, Measure)> {
    let (labels, _) = labels::series(name).filter(|(labels, rest)| rest.trim().is_empty() && !labels.is_empty())?;
    let metric = labels.get("__name__").map(String::as_str);
    let measure = match metric {
        Some(metric) => Measure::of_metric(metric)?,
        None => Measure::of_metric(stem(file)).or_else(|| Measure::of_words(stem(file)))?,
    };
    let place = labelled::place(&labels, metric.unwrap_or_default(), file, label, devices)?;
    Some((place, measure))
}

/// A series with a legend: what it measures stands there, or in the panel's title.
fn legend(
    name: &str,
    file: &str,
    label: &str,
    devices: &mut super::super::device::Devices,
) -> Option<(usize, Measure)> {
    if name.contains('{') {
        return None;
    }
    let title = stem(file).split("-data-").next().unwrap_or_default();
    let measure = Measure::of_words(name).or_else(|| Measure::of_words(title))?;
    // `0 - NVIDIA A10`, `gpu0`, `node-a GPU 0`, a UUID; anything else stands for itself.
    let number = name.split([' ', '-', ':']).next().filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let index = number.or_else(|| index(name)).or((!name.contains(title)).then_some(name));
    let model = name.split_once(" - ").filter(|_| number.is_some()).map(|(_, model)| model.trim());
    let mut card = Card { uuid: uuid(name), index, name: model, ..Card::default() };
    card.labels.insert("legend".to_owned(), name.to_owned());
    Some((card.place(devices, file, label), measure))
}
