//! The texts of a ledger, each held once.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// A text as the ledger stores it: an index into the shared dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub(super) u32);

impl Code {
    /// The mark of a missing text; no text has it.
    pub(crate) const NONE: Self = Self(u32::MAX);
}

/// Texts one behind the other, found by their bytes.
///
/// A bill of millions of rows asks for a few texts a row. Two places in memory are touched for
/// one: its slot, which has the hash so that growing reads no text, and the text itself.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    text: String,
    ends: Vec<usize>,
    slots: HashTable<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    code: u32,
}

impl Dictionary {
    /// The code of a text, new if it was not met before; `None` if the bytes are no UTF-8.
    #[inline]
    pub(super) fn code(&mut self, bytes: &[u8]) -> Option<Code> {
        let hash = hash(bytes);
        match self.find(hash, bytes) {
            Some(code) => Some(code),
            None => self.add(hash, std::str::from_utf8(bytes).ok()?),
        }
    }

    #[inline]
    fn find(&self, hash: u64, bytes: &[u8]) -> Option<Code> {
        let same = |slot: &Slot| slot.hash == hash as u32 && self.bytes(slot.code) == bytes;
        self.slots.find(hash, same).map(|slot| Code(slot.code))
    }

    #[cold]
    fn add(&mut self, hash: u64, text: &str) -> Option<Code> {
        let code = u32::try_from(self.ends.len()).ok()?;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.slots.insert_unique(hash, Slot { hash: hash as u32, code }, |slot| spread(slot.hash));
        Some(Code(code))
    }

    /// The text of a code.
    #[inline]
    pub(super) fn word(&self, code: u32) -> Option<&str> {
        let code = code as usize;
        let start = if code == 0 { 0 } else { *self.ends.get(code - 1)? };
        self.text.get(start..*self.ends.get(code)?)
    }

    #[inline]
    fn bytes(&self, code: u32) -> &[u8] {
        let code = code as usize;
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.text.as_bytes()[start..self.ends[code]]
    }

    /// The texts in the order of their codes.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).filter_map(|code| self.word(code))
    }
}

/// All that a slot remembers of a hash, so that it can be put into a larger table.
#[inline]
fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    spread(hasher.finish() as u32)
}

/// The table takes its slot from the low and its tag from the high bits.
#[inline]
const fn spread(hash: u32) -> u64 {
    (hash as u64) << 32 | hash as u64
}
