//! What a file says that no card can show: it counts as unknown, and is counted.

use super::sample::Left;

/// How often a file says what no card can show, and where first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Doubts {
    values: Count,
    loads: Count,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    times: u64,
    /// The first row; 0 where an export has none.
    row: u32,
}

impl Count {
    fn add(&mut self, times: u64, row: u32) {
        if self.times == 0 {
            self.row = row;
        }
        self.times += times;
    }
}

impl Doubts {
    /// Counts what was left out of the sample in a row.
    #[inline]
    pub(super) fn add(&mut self, left: Left, row: u32) {
        if left != Left::default() {
            self.values.add(left.values, row);
            self.loads.add(u64::from(left.load), row);
        }
    }

    /// What a user should know of it.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let Count { times, row } = self.values;
        // Two sentences, not one with an end that may be missing: each is translated as a whole.
        if times > 0 && row > 0 {
            notes.push(format!("{times} values are none that a card can have (a utilization over 100 %, a number below zero or beyond any card, another unit); they count as unknown, the first stands in row {row}"));
        } else if times > 0 {
            notes.push(format!("{times} values are none that a card can have (a utilization over 100 %, a number below zero or beyond any card, another unit); they count as unknown"));
        }
        let Count { times, row } = self.loads;
        if times > 0 {
            notes.push(format!("{times} samples show a card at work without any of its memory in use; their utilization counts as unknown, the first stands in row {row}"));
        }
        notes
    }
}
