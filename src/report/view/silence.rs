//! What is not said above, counted.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Serialize;

use super::{decimal, fill, tables};
use crate::report::{amount, v1};
use crate::text::Lang;

/// Everything that a reader of the findings does not see.
#[derive(Debug, Serialize)]
pub struct Silence {
    /// How many of each.
    pub counts: String,
    /// Amounts as found, before the netting: kind in words, amount with currency.
    pub by_kind: Vec<(String, String)>,
    /// What the user accepts.
    pub ignored: Vec<Silenced>,
    /// What could not be said.
    pub undetermined: Vec<Open>,
    /// Rules that did not run: name, what they lack.
    pub skipped: Vec<(String, String)>,
    /// Devices that no billed resource claims.
    pub untied: Vec<String>,
    /// Of files: name, what to know.
    pub notes: Vec<(String, String)>,
}

/// A finding that the user accepts.
#[derive(Debug, Serialize)]
pub struct Silenced {
    /// The rule's name.
    pub rule: String,
    /// What it is about.
    pub resource: Option<String>,
    /// With the currency.
    pub amount: Option<String>,
    /// Why.
    pub reason: String,
}

/// Something that could not be said, of one or more resources.
#[derive(Debug, Serialize)]
pub struct Open {
    /// The rule's name.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// What it is about.
    pub resources: Vec<String>,
}

impl Silence {
    pub(super) fn new(report: &v1::Report, lang: Lang) -> Self {
        let w = lang.words();
        Self {
            counts: fill(
                w.counts,
                &[
                    ("findings", &report.findings.len()),
                    ("ignored", &report.silenced.len()),
                    ("baseline", &0),
                    ("undetermined", &report.undetermined.len()),
                    ("skipped", &report.skipped.len()),
                ],
            ),
            by_kind: by_kind(report, lang),
            ignored: report.silenced.iter().map(silenced).collect(),
            undetermined: undetermined(report),
            skipped: report
                .skipped
                .iter()
                .map(|s| (s.rule.clone(), fill(w.lacks, &[("input", &w.lack_of(&s.lacks))])))
                .collect(),
            untied: report.untied_devices.clone(),
            notes: tables::notes(report, lang),
        }
    }
}

fn by_kind(report: &v1::Report, lang: Lang) -> Vec<(String, String)> {
    let mut sums: BTreeMap<(&str, &str), Decimal> = BTreeMap::new();
    for amount in report.findings.iter().filter_map(|f| f.amount.as_ref()) {
        *sums.entry((&amount.currency, &amount.kind)).or_default() += decimal(&amount.value);
    }
    let word = |kind: &str| {
        kashi_rules::AmountKind::from_word(kind).map_or_else(|| kind.to_owned(), |k| lang.words().kind_of(k).to_owned())
    };
    sums.into_iter().map(|((currency, kind), sum)| (word(kind), format!("{} {currency}", amount(sum)))).collect()
}

fn silenced(silenced: &v1::Silenced) -> Silenced {
    let finding = &silenced.finding;
    Silenced {
        rule: finding.rule.clone(),
        resource: finding.resource.clone(),
        amount: finding.amount.as_ref().map(|a| format!("{} {}", amount(decimal(&a.value)), a.currency)),
        reason: silenced.reason.clone(),
    }
}

/// The same reason for many resources is said once.
fn undetermined(report: &v1::Report) -> Vec<Open> {
    let mut all: Vec<Open> = Vec::new();
    for open in &report.undetermined {
        match all.iter_mut().find(|o| o.rule == open.rule && o.reason == open.reason) {
            Some(same) => same.resources.extend(open.resource.clone()),
            None => all.push(Open {
                rule: open.rule.clone(),
                reason: open.reason.clone(),
                resources: open.resource.iter().cloned().collect(),
            }),
        }
    }
    all
}
