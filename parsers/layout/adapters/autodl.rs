//! AutoDL's statement: what a line charges follows from when the instance was settled.
//!
//! A running instance is settled at every `XX:59:59` and once more when it is switched off, so the
//! last line of a boot is the moment of the switch-off, and a line between two settlements charges
//! a full hour: its amount is the hourly price. The begin of a boot is not printed; it follows from
//! the first amount and the price. What cannot be known stays empty.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::super::{Draft, Drafts};
use crate::error::Refusal;
use crate::ledger::money;
use crate::ledger::{Category, Code, Kind, Lines, MoneyColumn, TextColumn, TimeColumn};

/// Fills times, hours and hourly prices, and gives amounts the sign of a cost.
pub(super) fn adapt(drafts: &mut Drafts<'_>) -> Vec<Refusal> {
    let mut instances: BTreeMap<Code, Vec<usize>> = BTreeMap::new();
    for at in 0..drafts.held.len() {
        let draft = &mut drafts.held[at];
        let kind = word(draft, TextColumn::Kind, drafts.lines, Kind::from_word);
        signed(draft, kind);
        if kind != Some(Kind::Usage) {
            continue;
        }
        match word(draft, TextColumn::Category, drafts.lines, Category::from_word) {
            Some(Category::Gpu) => {
                if let Some(instance) = draft.text(TextColumn::Resource) {
                    instances.entry(instance).or_default().push(at);
                }
            }
            Some(Category::Storage | Category::Image) => day(draft),
            _ => {}
        }
    }
    for rows in instances.into_values() {
        let mut charges: Vec<Charge> = rows.into_iter().filter_map(|at| Charge::new(&drafts.held, at)).collect();
        // The console lists newest first: of two rows of one second, the lower one is the earlier.
        charges.sort_by_key(|c| (c.posted, Reverse(c.at)));
        let mut boots = boots(charges);
        price(&mut boots);
        for charge in boots.iter().flatten() {
            charge.write(&mut drafts.held[charge.at], drafts.lines);
        }
    }
    Vec::new()
}

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3600 * SECOND;

/// What the platform asks for an instance that runs without its card, CNY an hour, at most.
const WITHOUT_CARD: Decimal = Decimal::from_parts(10, 0, 0, false, 2);

/// The smallest amount: every amount is printed to it.
const CENT: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// A charge for an instance's time.
#[derive(Clone, Debug)]
struct Charge {
    at: usize,
    posted: i64,
    cost: Decimal,
    start: Option<i64>,
    end: i64,
    price: Option<Decimal>,
}

impl Charge {
    fn new(held: &[Draft], at: usize) -> Option<Self> {
        let posted = held[at].time(TimeColumn::Posted)?;
        let cost = held[at].money(MoneyColumn::Cost).and_then(money::to_decimal)?;
        let mut charge = Self { at, posted, cost, start: None, end: posted, price: None };
        if charge.settles() {
            charge.end = posted + SECOND;
        }
        Some(charge)
    }

    /// Whether it is a settlement on the hour and not a switch-off.
    fn settles(&self) -> bool {
        (self.posted + SECOND).rem_euclid(HOUR) < SECOND
    }

    fn is_full(&self) -> bool {
        self.start.is_some_and(|start| self.end - start == HOUR)
    }

    fn hours(&self) -> Option<Decimal> {
        let seconds = Decimal::from((self.end - self.start?) / SECOND);
        seconds.checked_div(Decimal::from(3600)).map(|h| h.round_dp(money::SCALE))
    }

    /// Whether the price explains the amount to the cent that it is rounded to.
    fn costs(&self, price: Decimal) -> bool {
        let exact = self.hours().and_then(|h| h.checked_mul(price));
        exact.is_some_and(|exact| (exact - self.cost).abs() <= CENT)
    }

    /// Sets the begin of a boot's first charge: as long before its end as the amount paid for.
    fn begin(&mut self, price: Decimal, not_before: i64) {
        let seconds = (self.cost * Decimal::from(3600)).checked_div(price).map(|s| s.round());
        // An amount that pays for more time than there is tells no begin.
        let paid = seconds.and_then(|s| i64::try_from(s).ok()?.checked_mul(SECOND));
        let Some(begin) = paid.and_then(|paid| self.end.checked_sub(paid)) else { return };
        // A boot that reached back into the hour before would have been settled there.
        let hour = (self.end - SECOND).div_euclid(HOUR) * HOUR;
        self.start = Some(begin.max(hour).max(not_before).min(self.end));
    }

    fn write(&self, draft: &mut Draft, lines: &mut Lines) {
        draft.set_time(TimeColumn::Start, self.start);
        draft.set_time(TimeColumn::End, Some(self.end));
        let without_card = self.price.is_some_and(|p| p <= WITHOUT_CARD);
        if without_card {
            let compute = lines.code(Category::Compute.as_str());
            draft.set_text(TextColumn::Category, Some(compute));
        }
        let Some(hours) = self.hours().and_then(money::from_decimal) else { return };
        let unit = lines.code("hour");
        draft.set_text(TextColumn::Unit, Some(unit));
        draft.set_money(MoneyColumn::Quantity, Some(hours));
        // The statement does not say how many cards an instance has; as elsewhere it counts as one.
        draft.set_money(MoneyColumn::CardHours, (!without_card).then_some(hours));
        let price = self.price.filter(|p| self.costs(*p)).and_then(money::from_decimal);
        draft.set_money(MoneyColumn::Price, price);
    }
}

/// Cuts an instance's charges, in the order of time, into boots, and gives all but the first of a
/// boot their begin.
fn boots(charges: Vec<Charge>) -> Vec<Vec<Charge>> {
    let mut boots: Vec<Vec<Charge>> = Vec::new();
    for mut charge in charges {
        let running = boots
            .last_mut()
            .filter(|boot| boot.last().is_some_and(|last| last.settles() && charge.posted < last.end + HOUR));
        match running {
            Some(boot) => {
                if let Some(last) = boot.last() {
                    // A settlement printed twice charges the same hour twice.
                    charge.start = if charge.posted < last.end { last.start } else { Some(last.end) };
                }
                boot.push(charge);
            }
            None => boots.push(vec![charge]),
        }
    }
    boots
}

/// Finds the hourly price of each boot, and from it the begin of the boot.
fn price(boots: &mut [Vec<Charge>]) {
    let mut known: Vec<Decimal> = boots.iter().flatten().filter(|c| c.is_full()).map(|c| c.cost).collect();
    known.sort_unstable();
    known.dedup();
    let mut not_before = i64::MIN;
    for boot in boots {
        price_boot(boot, &known, not_before);
        not_before = boot.last().map_or(not_before, |c| c.end);
    }
}

fn price_boot(boot: &mut [Charge], known: &[Decimal], not_before: i64) {
    let full: Vec<(usize, Decimal)> =
        boot.iter().enumerate().filter(|(_, c)| c.is_full()).map(|(at, c)| (at, c.cost)).collect();
    for at in 0..boot.len() {
        let nearest = full.iter().min_by_key(|(other, _)| other.abs_diff(at)).map(|(_, price)| *price);
        let price = nearest.or_else(|| only(known, boot, not_before));
        boot[at].price = price;
    }
    if let Some(first) = boot.first_mut()
        && let Some(price) = first.price.filter(|p| *p > Decimal::ZERO)
    {
        first.begin(price, not_before);
    }
}

/// The one price of the instance's other boots that fits a boot without a full hour.
fn only(known: &[Decimal], boot: &[Charge], not_before: i64) -> Option<Decimal> {
    let fits = |price: Decimal| {
        if price <= Decimal::ZERO {
            return false;
        }
        boot.iter().enumerate().all(|(at, charge)| {
            let mut charge = charge.clone();
            if at == 0 {
                charge.begin(price, not_before);
            }
            charge.costs(price)
        })
    };
    let mut fitting = known.iter().copied().filter(|p| fits(*p));
    let price = fitting.next()?;
    fitting.next().is_none().then_some(price)
}

/// A paid disk or image is charged at the end of each day for that day.
fn day(draft: &mut Draft) {
    let Some(posted) = draft.time(TimeColumn::Posted) else { return };
    if (posted + SECOND).rem_euclid(HOUR) < SECOND {
        draft.set_time(TimeColumn::Start, Some(posted + SECOND - 24 * HOUR));
        draft.set_time(TimeColumn::End, Some(posted + SECOND));
    }
}

/// The statement may print what leaves the account with a minus: as a cost it is positive, and
/// what comes back is negative.
fn signed(draft: &mut Draft, kind: Option<Kind>) {
    let cost = draft.money(MoneyColumn::Cost).map(|cost| match kind {
        Some(Kind::Usage | Kind::Subscription | Kind::Fee) => cost.abs(),
        Some(Kind::Refund) => -cost.abs(),
        _ => cost,
    });
    draft.set_money(MoneyColumn::Cost, cost);
}

fn word<T>(draft: &Draft, column: TextColumn, lines: &Lines, read: impl Fn(&str) -> Option<T>) -> Option<T> {
    draft.text(column).and_then(|code| read(lines.word(code)))
}
