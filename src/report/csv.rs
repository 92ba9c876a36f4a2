//! The findings as CSV, for a spreadsheet.

use anyhow::Result;

use super::places::places;
use super::{Report, json, v1};
use crate::guard::{formula, printable};
use crate::text::{Lang, Words};

/// Stretches of rows in one cell, which holds 32,767 characters at most.
const MOST_PLACES: usize = 200;

/// Renders the findings, one a row, amounts exact; without a byte-order mark.
///
/// # Errors
/// Never in practice: it is written to memory.
pub fn render(report: &Report, lang: Lang) -> Result<Vec<u8>> {
    of(&json::of(report, lang))
}

/// Renders the findings of a report that was read back.
///
/// # Errors
/// As [`render`].
pub fn of(report: &v1::Report) -> Result<Vec<u8>> {
    let lang = if report.lang == Lang::Zh.as_str() { Lang::Zh } else { Lang::En };
    let w = lang.words();
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(header(w))?;
    for finding in &report.findings {
        writer.write_record(row(finding, w).map(|cell| formula(&printable(&cell)).into_owned()))?;
    }
    Ok(writer.into_inner()?)
}

pub(crate) fn header(w: &Words) -> [&'static str; 19] {
    [
        w.id,
        w.rule,
        w.code,
        w.severity,
        w.certainty,
        w.platform,
        w.account,
        w.resource,
        w.start,
        w.end,
        w.amount,
        w.currency,
        w.kind,
        w.net,
        w.finding,
        w.action,
        w.instead,
        w.instead_cost,
        w.evidence,
    ]
}

pub(super) fn row(finding: &v1::Finding, w: &Words) -> [String; 19] {
    use kashi_rules::{AmountKind, Certainty, Severity};
    let owned = |text: &Option<String>| text.clone().unwrap_or_default();
    let money = finding.amount.as_ref();
    let instead = finding.recommendation.as_ref();
    let (evidence, more) =
        places(finding.evidence.iter().map(|e| (e.file.as_str(), e.sheet.as_deref(), e.row)), MOST_PLACES);
    let mut evidence = evidence.join("; ");
    if more > 0 {
        evidence = format!("{evidence}; {}", super::view::fill(w.and_more, &[("n", &more)]));
    }
    [
        finding.id.clone(),
        finding.rule.clone(),
        finding.code.clone(),
        Severity::from_word(&finding.severity).map_or(&*finding.severity, |s| w.severity_of(s)).to_owned(),
        Certainty::from_word(&finding.certainty).map_or(&*finding.certainty, |c| w.certainty_of(c)).to_owned(),
        finding.platform.clone(),
        owned(&finding.account),
        owned(&finding.resource),
        finding.period.as_ref().map(|p| p.start.clone()).unwrap_or_default(),
        finding.period.as_ref().map(|p| p.end.clone()).unwrap_or_default(),
        money.map(|a| a.value.clone()).unwrap_or_default(),
        money.map(|a| a.currency.clone()).unwrap_or_default(),
        money.and_then(|a| AmountKind::from_word(&a.kind)).map_or("", |k| w.kind_of(k)).to_owned(),
        if money.is_some() { finding.net.clone() } else { String::new() },
        finding.sentence.clone(),
        finding.action.clone(),
        instead.map(|r| format!("{} × {}", r.cards, r.card)).unwrap_or_default(),
        instead.map(|r| r.cost.clone()).unwrap_or_default(),
        evidence,
    ]
}
