//! What a document says of itself, held against what was read, and what else the user should know.

use super::cell::value;
use super::identify::Claim;
use super::packages;
use super::read::{Bill, Reason, Stated};
use super::schema::{Layout, Names};
use super::total::{Marked, other_currency, total_refused};
use crate::error::Result;
use crate::ledger::Lines;
use crate::ledger::marks::Currencies;
use crate::ledger::money::{self, Separators};
use crate::open::{Record, Said, Table};

/// What reading the rows of a table came upon.
pub(super) struct Remarks {
    pub(super) separators: Separators,
    /// Rows with a number that was rounded at the ledger's last decimal.
    pub(super) rounded: Vec<u32>,
    /// Rows whose parts do not come to their cost.
    pub(super) uneven: Vec<u32>,
    /// Rows of packages of cards that do not say their terms or time.
    pub(super) unpacked: Vec<u32>,
    /// Totals with the mark of a currency.
    pub(super) marked: Vec<Marked>,
    /// Rows that begin like a total and state none, and what they begin with.
    pub(super) unclear: Vec<(u32, String)>,
    /// The header of the cost.
    pub(super) cost: String,
}

/// What stands beside the records of a table: what the JSON document says, or the lines above the
/// header, each a label and, in the cell after it, its value.
///
/// # Errors
/// If the file is gone.
pub(super) fn beside(table: &Table, claim: &Claim) -> Result<Vec<(String, String)>> {
    let mut said = table.document.to_vec();
    if claim.row > 1 {
        let mut rows = table.rows(claim.delimiter)?;
        let mut record = Record::new();
        while rows.next(&mut record)?.is_some_and(|row| row < claim.row) {
            let cell = |at| record.get(at).map(String::from_utf8_lossy).unwrap_or_default();
            let (label, text) = (cell(0), cell(1));
            if let (Some(label), Some(text)) = (value(&label), value(&text)) {
                said.push((label.trim_end_matches([':', '：']).to_owned(), text.to_owned()));
            }
        }
    }
    Ok(said)
}

/// Takes the stated total, and notes what is missing, rounded or does not add up.
pub(super) fn check(said: &[Said], layout: &Layout, remarks: &Remarks, bill: &mut Bill, lines: &mut Lines) {
    let says = |names: &Names| {
        let found = names.0.iter().find_map(|name| said.iter().find(|(path, _)| path == name))?;
        value(&found.1).map(|text| (found.0.as_str(), text))
    };
    // Where amounts are binary floats, so is their sum: it may have more decimals than the ledger.
    let amount = |text: &str| {
        let rounded = |_| money::rounded(text).map(|mantissa| (mantissa, Currencies::ANY));
        money::marked(text, remarks.separators).or_else(rounded).ok()
    };
    if let Some((path, text)) = says(&layout.document.total)
        && let Some((mantissa, currencies)) = amount(text)
    {
        match other_currency(bill, lines, currencies) {
            Some(currency) => bill.refusals.push(total_refused(bill.origin.clone(), path, text, &currency)),
            None => {
                let amount = money::to_decimal(mantissa);
                bill.stated.extend(amount.map(|amount| Stated { origin: bill.origin.clone(), amount }));
            }
        }
    }
    let records = bill.rows - bill.left_out.get(&Reason::Header).copied().unwrap_or_default();
    let all = says(&layout.document.records).and_then(|(path, text)| Some((path, text.parse::<usize>().ok()?)));
    if let Some((path, all)) = all.filter(|(_, all)| *all > records) {
        bill.notes.push(format!(
            "holds {records} of the {all} records that there are (\"{path}\"): give the other pages too"
        ));
    } else if let Some((path, _)) = says(&layout.document.more).filter(|(_, text)| *text != "false") {
        bill.notes.push(format!("is one page of several (\"{path}\" names the next): give the other pages too"));
    }
    if bill.parts > 0 {
        let rows = bill.rows - bill.left_out.values().sum::<usize>() - bill.refused_rows;
        bill.notes.push(format!("{rows} rows are {} lines: each part of a charge is one", bill.lines));
    }
    if let Some(first) = remarks.uneven.first() {
        bill.notes.push(format!(
            "{} rows whose parts do not come to their total (first in row {first}): what is left of the total is a line of its own",
            remarks.uneven.len()
        ));
    }
    bill.notes.extend(packages::note(&remarks.unpacked, &bill.platform));
    if let Some(first) = remarks.rounded.first() {
        bill.notes.push(format!(
            "{} numbers of binary floating point have more than {} decimals and were rounded there (first in row {first})",
            remarks.rounded.len(),
            money::SCALE
        ));
    }
}
