//! A card of a log.

use super::columns::{Columns, Field};
use super::form::Form;
use super::line::Parsed;

/// Lines that the form of a card's lines is learned from: the first may show no value, and a log
/// whose lines are never alike is not worth more.
const LESSONS: u8 = 8;

/// A card of a log.
pub(super) struct Known {
    pub(super) key: Vec<u8>,
    host: Vec<u8>,
    pub(super) place: usize,
    /// The form of its lines, if they have one.
    pub(super) form: Option<Form>,
    lessons: u8,
    /// The last cell of its first sample.
    pub(super) last: Vec<u8>,
}

impl Known {
    /// Learns a card from its first line.
    pub(super) fn new(parsed: &Parsed<'_>, place: usize, line: &[u8]) -> Self {
        let last = line.rsplit(|b| *b == b',').next().unwrap_or_default().trim_ascii_start().to_vec();
        let host = parsed.host.unwrap_or_default().to_vec();
        Self { key: parsed.key.to_vec(), host, place, form: None, lessons: 0, last }
    }

    /// Whether a line is of this card: an index is only unique on its machine.
    pub(super) fn is(&self, parsed: &Parsed<'_>) -> bool {
        self.key == parsed.key && (parsed.by == Field::Uuid || self.host == parsed.host.unwrap_or_default())
    }

    /// Learns the form of its lines from one of them.
    pub(super) fn learn(&mut self, line: &[u8], columns: &Columns) {
        if self.lessons < LESSONS && columns.dressed.is_none() {
            self.lessons += 1;
            self.form = Form::of(line, columns);
        }
    }
}
