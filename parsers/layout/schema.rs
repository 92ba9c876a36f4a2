//! The platform file: what a TOML file may say of a platform and of its exports.

use std::collections::BTreeMap;

use serde::Deserialize;

pub use super::part::{Part, Says};
pub use super::same::Same;
pub use super::sources::{Names, Sources};
pub use super::tax::Tax;

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
    /// Exports of the platform that state the same money and are preferred as the ledger.
    #[serde(default)]
    pub same_money_as: Vec<Same>,
    /// Exports of the platform that state other money, so that both are added up.
    #[serde(default)]
    pub other_money_than: Vec<String>,
    /// The export exists twice: as paid, and with commitments spread over the use that they cover.
    #[serde(default)]
    pub amortizes: bool,
    /// The export states quantities: a line without an amount costs what kashi.toml's `[[price]]` says.
    #[serde(default)]
    pub priced: bool,
    /// The names of the columns in their order, for an export that prints none.
    #[serde(default)]
    pub header: Vec<String>,
    /// Whether the amounts contain tax; absent: unknown.
    pub tax: Option<Tax>,
    /// Beginnings of rows that state a total, and cells that do; an empty list: no row states one.
    #[serde(default)]
    pub total: Option<Vec<String>>,
    /// Where each ledger column comes from.
    pub columns: BTreeMap<String, Sources>,
    /// The lines that one row makes, where it charges for several things.
    #[serde(default, rename = "part")]
    pub parts: Vec<Part>,
    /// What a JSON document says beside its records.
    #[serde(default)]
    pub document: Says,
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

/// Where a value comes from, and how it is read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Source {
    /// The column's name and its aliases; a `*` stands for the number of an element of a list.
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
    /// What is said beside the records: in JSON by its dotted path, in a table by the label in the
    /// first cell of a row above the header; the value is in the cell after it.
    pub document: Option<String>,
    /// A regular expression on the name of the file (and of the member of an archive), whose first
    /// group is the value.
    pub file: Option<String>,
    /// A column and a regular expression: the source counts only where the cell matches.
    pub when: Option<(String, String)>,
    /// A look-up in the catalogue.
    pub via: Option<Via>,
    /// The sign is turned.
    pub negate: bool,
    /// The number is divided by this.
    pub divide: Option<u32>,
    /// The time names the last day or second, which is charged too: the line ends as much later.
    pub through: Option<Through>,
    /// The service computes it in binary floating point: what it prints beyond the 18th decimal is
    /// noise, is rounded there and said so, and not refused as it would be elsewhere.
    pub float: bool,
    /// Every match of the pattern counts: the numbers are added up.
    pub every: bool,
    /// Further sources whose numbers are added: units and billionths, a price in two parts.
    pub add: Vec<Source>,
    /// Sources that the number is multiplied by, exactly: a price for each and how many there are.
    pub times: Vec<Source>,
    /// Beginnings of names (with a trailing `*`) of columns that hold one tag each.
    pub gather: Names,
}

/// What a time that names the end of something includes.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Through {
    /// The whole day that it names.
    Day,
    /// The second that it names: `23:59:59` is midnight.
    Second,
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
