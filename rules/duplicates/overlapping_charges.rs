//! Lines that charge one resource twice for the same time without being copies of each other.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use kashi_parsers::ledger::{Category, Kind, Line, Terms, units};
use rust_decimal::Decimal;

use super::duplicate_line::same;
use crate::engine::parallel::Parallel;
use crate::shown::{CENT, common, figure, grain, hours, money, share};
use crate::{AmountKind, Case, Claim, Finding, Params, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let full_from = params.decimal("full_from");
    let mut resources: BTreeMap<(&str, Option<&str>, &str, &str), Vec<Charge<'_>>> = BTreeMap::new();
    for charge in case.charges().filter_map(Charge::of) {
        let line = charge.line;
        let key = (line.platform(), line.account(), line.resource().unwrap_or_default(), line.currency());
        resources.entry(key).or_default().push(charge);
    }
    let mut verdict = Verdict::default();
    let cards = Parallel::new(case.charges(), &case.contract);
    for mut charges in resources.into_values().filter(|charges| charges.len() > 1) {
        charges.sort_by_key(|c| (c.time.0, c.line.index()));
        let grain = grain(case, charges[0].line.platform());
        let mut by_product: BTreeMap<(Category, &str), Vec<Charge<'_>>> = BTreeMap::new();
        for charge in charges.iter().filter(|c| c.is_whole(full_from)) {
            by_product.entry((charge.line.category(), charge.line.sku())).or_default().push(*charge);
        }
        let mut found: Vec<_> = by_product.values().map(|same| ("same", repeated(same, grain, &cards))).collect();
        found.push(("package", inside_packages(&charges)));
        for (sentence, overlaps) in found {
            finding(sentence, &overlaps).into_iter().for_each(|f| verdict.find(f));
        }
    }
    verdict
}

/// A line of something that runs, with its charged time.
#[derive(Clone, Copy)]
struct Charge<'a> {
    line: Line<'a>,
    time: (DateTime<Utc>, DateTime<Utc>),
}

impl<'a> Charge<'a> {
    fn of(line: Line<'a>) -> Option<Self> {
        let time = line.start().zip(line.end())?;
        let runs = matches!(line.category(), Category::Gpu | Category::Compute | Category::Ip);
        let bought = matches!(line.kind(), Kind::Usage | Kind::Subscription) && line.cost() > Decimal::ZERO;
        (time.0 < time.1 && runs && bought && line.resource().is_some()).then_some(Self { line, time })
    }

    fn is_package(self) -> bool {
        let packages = [Terms::Daily, Terms::Weekly, Terms::Monthly, Terms::Yearly];
        self.line.kind() == Kind::Subscription || self.line.terms().is_some_and(|t| packages.contains(&t))
    }

    fn is_on_demand(self) -> bool {
        self.line.kind() == Kind::Usage && self.line.terms().is_none_or(|t| t == Terms::OnDemand)
    }

    /// Whether the line claims the whole of its time: a package does, a meter if its hours fill it.
    fn is_whole(self, full_from: Decimal) -> bool {
        if self.is_package() {
            return true;
        }
        let (Some(unit), Some(quantity)) = (self.line.unit(), self.line.quantity()) else {
            return self.line.unit().is_none() && self.line.quantity().is_none();
        };
        let cards = self.line.cards().filter(|_| unit == "card_hour").unwrap_or(Decimal::ONE);
        let needed = hours(self.time.1 - self.time.0) * cards * full_from / Decimal::ONE_HUNDRED;
        let metered = units::hours(unit).and_then(|(up, down)| quantity.checked_mul(up)?.checked_div(down));
        metered.is_some_and(|metered| metered >= needed)
    }
}

/// Two charges of the same time, and which of them is too much.
struct Overlap<'a> {
    stands: Charge<'a>,
    accused: Charge<'a>,
    time: TimeDelta,
    amount: Decimal,
}

impl<'a> Overlap<'a> {
    fn new(stands: Charge<'a>, accused: Charge<'a>) -> Self {
        let time = common(stands.time, accused.time);
        let amount = share(accused.line.cost(), hours(time), hours(accused.time.1 - accused.time.0));
        Self { stands, accused, time, amount }
    }

    /// The overlap of two charges of one product: the cheaper one is too much, else the later one.
    fn of_equals(earlier: Charge<'a>, later: Charge<'a>) -> Self {
        let (one, other) = (Self::new(earlier, later), Self::new(later, earlier));
        if other.amount < one.amount { other } else { one }
    }
}

/// Overlaps among the whole charges of one product, each charge against the one that reaches
/// furthest before it.
///
/// Cards that usually run side by side, a line each, are none.
fn repeated<'a>(charges: &[Charge<'a>], grain: TimeDelta, cards: &Parallel<'a>) -> Vec<Overlap<'a>> {
    let mut overlaps = Vec::new();
    let mut reach: Option<Charge<'a>> = None;
    for charge in charges {
        if let Some(before) = reach {
            let alike = before.is_package() == charge.is_package() && !same(before.line, charge.line);
            let usual = cards.is_parallel(charge.line) && cards.surplus(charge.line).is_none();
            if alike && !usual && common(before.time, charge.time) > grain {
                overlaps.push(Overlap::of_equals(before, *charge));
            }
        }
        reach = reach.filter(|r| r.time.1 >= charge.time.1).or(Some(*charge));
    }
    overlaps
}

/// On-demand charges for cards or machine within a package of the same resource.
fn inside_packages<'a>(charges: &[Charge<'a>]) -> Vec<Overlap<'a>> {
    let machines = |c: &&Charge<'a>| c.line.category() != Category::Ip;
    let packages: Vec<_> = charges.iter().filter(machines).filter(|c| c.is_package()).collect();
    let mut overlaps = Vec::new();
    for charge in charges.iter().filter(machines).filter(|c| c.is_on_demand() && !c.is_package()) {
        // A meter that only partly lies in the package may have run in its other part alone.
        let package = packages.iter().find(|p| p.time.0 <= charge.time.0 && charge.time.1 <= p.time.1);
        overlaps.extend(package.map(|p| Overlap::new(**p, *charge)));
    }
    overlaps
}

fn finding(sentence: &'static str, overlaps: &[Overlap<'_>]) -> Option<Finding> {
    let first = overlaps.first()?;
    let line = first.accused.line;
    let amount: Decimal = overlaps.iter().map(|o| o.amount).sum();
    if amount < CENT {
        return None;
    }
    let time: TimeDelta = overlaps.iter().map(|o| o.time).sum();
    let start = overlaps.iter().map(|o| o.stands.time.0.max(o.accused.time.0)).min()?;
    let end = overlaps.iter().map(|o| o.stands.time.1.min(o.accused.time.1)).max()?;
    let claims =
        overlaps.iter().map(|o| Claim { line: o.accused.line.index(), hour: None, amount: o.amount }).collect();
    Some(
        Finding::new(line.platform(), sentence, first.stands.line.origin())
            .account(line.account())
            .resource(line.resource().unwrap_or_default())
            .period(start, end)
            .amount(amount, line.currency(), AmountKind::Recoverable)
            .evidence(overlaps.iter().flat_map(|o| [o.stands.line.origin(), o.accused.line.origin()]))
            .claims(claims)
            .value("sku", line.sku())
            .value("hours", figure(hours(time)))
            .value("amount", money(amount, line.currency())),
    )
}
