//! Which words name which ledger column.

mod amounts;
mod texts;
mod times;

use super::lexicon::{Word, Word::*};
use super::names::Name;

/// What a ledger column is filled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Text,
    Money,
    Time,
}

/// A ledger column and the headers that name it.
#[derive(Debug)]
pub(super) struct Want {
    /// The ledger column.
    pub(super) ledger: &'static str,
    /// What its values are.
    pub(super) sort: Sort,
    /// Words that must all be there, and how well they name it, of 100.
    names: &'static [(&'static [Word], i32)],
    /// Words that must not be there.
    never: &'static [Word],
}

/// What each known word beyond those wanted, and each unknown one, takes off.
const BEYOND: i32 = 6;
const UNKNOWN: i32 = 4;
/// What a word before the last slash or point takes off, if it is not wanted.
const PATH: i32 = 1;

impl Want {
    /// Whether a header names something else.
    pub(super) fn forbids(&self, name: &Name) -> bool {
        // `resourceTags/user:team` is a tag, whatever it is called.
        let is_tag = name.before.contains(&Tags) && self.never.contains(&Tags);
        // `优惠金额` is taken off, `优惠后金额` is what is left.
        let is_off = self.ledger == "cost" && name.has(Discount) && !name.has(After);
        // An id of a line or of an order is no resource.
        let own = name.has(Resource) || name.has(Instance);
        let other = [Line, Bill, Voucher, Discount, Transaction, Payable, Cost].iter().any(|w| name.has(*w));
        let is_other = self.ledger == "resource" && other && !own;
        is_tag || is_off || is_other || self.never.iter().any(|word| name.has(*word))
    }

    /// How well a header names this column, of 100; 0 if it does not.
    pub(super) fn score(&self, name: &Name) -> i32 {
        if self.forbids(name) {
            return 0;
        }
        let fits = self.names.iter().filter(|(words, _)| words.iter().all(|w| name.has_anywhere(*w)));
        fits.map(|(words, score)| score - beyond(name, words)).max().unwrap_or_default().max(0)
    }
}

fn beyond(name: &Name, wanted: &[Word]) -> i32 {
    let mut beyond: Vec<Word> = name.words.iter().copied().filter(|w| !wanted.contains(w) && *w != Filler).collect();
    beyond.sort_unstable();
    beyond.dedup();
    let mut path: Vec<Word> = name.before.iter().copied().filter(|w| !wanted.contains(w) && *w != Filler).collect();
    path.dedup();
    let path = PATH * path.len().min(2) as i32;
    let (beyond, unknown) = (beyond.len().min(4) as i32, name.unknown.min(4) as i32);
    BEYOND * beyond + UNKNOWN * unknown + path
}

/// The ledger column of a name.
pub(super) fn want(ledger: &str) -> Option<&'static Want> {
    wants().find(|w| w.ledger == ledger)
}

/// Every ledger column that a bill's column may become: money first, then when, what and whom.
pub(super) fn wants() -> impl Iterator<Item = &'static Want> {
    amounts::WANTS.iter().chain(times::WANTS).chain(texts::WANTS)
}
