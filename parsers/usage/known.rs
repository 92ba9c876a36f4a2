//! A card of a log, and the text that every line of it repeats.

use super::columns::{Columns, Field};
use super::line::Parsed;

/// A card of a log.
pub(super) struct Known {
    pub(super) key: Vec<u8>,
    host: Vec<u8>,
    pub(super) place: usize,
    /// By column: the text from there on that is the same in every line, and its columns. Empty
    /// where no such text begins, and everywhere if it would not tell the card for certain.
    pub(super) runs: Vec<(Vec<u8>, usize)>,
    /// How many such texts a line has.
    pub(super) count: usize,
    /// The last cell of its first sample.
    pub(super) last: Vec<u8>,
}

impl Known {
    /// Learns a card from its first line.
    pub(super) fn new(parsed: &Parsed<'_>, place: usize, line: &[u8], columns: &Columns) -> Self {
        let last = line.rsplit(|b| *b == b',').next().unwrap_or_default().trim_ascii_start().to_vec();
        let runs = runs(line, columns).unwrap_or_default();
        let count = runs.iter().filter(|(_, columns)| *columns > 0).count();
        let host = parsed.host.unwrap_or_default().to_vec();
        Self { key: parsed.key.to_vec(), host, place, runs, count, last }
    }

    /// Whether a line is of this card: an index is only unique on its machine.
    pub(super) fn is(&self, parsed: &Parsed<'_>) -> bool {
        self.key == parsed.key && (parsed.by == Field::Uuid || self.host == parsed.host.unwrap_or_default())
    }
}

/// The texts between the numbers; `None` if a cell that tells cards apart is not within one.
fn runs(line: &[u8], columns: &Columns) -> Option<Vec<(Vec<u8>, usize)>> {
    let mut runs = vec![(Vec::new(), 0); columns.all.len()];
    let mut begin = None;
    let mut rest = line;
    for (at, column) in columns.all.iter().enumerate() {
        if !is_text(column.field) {
            begin = None;
        }
        let Some(end) = memchr::memchr(b',', rest) else {
            return (!is_text(column.field) || column.field == Field::Name).then_some(runs);
        };
        if is_text(column.field) {
            let first = *begin.get_or_insert(at);
            let cell = &rest[..=end];
            // The blanks before the first cell are skipped before a text is looked for.
            let cell = if first == at { cell.trim_ascii_start() } else { cell };
            let (text, columns) = runs.get_mut(first)?;
            text.extend_from_slice(cell);
            *columns += 1;
        }
        rest = &rest[end + 1..];
    }
    Some(runs)
}

fn is_text(field: Field) -> bool {
    matches!(field, Field::Uuid | Field::Bus | Field::Index | Field::Name | Field::Host)
}
