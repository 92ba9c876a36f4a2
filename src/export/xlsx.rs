//! The ledger as a workbook.

use std::fs::File;

use anyhow::{Context, Result};
use kashi_parsers::ledger::Ledger;
use kashi_parsers::message;
use kashi_rules::JoinRow;
use rust_decimal::Decimal;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet};

use super::{Cell, cells, header, rfc3339};
use crate::guard::{formula, visible};

/// Lines that a sheet holds below its header.
const MOST_LINES: usize = 1_048_575;
/// Digits that a workbook's number, a double, keeps and Excel shows.
const EXACT_DIGITS: usize = 15;

/// Writes the ledger row by row, on as many sheets as it takes.
///
/// An amount of up to 15 digits is a number, a longer one is text, so that no digit is lost.
/// Times are dates of the workbook in UTC, texts are guarded against formulas.
pub(super) fn xlsx(ledger: &Ledger, join: Option<&[JoinRow]>, file: &mut File) -> Result<()> {
    let mut workbook = workbook()?;
    sheets(&mut workbook, ledger, join)?;
    workbook.save_to_writer(file)?;
    Ok(())
}

/// An empty workbook.
pub(crate) fn workbook() -> Result<Workbook> {
    let mut workbook = Workbook::new();
    // A fixed date: the same content must give the same bytes.
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&made));
    Ok(workbook)
}

/// Adds the sheets of the ledger.
pub(crate) fn sheets(workbook: &mut Workbook, ledger: &Ledger, join: Option<&[JoinRow]>) -> Result<()> {
    let (bold, time) = (Format::new().set_bold(), Format::new().set_num_format("yyyy-mm-dd hh:mm:ss"));
    for first in (0..ledger.len().max(1)).step_by(MOST_LINES) {
        let sheet = workbook.add_worksheet_with_constant_memory()?;
        let number = first / MOST_LINES + 1;
        sheet.set_name(if number == 1 { "ledger".to_owned() } else { format!("ledger {number}") })?;
        sheet.set_freeze_panes(1, 0)?;
        for (column, name) in (0u16..).zip(header(join.is_some())) {
            sheet.write_string_with_format(0, column, name, &bold)?;
        }
        for (row, at) in (1u32..).zip(first..(first + MOST_LINES).min(ledger.len())) {
            let mut column = 0u16;
            cells(ledger.line(at), join, |cell| {
                write(sheet, row, column, cell, &time).with_context(|| {
                    message!(
                        "{}: a text is longer than a cell of a workbook; write .csv or .parquet",
                        ledger.line(at).origin()
                    )
                })?;
                column += 1;
                Ok(())
            })?;
        }
    }
    Ok(())
}

fn write(sheet: &mut Worksheet, row: u32, column: u16, cell: Cell<'_>, time_format: &Format) -> Result<()> {
    match cell {
        Cell::Nothing => {}
        Cell::Row(number) => _ = sheet.write_number(row, column, number)?,
        Cell::Text(text) => _ = sheet.write_string(row, column, &*formula(&visible(text)))?,
        Cell::Time(time) if time.timestamp_subsec_micros() == 0 => {
            let date = ExcelDateTime::from_timestamp(time.timestamp())?;
            _ = sheet.write_datetime_with_format(row, column, &date, time_format)?;
        }
        Cell::Time(time) => _ = sheet.write_string(row, column, rfc3339(time))?,
        Cell::Number(number) => match double(number) {
            Some(double) => _ = sheet.write_number(row, column, double)?,
            None => _ = sheet.write_string(row, column, number.to_string())?,
        },
    }
    Ok(())
}

/// The number that a workbook stores for an amount, if it shows the same digits.
pub(crate) fn double(number: Decimal) -> Option<f64> {
    let text = number.normalize().to_string();
    let digits = text.bytes().filter(u8::is_ascii_digit).skip_while(|d| *d == b'0').count();
    if digits > EXACT_DIGITS { None } else { text.parse().ok() }
}
