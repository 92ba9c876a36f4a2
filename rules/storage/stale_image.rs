//! Images and snapshots that are kept and charged for, and that nobody uses.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use kashi_parsers::Origin;
use kashi_parsers::inventory::{Asset, AssetKind};
use kashi_parsers::ledger::Category;
use rust_decimal::Decimal;

use super::shelf::{Shelf, Upkeep, shelves};
use crate::shown::{figure, money};
use crate::{AmountKind, Case, Finding, Params, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let mut verdict = Verdict::default();
    let first_charged = first_charged(case);
    for shelf in shelves(case) {
        listed(case, &shelf, params, &mut verdict);
        unlisted(case, &shelf, &first_charged, params, &mut verdict);
    }
    verdict
}

/// What the inventory lists: the oldest first, so that the free quota is left to what is in use.
fn listed(case: &Case, shelf: &Shelf<'_>, params: &Params, verdict: &mut Verdict) {
    let mut stale: Vec<(i64, &'static str, &Asset)> = Vec::new();
    for asset in &shelf.assets {
        let since = match asset.kind {
            AssetKind::Snapshot => asset.created_at,
            _ => asset.last_used_at.or(asset.created_at),
        };
        match since.map(|since| (case.end - since).num_days()) {
            None => verdict.undetermined(Some(&asset.resource), "age", &[]),
            Some(days) => stale.extend(sentence(asset.kind, days, params).map(|key| (days, key, *asset))),
        }
    }
    stale.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.2.resource.cmp(&b.2.resource)));
    let beyond = shelf.beyond(case);
    let mut rest = beyond.unwrap_or_default();
    for (days, key, asset) in stale {
        let upkeep = shelf.own(&asset.resource).or_else(|| {
            let part = asset.size_gb?.min(rest);
            rest -= part;
            shelf.cost(case, part, beyond?)
        });
        match upkeep {
            None => verdict.undetermined(Some(&asset.resource), "price", &[]),
            Some(upkeep) if upkeep.amount <= Decimal::ZERO => {}
            Some(upkeep) => verdict.find(finding(case, shelf, key, days, upkeep, asset)),
        }
    }
    if rest > Decimal::ZERO && shelf.free(case) > Decimal::ZERO && shelf.kind == AssetKind::Image {
        verdict.findings.extend(over_quota(case, shelf, rest));
    }
}

fn sentence(kind: AssetKind, days: i64, params: &Params) -> Option<&'static str> {
    match kind {
        AssetKind::Snapshot => (days > params.count("snapshot_days")).then_some("snapshot"),
        _ if days > params.count("abandoned_days") => Some("abandoned"),
        _ => (days > params.count("image_days")).then_some("image"),
    }
}

/// When each snapshot was first charged for in the ledgers at hand.
fn first_charged(case: &Case) -> BTreeMap<(&str, &str), DateTime<Utc>> {
    let mut first: BTreeMap<(&str, &str), DateTime<Utc>> = BTreeMap::new();
    for line in case.charges().filter(|l| l.category() == Category::Snapshot) {
        if let (Some(resource), Some(start)) = (line.resource(), line.start()) {
            let known = first.entry((line.platform(), resource)).or_insert(start);
            *known = start.min(*known);
        }
    }
    first
}

/// What is billed and not listed: a snapshot is at least as old as its first charge; of the rest
/// nobody knows.
fn unlisted(
    case: &Case,
    shelf: &Shelf<'_>,
    first_charged: &BTreeMap<(&str, &str), DateTime<Utc>>,
    params: &Params,
    verdict: &mut Verdict,
) {
    let mut unknown = if shelf.assets.is_empty() { shelf.pooled.clone() } else { Vec::new() };
    let listed: BTreeSet<&str> = shelf.assets.iter().map(|a| a.resource.as_str()).collect();
    for (resource, lines) in shelf.own.iter().filter(|(resource, _)| !listed.contains(*resource)) {
        let since = first_charged.get(&(shelf.platform, *resource)).filter(|_| shelf.kind == AssetKind::Snapshot);
        let days = since.map_or(0, |since| (case.end - *since).num_days());
        match (sentence(AssetKind::Snapshot, days, params), shelf.own(resource)) {
            (Some(key), Some(upkeep)) => {
                verdict
                    .find(charged(case, shelf, key, upkeep, lines[0].origin()).resource(*resource).value("days", days));
            }
            _ => unknown.extend(lines),
        }
    }
    if let Some(first) = unknown.first() {
        let cost = unknown.iter().filter(|l| l.currency() == first.currency()).map(|l| l.cost()).sum();
        let values = [
            ("platform", shelf.platform.to_owned()),
            ("lines", unknown.len().to_string()),
            ("cost", money(cost, first.currency())),
        ];
        let reason = if shelf.kind == AssetKind::Snapshot { "snapshots" } else { "images" };
        verdict.undetermined(None, reason, &values);
    }
}

fn finding(case: &Case, shelf: &Shelf<'_>, key: &'static str, days: i64, upkeep: Upkeep, asset: &Asset) -> Finding {
    charged(case, shelf, key, upkeep, asset.origin.clone()).resource(asset.resource.as_str()).value("days", days)
}

fn over_quota(case: &Case, shelf: &Shelf<'_>, rest: Decimal) -> Option<Finding> {
    let upkeep = shelf.cost(case, rest, shelf.beyond(case)?)?;
    let held: Decimal = shelf.shared().filter_map(|a| a.size_gb).sum();
    let place = shelf.shared().next()?.origin.clone();
    Some(
        charged(case, shelf, "quota", upkeep, place)
            .evidence(shelf.shared().map(|a| a.origin.clone()))
            .value("platform", shelf.platform)
            .value("size", figure(held))
            .value("over", figure(rest)),
    )
}

/// A finding with the lines that charge it before the place where it is listed.
fn charged(case: &Case, shelf: &Shelf<'_>, key: &'static str, upkeep: Upkeep, place: Origin) -> Finding {
    let mut rows: Vec<Origin> = upkeep.claims.iter().map(|c| case.ledger.line(c.line).origin()).collect();
    rows.push(place);
    Finding::new(shelf.platform, key, rows[0].clone())
        .account(shelf.account)
        .evidence(rows)
        .value("amount", money(upkeep.amount, &upkeep.currency))
        .amount(upkeep.amount, upkeep.currency, AmountKind::Avoidable)
        .claims(upkeep.claims)
}
