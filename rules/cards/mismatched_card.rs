//! Cards that are more than the work needs.

use kashi_parsers::catalogue::Card;
use kashi_parsers::contract::Workload;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::logs::{Logs, logs};
use super::month::Month;
use super::offers::{NoOffer, Offer, is_package, offers};
use super::sizing::{Need, need};
use super::{ordered, same};
use crate::shown::{figure, money};
use crate::{AmountKind, Case, Finding, Params, Recommendation, Rental, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let mut verdict = Verdict::default();
    for rental in &case.rentals {
        match judge(case, rental, params) {
            Ok(Some(finding)) => verdict.find(finding),
            Ok(None) => {}
            Err((reason, missing)) => {
                let values: Vec<_> = missing.map(|m| ("missing", m)).into_iter().collect();
                verdict.undetermined(Some(&rental.resource), reason, &values);
            }
        }
    }
    // A word about a resource that nobody billed is a mistyped one, or one to take out.
    for workload in &case.contract.workloads {
        let Some(resource) = &workload.resource else { continue };
        if !case.ledger.lines().any(|line| line.resource() == Some(resource)) {
            verdict.undetermined(Some(resource), "unbilled", &[("missing", workload.name.clone())]);
        }
    }
    verdict
}

/// The key of the reason, and what is missing.
type Open = (&'static str, Option<String>);

fn judge(case: &Case, rental: &Rental, params: &Params) -> Result<Option<Finding>, Open> {
    // Without a word and without a log there is nothing to compare; unobserved-card counts it.
    let declared = case.contract.workloads.iter().any(|w| w.resource.as_deref() == Some(&rental.resource));
    if !declared && case.usage_of(&rental.resource).next().is_none() {
        return Ok(None);
    }
    let Some(month) = Month::of(case, rental) else { return Err(("timeless", None)) };
    if month.hours <= Decimal::ZERO || month.cost <= Decimal::ZERO {
        return Ok(None);
    }
    let Some((need, sentence)) = wanted(case, rental, &month, params)? else { return Ok(None) };
    let offers = offers(case, rental, &month).map_err(|no| match no {
        NoOffer::Prices => ("prices", None),
        NoOffer::Rate => ("rate", None),
    })?;
    // Like is compared with like, a package with packages; the other kind only where none does it.
    let package = is_package(&month);
    let (like, unlike): (Vec<Offer<'_>>, Vec<Offer<'_>>) = offers.into_iter().partition(|o| o.package == package);
    let least = month.cost.checked_mul(params.decimal("least_saving")).map(|c| c / Decimal::ONE_HUNDRED);
    let least = least.unwrap_or(month.cost).max(Decimal::new(1, 2));
    let rented = ordered(case, rental);
    let found = [like, unlike].into_iter().find_map(|offers| {
        let instead = cheapest(rental, rented, need, offers)?;
        (month.cost - instead.cost >= least).then_some(instead)
    });
    Ok(found.map(|instead| finding(case, rental, &month, need, sentence, &instead)))
}

/// What the work needs: as declared, or else as the logs show it.
fn wanted(
    case: &Case,
    rental: &Rental,
    month: &Month<'_>,
    params: &Params,
) -> Result<Option<(Need, &'static str)>, Open> {
    let here = |w: &&Workload| w.resource.as_deref() == Some(&rental.resource);
    let hours = month.hours.to_f64().unwrap_or_default();
    let mut declared: Option<Need> = None;
    for workload in case.contract.workloads.iter().filter(here) {
        let need =
            need(workload, hours, params).map_err(|what| ("workload", Some(format!("{}: {what}", workload.name))))?;
        declared = Some(declared.map_or(need, |other| other.and(need)));
    }
    if let Some(need) = declared {
        return Ok(Some((need, "declared")));
    }
    match logs(case, rental, params) {
        Logs::Silent | Logs::Busy => Ok(None),
        Logs::TooLittle(reason) => Err((reason, None)),
        Logs::Need(need) => Ok(Some((need, "observed"))),
    }
}

/// Cards to take instead, and what they cost for the same time.
struct Instead<'a> {
    offer: Offer<'a>,
    cards: u32,
    cost: Decimal,
}

fn cheapest<'a>(rental: &Rental, rented: Option<&Card>, need: Need, offers: Vec<Offer<'a>>) -> Option<Instead<'a>> {
    let instead = |offer: Offer<'a>| {
        let cards = need.count(offer.card)?;
        // The same card at another price is a question of price, not of fit.
        let other = rented.is_none_or(|r| !same(r, offer.card)) || Decimal::from(cards) < rental.cards;
        let cost = offer.cost.checked_mul(Decimal::from(cards))?;
        other.then_some(Instead { offer, cards, cost })
    };
    let rank = |a: &Instead<'_>| (a.cost, a.offer.card.vram_gb, &a.offer.card.id);
    offers.into_iter().filter_map(instead).min_by(|a, b| rank(a).cmp(&rank(b)))
}

fn finding(
    case: &Case,
    rental: &Rental,
    month: &Month<'_>,
    need: Need,
    sentence: &'static str,
    instead: &Instead<'_>,
) -> Finding {
    let Instead { offer, cards, cost } = instead;
    let saved = (month.cost - cost).round_dp(18).normalize();
    let evidence = month.lines.iter().map(|l| l.origin());
    let cost = cost.round_dp(18).normalize();
    Finding::new(rental.platform.as_str(), sentence, month.lines[0].origin())
        .account(rental.account.as_deref())
        .resource(rental.resource.as_str())
        .period(case.start, case.end)
        .amount(saved, rental.currency.as_str(), AmountKind::Avoidable)
        .evidence(evidence)
        .claims(month.claims(saved))
        .recommend(Recommendation { card: offer.card.id.clone(), cards: *cards, cost, fixed: offer.package })
        .value("card", ordered(case, rental).map_or("GPU", |c| &c.id))
        .value("cards", rental.cards.normalize())
        .value("cost", money(month.cost, &rental.currency))
        .value("needs", figure(Decimal::from_f64_retain(need.memory_gb).unwrap_or_default()))
        .value("instead", &offer.card.title)
        .value("instead_cards", cards)
        .value("price", format!("{} {}", offer.price.price, offer.price.unit))
        .value("instead_cost", money(cost, &rental.currency))
        .value("amount", money(saved, &rental.currency))
}
