//! What the rows above one have in common, and what they come to.

use super::cell::{utf8, value};
use super::draft::Drafts;
use super::plan::{Field, Plan, Target};
use super::total::Amount;
use crate::ledger::{MoneyColumn, TextColumn};
use crate::open::Record;

/// The charges read so far, looked at only where a row asks for it, and each once.
#[derive(Default)]
pub(super) struct Above {
    /// The place of the next line that was not looked at.
    next: usize,
    /// The place of the first line behind the last total.
    behind: usize,
    lines: usize,
    /// `None` if there is no such number.
    all: Option<i128>,
    /// Since the last total.
    group: Option<i128>,
    /// By field of the plan: whether every line has it.
    always: Vec<bool>,
}

impl Above {
    /// Begins behind the lines that a ledger has already.
    pub(super) fn new(first: usize) -> Self {
        Self { next: first, behind: first, all: Some(0), group: Some(0), ..Self::default() }
    }

    /// Takes the lines into account that came since.
    pub(super) fn catch_up(&mut self, plan: &Plan, drafts: &Drafts<'_>) {
        self.always.resize(plan.fields.iter().count(), true);
        for at in self.next..drafts.end() {
            if at == self.behind {
                self.group = Some(0);
            }
            let cost = drafts.cost_at(at).unwrap_or_default();
            self.all = self.all.and_then(|sum| sum.checked_add(cost));
            self.group = self.group.and_then(|sum| sum.checked_add(cost));
            for (field, always) in plan.fields.iter().zip(&mut self.always) {
                *always = *always && drafts.has_at(field.target, at);
            }
            self.lines += 1;
        }
        self.next = drafts.end();
        if self.next == self.behind {
            self.group = Some(0);
        }
    }

    /// What all of them come to.
    pub(super) fn sum(&self) -> Option<i128> {
        self.all
    }

    /// Whether the amount of a row is what all of them, or those since the last total, come to.
    pub(super) fn comes_to(&self, amount: &Amount) -> bool {
        self.is_all(amount) || self.group.is_some_and(|sum| self.lines > 0 && equals(amount, sum))
    }

    /// Whether the amount is what all of them come to.
    pub(super) fn is_all(&self, amount: &Amount) -> bool {
        self.all.is_some_and(|sum| self.lines > 0 && equals(amount, sum))
    }

    /// Begins a new group: a total was met.
    pub(super) fn total(&mut self, drafts: &Drafts<'_>) {
        self.behind = drafts.end();
    }

    /// Whether a row is blank where all of them have something.
    pub(super) fn lacks(&self, plan: &Plan, record: &Record) -> bool {
        let mut fields = plan.fields.iter().zip(&self.always);
        fields.any(|(field, always)| *always && is_own(field) && said(field).all(|place| !has(record, place)))
    }
}

/// Whether a printed amount is a sum, which may have been rounded to the amount's decimals.
fn equals(amount: &Amount, sum: i128) -> bool {
    let decimals = amount.text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let decimals = decimals.rsplit_once(['.', ',']).map_or(0, |(_, decimals)| decimals.len() as u32);
    let unit = match decimals {
        2..=17 => 10i128.pow(18 - decimals),
        _ => 1,
    };
    amount.mantissa != 0 && sum != 0 && amount.mantissa.abs_diff(sum) < unit.unsigned_abs()
}

/// The places of the columns that a field is read from.
pub(super) fn said(field: &Field) -> impl Iterator<Item = usize> {
    field.steps.iter().filter_map(|step| step.place)
}

/// Whether a row has something to say at a place.
pub(super) fn has(record: &Record, place: usize) -> bool {
    record.get(place).is_some_and(|cell| value(&utf8(cell)).is_some())
}

/// Whether a line has the field only where its row has: nothing stands in for it.
fn is_own(field: &Field) -> bool {
    use TextColumn::{Account, Category, Currency, Terms};
    let given = match field.target {
        Target::Text(column) => matches!(column, Account | Category | Currency | Terms),
        Target::Money(column) => !matches!(column, MoneyColumn::Price | MoneyColumn::ListPrice | MoneyColumn::Quantity),
        Target::Time(_) => false,
    };
    !given && field.steps.iter().all(|step| step.place.is_some() && step.when.is_none())
}
