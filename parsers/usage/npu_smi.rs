//! Ascend's `npu-smi info` (a table for people) and `npu-smi info watch` (rows that scroll).
//!
//! Neither prints a time: it must stand around them, `date '+%F %T'` before each table or `ts`
//! before each row. A chip holds about 3 GB of its memory even when nothing runs on it.

use std::io::BufRead;

use super::card::{Card, figure};
use super::formats::{Head, Input};
use super::lines;
use super::log::Log;
use super::sample::Sample;
use super::stamp::Stamps;
use crate::error::Result;

/// How to save it.
const SAVE: &str = "put the time before each table: `while sleep 60; do date '+%F %T'; npu-smi info; done >> npu.log`, or before each row: `npu-smi info watch | ts '%F %T' >> npu.log`";

/// Whether a file is such a table or such rows.
pub(super) fn is(head: &Head) -> bool {
    head.lines().take(20).any(|line| line.starts_with("| npu-smi") || line.contains("NpuID(Idx)"))
}

/// Reads table by table, or row by row.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let mut tables =
        Tables { stamps: Stamps::new(input), watch: Vec::new(), board: Board::default(), log: Log::default() };
    let file = input.file;
    lines::each(reader, file, |line| {
        tables.take(&line.text(), line.row, input);
        Ok(())
    })?;
    let Tables { stamps, mut log, watch, .. } = tables;
    stamps.end(input, &mut log, "what npu-smi prints", SAVE)?;
    log.notes.push(
        match watch.is_empty() {
            true => "an Ascend chip holds about 3 GB of its memory when nothing runs; it is part of the memory in use",
            false => "npu-smi info watch tells the share of memory in use, not its size: memory stays unknown",
        }
        .to_owned(),
    );
    Ok(log)
}

struct Tables {
    stamps: Stamps,
    /// The columns of rows that scroll.
    watch: Vec<String>,
    board: Board,
    log: Log,
}

/// The first of the two rows of a chip.
#[derive(Default)]
struct Board {
    npu: String,
    name: String,
    power: f32,
    temperature: f32,
}

impl Tables {
    fn take(&mut self, line: &str, row: u32, input: &mut Input<'_>) {
        let line = self.stamps.strip(line);
        if line.starts_with("NpuID(Idx)") {
            // Names hold blanks, and end with their unit.
            self.watch = line.split(')').map(|name| name.trim().to_owned()).filter(|n| !n.is_empty()).collect();
            return;
        }
        if line.starts_with('|') {
            self.table(line, row, input);
        } else if !self.watch.is_empty() && line.starts_with(|c: char| c.is_ascii_digit()) {
            self.scrolled(line, row, input);
        }
    }

    /// Takes a row of the table: the board's, or the one of its chip.
    fn table(&mut self, line: &str, row: u32, input: &mut Input<'_>) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [first, second, third] = cells.as_slice() else { return };
        let mut words = first.split_ascii_whitespace();
        let Some(number) = words.next().filter(|w| w.bytes().all(|b| b.is_ascii_digit())) else { return };
        let mut figures = third.split([' ', '/']).filter(|w| !w.is_empty()).map(figure);
        if !second.contains(':') {
            let Some(name) = words.next() else { return };
            let (power, temperature) = (figures.next().unwrap_or(f32::NAN), figures.next().unwrap_or(f32::NAN));
            self.board = Board { npu: number.to_owned(), name: name.to_owned(), power, temperature };
            return;
        }
        let util = figures.next().unwrap_or(f32::NAN);
        let sizes: Vec<f32> = figures.collect();
        // The last pair is the memory on the chip; chips without it print `0 / 0`, or no such pair.
        let pair = sizes.chunks_exact(2).rfind(|pair| pair[1] > 0.0);
        let (memory, memory_total) = pair.map_or((f32::NAN, f32::NAN), |pair| (pair[0], pair[1]));
        let Board { power, temperature, .. } = self.board;
        let sample = Sample { util, memory, memory_total, power, temperature, ..Sample::default() };
        self.push(&chip(&self.board.npu, number), row, sample, input);
    }

    /// Takes a row that scrolls.
    fn scrolled(&mut self, line: &str, row: u32, input: &mut Input<'_>) {
        let cells: Vec<&str> = line.split_ascii_whitespace().collect();
        if cells.len() != self.watch.len() {
            self.log.leave("line that does not fit the header");
            return;
        }
        let cell = |name: &str| self.watch.iter().position(|n| n.starts_with(name)).map_or("", |at| cells[at]);
        let sample = Sample {
            // The cores may rest while other units of the chip work.
            util: figure(cell("AI Core(")).max(figure(cell("NPU Util("))),
            power: figure(cell("Pwr(")),
            temperature: figure(cell("Temp(")),
            ..Sample::default()
        };
        self.board = Board::default();
        self.push(&chip(cell("NpuID("), cell("ChipId(")), row, sample, input);
    }

    fn push(&mut self, index: &str, row: u32, sample: Sample, input: &mut Input<'_>) {
        let Some(at) = self.stamps.now(row) else { return };
        let place = input.place(&Card { index, name: &self.board.name, ..Card::default() });
        input.devices.push_whole(place, at, row, sample);
        self.log.samples += 1;
    }
}

/// What a chip is called: most boards have one, number 0.
fn chip(npu: &str, chip: &str) -> String {
    if matches!(chip, "" | "0") { npu.to_owned() } else { format!("{npu}.{chip}") }
}
