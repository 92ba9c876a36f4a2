//! The rows of a table, one after the other: what each is, and the lines it makes.

use super::adapters;
use super::convert::{Converter, value};
use super::draft::{Draft, Drafts};
use super::identify::Claim;
use super::plan::Target;
use super::read::{Bill, Reason, Stated};
use super::says::Remarks;
use crate::error::{Refusal, Result};
use crate::ledger::money::{self, blank};
use crate::ledger::{Lines, MoneyColumn, TextColumn};
use crate::open::{Record, Rows};

/// Reads the rows of a table, or of a part of one.
pub(super) struct Reader<'a> {
    bill: Bill,
    converter: Converter<'a>,
    claim: &'a Claim,
    /// The header's row; 0 in a part that comes after it.
    header: u32,
}

/// What became of the rows.
pub(super) struct Read {
    pub(super) bill: Bill,
    pub(super) remarks: Remarks,
    /// The row read last; 0 if there was none.
    pub(super) last: u32,
    /// Rows, and blank lines behind the last.
    pub(super) passed: u32,
    /// Whether the last row has a quoted cell that does not end.
    pub(super) cut_off: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bill: Bill, converter: Converter<'a>, claim: &'a Claim) -> Self {
        Self { bill, converter, claim, header: claim.row }
    }

    /// Takes every row for one below the header.
    pub(super) fn below_header(self) -> Self {
        Self { header: 0, ..self }
    }

    pub(super) fn read(mut self, mut rows: Rows, lines: &mut Lines) -> Result<Read> {
        let adapter = self.claim.layout().adapter.as_deref().and_then(adapters::adapter);
        let mut blank = Draft::new(0);
        blank.set_text(TextColumn::File, Some(lines.code(&self.bill.origin.file)));
        blank.set_text(TextColumn::Sheet, self.bill.origin.sheet.as_deref().map(|s| lines.code(s)));
        blank.set_text(TextColumn::Platform, Some(lines.code(&self.claim.platform.name)));
        let mut drafts = Drafts::new(lines, adapter);
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
            let mut draft = blank.clone();
            draft.row = row;
            self.take(&record, draft, &mut drafts);
        }
        let refused = drafts.finish();
        let (mut bill, converter) = (self.bill, self.converter);
        bill.refused_rows += refused.len();
        bill.refusals = converter.refusals;
        bill.refusals.extend(refused);
        bill.lines = lines.len() - bill.first_line;
        let separators = converter.plan.separators;
        let remarks = Remarks { separators, rounded: converter.rounded, uneven: converter.uneven };
        Ok(Read { bill, remarks, last, passed: rows.passed(), cut_off: rows.is_cut_off() })
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
        if row < self.header {
            return Some(Reason::Title);
        }
        if row == self.header {
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
                true => message!("a row whose last cell is cut off").into(),
                false => message!("a row of {} cells", record.len()).into(),
            },
            expected: match cut_off {
                true => message!("the quote that closes it"),
                false => message!("{width} cells, as in the header (row {})", self.claim.row),
            },
            hint: Some(
                if tall {
                    "a quoted cell that opens in this row is not closed; if the download was cut off here, export it again"
                } else {
                    "a cell with a comma may lack its quotes, or the download was cut off here; export it again"
                }
                .into(),
            ),
        });
        self.bill.refused_rows += 1;
        true
    }
}
