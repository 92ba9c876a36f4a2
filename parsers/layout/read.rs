//! A claimed table becomes lines, and every row is accounted for.

use rust_decimal::Decimal;

use super::adapters;
use super::convert::{Converter, value};
use super::draft::{Draft, Drafts};
use super::given::Given;
use super::identify::Claim;
use super::plan::{Plan, Target};
use super::reason::{LeftOut, Reason};
use super::says;
use crate::error::{Error, Kind, Origin, Refusal, Result};
use crate::ledger::money::{self, blank};
use crate::ledger::{Lines, MoneyColumn, TextColumn};
use crate::open::{Record, Table};

/// A total that the bill itself states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Where.
    pub origin: Origin,
    /// The amount.
    pub amount: Decimal,
}

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

/// Reads a claimed table into the ledger.
///
/// Refused cells are collected in the bill: the caller decides whether to go on without their rows.
///
/// # Errors
/// If the file cannot be read, or a layout cannot be made ready for its header.
pub fn read(table: &Table, claim: &Claim, given: Given<'_>, lines: &mut Lines) -> Result<Bill> {
    let layout = claim.layout();
    let wrong =
        |e: String| Error::new(Kind::Platform, format!("layout {}: {e}", claim.name())).at(table.origin.clone());
    let said = says::beside(table, claim)?;
    let mut told = given.of(&claim.platform.name, &table.origin.file);
    let platform = told.zoned(claim);
    let plan = Plan::new(&platform, layout, &claim.header, (&said, &table.origin.file)).map_err(wrong)?;
    if let Some(twice) = plan.repeated.first() {
        return Err(Error::new(Kind::Format, format!("has the column \"{twice}\" twice"))
            .at(table.origin.at(claim.row))
            .hint("remove the copy, or export the bill again: kashi does not guess which one counts"));
    }
    if told.several && !plan.names(Target::Text(TextColumn::Account)) {
        let hint = format!(
            "say in kashi.toml which one it is: add its file to that entry: files = [\"{}\"]",
            table.origin.file
        );
        let message = format!("names no account, and kashi.toml names several of {}", claim.platform.name);
        return Err(Error::new(Kind::Input, message).at(table.origin.clone()).hint(hint));
    }
    told.currency = told.currency.or_else(|| claim.platform.currency.clone());
    let mut reader = Reader {
        bill: Bill {
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
        },
        converter: Converter::new(plan, table.origin.clone(), told, (layout.priced, given.prices), lines),
        claim,
    };
    reader.read(table, lines)?;
    let Reader { mut bill, converter, .. } = reader;
    says::check(&said, layout, &converter, &mut bill);
    Ok(bill)
}

struct Reader<'a> {
    bill: Bill,
    converter: Converter<'a>,
    claim: &'a Claim,
}

impl Reader<'_> {
    fn read(&mut self, table: &Table, lines: &mut Lines) -> Result<()> {
        let adapter = self.claim.layout().adapter.as_deref().and_then(adapters::adapter);
        let file = lines.code(&table.origin.file);
        let sheet = table.origin.sheet.as_deref().map(|s| lines.code(s));
        let platform = lines.code(&self.claim.platform.name);
        // A guess at the number of rows from the length of the header keeps big bills from
        // copying their columns while they grow.
        let width: usize = self.claim.header.names.iter().map(|n| n.len() + 1).sum();
        lines.expect(lines.len() + usize::try_from(table.size()).unwrap_or(0) / width.max(16) / 2);
        let mut drafts = Drafts::new(lines, adapter);
        let mut rows = table.rows(self.claim.delimiter)?;
        let mut record = Record::new();
        // Only the first cell and those that the layout reads are looked at in most rows.
        record.want(self.converter.plan.places().chain([0]));
        let mut last = 0;
        while let Some(row) = rows.next(&mut record)? {
            if row > last + 1 {
                self.leave_out(Reason::Blank, (row - last - 1) as usize);
            }
            last = row;
            if let Some(reason) = self.left_out(&mut record, row) {
                self.leave_out(reason, 1);
                continue;
            }
            self.bill.rows += 1;
            let wide = record.len() != self.claim.header.names.len();
            if (wide || rows.is_cut_off()) && self.ragged(&mut record, row, rows.is_cut_off()) {
                continue;
            }
            let mut draft = Draft::new(row);
            draft.set_text(crate::ledger::TextColumn::File, Some(file));
            draft.set_text(crate::ledger::TextColumn::Sheet, sheet);
            draft.set_text(crate::ledger::TextColumn::Platform, Some(platform));
            self.take(&record, draft, &mut drafts);
        }
        let refused = drafts.finish();
        self.bill.refused_rows += refused.len();
        self.bill.refusals = std::mem::take(&mut self.converter.refusals);
        self.bill.refusals.extend(refused);
        self.bill.lines = lines.len() - self.bill.first_line;
        Ok(())
    }

    /// Makes the lines of a row.
    fn take(&mut self, record: &Record, mut draft: Draft, drafts: &mut Drafts<'_>) {
        if self.converter.plan.parts.is_empty() {
            match self.converter.convert(record, &mut draft, drafts.lines) {
                true => drafts.push(&draft),
                false => self.bill.refused_rows += 1,
            }
            return;
        }
        match self.converter.split(record, draft, drafts.lines) {
            Some(split) => {
                self.bill.parts += split.len().saturating_sub(1);
                split.iter().for_each(|draft| drafts.push(draft));
            }
            None => self.bill.refused_rows += 1,
        }
    }

    fn leave_out(&mut self, reason: Reason, rows: usize) {
        *self.bill.left_out.entry(reason).or_default() += rows;
        self.bill.rows += rows;
    }

    fn left_out(&mut self, record: &mut Record, row: u32) -> Option<Reason> {
        if row < self.claim.row {
            return Some(Reason::Title);
        }
        if row == self.claim.row {
            return Some(Reason::Header);
        }
        let first = record.iter().next().unwrap_or_default();
        if first.is_empty() || first.iter().all(u8::is_ascii_whitespace) {
            record.whole();
            let filled = record.iter().find(|c| !String::from_utf8_lossy(c).trim_matches(blank).is_empty());
            let Some(filled) = filled else { return Some(Reason::Blank) };
            return self.total(filled, record, row);
        }
        let again = first == self.claim.header.names[0].as_bytes();
        if again && self.is_header(record) {
            return Some(Reason::Header);
        }
        self.total(record.get(0).unwrap_or_default(), record, row)
    }

    fn is_header(&self, record: &mut Record) -> bool {
        record.whole();
        record.iter().zip(&self.claim.header.names).all(|(cell, name)| cell == name.as_bytes())
    }

    /// A row that begins as totals do states the amount in the column of the cost.
    fn total(&mut self, first: &[u8], record: &Record, row: u32) -> Option<Reason> {
        let layout = self.claim.layout();
        if layout.total.is_empty() {
            return None;
        }
        // Most rows are none, and their first byte says so.
        let start = first.trim_ascii_start().first();
        let may = |t: &String| start.is_some_and(|b| !b.is_ascii() || t.as_bytes().first() == Some(b));
        if !layout.total.iter().any(may) {
            return None;
        }
        let text = String::from_utf8_lossy(first);
        let text = text.trim_matches(blank);
        if !layout.total.iter().any(|t| text.starts_with(t.as_str())) {
            return None;
        }
        // A charge whose first cell begins like a total still says what kind of charge it is.
        let kind = self.converter.plan.place_of(Target::Text(TextColumn::Kind)).and_then(|p| record.get(p));
        if kind.is_some_and(|kind| kind != first && value(&String::from_utf8_lossy(kind)).is_some()) {
            return None;
        }
        let cell = self.converter.plan.place_of(Target::Money(MoneyColumn::Cost)).and_then(|p| record.get(p));
        if let Some(cell) = cell {
            let cell = String::from_utf8_lossy(cell);
            let amount = value(&cell)
                .and_then(|t| money::parse(t, self.converter.plan.separators).ok())
                .and_then(money::to_decimal);
            if let Some(amount) = amount {
                self.bill.stated.push(Stated { origin: self.bill.origin.at(row), amount });
            }
        }
        Some(Reason::Total)
    }

    /// Refuses a row whose cells cannot be told apart; extra empty cells at its end are harmless.
    fn ragged(&mut self, record: &mut Record, row: u32, cut_off: bool) -> bool {
        record.whole();
        let width = self.claim.header.names.len();
        if !cut_off && record.len() > width && record.iter().skip(width).all(<[u8]>::is_empty) {
            return false;
        }
        let tall = cut_off || record.iter().any(|c| c.iter().filter(|b| **b == b'\n').count() > 8);
        self.converter.refusals.push(Refusal {
            origin: self.bill.origin.at(row),
            column: String::new(),
            value: match cut_off {
                true => "a row whose last cell is cut off".to_owned(),
                false => format!("a row of {} cells", record.len()),
            },
            expected: match cut_off {
                true => "the quote that closes it".to_owned(),
                false => format!("{width} cells, as in the header (row {})", self.claim.row),
            },
            hint: Some(
                if tall {
                    "a quoted cell that opens in this row is not closed; if the download was cut off here, export it again"
                } else {
                    "a cell with a comma may lack its quotes, or the download was cut off here; export it again"
                }
                .to_owned(),
            ),
        });
        self.bill.refused_rows += 1;
        true
    }
}
