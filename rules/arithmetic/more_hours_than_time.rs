//! More hours charged than the time has.

use std::collections::BTreeMap;

use chrono::{NaiveDate, TimeDelta};
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::ledger::{Category, Kind, Line, units};
use rust_decimal::Decimal;

use crate::shown::{CENT, figure, grain, hours, money, share};
use crate::{AmountKind, Case, Claim, Finding, Params, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let mut resources: BTreeMap<Resource<'_>, Vec<Excess<'_>>> = BTreeMap::new();
    let mut days: BTreeMap<(Resource<'_>, NaiveDate), Vec<Line<'_>>> = BTreeMap::new();
    for line in case.charges().filter(|l| is_metered(*l)) {
        let Some(resource) = line.resource() else { continue };
        let subject = (line.platform(), line.account(), resource, line.currency());
        match (line.start(), line.end()) {
            (Some(start), Some(end)) if start < end => {
                if let Some(excess) = Excess::of(case, line, end - start) {
                    resources.entry(subject).or_default().push(excess);
                }
            }
            (Some(start), _) => {
                let day = zone(case, line.platform()).local(start).date();
                days.entry((subject, day)).or_default().push(line);
            }
            _ => {}
        }
    }
    let mut verdict = Verdict::default();
    resources.values().filter_map(|found| over_time(found)).for_each(|f| verdict.find(f));
    let day_hours = params.decimal("day_hours");
    let usual = usual(&days, day_hours);
    for ((resource, day), lines) in &days {
        let cards = usual.get(resource).copied().unwrap_or_default();
        over_day(*day, lines, cards, day_hours).into_iter().for_each(|f| verdict.find(f));
    }
    verdict
}

type Resource<'a> = (&'a str, Option<&'a str>, &'a str, &'a str);

fn is_metered(line: Line<'_>) -> bool {
    let runs = matches!(line.category(), Category::Gpu | Category::Compute | Category::Ip);
    line.kind() == Kind::Usage && runs && line.cost() > Decimal::ZERO
}

/// The clock that a platform's days are counted on.
fn zone(case: &Case, platform: &str) -> Zone {
    case.platforms.get(platform).and_then(|p| Zone::parse(&p.zone)).unwrap_or(case.zone)
}

/// Hours that a line meters: card-hours where its cards are known, else hours of its quantity.
fn metered(line: Line<'_>) -> Option<(Decimal, Decimal)> {
    if let (Category::Gpu, Some(cards), Some(card_hours)) = (line.category(), line.cards(), line.card_hours()) {
        return Some((card_hours, cards)).filter(|(_, cards)| *cards > Decimal::ZERO);
    }
    let (up, down) = units::hours(line.unit()?)?;
    Some((line.quantity()?.checked_mul(up)?.checked_div(down)?, Decimal::ONE))
}

/// A line with more hours than its own time.
struct Excess<'a> {
    line: Line<'a>,
    charged: Decimal,
    possible: Decimal,
}

impl<'a> Excess<'a> {
    fn of(case: &Case, line: Line<'a>, time: TimeDelta) -> Option<Self> {
        let (charged, cards) = metered(line)?;
        let possible = hours(time).checked_mul(cards)?;
        let rounded_up = hours(time + grain(case, line.platform())).checked_mul(cards)?;
        // A whole multiple is several instances in one line.
        let times = charged.checked_div(possible)?;
        let several = times >= Decimal::TWO && (times - times.round()).abs() < Decimal::new(1, 3);
        (charged > rounded_up && !several).then_some(Self { line, charged, possible })
    }

    fn amount(&self) -> Decimal {
        share(self.line.cost(), self.charged - self.possible, self.charged)
    }
}

fn over_time(found: &[Excess<'_>]) -> Option<Finding> {
    let first = found[0].line;
    let amount: Decimal = found.iter().map(Excess::amount).sum();
    let claims = found.iter().map(|e| Claim { line: e.line.index(), hour: None, amount: e.amount() }).collect();
    let finding = Finding::new(first.platform(), "line", first.origin())
        .account(first.account())
        .resource(first.resource()?)
        .amount(amount, first.currency(), AmountKind::Recoverable)
        .evidence(found[1..].iter().map(|e| e.line.origin()))
        .claims(claims)
        .value("charged", figure(found.iter().map(|e| e.charged).sum()))
        .value("possible", figure(found.iter().map(|e| e.possible).sum()))
        .value("amount", money(amount, first.currency()));
    (amount >= CENT).then_some(finding)
}

/// The cards that a resource has on most days, where each is billed in a line of its own.
///
/// Two lines that each charge more than half of a day cannot be the same card's; one day of them
/// may be a mistake, most of at least three are not.
fn usual<'a>(
    days: &BTreeMap<(Resource<'a>, NaiveDate), Vec<Line<'_>>>,
    day_hours: Decimal,
) -> BTreeMap<Resource<'a>, Decimal> {
    let mut counts: BTreeMap<Resource<'a>, Vec<Decimal>> = BTreeMap::new();
    for ((resource, _), lines) in days {
        let half = |l: &&Line<'_>| {
            let needed = l.cards().and_then(|cards| cards.checked_mul(day_hours));
            l.card_hours().zip(needed).is_some_and(|(hours, full)| hours * Decimal::TWO > full && hours <= full)
        };
        counts.entry(*resource).or_default().push(lines.iter().filter(half).filter_map(|l| l.cards()).sum());
    }
    counts.retain(|_, days| days.len() >= 3);
    counts
        .into_iter()
        .map(|(resource, mut days)| {
            days.sort_unstable();
            (resource, days[(days.len() - 1) / 2])
        })
        .collect()
}

/// The lines of a resource that give only the day, against the hours that its cards have in one.
fn over_day(day: NaiveDate, lines: &[Line<'_>], usual: Decimal, day_hours: Decimal) -> Option<Finding> {
    let first = *lines.first()?;
    let cards = lines.iter().filter_map(|l| l.cards()).max()?.max(usual);
    let charged: Decimal = lines.iter().filter_map(|l| l.card_hours()).sum();
    let possible = day_hours.checked_mul(cards)?;
    if charged <= possible || lines.iter().any(|l| l.card_hours().is_none()) {
        return None;
    }
    let over = charged - possible;
    let claims: Vec<Claim> =
        lines.iter().map(|l| Claim { line: l.index(), hour: None, amount: share(l.cost(), over, charged) }).collect();
    let amount: Decimal = claims.iter().map(|c| c.amount).sum();
    Some(
        Finding::new(first.platform(), "day", first.origin())
            .account(first.account())
            .resource(first.resource()?)
            .amount(amount, first.currency(), AmountKind::Recoverable)
            .evidence(lines[1..].iter().map(|l| l.origin()))
            .claims(claims)
            .value("day", day)
            .value("cards", cards.normalize())
            .value("charged", figure(charged))
            .value("possible", figure(possible))
            .value("amount", money(amount, first.currency())),
    )
}
