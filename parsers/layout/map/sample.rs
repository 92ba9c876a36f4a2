//! The header and the first rows of a table that no layout claims.

use crate::error::{Error, Kind, Result};
use crate::ledger::money::{self, Separators, blank};
use crate::open::{Record, Table};

use super::super::cell::value;

/// Rows from the top in which the header is looked for.
const LOOK: usize = 40;
/// Rows that are looked at; more would not change what a column looks like.
const MOST_ROWS: usize = 2_000;
/// How totals begin in the bills of any vendor.
const TOTALS: [&str; 8] = ["合计", "总计", "小计", "总金额", "Grand total", "Subtotal", "Total", "TOTAL"];

/// What was seen of a table.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What cuts the columns.
    pub delimiter: u8,
    /// The header's row, as a spreadsheet counts.
    pub row: u32,
    /// The header as printed, without padding.
    pub names: Vec<String>,
    /// The first rows below it, without blank ones, totals and copies of the header; a cell that
    /// says that there is no value is empty.
    pub rows: Vec<Vec<String>>,
    /// Beginnings of rows that state a total.
    pub total: Vec<String>,
    /// How numbers are grouped.
    pub separators: Separators,
}

impl Sample {
    /// Finds the header of a table and reads the rows below it.
    ///
    /// # Errors
    /// If no row looks like the header of a table, or there is no row below it.
    pub fn take(table: &Table) -> Result<Self> {
        let mut best: Option<(usize, u8, u32)> = None;
        let mut alone = false;
        for &delimiter in table.delimiters() {
            let first = first_rows(table, delimiter)?;
            alone |= first.last().is_some_and(|(_, cells)| cells.iter().filter(|c| is_name(c)).count() > 1);
            if let Some((score, row)) = header(&first) {
                // The first delimiter wins a tie, as it does when layouts are looked for.
                if best.is_none_or(|(most, _, _)| score > most) {
                    best = Some((score, delimiter, row));
                }
            }
        }
        let fail = |message: &'static str, hint: &'static str| {
            Error::new(Kind::Format, message).at(table.origin.clone()).hint(hint)
        };
        let empty = || {
            let hint = "map a month in which something was charged: the columns are told by their values too";
            fail("has a header but no row below it", hint)
        };
        let Some((_, delimiter, row)) = best else {
            if alone {
                return Err(empty());
            }
            return Err(fail(
                "has no row that looks like a header: names in at least two columns, and rows of values below",
                "export the bill with its header, as CSV or XLSX",
            ));
        };
        let sample = Self::below(table, delimiter, row)?;
        if sample.rows.is_empty() { Err(empty()) } else { Ok(sample) }
    }

    /// The filled cells of a column.
    pub fn cells(&self, at: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().filter_map(move |row| row.get(at)).map(String::as_str).filter(|cell| !cell.is_empty())
    }

    /// Takes the user's word for how numbers are grouped.
    pub(super) fn group(&mut self, said: Option<&str>) {
        match said {
            Some("none") => self.separators = Separators::None,
            Some("comma") => self.separators = Separators::Comma,
            Some("point") => self.separators = Separators::Point,
            _ => {}
        }
    }

    fn below(table: &Table, delimiter: u8, header: u32) -> Result<Self> {
        let mut sample = Self {
            delimiter,
            row: header,
            names: Vec::new(),
            rows: Vec::new(),
            total: Vec::new(),
            separators: Separators::None,
        };
        let mut rows = table.rows(delimiter)?;
        let mut record = Record::new();
        while let Some(row) = rows.next(&mut record)? {
            if row < header {
                continue;
            }
            let cells: Vec<String> =
                record.iter().map(|c| String::from_utf8_lossy(c).trim_matches(blank).to_owned()).collect();
            if row == header {
                sample.names = cells;
            } else if sample.rows.len() < MOST_ROWS {
                sample.add(cells);
            } else {
                break;
            }
        }
        sample.separators = separators(&sample.rows);
        Ok(sample)
    }

    fn add(&mut self, mut cells: Vec<String>) {
        let Some(first) = cells.iter().find(|c| !c.is_empty()) else { return };
        if let Some(total) = TOTALS.iter().find(|t| first.starts_with(**t)) {
            // A product may be named "Total …": a row of a total leaves most cells blank.
            if cells.iter().filter(|c| !c.is_empty()).count() * 2 <= self.names.len() + 1 {
                if !self.total.iter().any(|t| t == total) {
                    self.total.push((*total).to_owned());
                }
                return;
            }
        }
        if cells.iter().zip(&self.names).all(|(cell, name)| cell == name) {
            return;
        }
        for cell in &mut cells {
            if value(cell).is_none() {
                cell.clear();
            }
        }
        self.rows.push(cells);
    }
}

/// The distinct cells of a column in all tables that have the header of the sample, in the order of
/// their first row, at most `most`.
pub(super) fn distinct(tables: &[Table], sample: &Sample, at: usize, most: usize) -> Result<Vec<String>> {
    let mut seen: Vec<String> = Vec::new();
    let Some((first, others)) = tables.split_first() else { return Ok(seen) };
    add_distinct(first, sample, at, most, &mut seen)?;
    for table in others {
        match Sample::take(table) {
            Ok(other) if other.names == sample.names => add_distinct(table, &other, at, most, &mut seen)?,
            _ => {}
        }
    }
    Ok(seen)
}

fn add_distinct(table: &Table, sample: &Sample, at: usize, most: usize, seen: &mut Vec<String>) -> Result<()> {
    let mut rows = table.rows(sample.delimiter)?;
    let mut record = Record::new();
    let mut last: Vec<u8> = Vec::new();
    while let Some(row) = rows.next(&mut record)? {
        let Some(cell) = record.get(at).filter(|_| row > sample.row) else { continue };
        if cell == last {
            continue;
        }
        last = cell.to_vec();
        let text = String::from_utf8_lossy(cell);
        let Some(text) = value(&text).filter(|text| !seen.iter().any(|s| s == text)) else { continue };
        let begins = record.iter().map(String::from_utf8_lossy).find(|c| !c.trim_matches(blank).is_empty());
        let is_total = begins.is_some_and(|b| sample.total.iter().any(|t| b.trim_matches(blank).starts_with(t)));
        let again = sample.names.get(at).is_some_and(|name| name == text);
        if !is_total && !again && seen.len() < most {
            seen.push(text.to_owned());
        }
    }
    Ok(())
}

fn first_rows(table: &Table, delimiter: u8) -> Result<Vec<(u32, Vec<String>)>> {
    let mut rows = table.rows(delimiter)?;
    let mut record = Record::new();
    let mut first = Vec::new();
    while first.len() < LOOK {
        let Some(row) = rows.next(&mut record)? else { break };
        let cells = record.iter().map(|c| String::from_utf8_lossy(c).trim_matches(blank).to_owned());
        first.push((row, cells.collect()));
    }
    Ok(first)
}

/// The row that is most likely the header: the most names, above a row that has values.
fn header(rows: &[(u32, Vec<String>)]) -> Option<(usize, u32)> {
    let mut best: Option<(usize, u32)> = None;
    for (at, (row, cells)) in rows.iter().enumerate() {
        let names = cells.iter().filter(|c| is_name(c)).count();
        let values = cells.iter().filter(|c| !c.is_empty() && !is_name(c)).count();
        let below = rows
            .get(at + 1)
            .is_some_and(|(_, next)| next.len() == cells.len() && next.iter().any(|c| !c.is_empty() && !is_name(c)));
        if names < 2 || values > 0 || !below {
            continue;
        }
        if best.is_none_or(|(most, _)| names > most) {
            best = Some((names, *row));
        }
    }
    best
}

/// Whether a cell may name a column: a short text that is no number and no time.
fn is_name(cell: &str) -> bool {
    !cell.is_empty()
        && cell.chars().count() <= 120
        && cell.chars().any(char::is_alphabetic)
        && money::parse(cell, Separators::Comma).is_err()
        && !cell.starts_with(['{', '['])
        && cell.chars().filter(char::is_ascii_digit).count() * 2 <= cell.chars().count()
}

/// How the numbers of a table are grouped: as most of its number-like cells can be read.
fn separators(rows: &[Vec<String>]) -> Separators {
    let mut read = [0usize; 3];
    let ways = [Separators::None, Separators::Comma, Separators::Point];
    let cells = rows.iter().flatten().filter(|c| c.contains(['.', ',']) && c.contains(|d: char| d.is_ascii_digit()));
    for cell in cells {
        for (way, read) in ways.iter().zip(&mut read) {
            *read += usize::from(money::parse(cell, *way).is_ok());
        }
    }
    let most = read.iter().copied().max().unwrap_or_default();
    ways.iter().zip(read).find(|(_, n)| *n == most).map_or(Separators::None, |(way, _)| *way)
}
