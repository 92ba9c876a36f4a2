//! A finding as people read it.

use kashi_rules::{AmountKind, Certainty, Severity};
use serde::Serialize;

use super::{decimal, fill, platform};
use crate::report::places::places;
use crate::report::{amount, v1};
use crate::text::Lang;

/// Stretches of rows that are shown of one finding; the JSON report has every row.
const MOST_PLACES: usize = 12;

/// A finding, its amounts rounded for show.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// Its place in the list, from 1.
    pub number: usize,
    /// The same on every run over the same input.
    pub id: String,
    /// The rule's name.
    pub rule: String,
    /// Its alias.
    pub code: String,
    /// `info`, `warning` or `critical`, in words.
    pub severity: String,
    /// The same as the JSON report spells it.
    pub severity_key: String,
    /// In words.
    pub certainty: String,
    /// The platform's title.
    pub platform: String,
    /// The account.
    pub account: Option<String>,
    /// What it is about.
    pub resource: Option<String>,
    /// With the currency; `None` where no money is claimed.
    pub amount: Option<String>,
    /// `recoverable`, `avoidable` or `at risk`, in words.
    pub kind: String,
    /// The same as the JSON report spells it.
    pub kind_key: String,
    /// What it adds to the net, said where that is not its whole amount.
    pub adds: Option<String>,
    /// What is wrong.
    pub sentence: String,
    /// What to do.
    pub action: String,
    /// The rows that prove it, `bills/x.csv:17-19`.
    pub evidence: Vec<String>,
    /// That there are more.
    pub more: Option<String>,
    /// What to take instead.
    pub instead: Option<String>,
}

impl Finding {
    pub(super) fn new(number: usize, finding: &v1::Finding, lang: Lang) -> Self {
        let w = lang.words();
        let (evidence, more) =
            places(finding.evidence.iter().map(|e| (e.file.as_str(), e.sheet.as_deref(), e.row)), MOST_PLACES);
        let money = finding.amount.as_ref();
        let kind = money.and_then(|a| AmountKind::from_word(&a.kind));
        Self {
            number,
            id: finding.id.clone(),
            rule: finding.rule.clone(),
            code: finding.code.clone(),
            severity: Severity::from_word(&finding.severity).map_or("", |s| w.severity_of(s)).to_owned(),
            severity_key: finding.severity.clone(),
            certainty: Certainty::from_word(&finding.certainty).map_or("", |c| w.certainty_of(c)).to_owned(),
            platform: platform(&finding.platform, lang),
            account: finding.account.clone(),
            resource: finding.resource.clone(),
            amount: money.map(|a| format!("{} {}", amount(decimal(&a.value)), a.currency)),
            kind: kind.map_or("", |k| w.kind_of(k)).to_owned(),
            kind_key: money.map(|a| a.kind.clone()).unwrap_or_default(),
            adds: money.and_then(|a| adds(a, &finding.net, lang)),
            sentence: finding.sentence.clone(),
            action: finding.action.clone(),
            evidence,
            more: (more > 0).then(|| fill(w.and_more, &[("n", &more)])),
            instead: finding.recommendation.as_ref().map(|r| instead(r, money)),
        }
    }
}

/// What a finding adds to the net, where it shows a difference.
fn adds(money: &v1::Amount, net: &str, lang: Lang) -> Option<String> {
    let (whole, net) = (amount(decimal(&money.value)), decimal(net));
    if amount(net) == whole {
        None
    } else if net.is_zero() {
        Some(lang.words().adds_nothing.to_owned())
    } else {
        Some(fill(lang.words().adds, &[("net", &format!("{} {}", amount(net), money.currency))]))
    }
}

/// `2 × RTX 4090, 6,000.00 CNY`.
fn instead(recommendation: &v1::Recommendation, money: Option<&v1::Amount>) -> String {
    let title = kashi_parsers::catalogue::card(&recommendation.card).map_or(&*recommendation.card, |c| &c.title);
    let currency = money.map_or("", |a| &a.currency);
    format!("{} × {title}, {} {currency}", recommendation.cards, amount(decimal(&recommendation.cost)))
        .trim_end()
        .to_owned()
}
