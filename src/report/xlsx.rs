//! The report as a workbook: what was found, the bills, what is not said, and every line.

use anyhow::Result;
use kashi_parsers::ledger::Ledger;
use kashi_rules::JoinRow;
use rust_decimal::Decimal;
use rust_xlsxwriter::{Format, Workbook};

use super::rows::bills;
use super::view::View;
use super::{Report, csv, json, text};
use crate::export::xlsx;
use crate::guard::{formula, printable};
use crate::text::Lang;

/// Cells of a finding that are amounts: amount, net, cost of what to take instead.
const AMOUNTS: [usize; 3] = [10, 13, 17];

/// Renders the workbook: the summary, the findings, the bills, then the ledger and its join.
///
/// Texts are guarded against formulas; an amount of more than 15 digits is text, as in the ledger.
///
/// # Errors
/// If a text is longer than a cell may be.
pub fn render(report: &Report, lang: Lang, ledger: &Ledger, join: &[JoinRow]) -> Result<Vec<u8>> {
    let v1 = json::of(report, lang);
    let view = View::new(&v1);
    let w = view.w;
    let mut workbook = xlsx::workbook()?;
    let frame = text::frame(&view).into_iter().map(|line| vec![line]);
    sheet(&mut workbook, w.report, frame, &[])?;
    let findings = v1.findings.iter().map(|finding| csv::row(finding, w).to_vec());
    let header = csv::header(w).map(str::to_owned).to_vec();
    sheet(&mut workbook, w.findings, std::iter::once(header).chain(findings), &AMOUNTS)?;
    sheet(&mut workbook, w.bills, bills(&view.bills, w).into_iter(), &[])?;
    xlsx::sheets(&mut workbook, ledger, Some(join))?;
    Ok(workbook.save_to_buffer()?)
}

/// A sheet of rows of words, the first in bold; `amounts` are the columns of numbers.
fn sheet(
    workbook: &mut Workbook,
    name: &str,
    rows: impl Iterator<Item = Vec<String>>,
    amounts: &[usize],
) -> Result<()> {
    let bold = Format::new().set_bold();
    let sheet = workbook.add_worksheet();
    sheet.set_name(name)?;
    sheet.set_freeze_panes(1, 0)?;
    for (row, cells) in (0u32..).zip(rows) {
        for ((column, at), cell) in (0u16..).zip(0usize..).zip(&cells) {
            let number = || cell.parse::<Decimal>().ok().and_then(xlsx::double);
            match (row, amounts.contains(&at).then(number).flatten()) {
                (0, _) => _ = sheet.write_string_with_format(row, column, &*formula(&printable(cell)), &bold)?,
                (_, Some(number)) => _ = sheet.write_number(row, column, number)?,
                (_, None) => _ = sheet.write_string(row, column, &*formula(&printable(cell)))?,
            }
        }
    }
    Ok(())
}
