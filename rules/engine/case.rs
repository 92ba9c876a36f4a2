//! The case: all that a rule may see, joined per resource and hour.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Duration, NaiveDate, Utc};
use kashi_parsers::Origin;
use kashi_parsers::contract::{Contract, Rate};
use kashi_parsers::inventory::Asset;
use kashi_parsers::layout::Platforms;
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::ledger::{Ledger, Line};
use kashi_parsers::usage::UsageHour;
use kashi_parsers::{Message, message};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::rental::{Rental, rentals};

/// What a bill's lines add up to, and what it or the user says they should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footing {
    /// The bill.
    pub origin: Origin,
    /// The platform.
    pub platform: String,
    /// ISO 4217.
    pub currency: String,
    /// Number of lines.
    pub lines: usize,
    /// Their exact sum, top-ups left out.
    pub lines_total: Decimal,
    /// The total that is stated, and where.
    pub stated: Option<(Decimal, Origin)>,
    /// The bills whose lines are added up, where the bill is a summary of them, and their month.
    pub details: Option<(Vec<Origin>, String)>,
}

/// What a case is made of.
#[derive(Debug)]
pub struct Inputs {
    /// Every line of every bill.
    pub ledger: Ledger,
    /// Utilization by device and hour, tied to resources.
    pub usage: Vec<UsageHour>,
    /// What kashi.toml states.
    pub contract: Contract,
    /// What exists on the platforms.
    pub inventory: Vec<Asset>,
    /// What the bills add up to.
    pub footings: Vec<Footing>,
    /// How the platforms bill: those that kashi knows and the user's own.
    pub platforms: Platforms,
    /// The month, `2026-10`.
    pub period: String,
    /// The zone of the month.
    pub zone: Zone,
}

/// A case, joined.
#[derive(Debug)]
pub struct Case {
    /// Every line of every bill.
    pub ledger: Ledger,
    /// Utilization by device and hour.
    pub usage: Vec<UsageHour>,
    /// What kashi.toml states.
    pub contract: Contract,
    /// What exists on the platforms.
    pub inventory: Vec<Asset>,
    /// What the bills add up to.
    pub footings: Vec<Footing>,
    /// How the platforms bill: those that kashi knows and the user's own.
    pub platforms: Platforms,
    /// The month, `2026-10`.
    pub period: String,
    /// The zone of the month.
    pub zone: Zone,
    /// Begin of the month, UTC.
    pub start: DateTime<Utc>,
    /// End of the month, UTC, exclusive: the day on which the audit stands.
    pub end: DateTime<Utc>,
    /// Every rented GPU resource, by platform and id.
    pub rentals: Vec<Rental>,
    by_resource: BTreeMap<String, BTreeMap<DateTime<Utc>, Vec<usize>>>,
}

/// What a resource's cards did in an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// Some card worked.
    Busy,
    /// No card worked, and none held a model.
    Idle,
    /// No card worked, but one held memory: a loaded model, a notebook.
    Loaded,
    /// Not every card was seen for long enough.
    Unknown,
}

/// A ledger line with what utilization says of its hours; card-hours, exact to 18 decimals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinRow {
    /// The line's place in the ledger.
    pub line: usize,
    /// Card-hours in which some card worked.
    pub busy_hours: Decimal,
    /// Card-hours in which none did.
    pub idle_hours: Decimal,
    /// Card-hours that nobody observed.
    pub unknown_hours: Decimal,
    /// The cost of the idle ones.
    pub idle_cost: Decimal,
}

/// Shares of cards are rounded on bills: 0.14 of a card is a seventh.
const ROUNDING: f64 = 0.01;

/// Thresholds that turn an hour of utilization into a [`State`].
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    /// Utilization under which a card is idle, percent.
    pub idle_below: f64,
    /// Memory from which an idle card is loaded, percent of its memory.
    pub loaded_from: f64,
    /// Share of the billed part of the hour that samples must cover, percent.
    pub coverage: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { idle_below: 5.0, loaded_from: 20.0, coverage: 80.0 }
    }
}

impl Case {
    /// Joins what is known of a month.
    ///
    /// # Errors
    /// If the period is not a month.
    pub fn new(inputs: Inputs) -> Result<Self, Message> {
        let Inputs { ledger, usage, contract, inventory, footings, platforms, period, zone } = inputs;
        let (start, end) = month(&period, zone).ok_or_else(|| message!("{period:?} is not a month such as 2026-10"))?;
        let mut by_resource: BTreeMap<String, BTreeMap<DateTime<Utc>, Vec<usize>>> = BTreeMap::new();
        for (index, hour) in usage.iter().enumerate() {
            if let Some(resource) = &hour.resource {
                by_resource.entry(resource.clone()).or_default().entry(hour.hour).or_default().push(index);
            }
        }
        let rentals = rentals(&ledger, &contract, start, end);
        Ok(Self {
            ledger,
            usage,
            contract,
            inventory,
            footings,
            platforms,
            period,
            zone,
            start,
            end,
            rentals,
            by_resource,
        })
    }

    /// The lines that are costs, top-ups left out.
    pub fn charges(&self) -> impl Iterator<Item = Line<'_>> {
        self.ledger.lines().filter(|l| l.is_charge())
    }

    /// What the devices of a resource did, by hour.
    pub fn usage_of(&self, resource: &str) -> impl Iterator<Item = &UsageHour> {
        self.by_resource.get(resource).into_iter().flat_map(|hours| hours.values().flatten()).map(|i| &self.usage[*i])
    }

    /// What the devices of a resource did in an hour.
    pub fn usage_at(&self, resource: &str, hour: DateTime<Utc>) -> impl Iterator<Item = &UsageHour> {
        self.by_resource.get(resource).and_then(|hours| hours.get(&hour)).into_iter().flatten().map(|i| &self.usage[*i])
    }

    /// What a rental's cards did in an hour. Unless every billed card was seen, it is unknown.
    pub fn state(&self, rental: &Rental, hour: DateTime<Utc>, thresholds: Thresholds) -> State {
        let needed = rental.seconds(hour) as f64 * thresholds.coverage / 100.0;
        let mut seen = 0.0;
        let mut loaded = false;
        let mut idle = true;
        let devices: Vec<&UsageHour> = self.usage_at(&rental.resource, hour).filter(|u| rental.is_on(u)).collect();
        for usage in &devices {
            // A card that is cut into slices says nothing where they speak for it.
            if usage.util_max.is_none() && devices.iter().any(|slice| slice.is_slice_of(usage)) {
                continue;
            }
            if usage.util_max.is_some_and(|u| u >= thresholds.idle_below) {
                return State::Busy;
            }
            idle &= usage.util_max.is_some() && usage.observed_s >= needed;
            loaded |= memory_share(usage).is_some_and(|share| share >= thresholds.loaded_from);
            seen += usage.share();
        }
        let billed = rental.cards.to_f64().unwrap_or(f64::INFINITY);
        if !idle || seen <= 0.0 || seen + ROUNDING < billed {
            State::Unknown
        } else if loaded {
            State::Loaded
        } else {
            State::Idle
        }
    }

    /// Every card line with what utilization says of it.
    pub fn join(&self) -> Vec<JoinRow> {
        let mut rows: BTreeMap<usize, JoinRow> = BTreeMap::new();
        for rental in &self.rentals {
            for bill in &rental.hours {
                let row = rows.entry(bill.line).or_insert_with(|| JoinRow {
                    line: bill.line,
                    busy_hours: Decimal::ZERO,
                    idle_hours: Decimal::ZERO,
                    unknown_hours: Decimal::ZERO,
                    idle_cost: Decimal::ZERO,
                });
                match self.state(rental, bill.hour, Thresholds::default()) {
                    State::Busy => row.busy_hours += bill.card_hours,
                    State::Unknown => row.unknown_hours += bill.card_hours,
                    State::Idle | State::Loaded => {
                        row.idle_hours += bill.card_hours;
                        row.idle_cost += bill.cost;
                    }
                }
            }
        }
        rows.into_values().collect()
    }

    /// The last day of the month.
    pub fn last_day(&self) -> NaiveDate {
        self.zone.local(self.end - Duration::seconds(1)).date()
    }

    /// Days in the month.
    pub fn days(&self) -> i64 {
        (self.end - self.start).num_days()
    }

    /// One unit of a currency in another, by the latest rate up to the end of the month.
    pub fn rate(&self, from: &str, to: &str) -> Option<Decimal> {
        if from == to {
            return Some(Decimal::ONE);
        }
        self.rate_of(from, to).map(|(rate, _)| rate)
    }

    /// The same, with the entry of kashi.toml that says so: the latest, which may be the other way round.
    pub fn rate_of(&self, from: &str, to: &str) -> Option<(Decimal, &Rate)> {
        let last = self.last_day();
        let latest = |a: &str, b: &str| {
            let rates = self.contract.rates.iter().filter(|r| r.from == a && r.to == b && r.date <= last);
            rates.max_by_key(|r| r.date)
        };
        let direct = latest(from, to);
        let turned = latest(to, from).filter(|turned| direct.is_none_or(|direct| turned.date > direct.date));
        let turned = turned.and_then(|r| Some((Decimal::ONE.checked_div(r.rate)?, r)));
        turned.or_else(|| direct.map(|r| (r.rate, r)))
    }
}

/// Memory in use as a share of the card's, percent; `None` if either is unknown.
pub(crate) fn memory_share(usage: &UsageHour) -> Option<f64> {
    let total = usage.memory_total.filter(|t| *t > 0.0)?;
    usage.memory_max.map(|m| 100.0 * m / total)
}

fn month(period: &str, zone: Zone) -> Option<(DateTime<Utc>, DateTime<Utc>)> {
    let first = NaiveDate::parse_from_str(&format!("{period}-01"), "%Y-%m-%d").ok()?;
    let (year, month) = if first.month() == 12 { (first.year() + 1, 1) } else { (first.year(), first.month() + 1) };
    let next = NaiveDate::from_ymd_opt(year, month, 1)?;
    let midnight = |day: NaiveDate| zone.to_utc(day.and_hms_opt(0, 0, 0)?);
    Some((midnight(first)?, midnight(next)?))
}
