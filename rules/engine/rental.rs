//! A rental: a resource with GPUs, and what was charged for it hour by hour.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, DurationRound, Utc};
use kashi_parsers::contract::Contract;
use kashi_parsers::ledger::{Category, Kind, Ledger, Line};
use kashi_parsers::usage::UsageHour;
use rust_decimal::Decimal;

use super::case::Case;
use super::parallel::Parallel;

/// A resource with GPUs that was billed.
#[derive(Clone, Debug)]
pub struct Rental {
    /// The platform.
    pub platform: String,
    /// The account.
    pub account: Option<String>,
    /// The platform's id.
    pub resource: String,
    /// The user's name for it.
    pub name: Option<String>,
    /// Catalogue id of the card.
    pub card: Option<String>,
    /// Number of cards: the most that a line bills, or that several lines usually bill at once.
    pub cards: Decimal,
    /// Its charges for cards, in the order of the ledger.
    pub lines: Vec<usize>,
    /// These charges by hour, for the lines that state a time; sorted by hour and line.
    pub hours: Vec<HourBill>,
    /// Exact sum of the charges.
    pub cost: Decimal,
    /// ISO 4217.
    pub currency: String,
}

/// The part of a line that falls into one UTC hour of the month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HourBill {
    /// Begin of the hour.
    pub hour: DateTime<Utc>,
    /// The line's place in the ledger.
    pub line: usize,
    /// Begin of the part.
    pub from: DateTime<Utc>,
    /// Seconds of the hour that the line charges.
    pub seconds: i64,
    /// GPUs × hours of this part.
    pub card_hours: Decimal,
    /// The line's cost × these seconds ÷ all its seconds; the parts of a line add up to its cost.
    pub cost: Decimal,
}

impl Rental {
    /// The parts of its charges that fall into an hour.
    pub fn at(&self, hour: DateTime<Utc>) -> &[HourBill] {
        let first = self.hours.partition_point(|h| h.hour < hour);
        let count = self.hours[first..].partition_point(|h| h.hour == hour);
        &self.hours[first..first + count]
    }

    /// Seconds of an hour in which some card is billed, 3600 at most.
    pub fn seconds(&self, hour: DateTime<Utc>) -> i64 {
        let mut parts: Vec<(DateTime<Utc>, i64)> = self.at(hour).iter().map(|h| (h.from, h.seconds)).collect();
        parts.sort_unstable();
        let (mut billed, mut until) = (0, hour);
        // Cards side by side are billed for the same seconds.
        for (from, seconds) in parts {
            let end = from + Duration::seconds(seconds);
            billed += (end - from.max(until)).num_seconds().max(0);
            until = until.max(end);
        }
        billed.min(3_600)
    }

    /// Its charges that belong to the month and state no time.
    pub fn timeless<'a>(&'a self, case: &'a Case) -> impl Iterator<Item = Line<'a>> {
        let lines = self.lines.iter().map(|l| case.ledger.line(*l)).filter(|l| l.period() == case.period);
        lines.filter(|l| l.start().zip(l.end()).is_none_or(|(start, end)| start >= end))
    }

    /// Whether utilization that names its resource also names its platform, if any.
    pub fn is_on(&self, usage: &UsageHour) -> bool {
        usage.platform.as_ref().is_none_or(|p| *p == self.platform)
    }
}

/// Every rental of a ledger, its charges cut into the hours of the month.
pub(super) fn rentals(ledger: &Ledger, contract: &Contract, start: DateTime<Utc>, end: DateTime<Utc>) -> Vec<Rental> {
    let parallel = Parallel::new(ledger.lines(), contract);
    let mut found: BTreeMap<(String, String), Rental> = BTreeMap::new();
    for line in ledger.lines() {
        let Some(resource) = line.resource() else { continue };
        if line.category() != Category::Gpu || !matches!(line.kind(), Kind::Usage | Kind::Subscription) {
            continue;
        }
        let rental = found.entry((line.platform().to_owned(), resource.to_owned())).or_insert_with(|| Rental {
            platform: line.platform().to_owned(),
            account: line.account().map(str::to_owned),
            resource: resource.to_owned(),
            name: line.resource_name().map(str::to_owned),
            card: None,
            cards: Decimal::ZERO,
            lines: Vec::new(),
            hours: Vec::new(),
            cost: Decimal::ZERO,
            currency: line.currency().to_owned(),
        });
        rental.lines.push(line.index());
        rental.cost += line.cost();
        let cards = line.cards().unwrap_or(Decimal::ONE);
        rental.cards = rental.cards.max(parallel.usual(line).unwrap_or(cards)).max(cards);
        if rental.card.is_none() {
            rental.card = line.card().map(str::to_owned);
        }
        hours(line, start, end, &mut rental.hours);
    }
    let mut rentals: Vec<Rental> = found.into_values().collect();
    for rental in &mut rentals {
        rental.hours.sort_by_key(|h| (h.hour, h.line));
    }
    rentals
}

/// Cuts a line into the hours of the month; the shares of its cost add up to the part of it that
/// lies in the month.
fn hours(line: Line<'_>, start: DateTime<Utc>, end: DateTime<Utc>, into: &mut Vec<HourBill>) {
    let (Some(from), Some(until)) = (line.start(), line.end()) else { return };
    let total = (until - from).num_seconds();
    if total <= 0 {
        return;
    }
    let cards = line.cards().unwrap_or(Decimal::ONE);
    // Differences of what was due by then: rounding at 28 digits cannot add up.
    let due = |then: DateTime<Utc>| line.cost() * Decimal::from((then - from).num_seconds()) / Decimal::from(total);
    let (mut at, until) = (from.max(start), until.min(end));
    while at < until {
        let Ok(hour) = at.duration_trunc(Duration::hours(1)) else { return };
        let next = (hour + Duration::hours(1)).min(until);
        let seconds = (next - at).num_seconds();
        into.push(HourBill {
            hour,
            line: line.index(),
            from: at,
            seconds,
            card_hours: Decimal::from(seconds) * cards / Decimal::from(3_600),
            cost: due(next) - due(at),
        });
        at = next;
    }
}
