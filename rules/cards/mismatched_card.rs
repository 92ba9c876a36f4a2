//! Cards that are more than the work needs.

use kashi_parsers::contract::Workload;
use kashi_parsers::ledger::Terms;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::offers::{NoOffer, Offer, offers};
use super::sizing::{Need, need};
use crate::shown::{figure, money};
use crate::{AmountKind, Case, Claim, Finding, Params, Recommendation, Rental, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let mut verdict = Verdict::default();
    for rental in &case.rentals {
        if let Err((reason, value)) = judge(case, rental, params, &mut verdict) {
            let values: Vec<_> = value.map(|v| ("missing", v)).into_iter().collect();
            verdict.undetermined(Some(&rental.resource), reason, &values);
        }
    }
    verdict
}

type Undetermined = (&'static str, Option<String>);

fn judge(case: &Case, rental: &Rental, params: &Params, verdict: &mut Verdict) -> Result<(), Undetermined> {
    let declared: Vec<&Workload> =
        case.contract.workloads.iter().filter(|w| w.resource.as_deref() == Some(&rental.resource)).collect();
    let (need, sentence) = if declared.is_empty() {
        match observed(case, rental, params) {
            Some(need) => (need, "observed"),
            // Without a word and without a log there is nothing to compare; unobserved-card counts it.
            None => return Ok(()),
        }
    } else {
        let needs: Vec<Need> = declared
            .iter()
            .map(|w| need(w, params).map_err(|missing| ("workload", Some(format!("{}: {missing}", w.name)))))
            .collect::<Result<_, _>>()?;
        let memory_gb = needs.iter().map(|n| n.memory_gb).fold(0.0, f64::max);
        (Need { memory_gb, cards: needs.iter().map(|n| n.cards).max().unwrap_or(1) }, "declared")
    };
    let card_hours: Decimal = rental.lines.iter().filter_map(|l| case.ledger.line(*l).card_hours()).sum();
    if card_hours <= Decimal::ZERO || rental.cost <= Decimal::ZERO {
        return Ok(());
    }
    let offers = offers(case, rental, card_hours).map_err(|no| match no {
        NoOffer::Prices => ("prices", None),
        NoOffer::Rate => ("rate", None),
    })?;
    let fit = |offer: &Offer<'_>| {
        let cards = count(offer, need)?;
        // The same card at another price is a question of price, not of fit.
        let other = Some(offer.card.id.as_str()) != rental.card.as_deref() || Decimal::from(cards) < rental.cards;
        other.then(|| (offer.cost * Decimal::from(cards), cards))
    };
    let fitting: Vec<_> = offers.iter().filter_map(|o| fit(o).map(|(cost, cards)| (cost, cards, o))).collect();
    // Like with like: who rents by the month wants the month's price, as long as there is one.
    let package = rental.lines.iter().all(|l| case.ledger.line(*l).terms().is_some_and(Terms::is_package));
    let alike = |o: &Offer<'_>| o.is_package() == package;
    let any_alike = fitting.iter().any(|(_, _, o)| alike(o));
    let cheapest = fitting
        .into_iter()
        .filter(|(_, _, o)| !any_alike || alike(o))
        .min_by_key(|(cost, _, o)| (*cost, o.card.vram_gb, &o.card.id));
    if let Some((cost, cards, offer)) = cheapest {
        let saved = rental.cost - cost;
        if saved * Decimal::ONE_HUNDRED >= rental.cost * params.decimal("least_saving") {
            verdict.find(finding(case, rental, need, sentence, (cost, cards, offer)));
        }
    }
    Ok(())
}

/// Cards of this kind that the work needs; several only where one card's memory is enough for a
/// copy of the work, since splitting a model over cards is another matter than renting more of them.
fn count(offer: &Offer<'_>, need: Need) -> Option<u32> {
    (f64::from(offer.card.vram_gb) >= need.memory_gb).then_some(need.cards)
}

/// What the logs show: the most memory that a card used, and whether its compute was spare.
fn observed(case: &Case, rental: &Rental, params: &Params) -> Option<Need> {
    let mut hours: Vec<(f64, f64)> = Vec::new();
    let (mut peak, mut seen) = (0.0f64, 0.0f64);
    let mut busy_cards = std::collections::BTreeSet::new();
    for usage in case.usage_of(&rental.resource) {
        let (mean, memory) = (usage.util_p95.or(usage.util_mean)?, usage.memory_max?);
        hours.push((mean, usage.observed_s));
        peak = peak.max(memory);
        seen += usage.observed_s;
        if usage.util_max.is_some_and(|u| u >= 5.0) {
            busy_cards.insert(usage.device.as_str());
        }
    }
    let billed: f64 = rental.hours.iter().map(|h| h.card_hours).sum::<Decimal>().to_f64()?;
    if hours.is_empty() || seen / 3600.0 * 100.0 < billed * params.number("coverage") || busy_cards.is_empty() {
        return None;
    }
    hours.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    let p95 = hours.iter().find(|(_, weight)| {
        sum += weight;
        sum >= seen * 0.95
    })?;
    if p95.0 >= params.number("util_below") {
        return None;
    }
    let memory_gb = peak / 1024.0 / (params.number("memory_share") / 100.0);
    // A card that never worked is not needed; the others are, as long as nothing says otherwise.
    Some(Need { memory_gb, cards: u32::try_from(busy_cards.len()).ok()? })
}

fn finding(
    case: &Case,
    rental: &Rental,
    need: Need,
    sentence: &'static str,
    (cost, cards, offer): (Decimal, u32, &Offer<'_>),
) -> Finding {
    let saved = rental.cost - cost;
    let lines = rental.lines.iter().map(|l| case.ledger.line(*l));
    let positive: Decimal = lines.clone().map(|l| l.cost().max(Decimal::ZERO)).sum();
    let claims = lines
        .clone()
        .filter(|l| l.cost() > Decimal::ZERO)
        .map(|l| Claim { line: l.index(), hour: None, amount: saved * l.cost() / positive })
        .collect();
    let first = case.ledger.line(rental.lines[0]).origin();
    Finding::new(rental.platform.as_str(), sentence, first)
        .account(rental.account.as_deref())
        .resource(rental.resource.as_str())
        .period(case.start, case.end)
        .amount(saved.round_dp(18).normalize(), rental.currency.as_str(), AmountKind::Avoidable)
        .evidence(lines.map(|l| l.origin()))
        .claims(claims)
        .recommend(Recommendation { card: offer.card.id.clone(), cards, cost: cost.round_dp(18).normalize() })
        .value("card", rental.card.as_deref().unwrap_or("GPU"))
        .value("cards", rental.cards.normalize())
        .value("cost", money(rental.cost, &rental.currency))
        .value("needs", figure(Decimal::from_f64_retain(need.memory_gb).unwrap_or_default()))
        .value("instead", &offer.card.title)
        .value("instead_cards", cards)
        .value("price", format!("{} {}", offer.price.price, offer.price.unit))
        .value("instead_cost", money(cost, &rental.currency))
        .value("amount", money(saved, &rental.currency))
}
