//! Version 1 of the JSON report: a format of its own, apart from what kashi uses inside.
//!
//! Amounts are strings with every digit, rows are 1-based, times are RFC 3339 in UTC.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The report.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Report {
    pub version: u32,
    pub id: String,
    pub period: String,
    pub zone: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub generated_at: Option<String>,
    pub lang: String,
    pub inputs: Vec<Input>,
    pub usage: Vec<UsageInput>,
    pub totals: Vec<Total>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub converted: Option<Converted>,
    pub findings: Vec<Finding>,
    pub net: Vec<Net>,
    pub before_after: Vec<BeforeAfter>,
    pub silenced: Vec<Silenced>,
    pub undetermined: Vec<Undetermined>,
    pub skipped: Vec<Skipped>,
    pub quarantined: usize,
    pub untied_devices: Vec<String>,
}

/// A bill.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Input {
    pub file: String,
    pub sheet: Option<String>,
    pub sha256: String,
    pub platform: String,
    pub layout: String,
    pub rows: usize,
    pub lines: usize,
    pub left_out: BTreeMap<String, usize>,
    pub refused: usize,
    pub currency: String,
    pub lines_total: String,
    pub stated_total: Option<String>,
    pub unknown_columns: Vec<String>,
    pub notes: Vec<String>,
}

/// A utilization export.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct UsageInput {
    pub file: String,
    pub format: String,
    pub samples: u64,
    pub devices: usize,
    pub notes: Vec<String>,
}

/// What was paid for, in one currency.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Total {
    pub currency: String,
    pub cost: String,
    pub by_category: BTreeMap<String, String>,
    pub card_hours: String,
    pub idle_card_hours: String,
}

/// The totals in one currency; `cost` is null where a rate is missing.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Converted {
    pub currency: String,
    pub cost: Option<String>,
    pub rates: Vec<Rate>,
    pub missing: Vec<String>,
}

/// A rate that was used: one unit of `from` in units of `to`.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Rate {
    pub from: String,
    pub to: String,
    pub date: String,
    pub rate: String,
}

/// A finding.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Finding {
    pub id: String,
    pub rule: String,
    pub code: String,
    pub severity: String,
    pub certainty: String,
    pub status: String,
    pub platform: String,
    pub account: Option<String>,
    pub resource: Option<String>,
    pub period: Option<Period>,
    pub amount: Option<Amount>,
    pub net: String,
    pub sentence: String,
    pub action: String,
    pub evidence: Vec<Evidence>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recommendation: Option<Recommendation>,
}

/// From, inclusive, to, exclusive.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Period {
    pub start: String,
    pub end: String,
}

/// Money, and what can be done about it.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Amount {
    pub value: String,
    pub currency: String,
    pub kind: String,
}

/// A row that proves a finding.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Evidence {
    pub file: String,
    pub sheet: Option<String>,
    pub row: u32,
}

/// What to take instead.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Recommendation {
    pub card: String,
    pub cards: u32,
    pub cost: String,
}

/// What can be saved in one currency, each money counted once.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Net {
    pub currency: String,
    pub recoverable: String,
    pub avoidable: String,
    pub at_risk: String,
}

/// One row of the table of this month and the next; `category` is null in a total.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct BeforeAfter {
    pub currency: String,
    pub platform: String,
    pub category: Option<String>,
    pub before: String,
    pub after: String,
}

/// A finding that the user accepts.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Silenced {
    #[serde(flatten)]
    pub finding: Finding,
    pub reason: String,
}

/// What could not be said, and why.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Undetermined {
    pub rule: String,
    pub resource: Option<String>,
    pub reason: String,
}

/// A rule that did not run.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[allow(missing_docs)]
pub struct Skipped {
    pub rule: String,
    pub lacks: String,
}
