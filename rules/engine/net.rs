//! Money is counted once: what several findings accuse is saved only by the first of them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::case::Case;
use super::finding::{Claim, Finding};
use super::words::AmountKind;

/// What can be saved in one currency, net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// ISO 4217.
    pub currency: String,
    /// What vendors owe.
    pub recoverable: Decimal,
    /// What next month need not cost.
    pub avoidable: Decimal,
    /// What may be lost.
    pub at_risk: Decimal,
}

/// Hour of a line; `None` for what lies in no hour of the month, or for a line not cut into hours.
type Cell = Option<DateTime<Utc>>;

/// Sets each finding's `net` and adds them up.
///
/// What the vendor owes comes before what can be avoided, a package taken instead before all else
/// that can be avoided, the surer before the less sure, the larger before the smaller. No hour of a
/// line gives more than it cost, and one that a package replaces gives no more than the difference:
/// the rest pays for the package.
pub(crate) fn net(case: &Case, findings: &mut [Finding]) -> Vec<Net> {
    let mut cells = cells(case, findings);
    let mut order: Vec<usize> = (0..findings.len()).collect();
    order.sort_by(|a, b| {
        let rank = |f: &Finding| (f.amount.as_ref().map(|a| a.kind), !is_package(f), std::cmp::Reverse(f.certainty));
        rank(&findings[*a]).cmp(&rank(&findings[*b])).then(a.cmp(b))
    });
    for at in order {
        let finding = &mut findings[at];
        let Some(amount) = &finding.amount else { continue };
        if finding.claims.is_empty() {
            finding.net = amount.value;
            continue;
        }
        let mut net = Decimal::ZERO;
        for claim in &finding.claims {
            if let Some(line) = cells.get_mut(&claim.line) {
                net += take(line, claim.hour, claim.amount);
            }
        }
        finding.net = net.min(amount.value);
        if is_package(finding) {
            finding.claims.iter().for_each(|claim| close(&mut cells, claim));
        }
    }
    totals(findings)
}

fn is_package(finding: &Finding) -> bool {
    finding.recommendation.as_ref().is_some_and(|r| r.fixed)
}

/// Leaves nothing to take from what a claim accuses.
fn close(cells: &mut BTreeMap<usize, Rest>, claim: &Claim) {
    let Some(line) = cells.get_mut(&claim.line) else { return };
    match line.left.get_mut(&claim.hour).filter(|_| claim.hour.is_some()) {
        Some((_, left)) => *left = Decimal::ZERO,
        None => line.left.values_mut().for_each(|(_, left)| *left = Decimal::ZERO),
    }
}

struct Rest {
    whole: Decimal,
    left: BTreeMap<Cell, (Decimal, Decimal)>,
}

/// Takes an amount from an hour of a line, or from all its hours in proportion.
fn take(line: &mut Rest, hour: Cell, amount: Decimal) -> Decimal {
    let mut taken = Decimal::ZERO;
    if line.left.contains_key(&hour) && (hour.is_some() || line.left.len() == 1) {
        if let Some((_, left)) = line.left.get_mut(&hour) {
            taken = amount.min(*left).max(Decimal::ZERO);
            *left -= taken;
        }
        return taken;
    }
    if line.whole <= Decimal::ZERO {
        return taken;
    }
    // By differences of the running share, so that rounding at 28 digits cannot add up.
    let (mut share, mut due) = (Decimal::ZERO, Decimal::ZERO);
    for (part, left) in line.left.values_mut() {
        share += *part;
        let until = match amount.checked_mul(share) {
            Some(product) => product / line.whole,
            None => share / line.whole * amount,
        };
        let got = (until - due).min(*left).max(Decimal::ZERO);
        *left -= got;
        taken += got;
        due = until;
    }
    taken.min(amount)
}

/// What the accused lines have to give, cut into hours where a finding accuses hours.
fn cells(case: &Case, findings: &[Finding]) -> BTreeMap<usize, Rest> {
    let mut by_hour: BTreeMap<usize, bool> = BTreeMap::new();
    for claim in findings.iter().flat_map(|f| &f.claims) {
        *by_hour.entry(claim.line).or_default() |= claim.hour.is_some();
    }
    let mut cells: BTreeMap<usize, Rest> = by_hour
        .keys()
        .map(|line| {
            let whole = case.ledger.line(*line).cost().max(Decimal::ZERO);
            (*line, Rest { whole, left: BTreeMap::from([(None, (whole, whole))]) })
        })
        .collect();
    for bill in case.rentals.iter().flat_map(|r| &r.hours) {
        if by_hour.get(&bill.line) != Some(&true) || bill.cost <= Decimal::ZERO {
            continue;
        }
        if let Some(rest) = cells.get_mut(&bill.line) {
            let cell = rest.left.entry(Some(bill.hour)).or_default();
            cell.0 += bill.cost;
            cell.1 += bill.cost;
            if let Some((share, left)) = rest.left.get_mut(&None) {
                *share = (*share - bill.cost).max(Decimal::ZERO);
                *left = *share;
            }
        }
    }
    cells
}

fn totals(findings: &[Finding]) -> Vec<Net> {
    let mut by_currency: BTreeMap<&str, Net> = BTreeMap::new();
    for finding in findings {
        let Some(amount) = &finding.amount else { continue };
        let net = by_currency.entry(&amount.currency).or_insert_with(|| Net {
            currency: amount.currency.clone(),
            recoverable: Decimal::ZERO,
            avoidable: Decimal::ZERO,
            at_risk: Decimal::ZERO,
        });
        match amount.kind {
            AmountKind::Recoverable => net.recoverable += finding.net,
            AmountKind::Avoidable => net.avoidable += finding.net,
            AmountKind::AtRisk => net.at_risk += finding.net,
        }
    }
    by_currency.into_values().collect()
}
