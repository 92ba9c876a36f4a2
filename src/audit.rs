//! The audit: a case in, a report out.

use std::collections::BTreeMap;

use anyhow::Result;
use kashi_parsers::ledger::Category;
use kashi_rules::{AmountKind, Case, Finding, Language, Outcome, Rule, State, Status, Thresholds, rule};
use rust_decimal::Decimal;
use sha2::{Digest, Sha256};

use crate::bills::Bills;
use crate::converted::converted;
use crate::report::{BeforeAfter, Both, Entry, Input, Open, Report, Total, UsageInput};

/// The month of the bills, where the user names none: the only one, or the one most lines are in.
pub fn period(read: &Bills) -> Option<String> {
    let mut months: BTreeMap<&str, usize> = BTreeMap::new();
    for line in read.ledger.lines() {
        *months.entry(line.period()).or_default() += 1;
    }
    months.into_iter().max_by_key(|(month, n)| (*n, *month)).map(|(month, _)| month.to_owned())
}

/// What a report is made of besides the case and what the rules say of it.
#[derive(Debug, Default)]
pub struct About {
    /// SHA-256 of each bill's file, by name.
    pub hashes: BTreeMap<String, String>,
    /// The utilization exports.
    pub usage: Vec<UsageInput>,
    /// Devices that no billed resource claims.
    pub untied: Vec<String>,
    /// A time to print.
    pub generated_at: Option<String>,
    /// The currency that totals are also shown in.
    pub currency: Option<String>,
    /// Settings that change the outcome, for the report's id.
    pub settings: String,
}

/// Puts everything that the audit says into a report.
///
/// # Errors
/// If a sum leaves the range of exact decimals.
pub fn report(read: &Bills, case: &Case, outcome: Outcome, about: About) -> Result<Report> {
    let inputs = inputs(read, case, &about.hashes);
    let before_after = before_after(case, &outcome.findings);
    let totals = totals(case);
    let converted = about.currency.as_ref().and_then(|currency| converted(&totals, currency, case));
    let mut hash = Sha256::new();
    for input in &inputs {
        hash.update(input.origin.to_string());
        hash.update(&input.sha256);
        // The same file read in another way is another report: who was sent the first must get it.
        hash.update(format!("{} {} {:?}", input.layout, input.lines, input.sums));
    }
    hash.update(format!("{totals:?}"));
    hash.update(&case.period);
    hash.update(&about.settings);
    let mut report = Report {
        id: String::new(),
        period: case.period.clone(),
        zone: case.zone,
        generated_at: about.generated_at,
        inputs,
        usage: about.usage,
        totals,
        converted,
        findings: outcome.findings.iter().map(entry).collect(),
        ignored: outcome.ignored.iter().map(|f| (entry(f), reason(f))).collect(),
        net: outcome.net,
        before_after,
        undetermined: outcome
            .undetermined
            .iter()
            .map(|u| Open {
                rule: u.rule,
                resource: u.resource.clone(),
                reason: both(rule(u.rule), |r, l| r.page.reason(u.reason, &u.values, l)),
            })
            .collect(),
        skipped: outcome.skipped.iter().map(|s| (s.rule, s.lacks.clone())).collect(),
        quarantined: read.bills.iter().map(|b| b.refused_rows).sum(),
        untied: about.untied,
    };
    for entry in &report.findings {
        hash.update(&entry.id);
        hash.update(entry.net.normalize().to_string());
    }
    report.id = hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect();
    Ok(report)
}

fn reason(finding: &Finding) -> String {
    match &finding.status {
        Status::Ignored { reason, until: Some(until) } => format!("{reason} (– {until})"),
        Status::Ignored { reason, until: None } => reason.clone(),
        Status::Open => String::new(),
    }
}

fn both(rule: Option<&Rule>, text: impl Fn(&Rule, Language) -> String) -> Both {
    rule.map(|r| Both { en: text(r, Language::En), zh: text(r, Language::Zh) }).unwrap_or_default()
}

fn entry(finding: &Finding) -> Entry {
    let rule = rule(finding.rule);
    Entry {
        id: finding.id(),
        rule: finding.rule,
        code: rule.map(|r| r.page.code.clone()).unwrap_or_default(),
        severity: finding.severity,
        certainty: finding.certainty,
        platform: finding.platform.clone(),
        account: finding.account.clone(),
        resource: finding.resource.clone(),
        period: finding.period,
        amount: finding.amount.clone(),
        net: finding.net,
        sentence: both(rule, |r, l| r.page.sentence(finding.sentence, &finding.values, l)),
        action: both(rule, |r, l| r.page.action(finding.sentence, &finding.values, l)),
        evidence: finding.evidence.clone(),
        recommendation: finding.recommendation.clone(),
    }
}

fn inputs(read: &Bills, case: &Case, hashes: &BTreeMap<String, String>) -> Vec<Input> {
    let of = |bill: &kashi_parsers::layout::Bill| Input {
        origin: bill.origin.clone(),
        sha256: hashes.get(bill.origin.file.split('!').next().unwrap_or_default()).cloned().unwrap_or_default(),
        platform: bill.platform.clone(),
        layout: bill.layout.clone(),
        rows: bill.rows,
        lines: bill.lines,
        left_out: bill.left_out.iter().map(|(r, n)| (r.as_str(), *n)).collect(),
        refused: bill.refused_rows,
        sums: case
            .footings
            .iter()
            .filter(|f| f.origin == bill.origin && f.details.is_none())
            .map(|f| (f.currency.clone(), f.lines_total, f.stated.as_ref().map(|s| s.0)))
            .collect(),
        unknown_columns: bill.unknown_columns.clone(),
        notes: bill.notes.clone(),
    };
    read.bills.iter().map(of).collect()
}

/// Costs by currency and category, and the card-hours behind them.
fn totals(case: &Case) -> Vec<Total> {
    let mut totals: BTreeMap<&str, Total> = BTreeMap::new();
    for line in case.charges() {
        let total = totals.entry(line.currency()).or_insert_with(|| Total {
            currency: line.currency().to_owned(),
            cost: Decimal::ZERO,
            by_category: BTreeMap::new(),
            card_hours: Decimal::ZERO,
            idle_hours: Decimal::ZERO,
        });
        total.cost += line.cost();
        total.card_hours += line.card_hours().unwrap_or_default();
        *total.by_category.entry(line.category()).or_default() += line.cost();
    }
    for rental in &case.rentals {
        let idle = |hour| matches!(case.state(rental, hour, Thresholds::default()), State::Idle | State::Loaded);
        let hours: Decimal = rental.hours.iter().filter(|h| idle(h.hour)).map(|h| h.card_hours).sum();
        if let Some(total) = totals.get_mut(rental.currency.as_str()) {
            total.idle_hours += hours;
        }
    }
    totals
        .into_values()
        .map(|t| Total { card_hours: t.card_hours.round_dp(2), idle_hours: t.idle_hours.round_dp(2), ..t })
        .collect()
}

/// This month by platform and category, and the same without what can be saved.
///
/// A finding's net comes off the lines that it accuses, in proportion to its claims; one that
/// accuses no line (a statement above its lines) changes nothing here.
fn before_after(case: &Case, findings: &[Finding]) -> Vec<BeforeAfter> {
    type Key<'a> = (&'a str, &'a str, Category);
    let mut rows: BTreeMap<Key<'_>, (Decimal, Decimal)> = BTreeMap::new();
    for line in case.charges() {
        rows.entry((line.currency(), line.platform(), line.category())).or_default().0 += line.cost();
    }
    for finding in findings {
        let saves = finding.amount.as_ref().is_some_and(|a| a.kind != AmountKind::AtRisk);
        let claimed: Decimal = finding.claims.iter().map(|c| c.amount).sum();
        if !saves || claimed <= Decimal::ZERO {
            continue;
        }
        let mut parts: BTreeMap<Key<'_>, Decimal> = BTreeMap::new();
        for claim in &finding.claims {
            let line = case.ledger.line(claim.line);
            *parts.entry((line.currency(), line.platform(), line.category())).or_default() += claim.amount;
        }
        for (key, part) in parts {
            rows.entry(key).or_default().1 += finding.net * part / claimed;
        }
    }
    let mut table = Vec::new();
    let mut sums: BTreeMap<&str, (Decimal, Decimal)> = BTreeMap::new();
    for ((currency, platform, category), (before, saved)) in &rows {
        let after = (before - saved).round_dp(18);
        let sum = sums.entry(currency).or_default();
        sum.0 += before;
        sum.1 += after;
        table.push(BeforeAfter {
            currency: (*currency).to_owned(),
            platform: (*platform).to_owned(),
            category: Some(*category),
            before: *before,
            after,
        });
    }
    for (currency, (before, after)) in sums {
        table.push(BeforeAfter {
            currency: currency.to_owned(),
            platform: String::new(),
            category: None,
            before,
            after,
        });
    }
    table
}
