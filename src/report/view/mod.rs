//! The report as people read it: every figure rounded for show, every word in one language.
//!
//! It is made from [`v1::Report`] alone, so that a mail written from `report.json` says exactly
//! what the terminal said. The renderers only arrange it.

mod converted;
mod finding;
mod money;
mod silence;
mod tables;

use serde::Serialize;

pub use finding::Finding;
pub use money::Money;
pub use silence::{Open, Silence, Silenced};
pub use tables::{Bill, Change, Changes, Share, Shares, Usage};

use super::v1;
use crate::text::{Lang, Words};

/// Everything that a renderer shows, in the order in which it is shown.
#[derive(Debug, Serialize)]
pub struct View {
    /// The words between the figures.
    pub w: &'static Words,
    /// `2026-10`.
    pub period: String,
    /// The report's id.
    pub id: String,
    /// A time to print.
    pub generated_at: Option<String>,
    /// A warning that rows were refused.
    pub quarantined: Option<String>,
    /// What was paid and what can be saved, by currency.
    pub money: Vec<Money>,
    /// The totals in one currency, with the rates, as a sentence.
    pub converted: Option<String>,
    /// How many findings there are, even if a mail shows fewer.
    pub found: usize,
    /// The largest amount first.
    pub findings: Vec<Finding>,
    /// This month and the next, by currency; empty if nothing can be saved.
    pub changes: Vec<Changes>,
    /// Costs by category, by currency.
    pub shares: Vec<Shares>,
    /// The bills.
    pub bills: Vec<Bill>,
    /// The utilization exports.
    pub usage: Vec<Usage>,
    /// What is not said above.
    pub silence: Silence,
}

impl View {
    /// Arranges a report in its own language.
    pub fn new(report: &v1::Report) -> Self {
        let lang = if report.lang == Lang::Zh.as_str() { Lang::Zh } else { Lang::En };
        let w = lang.words();
        Self {
            w,
            period: report.period.clone(),
            id: report.id.clone(),
            generated_at: report.generated_at.clone(),
            quarantined: (report.quarantined > 0).then(|| fill(w.quarantined, &[("n", &report.quarantined)])),
            money: money::by_currency(report, w),
            converted: converted::sentence(report, w),
            found: report.findings.len(),
            findings: report.findings.iter().enumerate().map(|(at, f)| Finding::new(at + 1, f, lang)).collect(),
            changes: tables::changes(report, lang),
            shares: tables::shares(report, lang),
            bills: tables::bills(report, lang),
            usage: tables::usage(report, lang),
            silence: Silence::new(report, lang),
        }
    }
}

/// Fills `{name}` in one of our own sentences.
pub fn fill(sentence: &str, values: &[(&str, &dyn std::fmt::Display)]) -> String {
    values
        .iter()
        .fold(sentence.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), &value.to_string()))
}

/// A platform's title, or its name if it is not one of the shipped.
fn platform(name: &str, lang: Lang) -> String {
    let shipped = kashi_parsers::layout::shipped().ok().and_then(|all| all.get(name));
    shipped
        .map_or(name, |p| match lang {
            Lang::En => &p.title.en,
            Lang::Zh => &p.title.zh,
        })
        .to_owned()
}

/// The ledger's spelling of a category in words.
fn category(word: &str, lang: Lang) -> String {
    kashi_parsers::ledger::Category::from_word(word).map_or(word, |c| lang.words().category_of(c)).to_owned()
}

/// An amount of the report, to compute with.
fn decimal(text: &str) -> rust_decimal::Decimal {
    text.parse().unwrap_or_default()
}
