//! A claimed table becomes lines, and every row is accounted for.

use std::collections::BTreeMap;
use std::ops::Range;

use rust_decimal::Decimal;

use super::convert::Converter;
use super::given::Given;
use super::identify::Claim;
use super::plan::{Plan, Target};
use super::reader::Reader;
use super::{parts, says, total};
use crate::error::{Error, Kind, Origin, Refusal, Result};
use crate::ledger::time::Zone;
use crate::ledger::{Lines, TextColumn};
use crate::message::Message;
use crate::open::{Said, Table};

/// Why a row was left out of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// It comes before the header.
    Title,
    /// It has no filled cell.
    Blank,
    /// It is the header, or the header again.
    Header,
    /// It states a total.
    Total,
    /// Another bill states the same charge in more detail.
    Detailed,
    /// Another export of the same bill has it too.
    Repeated,
    /// A newer export of the same bill states it anew.
    Restated,
    /// It is of another month than the one that is audited.
    OtherMonth,
}

impl Reason {
    /// The spelling in a report.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Blank => "blank",
            Self::Header => "header",
            Self::Total => "total",
            Self::Detailed => "detailed",
            Self::Repeated => "repeated",
            Self::Restated => "restated",
            Self::OtherMonth => "other_month",
        }
    }
}

/// A total that the bill itself states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Where.
    pub origin: Origin,
    /// The amount.
    pub amount: Decimal,
}

/// Rows left out, by reason.
pub type LeftOut = BTreeMap<Reason, usize>;

/// What became of a table.
#[derive(Clone, Debug)]
pub struct Bill {
    /// The file and sheet.
    pub origin: Origin,
    /// The platform's name.
    pub platform: String,
    /// `platform/layout`.
    pub layout: String,
    /// The encoding that the text was found in.
    pub encoding: &'static str,
    /// Rows of the table with any cell, header included, plus blank ones between them.
    pub rows: usize,
    /// Lines of the ledger.
    pub lines: usize,
    /// Lines beyond the first of their row, where a row charges for several things.
    pub parts: usize,
    /// The first of them in the ledger.
    pub first_line: usize,
    /// Rows left out.
    pub left_out: LeftOut,
    /// Refused cells; their rows are not in the ledger.
    pub refusals: Vec<Refusal>,
    /// Rows that have a refused cell.
    pub refused_rows: usize,
    /// Totals that the bill states.
    pub stated: Vec<Stated>,
    /// Columns that the layout does not know.
    pub unknown_columns: Vec<String>,
    /// What a user should know of the file.
    pub notes: Vec<String>,
}

impl Bill {
    /// Its lines' places in the ledger.
    pub fn span(&self) -> Range<usize> {
        self.first_line..self.first_line + self.lines
    }
}

/// Reads a claimed table into the ledger.
///
/// A large text is read in as many parts as the machine has processors; what comes out is the same
/// as from one. Refused cells are collected in the bill: the caller decides whether to go on without their
/// rows.
///
/// # Errors
/// If the file cannot be read, or a layout cannot be made ready for its header.
pub fn read(table: &Table, claim: &Claim, given: Given<'_>, lines: &mut Lines) -> Result<Bill> {
    read_in_parts(table, claim, given, lines, parts::worth_it(table))
}

/// Reads a claimed table as [`read`] does, in as many parts at once, if it can be cut.
///
/// # Errors
/// As [`read`].
pub fn read_in_parts(table: &Table, claim: &Claim, given: Given<'_>, lines: &mut Lines, parts: usize) -> Result<Bill> {
    let said = says::beside(table, claim)?;
    let start = |lines: &mut Lines| reader(table, claim, given, &said, lines);
    let mut read = match parts::read(table, claim, parts, &start, lines) {
        Some(read) => read,
        None => start(lines)?.read(table.rows(claim.delimiter)?, lines)?,
    };
    total::check(&read.remarks, &mut read.bill, lines);
    says::check(&said, claim.layout(), &read.remarks, &mut read.bill, lines);
    Ok(read.bill)
}

/// A reader of a table's rows, none of them read.
fn reader<'a>(
    table: &Table,
    claim: &'a Claim,
    given: Given<'a>,
    said: &[Said],
    lines: &mut Lines,
) -> Result<Reader<'a>> {
    let layout = claim.layout();
    let wrong =
        |e: Message| Error::new(Kind::Platform, message!("layout {}: {e}", claim.name())).at(table.origin.clone());
    let mut told = given.of(&claim.platform.name, &table.origin.file);
    let platform = told.zoned(claim);
    let plan = Plan::new(&platform, layout, &claim.header, (said, &table.origin.file)).map_err(wrong)?;
    if let Some(twice) = plan.repeated.first() {
        return Err(Error::new(Kind::Format, message!("has the column \"{twice}\" twice"))
            .at(table.origin.at(claim.row))
            .hint("remove the copy, or export the bill again: kashi does not guess which one counts"));
    }
    if told.several && !plan.names(Target::Text(TextColumn::Account)) {
        let hint = message!(
            "say in kashi.toml which one it is: add its file to that entry: files = [\"{}\"]",
            table.origin.file
        );
        let several = message!("names no account, and kashi.toml names several of {}", claim.platform.name);
        return Err(Error::new(Kind::Input, several).at(table.origin.clone()).hint(hint));
    }
    told.months = Zone::parse(&claim.platform.zone);
    told.currency = told.currency.or_else(|| claim.platform.currency.clone());
    let bill = Bill {
        origin: table.origin.clone(),
        platform: claim.platform.name.clone(),
        layout: claim.name(),
        encoding: table.encoding,
        rows: 0,
        lines: 0,
        parts: 0,
        first_line: lines.len(),
        left_out: LeftOut::new(),
        refusals: Vec::new(),
        refused_rows: 0,
        stated: Vec::new(),
        unknown_columns: plan.unknown.clone(),
        notes: table.notes.clone(),
    };
    let converter = Converter::new(plan, table.origin.clone(), told, (layout.priced, given.prices), lines);
    Ok(Reader::new(bill, converter, claim))
}
