//! The rows of a table, one after the other: what each is, and the lines it makes.

use super::above::Above;
use super::adapters;
use super::convert::Converter;
use super::draft::{Draft, Drafts};
use super::identify::Claim;
use super::plan::Target;
use super::read::{Bill, Reason};
use super::says::Remarks;
use super::total::Marked;
use super::total_words::Words;
use crate::error::{Refusal, Result};
use crate::ledger::money::is_blank;
use crate::ledger::{Lines, MoneyColumn, TextColumn};
use crate::open::{Record, Rows};

/// Reads the rows of a table, or of a part of one.
pub(super) struct Reader<'a> {
    pub(super) bill: Bill,
    pub(super) converter: Converter<'a>,
    pub(super) claim: &'a Claim,
    /// Totals with the mark of a currency, as printed.
    pub(super) marked: Vec<Marked>,
    /// Rows that begin like a total and state none, and what they begin with.
    pub(super) unclear: Vec<(u32, String)>,
    /// The words that totals are told by.
    pub(super) words: Words,
    /// The charges read so far.
    pub(super) above: Above,
    /// Whether this is a part of a bill, whose other rows are not known.
    pub(super) part: bool,
    /// A row was met that only the rows above it tell from a charge.
    pub(super) undecided: bool,
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
    /// Whether reading stopped at a row that only the rows of the other parts tell from a charge.
    pub(super) undecided: bool,
}

/// A row that makes no line.
pub(super) enum Left {
    Out(Reason),
    Refused,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bill: Bill, converter: Converter<'a>, claim: &'a Claim) -> Self {
        Self {
            above: Above::new(if claim.layout().adapter.is_some() { 0 } else { bill.first_line }),
            words: Words::new(claim.layout().total.as_deref(), &converter.plan),
            part: false,
            undecided: false,
            bill,
            converter,
            claim,
            marked: Vec::new(),
            unclear: Vec::new(),
            header: claim.row,
        }
    }

    /// Takes the rows for a part of a bill.
    pub(super) fn in_part(self) -> Self {
        Self { part: true, ..self }
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
        // Only the first cell and those that the layout reads are looked at in most rows, and those that
        // nothing but texts follows from only where they are not as in a row before.
        let late: Vec<usize> = self.converter.plan.alike.places().collect();
        let at_once = self.converter.plan.places().chain([0]).filter(|place| !late.contains(place));
        record.want(at_once, late.iter().copied());
        let mut last = 0;
        while let Some(row) = rows.next_like(&mut record, &self.converter.plan.alike.expected())? {
            if row > last + 1 {
                self.leave_out(Reason::Blank, (row - last - 1) as usize);
            }
            last = row;
            match self.left_out(&mut record, row, &drafts) {
                Some(Left::Out(reason)) => {
                    self.leave_out(reason, 1);
                    continue;
                }
                Some(Left::Refused) => {
                    self.bill.rows += 1;
                    self.bill.refused_rows += 1;
                    continue;
                }
                None if self.undecided => break,
                None => {}
            }
            self.bill.rows += 1;
            let wide = record.len() != self.claim.header.names.len();
            if (wide || rows.is_cut_off()) && self.ragged(&mut record, row, rows.is_cut_off()) {
                continue;
            }
            let mut draft = blank.clone();
            draft.row = row;
            self.take(&mut record, draft, &mut drafts);
        }
        let refused = drafts.finish();
        let (mut bill, converter) = (self.bill, self.converter);
        bill.refused_rows += refused.len();
        bill.refusals = converter.refusals;
        bill.refusals.extend(refused);
        bill.lines = lines.len() - bill.first_line;
        let remarks = Remarks {
            separators: converter.plan.separators,
            cost: converter.plan.column_of(Target::Money(MoneyColumn::Cost)).to_owned(),
            rounded: converter.rounded,
            uneven: converter.uneven,
            unpacked: converter.unpacked,
            marked: self.marked,
            unclear: self.unclear,
        };
        let undecided = self.undecided;
        Ok(Read { bill, remarks, last, passed: rows.passed(), cut_off: rows.is_cut_off(), undecided })
    }

    /// Makes the lines of a row.
    fn take(&mut self, record: &mut Record, mut draft: Draft, drafts: &mut Drafts<'_>) {
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

    fn left_out(&mut self, record: &mut Record, row: u32, drafts: &Drafts<'_>) -> Option<Left> {
        if row < self.header {
            return Some(Left::Out(Reason::Title));
        }
        if row == self.header {
            return Some(Left::Out(Reason::Header));
        }
        let first = record.get(0).unwrap_or_default();
        if is_blank(first) {
            let mut cells = (1..record.len()).map(|at| (at, record.bare(at)));
            let filled = match cells.find(|(_, cell)| cell.is_none_or(|cell| !is_blank(cell))) {
                Some((_, None)) => {
                    record.whole();
                    record.iter().position(|cell| !is_blank(cell))
                }
                filled => filled.map(|(at, _)| at),
            };
            let Some(filled) = filled else {
                return Some(Left::Out(Reason::Blank));
            };
            return self.total(filled, record, row, drafts).or_else(|| self.total_behind(record, row, drafts));
        }
        let again = first == self.claim.header.names[0].as_bytes();
        if again && self.is_header(record) {
            return Some(Left::Out(Reason::Header));
        }
        self.total(0, record, row, drafts).or_else(|| self.total_behind(record, row, drafts))
    }

    fn is_header(&self, record: &mut Record) -> bool {
        record.whole();
        record.iter().zip(&self.claim.header.names).all(|(cell, name)| cell == name.as_bytes())
    }

    /// Refuses a row whose cells cannot be told apart; extra empty cells at its end are harmless.
    fn ragged(&mut self, record: &mut Record, row: u32, cut_off: bool) -> bool {
        record.whole();
        let width = self.claim.header.names.len();
        if !cut_off && record.len() > width && record.iter().skip(width).all(is_blank) {
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
                false if self.claim.row == 0 => message!("{width} cells, as in every row of this export"),
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
