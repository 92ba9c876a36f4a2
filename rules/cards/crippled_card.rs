//! Cards that are not what was ordered, or are held down.

use std::collections::BTreeMap;

use kashi_parsers::Origin;
use kashi_parsers::catalogue;
use kashi_parsers::usage::UsageHour;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::{ordered, same};
use crate::shown::figure;
use crate::{Case, Finding, Params, Rental, Severity, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let mut verdict = Verdict::default();
    for rental in &case.rentals {
        let mut devices: BTreeMap<&str, Vec<&UsageHour>> = BTreeMap::new();
        let month = |h: &&UsageHour| h.hour >= case.start && h.hour < case.end;
        for hour in case.usage_of(&rental.resource).filter(month) {
            devices.entry(&hour.device).or_default().push(hour);
        }
        let parts: f64 = devices.values().filter_map(|hours| hours.first()).map(|hour| hour.share()).sum();
        // Slices that add up to what is billed are cut from it; one alone is not what was ordered.
        let whole = rental.cards.to_f64().is_some_and(|billed| parts + 0.01 >= billed);
        for (device, hours) in devices {
            let slice = whole && hours.first().is_some_and(|hour| hour.share() < 1.0);
            let seen = Seen { slice, ..Seen::new(case, rental, device, &hours, params) };
            for finding in
                [seen.other_card(), seen.short_memory(params), seen.low_power(params), seen.throttled(params)]
            {
                finding.into_iter().for_each(|f| verdict.find(f));
            }
        }
    }
    verdict
}

/// A device of a rental, and what its hours show at most.
struct Seen<'a> {
    case: &'a Case,
    rental: &'a Rental,
    device: &'a str,
    /// Whether it is a slice of a card that is there as a whole.
    slice: bool,
    name: &'a str,
    memory: Option<f64>,
    full_s: f64,
    full_power: Option<f64>,
    limit: Option<f64>,
    throttled_s: f64,
}

impl<'a> Seen<'a> {
    fn new(case: &'a Case, rental: &'a Rental, device: &'a str, hours: &[&'a UsageHour], params: &Params) -> Self {
        // A card that draws its limit is held down by it, which is as it should be.
        let share = params.number("power_share");
        let starved = |h: &&&UsageHour| h.power_max.zip(h.power_limit).is_some_and(|(p, l)| 100.0 * p < share * l);
        let most = |of: fn(&UsageHour) -> Option<f64>| hours.iter().filter_map(|h| of(h)).max_by(f64::total_cmp);
        Self {
            case,
            rental,
            device,
            slice: false,
            name: hours.iter().map(|h| h.name.as_str()).find(|n| !n.is_empty()).unwrap_or_default(),
            memory: most(|h| h.memory_total),
            full_s: hours.iter().map(|h| h.full_s).sum(),
            full_power: most(|h| h.full_power_max),
            limit: most(|h| h.power_limit),
            throttled_s: hours.iter().filter(starved).map(|h| h.throttled_cool_s).sum(),
        }
    }

    fn finding(&self, sentence: &'static str) -> Finding {
        let lines = self.rental.lines.iter().map(|l| self.case.ledger.line(*l).origin());
        let first = self.rental.lines.first().map_or_else(|| Origin::file(""), |l| self.case.ledger.line(*l).origin());
        Finding::new(self.rental.platform.as_str(), sentence, first)
            .account(self.rental.account.as_deref())
            .resource(self.rental.resource.as_str())
            .period(self.case.start, self.case.end)
            .evidence(lines)
            .value("device", self.device)
            .value("card", self.billed().map_or("GPU", |c| &c.id))
            .value("name", self.name)
    }

    /// The name that the driver prints belongs to another card.
    fn other_card(&self) -> Option<Finding> {
        let billed = self.billed()?;
        let printed = catalogue::named(self.name, None);
        // A bare name on the bill means the smaller sibling: one with more memory is no fault.
        let sibling = |c: &&catalogue::Card| c.model.is_some() && c.model == billed.model && c.vram_gb > billed.vram_gb;
        let ordered = printed.iter().any(|c| same(c, billed) || sibling(c));
        if self.name.is_empty() || printed.is_empty() || ordered {
            return None;
        }
        Some(self.finding("other_card"))
    }

    /// Less memory than any driver shows of such a card. More is a modded board, not a fault.
    fn short_memory(&self, params: &Params) -> Option<Finding> {
        let (billed, memory) = (self.billed()?, self.memory?);
        let least = f64::from(*billed.memory_mib.iter().min()?);
        // Who was billed a part of a card gets a part of its memory.
        let slice = self.slice || !self.rental.cards.fract().is_zero();
        if slice || self.other_card().is_some() || memory >= least * (1.0 - params.number("memory_tolerance") / 100.0) {
            return None;
        }
        Some(self.finding("short_memory").value("memory", rounded(memory)).value("expected", rounded(least)))
    }

    /// Full load for an hour, and the power never came near its limit.
    fn low_power(&self, params: &Params) -> Option<Finding> {
        let (power, limit) = (self.full_power?, self.limit.filter(|l| *l > 0.0)?);
        let share = 100.0 * power / limit;
        if self.full_s < 3600.0 || share >= params.number("power_share") {
            return None;
        }
        let finding = self.finding("low_power").severity(Severity::Warning);
        Some(finding.value("power", rounded(power)).value("limit", rounded(limit)).value("share", rounded(share)))
    }

    /// Clocks held down while the card was below 80 °C.
    fn throttled(&self, params: &Params) -> Option<Finding> {
        let minutes = self.throttled_s / 60.0;
        (minutes >= params.number("throttled_minutes"))
            .then(|| self.finding("throttled").value("minutes", rounded(minutes)))
    }

    fn billed(&self) -> Option<&'static catalogue::Card> {
        ordered(self.case, self.rental)
    }
}

fn rounded(number: f64) -> String {
    figure(Decimal::from_f64_retain(number).unwrap_or_default())
}
