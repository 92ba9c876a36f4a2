//! Several files of one month: which lines are the money, and which state it again.
//!
//! Bills are read as if each were alone; then this module looks at what several of them claim
//! together, and sets aside every line whose money another line has (law 8: money is counted
//! once). Nothing else may add bills up.
//!
//! ```text
//! ledger of all lines, one bill after the other
//!   │ scope     lines of two bills meet only within one platform and month (and account, if both name one,
//!   │           however it is written)
//!   │
//!   │ reissue   bills of ONE layout in a scope: are their lines the same charges?
//!   │             no common charge           parts of a month: added
//!   │             the same amounts           the same export again: counted once
//!   │             other amounts              a restatement: the newer one counts, the difference is noted;
//!   │                                        where nothing says which is newer, or the newer lacks many
//!   │                                        lines (an export of some products): an error
//!   │             other accounts, same sum   one export, the account named in two ways: an error
//!   │ detail    bills of SEVERAL layouts in a scope: the platform file says how they stand to each other
//!   │             same_money_as              the preferred one is the ledger, the other a total that it must come to
//!   │                                        (of several totals the largest difference is claimed; in
//!   │                                        another currency nothing is)
//!   │             other_money_than           both are added
//!   │             nothing                    an error that names both files
//!   ▼
//! ledger of the lines that count · agreements (sums that must foot) · notes in the bills
//! ```
//!
//! A line that is set aside is no line that is lost: its row is left out for a stated reason
//! (`repeated`, `restated`, `detailed`), so that rows read = lines + rows left out + rows refused
//! holds for each file, and what a bill states as its own total is held against all its lines.
//!
//! The result does not depend on the order in which files are named: bills are compared in the
//! order of their names, and only what they hold decides which one counts.

mod account;
mod agreement;
mod aside;
mod compared;
mod detail;
mod issued;
mod reissue;
mod scope;
mod twice;

use std::collections::BTreeMap;

use chrono::{Months, NaiveDate, TimeDelta};
use kashi_parsers::layout::{Bill, Platforms, Reason};
use kashi_parsers::ledger::{Ledger, Line};
use kashi_parsers::{Error, message};

use crate::bills::Bills;

pub use agreement::Agreement;
use aside::Aside;
pub use aside::Sums;

/// What counts of several files of one month.
#[derive(Debug)]
pub(crate) struct Settled {
    /// The lines that count.
    pub(crate) ledger: Ledger,
    /// Sums that must be the same.
    pub(crate) agreements: Vec<Agreement>,
    /// What each bill's lines that do not count add up to, in the order of the bills.
    pub(crate) aside: Vec<Sums>,
}

/// Whether a line of another month is charged for a time that reaches into this one, as that of a
/// yearly package does; an hour or a day at the edge of a month is of one month only.
fn reaches(line: Line<'_>, period: &str) -> bool {
    let first = NaiveDate::parse_from_str(&format!("{period}-01"), "%Y-%m-%d").ok();
    let month = first.and_then(|first| Some((first, first.checked_add_months(Months::new(1))?)));
    let (Some((start, end)), Some((first, next))) = (line.start().zip(line.end()), month) else { return false };
    end - start > TimeDelta::hours(25) && start.date_naive() < next && end.date_naive() > first
}

/// Sets aside every line that is not of the month that was asked for, and says so in the bills.
pub(crate) fn only(read: &mut Bills, period: &str) {
    let mut aside = Aside::new(read.bills.len());
    for (at, bill) in read.bills.iter().enumerate() {
        let mut months: BTreeMap<&str, usize> = BTreeMap::new();
        for line in bill.span() {
            let of = read.ledger.line(line);
            let month = of.period();
            if month != period && !reaches(of, period) {
                *months.entry(month).or_default() += 1;
                aside.put(&read.ledger, line, Reason::OtherMonth);
            }
        }
        let n: usize = months.values().sum();
        if n > 0 {
            let months = months.into_keys().collect::<Vec<_>>().join(", ");
            let note =
                message!("{n} of its lines are of other months ({months}) and were left out: {period} is audited");
            aside.note(at, note.to_string());
        }
    }
    for (sums, more) in read.aside.iter_mut().zip(aside.sums(&read.ledger, &read.bills)) {
        for (currency, (lines, cost)) in more {
            let sum = sums.entry(currency).or_default();
            *sum = (sum.0 + lines, sum.1 + cost);
        }
    }
    // What was stated of another month is held against no line of this one.
    read.agreements.retain(|agreement| agreement.period == period);
    if let Some(ledger) = aside.take_from(&read.ledger, &mut read.bills) {
        read.ledger = ledger;
    }
}

/// Sets aside every line whose money another line has, and says so in the bills.
pub(crate) fn settle(ledger: Ledger, bills: &mut [Bill], platforms: &Platforms) -> Result<Settled, Vec<Error>> {
    let mut aside = Aside::new(bills.len());
    let mut agreements = Vec::new();
    let mut errors = Vec::new();
    for scope in scope::shared(&ledger, bills) {
        scope.say_destroyed(&ledger, &mut aside);
        errors.extend(reissue::settle(&ledger, bills, &scope, &mut aside));
        errors.extend(detail::settle(&ledger, bills, &scope, platforms, &mut aside, &mut agreements));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let sums = aside.sums(&ledger, bills);
    let ledger = aside.take_from(&ledger, bills).unwrap_or(ledger);
    Ok(Settled { ledger, agreements, aside: sums })
}
