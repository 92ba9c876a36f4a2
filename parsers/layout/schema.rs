//! The platform file: what a TOML file may say of a platform and of its exports.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A text in both languages.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Title {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

/// How well a fact is known.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Seen in a real file or in the vendor's own documentation.
    Confirmed,
    /// Reported by somebody who saw it.
    SecondHand,
    /// Concluded from other facts.
    Inferred,
}

impl Mark {
    /// The spelling in a platform file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::SecondHand => "second-hand",
            Self::Inferred => "inferred",
        }
    }
}

/// A fact of a platform's billing, with where it is from.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// The fact.
    pub value: String,
    /// Where it is from.
    pub source: String,
    /// How well it is known.
    pub mark: Mark,
}

/// What the audit must know of a platform's billing; an absent fact is unknown.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// Whether the card of a stopped instance is charged: `yes`, `no` or `option`.
    pub stopped_gpu_bills: Option<Fact>,
    /// Whether its disks are: `yes` or `no`.
    pub stopped_disk_bills: Option<Fact>,
    /// Whether its public address is: `yes` or `no`.
    pub stopped_ip_bills: Option<Fact>,
    /// The shortest time that is charged: `second`, `minute`, `hour` or `day`.
    pub grain: Option<Fact>,
    /// Whether what is left of a balance is given back: `yes` or `no`.
    pub balance_refundable: Option<Fact>,
    /// Images up to this many GB are free.
    pub image_free_gb: Option<Fact>,
    /// Price of images beyond, `0.01 CNY/GB-day`.
    pub image_price: Option<Fact>,
    /// Snapshots up to this many GB are free.
    pub snapshot_free_gb: Option<Fact>,
    /// Price of snapshots beyond.
    pub snapshot_price: Option<Fact>,
    /// File storage up to this many GB is free.
    pub storage_free_gb: Option<Fact>,
    /// Price of storage beyond.
    pub storage_price: Option<Fact>,
    /// Disk up to this many GB is free.
    pub disk_free_gb: Option<Fact>,
    /// Price of disk beyond.
    pub disk_price: Option<Fact>,
    /// What an early return of a package costs.
    pub early_return: Option<Fact>,
    /// Days after which a stopped instance is released.
    pub release_after_stopped_days: Option<Fact>,
}

impl Policy {
    /// These facts, and where one is unknown, that of another.
    pub(super) fn or(self, other: &Self) -> Self {
        let either = |ours: Option<Fact>, theirs: &Option<Fact>| ours.or_else(|| theirs.clone());
        Self {
            stopped_gpu_bills: either(self.stopped_gpu_bills, &other.stopped_gpu_bills),
            stopped_disk_bills: either(self.stopped_disk_bills, &other.stopped_disk_bills),
            stopped_ip_bills: either(self.stopped_ip_bills, &other.stopped_ip_bills),
            grain: either(self.grain, &other.grain),
            balance_refundable: either(self.balance_refundable, &other.balance_refundable),
            image_free_gb: either(self.image_free_gb, &other.image_free_gb),
            image_price: either(self.image_price, &other.image_price),
            snapshot_free_gb: either(self.snapshot_free_gb, &other.snapshot_free_gb),
            snapshot_price: either(self.snapshot_price, &other.snapshot_price),
            storage_free_gb: either(self.storage_free_gb, &other.storage_free_gb),
            storage_price: either(self.storage_price, &other.storage_price),
            disk_free_gb: either(self.disk_free_gb, &other.disk_free_gb),
            disk_price: either(self.disk_price, &other.disk_price),
            early_return: either(self.early_return, &other.early_return),
            release_after_stopped_days: either(self.release_after_stopped_days, &other.release_after_stopped_days),
        }
    }
}

/// A platform and the exports that are known of it.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Its name, the same as the file's.
    pub name: String,
    /// Its title for people.
    pub title: Title,
    /// The zone of its bills: an offset or an IANA name.
    pub zone: String,
    /// ISO 4217, for bills that name none.
    pub currency: Option<String>,
    /// How it bills.
    pub policy: Policy,
    /// The exports that are known of it.
    pub layouts: Vec<Layout>,
}

impl Platform {
    /// Whether only its billing is known and none of its exports: a bill must be mapped first.
    pub fn is_profile(&self) -> bool {
        self.layouts.is_empty()
    }
}

/// One export: how to tell it, and how its columns become ledger columns.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Its name within the platform.
    pub name: String,
    /// Its title for people.
    pub title: Title,
    /// How well its columns are known.
    pub mark: Mark,
    /// Where they are known from.
    pub source: String,
    /// How numbers are grouped.
    #[serde(default)]
    pub thousands: Thousands,
    /// Headers that must not be there.
    #[serde(default)]
    pub without: Vec<String>,
    /// A Rust adapter for what the verbs cannot say.
    pub adapter: Option<String>,
    /// Known columns that the ledger has no use for; a trailing `*` stands for any rest.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// Beginnings of rows that state a total.
    #[serde(default)]
    pub total: Vec<String>,
    /// Where each ledger column comes from.
    pub columns: BTreeMap<String, Sources>,
}

/// How a layout groups digits.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Thousands {
    /// Not at all.
    #[default]
    None,
    /// `1,234.56`.
    Comma,
    /// `1.234,56`.
    Point,
}

/// One source, or several tried in order.
#[derive(Clone, Debug)]
pub struct Sources(pub Vec<Source>);

/// Where a value comes from, and how it is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Source {
    /// The column's name and its aliases.
    pub column: Names,
    /// The column may be missing from the header.
    pub optional: bool,
    /// Time formats.
    pub format: Names,
    /// The zone of the times, if not the platform's.
    pub zone: Option<String>,
    /// Exact cell texts and what they mean.
    pub is: BTreeMap<String, String>,
    /// Regular expressions and what they mean, in order.
    pub matches: Vec<(String, String)>,
    /// A regular expression whose first group is the value.
    pub pattern: Option<String>,
    /// A constant.
    pub value: Option<String>,
    /// A look-up in the catalogue.
    pub via: Option<Via>,
    /// The sign is turned.
    pub negate: bool,
    /// The number is divided by this.
    pub divide: Option<u32>,
}

/// Look-ups in the catalogue.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// An instance type of this platform gives the card and its number.
    Instance,
    /// A card's name or alias in a text.
    Card,
}

/// One name or a list of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match OneOrMany::deserialize(deserializer)? {
            OneOrMany::One(name) => vec![name],
            OneOrMany::Many(names) => names,
        }))
    }
}

impl<'de> Deserialize<'de> for Sources {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SourcesVisitor)
    }
}

/// Tells a column's bare name, one source and a list apart without losing the position of an
/// error, as an untagged enum would.
struct SourcesVisitor;

impl<'de> serde::de::Visitor<'de> for SourcesVisitor {
    type Value = Sources;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a column's name, a source such as { column = \"…\" }, or a list of sources")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Sources, E> {
        Ok(Sources(vec![Source { column: Names(vec![name.to_owned()]), ..Source::default() }]))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Sources, A::Error> {
        Source::deserialize(serde::de::value::MapAccessDeserializer::new(map)).map(|s| Sources(vec![s]))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Sources, A::Error> {
        let mut sources = Vec::new();
        while let Some(source) = seq.next_element::<Source>()? {
            sources.push(source);
        }
        Ok(Sources(sources))
    }
}
