//! A large table is read in parts at once, and comes out as if it had been read in one go.
//!
//! Where a part begins is a guess; that the part before it ends with a row is the proof. If one
//! does not, or anything else is amiss, nothing is kept and the table is read from its start.

use std::ops::Range;
use std::thread;

use super::identify::Claim;
use super::read::Reason;
use super::reader::{Read, Reader};
use crate::error::Result;
use crate::ledger::Lines;
use crate::open::Table;

/// Bytes below which a part is not worth a thread.
const LEAST: u64 = 4 << 20;

/// How many parts a table is worth on this machine.
pub(super) fn worth_it(table: &Table) -> usize {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    threads.min(usize::try_from(table.size() / LEAST).unwrap_or(usize::MAX))
}

/// Reads a table in parts; `None` if it cannot be, and then nothing is written.
pub(super) fn read<'a>(
    table: &Table,
    claim: &Claim,
    parts: usize,
    start: &(impl Fn(&mut Lines) -> Result<Reader<'a>> + Sync),
    lines: &mut Lines,
) -> Option<Read> {
    // An adapter sees the bill as a whole.
    if parts < 2 || claim.layout().adapter.is_some() {
        return None;
    }
    let parts = table.cut(claim.delimiter, claim.header.names.len(), parts);
    if parts.len() < 2 {
        return None;
    }
    let part = |part: Range<u64>| {
        let mut lines = Lines::new();
        let reader = start(&mut lines)?.in_part();
        let reader = if part.start == 0 { reader } else { reader.below_header() };
        let read = reader.read(table.part(claim.delimiter, part)?, &mut lines)?;
        Ok::<_, crate::Error>((read, lines))
    };
    let read: Vec<_> = thread::scope(|scope| {
        let part = &part;
        let threads: Vec<_> =
            parts.iter().skip(1).cloned().map(|range| scope.spawn(move || part(range).ok())).collect();
        let first = parts.first().and_then(|range| part(range.clone()).ok());
        std::iter::once(first).chain(threads.into_iter().map(|thread| thread.join().ok().flatten())).collect()
    });
    let read: Vec<(Read, Lines)> = read.into_iter().collect::<Option<_>>()?;
    if read.iter().any(|(read, _)| read.undecided) {
        return None;
    }
    let (_, before) = read.split_last()?;
    let whole = before.iter().all(|(read, _)| !read.cut_off) && before.first()?.0.passed > claim.row;
    if whole { joined(read, lines) } else { None }
}

/// Puts parts one behind the other.
fn joined(parts: Vec<(Read, Lines)>, lines: &mut Lines) -> Option<Read> {
    let first_line = lines.len();
    let mut parts = parts.into_iter();
    let (mut whole, part) = parts.next()?;
    lines.append(part, 0);
    for (read, part) in parts {
        lines.append(part, whole.passed);
        whole.follow(read);
    }
    whole.bill.first_line = first_line;
    whole.bill.lines = lines.len() - first_line;
    Some(whole)
}

impl Read {
    /// Adds what became of the rows that follow.
    fn follow(&mut self, mut next: Self) {
        let rows = self.passed;
        let (bill, more) = (&mut self.bill, &mut next.bill);
        if next.last > 0 {
            // Blank lines count where a row follows.
            let blank = (rows - self.last) as usize;
            if blank > 0 {
                *bill.left_out.entry(Reason::Blank).or_default() += blank;
                bill.rows += blank;
            }
            self.last = rows + next.last;
        }
        more.refusals.iter_mut().for_each(|refusal| refusal.origin.row += rows);
        more.stated.iter_mut().for_each(|stated| stated.origin.row += rows);
        bill.rows += more.rows;
        bill.parts += more.parts;
        bill.refused_rows += more.refused_rows;
        more.left_out.iter().for_each(|(reason, rows)| *bill.left_out.entry(*reason).or_default() += rows);
        bill.refusals.append(&mut more.refusals);
        bill.stated.append(&mut more.stated);
        self.remarks.rounded.extend(next.remarks.rounded.iter().map(|row| rows + row));
        self.remarks.uneven.extend(next.remarks.uneven.iter().map(|row| rows + row));
        self.remarks.unpacked.extend(next.remarks.unpacked.iter().map(|row| rows + row));
        next.remarks.marked.iter_mut().for_each(|total| total.row += rows);
        self.remarks.marked.append(&mut next.remarks.marked);
        self.remarks.unclear.extend(next.remarks.unclear.into_iter().map(|(row, text)| (rows + row, text)));
        self.passed += next.passed;
        self.cut_off = next.cut_off;
    }
}
