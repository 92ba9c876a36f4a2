//! What an account's images, or its snapshots, cost in the month.

use std::collections::{BTreeMap, BTreeSet};

use kashi_parsers::contract::Price;
use kashi_parsers::inventory::{Asset, AssetKind};
use kashi_parsers::ledger::{Category, Kind, Line};
use rust_decimal::Decimal;

use crate::shown::{fact, share};
use crate::{Case, Claim};

/// Images or snapshots of one account, with the lines that charge for them.
pub(super) struct Shelf<'a> {
    /// The platform.
    pub(super) platform: &'a str,
    /// The account, where it is known.
    pub(super) account: Option<&'a str>,
    /// Images or snapshots.
    pub(super) kind: AssetKind,
    /// What the inventory lists.
    pub(super) assets: Vec<&'a Asset>,
    /// Lines that name what they charge for, by its id.
    pub(super) own: BTreeMap<&'a str, Vec<Line<'a>>>,
    /// Lines for all together.
    pub(super) pooled: Vec<Line<'a>>,
}

/// What a part of a shelf costs in the month.
pub(super) struct Upkeep {
    /// Exact, as far as the bill says it.
    pub(super) amount: Decimal,
    /// ISO 4217.
    pub(super) currency: String,
    /// The lines that charge it; none where it is worked out from a price.
    pub(super) claims: Vec<Claim>,
}

/// The shelves of a case, by platform, account and kind.
pub(super) fn shelves(case: &Case) -> Vec<Shelf<'_>> {
    let mut shelves: BTreeMap<(&str, Option<&str>, bool), Shelf<'_>> = BTreeMap::new();
    let mut accounts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in case.charges() {
        accounts.entry(line.platform()).or_default().extend(line.account());
        let kind = match line.category() {
            Category::Image => AssetKind::Image,
            Category::Snapshot => AssetKind::Snapshot,
            _ => continue,
        };
        if line.kind() == Kind::Usage && line.cost() > Decimal::ZERO && line.period() == case.period {
            let shelf = shelf(&mut shelves, line.platform(), line.account(), kind);
            match line.resource() {
                Some(resource) => shelf.own.entry(resource).or_default().push(line),
                None => shelf.pooled.push(line),
            }
        }
    }
    for asset in &case.inventory {
        let kept = asset.released_at.is_none_or(|at| at > case.end) && asset.created_at.is_none_or(|at| at < case.end);
        if kept && matches!(asset.kind, AssetKind::Image | AssetKind::Snapshot) {
            // An inventory without accounts belongs to the only one that is billed.
            let only = accounts.get(asset.platform.as_str()).filter(|a| a.len() == 1).and_then(|a| a.first().copied());
            shelf(&mut shelves, &asset.platform, asset.account.as_deref().or(only), asset.kind).assets.push(asset);
        }
    }
    shelves.into_values().collect()
}

fn shelf<'s, 'a>(
    shelves: &'s mut BTreeMap<(&'a str, Option<&'a str>, bool), Shelf<'a>>,
    platform: &'a str,
    account: Option<&'a str>,
    kind: AssetKind,
) -> &'s mut Shelf<'a> {
    shelves.entry((platform, account, kind == AssetKind::Snapshot)).or_insert_with(|| Shelf {
        platform,
        account,
        kind,
        assets: Vec::new(),
        own: BTreeMap::new(),
        pooled: Vec::new(),
    })
}

impl<'a> Shelf<'a> {
    /// GB that the platform stores free of charge; nothing where it names no such quota.
    pub(super) fn free(&self, case: &Case) -> Decimal {
        let quota = match self.kind {
            AssetKind::Snapshot => fact(case, self.platform, |p| &p.snapshot_free_gb),
            _ => fact(case, self.platform, |p| &p.image_free_gb),
        };
        quota.and_then(|q| q.parse().ok()).unwrap_or_default()
    }

    /// What is listed and not charged by a line of its own.
    pub(super) fn shared(&self) -> impl Iterator<Item = &'a Asset> {
        self.assets.iter().copied().filter(|a| !self.own.contains_key(a.resource.as_str()))
    }

    /// GB of these beyond the free quota; `None` if a size is not known.
    pub(super) fn beyond(&self, case: &Case) -> Option<Decimal> {
        let total: Decimal = self.shared().map(|a| a.size_gb).sum::<Option<Decimal>>()?;
        Some((total - self.free(case)).max(Decimal::ZERO))
    }

    /// What one resource's own lines charge.
    pub(super) fn own(&self, resource: &str) -> Option<Upkeep> {
        let lines = self.own.get(resource)?;
        let claims: Vec<Claim> =
            lines.iter().map(|l| Claim { line: l.index(), hour: None, amount: l.cost() }).collect();
        Some(Upkeep { amount: claims.iter().map(|c| c.amount).sum(), currency: lines[0].currency().to_owned(), claims })
    }

    /// What `part` of the `beyond` GB costs: its share of the lines for all, else its price.
    pub(super) fn cost(&self, case: &Case, part: Decimal, beyond: Decimal) -> Option<Upkeep> {
        let Some(first) = self.pooled.first() else { return self.priced(case, part) };
        let lines = self.pooled.iter().filter(|l| l.currency() == first.currency());
        let claims: Vec<Claim> =
            lines.map(|l| Claim { line: l.index(), hour: None, amount: share(l.cost(), part, beyond) }).collect();
        Some(Upkeep { amount: claims.iter().map(|c| c.amount).sum(), currency: first.currency().to_owned(), claims })
    }

    fn priced(&self, case: &Case, part: Decimal) -> Option<Upkeep> {
        let agreed = |p: &&Price| {
            p.platform.as_deref().is_none_or(|platform| platform == self.platform)
                && p.sku.as_deref() == Some(self.kind.as_str())
                && p.holds(case.last_day())
        };
        let (price, unit) = match case.contract.prices.iter().find(agreed) {
            Some(price) => (price.price, price.unit.clone()),
            None => {
                let listed = match self.kind {
                    AssetKind::Snapshot => fact(case, self.platform, |p| &p.snapshot_price),
                    _ => fact(case, self.platform, |p| &p.image_price),
                };
                let (price, unit) = listed?.split_once(' ')?;
                (price.parse().ok()?, unit.to_owned())
            }
        };
        let (currency, per) = unit.split_once('/')?;
        let times = match per.to_lowercase().as_str() {
            "gb-month" => Decimal::ONE,
            "gb-day" => Decimal::from(case.days()),
            "gb-hour" => Decimal::from(24 * case.days()),
            _ => return None,
        };
        let amount = price.checked_mul(part)?.checked_mul(times)?;
        Some(Upkeep { amount, currency: currency.to_owned(), claims: Vec::new() })
    }
}
