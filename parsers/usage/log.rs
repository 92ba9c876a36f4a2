//! What became of a log.

use std::collections::BTreeMap;

use super::events::Event;

/// Texts of lines that are told apart in what is reported.
const TEXTS: usize = 8;

/// What became of a log.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) samples: u64,
    /// Whether its times carry no zone.
    pub(super) local: bool,
    pub(super) left_out: BTreeMap<String, u64>,
    pub(super) notes: Vec<String>,
    /// Devices of hours that were rolled up already.
    pub(super) rolled: Vec<String>,
    /// What it tells of besides samples.
    pub(super) events: Vec<Event>,
}

impl Log {
    /// Counts what is left out; only so many texts are told apart.
    pub(super) fn leave(&mut self, why: &str) {
        let known = self.left_out.contains_key(why) || self.left_out.len() < TEXTS;
        *self.left_out.entry(if known { why } else { "other lines that are no sample" }.to_owned()).or_default() += 1;
    }
}
