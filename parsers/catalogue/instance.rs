//! Which cards an instance type holds, by provider: the same name means different cards at two.

use std::sync::OnceLock;

use rust_decimal::Decimal;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::card::Mark;
use super::count::share;
use crate::error::{Error, Kind, Result};
use crate::message::Message;

/// The embedded files, by provider.
const FILES: [(&str, &str); 6] = [
    ("alibaba", include_str!("instances/alibaba.toml")),
    ("aws", include_str!("instances/aws.toml")),
    ("azure", include_str!("instances/azure.toml")),
    ("gcp", include_str!("instances/gcp.toml")),
    ("huawei", include_str!("instances/huawei.toml")),
    ("tencent", include_str!("instances/tencent.toml")),
];

/// An instance type that holds cards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InstanceType {
    /// The provider, such as `alibaba`.
    pub provider: &'static str,
    /// The name, as the provider writes it.
    pub name: String,
    /// Id of the card; none where nothing is known but the memory.
    pub card: Option<&'static str>,
    /// How many cards; a share of one for a vGPU.
    pub cards: Decimal,
    /// Memory of one whole card in GB.
    pub vram_gb: u32,
    /// Processors.
    pub vcpu: Option<u32>,
    /// Main memory in GiB.
    pub ram_gib: Option<Decimal>,
    /// How the card is known.
    pub mark: Mark,
    /// What else should be known.
    pub note: Option<String>,
}

/// The instance types of one provider.
#[derive(Debug)]
pub struct Instances {
    /// The provider, such as `alibaba`.
    pub provider: String,
    /// Where the list comes from.
    pub source: String,
    /// The types, in the provider's order.
    pub types: Vec<InstanceType>,
    /// Folded names, to positions in `types`.
    keys: FxHashMap<String, usize>,
}

/// Lists the instance types of all providers.
pub fn instances() -> impl Iterator<Item = &'static Instances> {
    (0..FILES.len()).filter_map(|at| load(at).ok())
}

/// Whether the instance types of a provider are listed.
pub fn lists(provider: &str) -> bool {
    FILES.iter().any(|(known, _)| *known == provider)
}

/// Finds the instance type that a text is or contains, at this provider.
///
/// A name counts only as a whole: `p3.2xlarge` is not found in Huawei's `p3.2xlarge.8`, but is in
/// `USE1-BoxUsage:p3.2xlarge` and `p3.2xlarge-spot`.
pub fn instance(provider: &str, text: &str) -> Option<&'static InstanceType> {
    let at = FILES.iter().position(|(known, _)| known.eq_ignore_ascii_case(provider))?;
    load(at).ok()?.find(text)
}

/// Lists the instance types of this name at every provider that has it.
pub fn named_instances(text: &str) -> Vec<&'static InstanceType> {
    instances().filter_map(|all| all.find(text)).collect()
}

impl Instances {
    fn find(&self, text: &str) -> Option<&InstanceType> {
        // Azure prints `NC24ads A100 v4` on the bill for `Standard_NC24ads_A100_v4`.
        let folded = match self.provider.as_str() {
            "azure" => text.to_ascii_lowercase().replace(' ', "_"),
            _ => text.to_ascii_lowercase(),
        };
        let at = self.keys.get(folded.trim()).copied().or_else(|| {
            let tokens = folded.split(|c: char| !(c.is_ascii_alphanumeric() || ".-_*()".contains(c)));
            tokens.filter_map(|token| self.inside(token)).max_by_key(|&(length, _)| length).map(|(_, at)| at)
        });
        self.types.get(at?)
    }

    /// Finds the longest name inside a token that begins and ends where a name may.
    fn inside(&self, token: &str) -> Option<(usize, usize)> {
        let bytes = token.as_bytes();
        let is_joint = |at: usize| bytes.get(at).is_some_and(|b| b".-_*()".contains(b));
        let mut best: Option<(usize, usize)> = None;
        for start in (0..bytes.len()).filter(|&at| at == 0 || is_joint(at - 1)) {
            let ends =
                (start + 2..=bytes.len()).rev().filter(|&at| at == bytes.len() || is_joint(at) || is_joint(at - 1));
            for end in ends {
                let Some(name) = token.get(start..end) else { continue };
                let Some(&at) = self.keys.get(name) else { continue };
                // `p3.2xlarge` before `.8` is another type; a family before `.28xlarge` is this one.
                let goes_on = bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
                if !(goes_on && name.contains('.')) && best.is_none_or(|(length, _)| name.len() > length) {
                    best = Some((name.len(), at));
                }
            }
        }
        best
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    provider: String,
    source: String,
    types: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    card: Option<String>,
    cards: String,
    vram_gb: u32,
    vcpu: Option<u32>,
    ram_gib: Option<Decimal>,
    mark: Mark,
    note: Option<String>,
}

/// Says whether the embedded files are sound.
pub(super) fn check() -> Result<()> {
    (0..FILES.len()).try_for_each(|at| load(at).map(|_| ()))
}

/// Reads a provider's list where it is asked for: a bill needs those of one provider, if any.
fn load(at: usize) -> Result<&'static Instances> {
    static ALL: [OnceLock<Result<Instances>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    let (provider, text) = FILES[at];
    ALL[at].get_or_init(|| parse(provider, text)).as_ref().map_err(Clone::clone)
}

fn parse(provider: &'static str, text: &str) -> Result<Instances> {
    let file: File = toml::from_str(text).map_err(|e| Error::new(Kind::Platform, message!("instance types: {e}")))?;
    let wrong = |name: &str, what: &str| Error::new(Kind::Platform, message!("instance types: {name}: {what}"));
    if file.provider != provider {
        return Err(wrong(&file.provider, "is no provider"));
    }
    let mut types = Vec::with_capacity(file.types.len());
    let mut keys = FxHashMap::default();
    for (at, entry) in file.types.into_iter().enumerate() {
        let key = entry.name.to_ascii_lowercase();
        let short = key.strip_prefix("ecs.").or_else(|| key.strip_prefix("standard_")).unwrap_or(&key).to_owned();
        if keys.insert(key, at).is_some_and(|other| other != at)
            || keys.insert(short, at).is_some_and(|other| other != at)
        {
            return Err(wrong(&entry.name, "stands twice"));
        }
        types.push(entry.into_type(provider)?);
    }
    Ok(Instances { provider: file.provider, source: file.source, types, keys })
}

impl Entry {
    fn into_type(self, provider: &'static str) -> Result<InstanceType> {
        let wrong = |what: Message| Error::new(Kind::Platform, message!("instance types: {}: {what}", self.name));
        let card = match self.card.as_deref() {
            None => None,
            Some(id) => Some(
                super::cards()
                    .iter()
                    .find(|card| card.id == id)
                    .map(|card| card.id.as_str())
                    .ok_or_else(|| wrong(message!("there is no card {id}")))?,
            ),
        };
        let cards = share(&self.cards).ok_or_else(|| wrong(message!("cards = {:?} is no count", self.cards)))?;
        Ok(InstanceType {
            provider,
            name: self.name,
            card,
            cards,
            vram_gb: self.vram_gb,
            vcpu: self.vcpu,
            ram_gib: self.ram_gib,
            mark: self.mark,
            note: self.note,
        })
    }
}
