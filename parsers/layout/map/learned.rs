//! The headers that the known layouts teach.

use std::collections::BTreeMap;

use super::super::{Platforms, fold};
use super::names::{Name, Word};

/// Headers of known layouts and the ledger columns that they fill there.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Folded header to ledger column and the layout that says so.
    whole: BTreeMap<String, BTreeMap<String, String>>,
    /// The same for the last part of a header without brackets.
    part: BTreeMap<String, BTreeMap<String, String>>,
    /// Headers that a layout has no use for.
    unused: BTreeMap<String, String>,
}

/// What the known layouts say of a header as the source of one ledger column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lesson {
    /// The same header fills it in that layout.
    Same(String),
    /// A header that ends in the same words does.
    Alike(String),
    /// It fills another column there.
    Other,
    /// No layout has a use for it.
    Unused,
    /// No layout has it.
    Nothing,
}

impl Vocabulary {
    /// Learns from every layout of the platforms, but for those named.
    pub fn learn(platforms: &Platforms, without: &[&str]) -> Self {
        let mut vocabulary = Self::default();
        // kashi's own export has the ledger's words: they are not the trade's.
        let taught = |name: &str| name != "ledger" && !without.contains(&name);
        for platform in platforms.iter().filter(|p| taught(&p.name)) {
            for layout in &platform.layouts {
                let said = format!("{}/{}", platform.name, layout.name);
                for (ledger, sources) in &layout.columns {
                    // A part of a cell says nothing of its header.
                    for source in sources.0.iter().filter(|s| s.pattern.is_none() && s.via.is_none()) {
                        for name in &source.column.0 {
                            vocabulary.teach(name, ledger, &said);
                        }
                    }
                }
                for name in layout.ignore.iter().filter(|n| !n.ends_with('*')) {
                    vocabulary.unused.entry(fold(name)).or_insert_with(|| said.clone());
                }
            }
        }
        vocabulary
    }

    fn teach(&mut self, name: &str, ledger: &str, layout: &str) {
        let names = [(fold(name), &mut self.whole), (last_part(name), &mut self.part)];
        // `id` and `description` behind a point say nothing without what stands before it.
        for (name, known) in names.into_iter().filter(|(name, _)| !is_bare(name)) {
            known.entry(name).or_default().entry(ledger.to_owned()).or_insert_with(|| layout.to_owned());
        }
    }

    pub(super) fn lesson(&self, header: &str, ledger: &str) -> Lesson {
        let (whole, part) = (fold(header), last_part(header));
        if let Some(layout) = self.whole.get(&whole).and_then(|l| l.get(ledger)) {
            return Lesson::Same(layout.clone());
        }
        if let Some(layout) = self.part.get(&part).and_then(|l| l.get(ledger)) {
            return Lesson::Alike(layout.clone());
        }
        if self.unused.contains_key(&whole) {
            return Lesson::Unused;
        }
        if self.whole.contains_key(&whole) { Lesson::Other } else { Lesson::Nothing }
    }
}

/// Whether a name is a word that any column may end in.
fn is_bare(name: &str) -> bool {
    let words = Name::read(name).words;
    words.len() == 1
        && words.iter().all(|w| matches!(w, Word::Id | Word::Name | Word::Description | Word::Type | Word::Amount))
}

/// The last part of a header, without brackets: `应付金额` of `应付信息/应付金额（含税）`.
fn last_part(header: &str) -> String {
    let folded = fold(header);
    let plain = folded.split(['(', '[']).next().unwrap_or_default().trim();
    plain.rsplit(['/', '.', ':']).next().unwrap_or_default().trim().replace(' ', "")
}
