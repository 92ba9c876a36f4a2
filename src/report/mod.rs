//! The report: what an audit says, in both languages, before it takes a form.

mod columns;
pub mod csv;
pub mod html;
pub mod json;
pub mod markdown;
mod money;
pub mod places;
mod rows;
pub mod text;
pub mod v1;
pub mod view;
pub mod xlsx;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use kashi_parsers::Origin;
use kashi_parsers::ledger::Category;
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::message;
use kashi_rules::{Amount, Certainty, Net, Recommendation, Severity};
use rust_decimal::Decimal;

pub use money::{amount, exact, grouped};

use crate::converted::Converted;
use crate::text::Lang;

/// A text in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Both {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl Both {
    /// The text in a language.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Zh => &self.zh,
        }
    }
}

/// Everything that an audit says.
#[derive(Clone, Debug)]
pub struct Report {
    /// The same for the same inputs and settings.
    pub id: String,
    /// The month, `2026-10`.
    pub period: String,
    /// The zone that times are shown in.
    pub zone: Zone,
    /// A time to print, if the user gave one.
    pub generated_at: Option<String>,
    /// The bills.
    pub inputs: Vec<Input>,
    /// The utilization exports.
    pub usage: Vec<UsageInput>,
    /// What was paid for, by currency.
    pub totals: Vec<Total>,
    /// The same in one currency, if the user asks for it.
    pub converted: Option<Converted>,
    /// What stands, the largest amount first.
    pub findings: Vec<Entry>,
    /// What the user accepts.
    pub ignored: Vec<(Entry, String)>,
    /// What can be saved, each money counted once.
    pub net: Vec<Net>,
    /// This month, and the next one if every saving is made.
    pub before_after: Vec<BeforeAfter>,
    /// What could not be said: rule, resource, reason.
    pub undetermined: Vec<Open>,
    /// Rules that did not run, and what they lack.
    pub skipped: Vec<(&'static str, String)>,
    /// Cells whose rows are not in the ledger.
    pub quarantined: usize,
    /// Devices that no billed resource claims.
    pub untied: Vec<String>,
}

/// A bill.
#[derive(Clone, Debug)]
pub struct Input {
    /// File and sheet.
    pub origin: Origin,
    /// Of the file's bytes.
    pub sha256: String,
    /// The platform's name.
    pub platform: String,
    /// `platform/layout`.
    pub layout: String,
    /// Rows read.
    pub rows: usize,
    /// Lines made of them.
    pub lines: usize,
    /// Rows left out, by reason.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Rows refused.
    pub refused: usize,
    /// What the lines add up to, and what is stated, by currency.
    pub sums: Vec<(String, Decimal, Option<Decimal>)>,
    /// Columns that the layout does not know.
    pub unknown_columns: Vec<String>,
    /// What a user should know of it.
    pub notes: Vec<String>,
}

/// A utilization export.
#[derive(Clone, Debug)]
pub struct UsageInput {
    /// The file.
    pub file: String,
    /// What it was taken for.
    pub format: String,
    /// Samples read.
    pub samples: u64,
    /// Devices found in it.
    pub devices: usize,
    /// What a user should know of it.
    pub notes: Vec<String>,
}

/// What was paid for, in one currency.
#[derive(Clone, Debug)]
pub struct Total {
    /// ISO 4217.
    pub currency: String,
    /// Exact.
    pub cost: Decimal,
    /// Exact, by category.
    pub by_category: BTreeMap<Category, Decimal>,
    /// Card-hours billed, and of these observed idle.
    pub card_hours: Decimal,
    /// Of these, observed with no card working.
    pub idle_hours: Decimal,
}

/// A finding, ready to be read.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The same on every run over the same input.
    pub id: String,
    /// The rule's name.
    pub rule: &'static str,
    /// Its alias.
    pub code: String,
    /// How much it matters.
    pub severity: Severity,
    /// How sure it is.
    pub certainty: Certainty,
    /// The platform.
    pub platform: String,
    /// The account.
    pub account: Option<String>,
    /// What it is about.
    pub resource: Option<String>,
    /// When.
    pub period: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// The money.
    pub amount: Option<Amount>,
    /// What it adds to the net.
    pub net: Decimal,
    /// What is wrong.
    pub sentence: Both,
    /// What to do.
    pub action: Both,
    /// The rows that prove it.
    pub evidence: Vec<Origin>,
    /// What to take instead.
    pub recommendation: Option<Recommendation>,
}

/// One row of the table of this month and the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeforeAfter {
    /// ISO 4217.
    pub currency: String,
    /// The platform; empty in a total.
    pub platform: String,
    /// What was charged for; `None` in a total.
    pub category: Option<Category>,
    /// This month's cost.
    pub before: Decimal,
    /// The same without what can be saved.
    pub after: Decimal,
}

/// Something that could not be said.
#[derive(Clone, Debug)]
pub struct Open {
    /// The rule's name.
    pub rule: &'static str,
    /// What it is about.
    pub resource: Option<String>,
    /// Why.
    pub reason: Both,
}

/// Writes the whole set of reports into a folder.
///
/// # Errors
/// If the folder cannot be made or written to.
pub fn write_set(report: &Report, folder: &Path, lang: Lang) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| message!("{}: cannot be made", folder.display()))?;
    let write = |name: &str, text: &[u8]| crate::write_whole(&folder.join(name), text);
    write("report.txt", text::render(report, lang, false).as_bytes())?;
    write("report.json", json::render(report, lang)?.as_bytes())?;
    write("findings.csv", &[crate::MARK, &csv::render(report, lang)?].concat())?;
    write("report.md", markdown::render(report, lang).as_bytes())?;
    write("report.html", html::render(report, lang)?.as_bytes())
}
