//! The headers that the known layouts teach.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Platforms, fold};
use super::lexicon::Word;
use super::names::Name;

/// What a header fills: by ledger column, the platforms that say so, each with its layout.
type Lessons = BTreeMap<String, BTreeMap<String, String>>;

/// Headers of known layouts and the ledger columns that they fill there.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// By the folded header.
    whole: BTreeMap<String, Lessons>,
    /// By its last part, without brackets.
    part: BTreeMap<String, Lessons>,
    /// Headers that a layout has no use for.
    unused: BTreeSet<String>,
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
        let teaches = |name: &str| name != "ledger" && !without.contains(&name);
        for platform in platforms.iter().filter(|p| teaches(&p.name)) {
            for layout in &platform.layouts {
                let said = format!("{}/{}", platform.name, layout.name);
                for (ledger, sources) in &layout.columns {
                    // A part of a cell says nothing of its header.
                    for source in sources.0.iter().filter(|s| s.pattern.is_none() && s.via.is_none()) {
                        for name in &source.column.0 {
                            vocabulary.teach(name, ledger, &platform.name, &said);
                        }
                    }
                }
                for name in layout.ignore.iter().filter(|n| !n.ends_with('*')) {
                    vocabulary.unused.insert(fold(name));
                }
            }
        }
        vocabulary
    }

    fn teach(&mut self, name: &str, ledger: &str, platform: &str, layout: &str) {
        let names = [(fold(name), &mut self.whole), (last_part(name), &mut self.part)];
        for (name, known) in names {
            let said = known.entry(name).or_default().entry(ledger.to_owned()).or_default();
            said.entry(platform.to_owned()).or_insert_with(|| layout.to_owned());
        }
    }

    pub(super) fn lesson(&self, header: &str, ledger: &str) -> Lesson {
        let (whole, part) = (fold(header), last_part(header));
        if let Some(layout) = self.whole.get(&whole).and_then(|l| taught(l, ledger)) {
            return Lesson::Same(layout);
        }
        // `id` and `description` behind a point say nothing without what stands before it.
        if !is_bare(&part)
            && let Some(layout) = self.part.get(&part).and_then(|l| taught(l, ledger))
        {
            return Lesson::Alike(layout);
        }
        if self.unused.contains(&whole) {
            return Lesson::Unused;
        }
        if self.whole.contains_key(&whole) { Lesson::Other } else { Lesson::Nothing }
    }
}

/// The layout that says it, unless more platforms say something else.
fn taught(lessons: &Lessons, ledger: &str) -> Option<String> {
    let said = lessons.get(ledger)?;
    let most = lessons.values().map(BTreeMap::len).max()?;
    if said.len() < most { None } else { said.values().next().cloned() }
}

/// Whether a name is a word that any column may end in.
fn is_bare(name: &str) -> bool {
    let words = Name::read(name).words;
    name.is_ascii() && words.len() < 2
        || words.iter().all(|w| matches!(w, Word::Id | Word::Name | Word::Description | Word::Type | Word::Amount))
}

/// The last part of a header, without brackets: `应付金额` of `应付信息/应付金额（含税）`.
fn last_part(header: &str) -> String {
    let folded = fold(header);
    let plain = folded.split(['(', '[']).next().unwrap_or_default().trim();
    plain.rsplit(['/', '.', ':']).next().unwrap_or_default().trim().replace(' ', "")
}
