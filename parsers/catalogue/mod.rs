//! Knows the cards that rentals bill, and which instance types hold them.
//!
//! `cards.toml` lists the cards, `instances/<provider>.toml` the instance types of a provider.
//! Both are embedded; every figure keeps a [`Mark`] that says how it is known.
//!
//! A text that fits several cards is decided, always the same way: the memory and the form
//! (`80GB`, `SXM`, `PCIe`) that stand in the text choose first; then the cards that carry the
//! name as an id or alias; then the order of `cards.toml`, where the card that a bare name
//! usually means stands first (`A100` is the 40 GB SXM card: sellers always name the 80 GB).

mod card;
mod count;
mod instance;
mod phrase;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::error::{Error, Kind, Result};

pub use card::{Card, Form, Link, LinkKind, Mark};
pub use count::count_in;
pub use instance::{InstanceType, Instances, instance, instances, lists, named_instances};

const CARDS: &str = include_str!("cards.toml");

/// Every card with the ways it is called.
#[derive(Debug)]
pub(crate) struct Catalogue {
    cards: Vec<Card>,
    /// Folded ids, aliases and printed names, to positions in `cards`.
    keys: FxHashMap<String, Vec<usize>>,
    /// Folded names as nvidia-smi and its like print them.
    names: FxHashMap<String, Vec<usize>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    card: Vec<Card>,
}

/// Lists every card, siblings of one model together, the most common of them first.
pub fn cards() -> &'static [Card] {
    load().map_or(&[], |catalogue| &catalogue.cards)
}

/// Says whether the embedded catalogue is sound, and if not, where not.
///
/// The other functions of this module answer "unknown card" on a broken catalogue, so that a
/// bill can still be read; the tests call this.
pub fn check() -> Result<()> {
    load()?;
    instance::check()
}

/// Finds the card that an id or an alias means.
///
/// Case, blanks, `-`, `_` and the words NVIDIA, GeForce and Tesla do not matter. The whole text
/// must be the name; [`find_in`] looks inside a text.
pub fn card(id_or_alias: &str) -> Option<&'static Card> {
    let catalogue = load().ok()?;
    if let Some(card) = catalogue.cards.iter().find(|card| card.id == id_or_alias) {
        return Some(card);
    }
    let words = phrase::words(id_or_alias);
    let candidates = catalogue.keys.get(&phrase::key(&words))?;
    catalogue.decide(candidates, &words, 0)
}

/// Lists the cards that print a name, as nvidia-smi, DCGM or npu-smi writes it.
///
/// With the memory in MiB only the cards that have it are given (a rebuilt 48 GB 4090 prints the
/// name of the 24 GB card). Where none of them has it, all are given: the name is known and the
/// memory is wrong. A slice of a card (vGPU, MIG) is no card and gives nothing.
pub fn named(printed: &str, memory_mib: Option<u32>) -> Vec<&'static Card> {
    let Ok(catalogue) = load() else { return Vec::new() };
    let key = phrase::key(&phrase::words(printed));
    let Some(found) = catalogue.names.get(&key).or_else(|| catalogue.keys.get(&key)) else { return Vec::new() };
    let all: Vec<&Card> = found.iter().filter_map(|&at| catalogue.cards.get(at)).collect();
    let Some(mib) = memory_mib else { return all };
    let fitting: Vec<&Card> = all.iter().copied().filter(|card| card.has_memory(mib)).collect();
    if fitting.is_empty() { all } else { fitting }
}

/// Finds the card that a free text such as a SKU speaks of: the longest alias in it.
///
/// An alias counts only as whole words, so `T4` is not found in `t4g.xlarge`. Names that also mean
/// other things (`4090`, `P4`, `A2`) count only where the text speaks of cards.
pub fn find_in(text: &str) -> Option<&'static Card> {
    let catalogue = load().ok()?;
    let words = phrase::words(text);
    let (first, candidates) = phrase::longest(&words, text, &catalogue.keys)?;
    catalogue.decide(candidates, &words, first)
}

impl Catalogue {
    /// Chooses among the siblings of the candidates by what the text says around word `first`.
    fn decide(&self, candidates: &[usize], words: &[phrase::Word], first: usize) -> Option<&Card> {
        let model = self.cards.get(*candidates.first()?)?.model.as_deref();
        let mut fitting: Vec<usize> = match model {
            None => candidates.to_vec(),
            Some(_) => (0..self.cards.len()).filter(|&at| self.cards[at].model.as_deref() == model).collect(),
        };
        let memory = phrase::memories(words, first)
            .into_iter()
            .find(|&gb| fitting.iter().any(|&at| self.cards[at].vram_gb == gb));
        if let Some(gb) = memory {
            fitting.retain(|&at| self.cards[at].vram_gb == gb);
        }
        if let Some(form) = phrase::form(words)
            && fitting.iter().any(|&at| self.cards[at].form == Some(form))
        {
            fitting.retain(|&at| self.cards[at].form == Some(form));
        }
        let best = fitting.iter().find(|at| candidates.contains(at)).or_else(|| fitting.first());
        self.cards.get(*best?)
    }
}

/// Parses the embedded cards once.
fn load() -> Result<&'static Catalogue> {
    static CATALOGUE: OnceLock<Result<Catalogue>> = OnceLock::new();
    CATALOGUE.get_or_init(|| parse(CARDS)).as_ref().map_err(Clone::clone)
}

/// Builds the catalogue and its indexes, refusing an id that stands twice.
fn parse(text: &str) -> Result<Catalogue> {
    let file: File = toml::from_str(text).map_err(|e| Error::new(Kind::Platform, message!("cards.toml: {e}")))?;
    let mut keys: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    let mut names: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (at, card) in file.card.iter().enumerate() {
        if file.card[..at].iter().any(|other| other.id == card.id) {
            return Err(Error::new(Kind::Platform, message!("cards.toml: card {} stands twice", card.id)));
        }
        if card.memory_mib.is_empty() {
            return Err(Error::new(Kind::Platform, message!("cards.toml: card {} has no memory_mib", card.id)));
        }
        for name in &card.names {
            add(&mut names, name, at);
        }
        for text in std::iter::once(&card.id).chain(&card.aliases).chain(&card.names).chain(&card.model) {
            add(&mut keys, text, at);
        }
    }
    Ok(Catalogue { cards: file.card, keys, names })
}

fn add(index: &mut FxHashMap<String, Vec<usize>>, text: &str, at: usize) {
    let places = index.entry(phrase::key(&phrase::words(text))).or_default();
    if !places.contains(&at) {
        places.push(at);
    }
}
