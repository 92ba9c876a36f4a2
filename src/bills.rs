//! Bills in, ledger out: open, identify, read.

use anyhow::Result;
use kashi_parsers::layout::{self, Bill, Claim, Given, Platforms};
use kashi_parsers::ledger::{Ledger, Lines};
use kashi_parsers::open::{self, Table};
use kashi_parsers::{Error, error};

use crate::month::{self, Agreement, Sums};
use crate::places::Place;
use crate::problems::Problems;
use crate::{own, taxes, views};

/// The bills of a month in one ledger.
#[derive(Debug)]
pub struct Bills {
    /// Every line.
    pub ledger: Ledger,
    /// What became of each table.
    pub bills: Vec<Bill>,
    /// What summaries state of the lines of other bills.
    pub agreements: Vec<Agreement>,
    /// What the lines of each bill add up to that do not count, because another bill has them.
    pub aside: Vec<Sums>,
}

/// The tables of a file and the layout that claims each.
///
/// A workbook may have sheets that are no bill (a cover, a summary): they are passed over as long
/// as another sheet of the file is claimed; otherwise the first sheet's error stands.
///
/// # Errors
/// If the file cannot be opened, or no layout or more than one claims it.
pub fn claims(place: &Place, platforms: &Platforms) -> Result<Vec<(Table, Claim)>, Error> {
    let tables = open_place(place).map_err(|error| own::said(place, error))?;
    let mut claimed = Vec::new();
    let mut refused = None;
    for table in tables {
        match layout::identify(&table, platforms) {
            Ok(claim) => claimed.push((table, claim)),
            Err(error) if error.kind() == error::Kind::Unclaimed && table.origin.sheet.is_some() => {
                refused.get_or_insert(error);
            }
            Err(error) => return Err(own::said(place, error)),
        }
    }
    match refused {
        Some(error) if claimed.is_empty() => Err(own::said(place, error)),
        _ => Ok(claimed),
    }
}

/// Reads bills into one ledger.
///
/// With `quarantine` the refused cells stay in [`Bill::refusals`] and the rest is read.
///
/// # Errors
/// If a file cannot be used, or, without `quarantine`, a cell was refused; then all of them are listed.
pub fn read<'a>(
    places: &[Place],
    platforms: &Platforms,
    given: impl Into<Given<'a>>,
    quarantine: bool,
) -> Result<Bills> {
    let given = given.into();
    let mut lines = Lines::new();
    let mut bills = Vec::new();
    let mut problems: Vec<Error> = Vec::new();
    let mut spread = Vec::new();
    for place in places {
        match claims(place, platforms) {
            Ok(claimed) => {
                for (table, claim) in claimed {
                    match layout::read(&table, &claim, given, &mut lines) {
                        Ok(bill) => {
                            spread.extend(claim.layout().amortizes.then_some(bills.len()));
                            bills.push(bill);
                        }
                        Err(error) => problems.push(error),
                    }
                }
            }
            Err(error) => problems.push(error),
        }
    }
    let refusals: Vec<_> = bills.iter().flat_map(|b| b.refusals.iter().cloned()).collect();
    if !refusals.is_empty() && !quarantine {
        problems.push(Error::cells(refusals).hint("mend the values, or go on without their rows with `--quarantine FILE`, which keeps them and says so at the top of the report"));
    }
    taxes::say(&mut bills, platforms);
    let ledger = Ledger::new(lines);
    problems.extend(views::check(&ledger, &mut bills, &spread));
    Problems::none(problems)?;
    let settled = month::settle(ledger, &mut bills, platforms);
    let month::Settled { ledger, agreements, aside } = settled.map_err(Problems::all)?;
    Ok(Bills { ledger, bills, agreements, aside })
}

fn open_place(place: &Place) -> Result<Vec<Table>, Error> {
    if place.path.as_os_str() == "-" {
        return open::open_stream(std::io::stdin().lock(), "-");
    }
    open::open(&place.path, &place.name)
}
