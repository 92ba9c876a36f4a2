//! What the lines of each bill add up to, beside what is stated of it.

use std::collections::BTreeMap;

use anyhow::{Error, Result, anyhow};
use kashi_parsers::contract::Statement;
use kashi_parsers::layout::Bill;
use kashi_parsers::message;
use kashi_rules::Footing;
use rust_decimal::Decimal;

use crate::bills::Bills;
use crate::month::Agreement;

/// What the lines of each bill add up to, by currency, and what is stated.
///
/// # Errors
/// If a `[[statement]]` names a file that was not read.
pub fn footings(read: &Bills, statements: &[Statement]) -> Result<Vec<Footing>> {
    let mut footings = Vec::new();
    let mut used = vec![false; statements.len()];
    for (at, bill) in read.bills.iter().enumerate() {
        let sums = sums(read, at, bill);
        let one = sums.len() == 1;
        for (currency, (lines, lines_total)) in sums {
            let said = statements.iter().position(|s| same_file(&bill.origin.file, &s.file) && s.currency == currency);
            let stated = match said {
                Some(at) => {
                    used[at] = true;
                    Some((statements[at].total, bill.origin.clone()))
                }
                None => bill.stated.last().filter(|_| one).map(|s| (s.amount, s.origin.clone())),
            };
            footings.push(Footing {
                origin: bill.origin.clone(),
                platform: bill.platform.clone(),
                currency: currency.to_owned(),
                lines,
                lines_total,
                stated,
                details: None,
            });
        }
    }
    footings.extend(read.agreements.iter().map(agreement));
    match used.iter().position(|used| !used) {
        Some(at) => Err(idle(&statements[at], &footings, read)),
        None => Ok(footings),
    }
}

/// The lines and the sum of a bill by currency; its own total holds all its lines, those that another
/// bill has too as well.
fn sums<'a>(read: &'a Bills, at: usize, bill: &Bill) -> BTreeMap<&'a str, (usize, Decimal)> {
    let aside = read.aside.get(at).into_iter().flatten();
    let mut sums: BTreeMap<&str, (usize, Decimal)> = aside.map(|(c, sum)| (c.as_str(), *sum)).collect();
    for index in bill.span() {
        let line = read.ledger.line(index);
        let sum = sums.entry(line.currency()).or_default();
        if line.is_charge() {
            sum.0 += 1;
            sum.1 += line.cost();
        }
    }
    sums
}

/// The error for a statement that no bill needed.
fn idle(statement: &Statement, footings: &[Footing], read: &Bills) -> Error {
    let (file, currency) = (&statement.file, &statement.currency);
    let said = footings.iter().find(|f| same_file(&f.origin.file, file) && f.currency == *currency);
    if let Some(said) = said {
        return anyhow!(message!(
            "[[statement]] names \"{file}\" in {currency}, but another [[statement]] says what is owed for {}; keep one of them",
            said.origin.file
        ));
    }
    let names: Vec<&str> = read.bills.iter().map(|b| &*b.origin.file).collect();
    anyhow!(message!(
        "[[statement]] names \"{}\" in {}, but no bill of that name and currency was read; check the name: the bills are {}",
        file,
        currency,
        names.join(", ")
    ))
}

/// What a summary states, against the sum of its details.
fn agreement(of: &Agreement) -> Footing {
    Footing {
        origin: of.origin.clone(),
        platform: of.platform.clone(),
        currency: of.currency.clone(),
        lines: of.lines,
        lines_total: of.lines_total,
        stated: Some((of.stated, of.origin.clone())),
        details: Some((of.details.clone(), of.period.clone())),
    }
}

/// Whether a bill is the one that a statement names: the same name, or the same last part.
fn same_file(bill: &str, named: &str) -> bool {
    let named = named.trim_start_matches("./");
    bill == named || bill.ends_with(&format!("/{named}")) || bill.split('!').next() == Some(named)
}
