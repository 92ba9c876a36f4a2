//! Exports that print no header: the one place where a column is known by its position.
//!
//! Such a file is claimed only where no row of it is a header that a layout knows, every row has
//! exactly as many cells as the layout names, and what should be a time or a number is one.

use super::cell::{extract, value};
use super::header::Header;
use super::identify::{Claim, LOOK};
use super::plan::{Field, Plan, Target};
use super::platforms::Platforms;
use super::schema::Layout;
use crate::error::Result;
use crate::ledger::MoneyColumn;
use crate::ledger::money::{self, NotExact};
use crate::message::Message;
use crate::open::{Record, Table};

/// The fewest columns by whose shapes an export can be told.
const FEWEST: usize = 4;

/// Checks the names that a layout gives to columns without a header.
pub(super) fn check(layout: &Layout) -> std::result::Result<(), Message> {
    if layout.header.is_empty() {
        return Ok(());
    }
    if layout.header.len() < FEWEST {
        return Err(message!("`header` names fewer than {FEWEST} columns: too few to tell the export by"));
    }
    let header = Header::new(layout.header.clone());
    if let Some(twice) = layout.header.iter().find(|name| header.repeats(std::slice::from_ref(name))) {
        return Err(message!("`header` names the column \"{twice}\" twice"));
    }
    let needed = layout.all_columns().flat_map(|(_, s)| s.each()).filter(|s| !s.optional && !s.column.0.is_empty());
    match needed.map(|s| &s.column.0).find(|names| header.find(names).is_none()) {
        Some(names) => Err(message!("`header` does not name the column \"{}\"", names[0])),
        None if !["start", "posted"].iter().any(|time| layout.columns.contains_key(*time)) => {
            Err("an export without a header must have a time, by which it is told".into())
        }
        None => Ok(()),
    }
}

/// The layouts that claim a table in which no header stands.
pub(super) fn claims(table: &Table, platforms: &Platforms) -> Result<Vec<Claim>> {
    let mut claims = Vec::new();
    each(table, platforms, |claim, plan| {
        if fits(table, claim.delimiter, plan, claim.header.names.len())? {
            claims.push(claim);
        }
        Ok(())
    })?;
    Ok(claims)
}

/// What keeps a layout without a header from claiming a table most of whose first rows fit it.
pub(super) fn nearly(table: &Table, platforms: &Platforms) -> Result<Option<Message>> {
    let mut best: Option<(usize, Message)> = None;
    each(table, platforms, |claim, plan| {
        let mut rows = table.rows(claim.delimiter)?;
        let (mut record, mut fit, mut odd) = (Record::new(), 0, None);
        let mut seen = 0;
        while let Some(row) = rows.next(&mut record)?.filter(|_| seen < LOOK) {
            seen += 1;
            match misfit(&record, plan, claim.header.names.len()) {
                None => fit += 1,
                Some(why) if odd.is_none() => odd = Some((row, why)),
                Some(_) => {}
            }
        }
        if let Some((row, why)) = odd.filter(|_| fit * 2 > seen && best.as_ref().is_none_or(|(most, _)| fit > *most)) {
            let name = claim.name();
            let what = message!(
                "{name}, an export without a header: {fit} of the first {seen} rows are as it has them, row {row} is not: {why}"
            );
            best = Some((fit, what));
        }
        Ok(())
    })?;
    Ok(best.map(|(_, what)| what))
}

/// Makes every layout without a header ready for a table, at every delimiter.
fn each(table: &Table, platforms: &Platforms, mut see: impl FnMut(Claim, &Plan) -> Result<()>) -> Result<()> {
    for platform in platforms.iter() {
        for (index, layout) in platform.layouts.iter().enumerate().filter(|(_, l)| !l.header.is_empty()) {
            let header = Header::new(layout.header.clone());
            let Ok(plan) = Plan::new(platform, layout, &header, (&[], &table.origin.file)) else { continue };
            for &delimiter in table.delimiters() {
                see(Claim { platform: platform.clone(), index, header: header.clone(), row: 0, delimiter }, &plan)?;
            }
        }
    }
    Ok(())
}

/// Why a row is none of a layout.
fn misfit(record: &Record, plan: &Plan, width: usize) -> Option<Message> {
    if record.len() != width {
        return Some(message!("it has {} cells, not {width}", record.len()));
    }
    let field = plan.fields.iter().find(|field| !has_shape(field, record, plan))?;
    let step = field.steps.iter().find(|step| step.place.is_some())?;
    let (place, column) = (step.place?, &step.name);
    let cell: String = String::from_utf8_lossy(record.get(place)?).chars().take(60).collect();
    Some(message!("cell {} ({column}) is {cell:?}", place + 1))
}

/// Whether the first rows have the shapes of a layout.
fn fits(table: &Table, delimiter: u8, plan: &Plan, width: usize) -> Result<bool> {
    let mut rows = table.rows(delimiter)?;
    let (mut record, mut seen) = (Record::new(), 0);
    while seen < LOOK && rows.next(&mut record)?.is_some() {
        if record.len() != width || !plan.fields.iter().all(|field| has_shape(field, &record, plan)) {
            return Ok(false);
        }
        seen += 1;
    }
    Ok(seen > 0)
}

fn has_shape(field: &Field, record: &Record, plan: &Plan) -> bool {
    let cell = |place: usize| record.get(place).map(|cell| String::from_utf8_lossy(cell).into_owned());
    // What is looked up need not look like what it gives.
    let steps = field.steps.iter().filter(|step| step.via.is_none() && step.applies(record));
    let mut texts = steps.filter_map(|step| Some((step, cell(step.place?)?)));
    match field.target {
        Target::Text(_) => true,
        Target::Time(_) => texts.any(|(step, text)| {
            value(&text).and_then(|t| extract(step, t)).is_some_and(|t| step.time.read(t).is_some())
        }),
        Target::Money(column) => {
            let mut filled = column != MoneyColumn::Cost;
            texts.all(|(step, text)| match value(&text).and_then(|t| extract(step, t)) {
                Some(text) => {
                    filled = true;
                    !matches!(money::parse(text, plan.separators), Err(NotExact::Malformed))
                }
                None => true,
            }) && filled
        }
    }
}
