//! What a workbook says before its sheets: where they begin, its texts, its formats.

use super::records::{Record, records, u32_at};
use super::{sheet, texts};
use crate::message::Message;

pub(super) const BEGIN: u16 = 0x0809;
pub(super) const END: u16 = 0x000a;

/// What is said before the sheets.
pub(super) struct Book<'a> {
    /// Where the sheets begin, as the list of them says.
    pub(super) sheets: Vec<usize>,
    /// The number of formats that cells may name.
    pub(super) formats: usize,
    /// The number of texts that cells may name, as stated; `None` if there is no list.
    pub(super) texts: Option<u32>,
    /// The list of texts, piece by piece.
    pieces: Vec<&'a [u8]>,
    /// The day from which days are counted is one of the two that there are.
    dated: bool,
    /// Where the first sheet begins, if what comes before it has an end.
    end: Option<usize>,
}

impl<'a> Book<'a> {
    pub(super) fn of(stream: &'a [u8]) -> Self {
        let (sheets, pieces) = (Vec::new(), Vec::new());
        let mut book = Self { sheets, formats: 0, texts: None, pieces, dated: true, end: None };
        let mut last = 0;
        for record in records(stream, 0) {
            match record.kind {
                0x0085 => book.sheets.extend(u32_at(record.data, 0).map(|begin| begin as usize)),
                0x00e0 => book.formats += 1,
                0x00fc => book.pieces = vec![record.data],
                0x003c if last == 0x00fc => book.pieces.push(record.data),
                0x0022 => book.dated = record.data.len() == 2 && record.short(0) <= 1,
                END => {
                    book.end = record.data.is_empty().then_some(record.end);
                    break;
                }
                _ => {}
            }
            if record.kind != 0x003c {
                last = record.kind;
            }
        }
        book.texts = book.pieces.first().and_then(|piece| u32_at(piece, 4));
        book
    }

    /// Holds the list of sheets against the sheets, and the number of texts against the texts.
    pub(super) fn check(&self, stream: &[u8]) -> Result<(), Message> {
        let opens = records(stream, 0).next().is_some_and(|first| begins(&first));
        let Some(end) = self.end.filter(|_| opens && self.dated && !self.sheets.is_empty()) else {
            return Err("what it says of itself has no beginning or no end".into());
        };
        let disagree = || Message::from("its list of sheets is not that of the sheets in it");
        let mut named = self.sheets.clone();
        named.sort_unstable();
        named.dedup();
        if named.len() != self.sheets.len() {
            return Err(disagree());
        }
        for begin in &self.sheets {
            if !records(stream, *begin).next().is_some_and(|first| begins(&first)) {
                return Err(disagree());
            }
        }
        let mut at = end;
        while let Some(first) = records(stream, at).next() {
            if !begins(&first) {
                if sheet::belongs(&first) {
                    return Err("a sheet ends before its cells do".into());
                }
                break;
            }
            if named.binary_search(&at).is_err() {
                return Err(disagree());
            }
            at = sheet::end(stream, at).ok_or("a sheet has no end")?;
        }
        match self.texts {
            Some(stated) if texts::count(&self.pieces) != Some(stated) => {
                Err(message!("its list of texts does not hold the {stated} that it says"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a record begins what is said of a workbook or a sheet, in a version that is known.
fn begins(record: &Record<'_>) -> bool {
    record.kind == BEGIN && record.data.len() >= 8 && matches!(record.short(0), 0x0500 | 0x0600)
}
