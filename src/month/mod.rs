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

use kashi_parsers::Error;
use kashi_parsers::layout::{Bill, Platforms};
use kashi_parsers::ledger::Ledger;

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
