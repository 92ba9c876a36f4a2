//! The JSON report.

use anyhow::Result;
use chrono::SecondsFormat;

use super::money::exact;
use super::{Entry, Report, v1};
use crate::converted::{Converted, Used};
use crate::text::Lang;

/// Renders version 1, ending in a newline.
///
/// # Errors
/// Never in practice: the structures have no map with keys that JSON lacks.
pub fn render(report: &Report, lang: Lang) -> Result<String> {
    Ok(serde_json::to_string_pretty(&of(report, lang))? + "\n")
}

/// The report as version 1.
pub fn of(report: &Report, lang: Lang) -> v1::Report {
    v1::Report {
        version: 1,
        id: report.id.clone(),
        period: report.period.clone(),
        zone: report.zone.to_string(),
        generated_at: report.generated_at.clone(),
        lang: lang.as_str().to_owned(),
        inputs: report.inputs.iter().flat_map(inputs).collect(),
        usage: report
            .usage
            .iter()
            .map(|u| v1::UsageInput {
                file: u.file.clone(),
                format: u.format.clone(),
                samples: u.samples,
                devices: u.devices,
                notes: u.notes.clone(),
            })
            .collect(),
        totals: report
            .totals
            .iter()
            .map(|t| v1::Total {
                currency: t.currency.clone(),
                cost: exact(t.cost),
                by_category: t.by_category.iter().map(|(c, v)| (c.to_string(), exact(*v))).collect(),
                card_hours: t.card_hours.normalize().to_string(),
                idle_card_hours: t.idle_hours.normalize().to_string(),
            })
            .collect(),
        converted: report.converted.as_ref().map(converted),
        findings: report.findings.iter().map(|e| finding(e, "open", lang)).collect(),
        net: report
            .net
            .iter()
            .map(|n| v1::Net {
                currency: n.currency.clone(),
                recoverable: exact(n.recoverable),
                avoidable: exact(n.avoidable),
                at_risk: exact(n.at_risk),
            })
            .collect(),
        before_after: report
            .before_after
            .iter()
            .map(|b| v1::BeforeAfter {
                currency: b.currency.clone(),
                platform: b.platform.clone(),
                category: b.category.map(|c| c.to_string()),
                before: exact(b.before),
                after: exact(b.after),
            })
            .collect(),
        silenced: report
            .ignored
            .iter()
            .map(|(e, reason)| v1::Silenced { finding: finding(e, "ignored", lang), reason: reason.clone() })
            .collect(),
        undetermined: report
            .undetermined
            .iter()
            .map(|u| v1::Undetermined {
                rule: u.rule.to_owned(),
                resource: u.resource.clone(),
                reason: u.reason.get(lang).to_owned(),
            })
            .collect(),
        skipped: report
            .skipped
            .iter()
            .map(|(rule, lacks)| v1::Skipped { rule: (*rule).to_owned(), lacks: lacks.clone() })
            .collect(),
        quarantined: report.quarantined,
        untied_devices: report.untied.clone(),
    }
}

/// A bill, once for each currency in it; once without one if it has no charge.
fn inputs(input: &super::Input) -> Vec<v1::Input> {
    let none = [(String::new(), rust_decimal::Decimal::ZERO, None)];
    let sums = if input.sums.is_empty() { &none[..] } else { &input.sums };
    sums.iter()
        .map(|(currency, lines_total, stated)| v1::Input {
            file: input.origin.file.to_string(),
            sheet: input.origin.sheet.as_deref().map(str::to_owned),
            sha256: input.sha256.clone(),
            platform: input.platform.clone(),
            layout: input.layout.clone(),
            rows: input.rows,
            lines: input.lines,
            left_out: input.left_out.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect(),
            refused: input.refused,
            currency: currency.clone(),
            lines_total: exact(*lines_total),
            stated_total: stated.map(exact),
            unknown_columns: input.unknown_columns.clone(),
            notes: input.notes.clone(),
        })
        .collect()
}

fn converted(of: &Converted) -> v1::Converted {
    let rate = |used: &Used| v1::Rate {
        from: used.from.clone(),
        to: used.to.clone(),
        date: used.date.to_string(),
        rate: used.rate.normalize().to_string(),
    };
    v1::Converted {
        currency: of.currency.clone(),
        cost: of.cost.map(exact),
        rates: of.rates.iter().map(rate).collect(),
        missing: of.missing.clone(),
    }
}

fn finding(entry: &Entry, status: &str, lang: Lang) -> v1::Finding {
    let time = |t: chrono::DateTime<chrono::Utc>| t.to_rfc3339_opts(SecondsFormat::Secs, true);
    v1::Finding {
        id: entry.id.clone(),
        rule: entry.rule.to_owned(),
        code: entry.code.clone(),
        severity: entry.severity.as_str().to_owned(),
        certainty: entry.certainty.as_str().to_owned(),
        status: status.to_owned(),
        platform: entry.platform.clone(),
        account: entry.account.clone(),
        resource: entry.resource.clone(),
        period: entry.period.map(|(start, end)| v1::Period { start: time(start), end: time(end) }),
        amount: entry.amount.as_ref().map(|a| v1::Amount {
            value: exact(a.value),
            currency: a.currency.clone(),
            kind: a.kind.as_str().to_owned(),
        }),
        net: exact(entry.net),
        sentence: entry.sentence.get(lang).to_owned(),
        action: entry.action.get(lang).to_owned(),
        evidence: entry
            .evidence
            .iter()
            .map(|o| v1::Evidence {
                file: o.file.to_string(),
                sheet: o.sheet.as_deref().map(str::to_owned),
                row: o.row,
            })
            .collect(),
        recommendation: entry.recommendation.as_ref().map(|r| v1::Recommendation {
            card: r.card.clone(),
            cards: r.cards,
            cost: exact(r.cost),
        }),
    }
}
