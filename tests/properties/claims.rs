//! Law 5: exactly one layout claims a table, by the names of its columns and never by their place.

use proptest::prelude::*;

use kashi_parsers::layout::{self, fold, schema};

use super::material::{Material, lines};
use super::{of_every_layout, tried};

/// A body with its columns moved to where the header's columns go.
fn moved(row: &[String], order: &[usize]) -> Vec<String> {
    order.iter().map(|at| row.get(*at).cloned().unwrap_or_default()).collect()
}

#[test]
fn the_order_of_columns_and_columns_nobody_knows_do_not_matter() {
    of_every_layout(|material| {
        let width = material.header.len();
        let order = Just((0..width).collect::<Vec<_>>()).prop_shuffle();
        let strange = prop::collection::vec("[A-Z]{3}-neu[0-9]{1,3}", 1..3);
        let picked = prop::collection::vec(0..1000usize, 2..9);
        tried(&material.name, 4, &(order, strange, picked), |(order, mut strange, picked)| {
            strange.sort();
            strange.dedup();
            // A row of the body that is shorter than the header is refused wherever its columns stand.
            let body: Vec<_> = material.rows(&picked).into_iter().filter(|row| row.len() == width).collect();
            let plain = material.plain(&body);
            let mut header = moved(&material.header, &order);
            header.extend(strange.iter().cloned());
            let rows: Vec<Vec<String>> = body
                .iter()
                .map(|row| [moved(row, &order), strange.iter().map(|name| format!("{name}?")).collect()].concat())
                .collect();
            // Rows that state a total are told by their first cell: it stays first.
            if material.layout().total.iter().flatten().any(|t| body.iter().any(|row| row[0].starts_with(t.as_str()))) {
                return Ok(());
            }
            let read =
                material.read(&material.table(&header, &rows)).map_err(|e| TestCaseError::fail(e.to_string()))?;
            prop_assert_eq!(&read.bill.layout, &material.name);
            prop_assert_eq!(lines(&read.ledger), lines(&plain.ledger));
            let mut unknown = read.bill.unknown_columns.clone();
            unknown.retain(|name| !plain.bill.unknown_columns.contains(name));
            prop_assert_eq!(unknown, strange, "columns that nobody knows are said");
            Ok(())
        })
    });
}

/// The sources of a layout that a table must have.
fn required(layout: &schema::Layout) -> impl Iterator<Item = &schema::Source> {
    let parts = layout.parts.iter().flat_map(|part| part.columns.values());
    let sources = layout.columns.values().chain(parts).flat_map(|sources| &sources.0);
    sources.filter(|source| !source.optional && !source.column.0.is_empty())
}

#[test]
fn without_a_required_column_the_layout_claims_nothing() {
    let mut removed = 0;
    for material in Material::all() {
        for source in required(material.layout()) {
            let means = |name: &String| {
                source.column.0.iter().any(|alias| match fold(alias).split_once('*') {
                    Some((before, after)) => fold(name).starts_with(before) && fold(name).ends_with(after),
                    None => fold(alias) == fold(name),
                })
            };
            let kept: Vec<usize> = (0..material.header.len()).filter(|at| !means(&material.header[*at])).collect();
            assert!(kept.len() < material.header.len(), "{}: {:?} is not there", material.name, source.column);
            let body: Vec<_> = material.body.iter().take(4).map(|row| moved(row, &kept)).collect();
            let table = material.table(&moved(&material.header, &kept), &body);
            let claim = layout::identify(&table, layout::shipped().unwrap());
            let claimed = claim.map(|claim| claim.name());
            assert_ne!(claimed.as_deref().ok(), Some(material.name.as_str()), "without {:?}", source.column);
            if let Err(error) = claimed {
                assert!(error.to_string().contains("no layout claims this file"), "{}: {error}", material.name);
            }
            removed += 1;
        }
    }
    assert!(removed > 300, "{removed}");
}

/// A vendor that renames a column to a name it has had gives the same ledger.
#[test]
fn every_name_that_a_column_has_had_reads_the_same() {
    let mut renamed = 0;
    for material in Material::all() {
        let body: Vec<_> = material.body.iter().take(12).cloned().collect();
        let expected = lines(&material.plain(&body).ledger);
        for source in required(material.layout()) {
            let Some(place) = material.claim.header.find(&source.column.0) else { continue };
            for alias in source.column.0.iter().filter(|alias| !alias.contains('*')) {
                // A name that another column has here would stand twice.
                if material.header.iter().enumerate().any(|(at, name)| at != place && fold(name) == fold(alias)) {
                    continue;
                }
                let mut header = material.header.clone();
                header[place].clone_from(alias);
                // Another source may read the same column, under a name that it has alone.
                let shared = required(material.layout())
                    .filter(|other| material.claim.header.find(&other.column.0) == Some(place))
                    .any(|other| !other.column.0.iter().any(|name| fold(name) == fold(alias)));
                if shared {
                    continue;
                }
                let read = material.read(&material.table(&header, &body));
                let read = read.unwrap_or_else(|e| panic!("{}: {alias:?}: {e}", material.name));
                assert_eq!(lines(&read.ledger), expected, "{}: {alias:?}", material.name);
                renamed += 1;
            }
        }
    }
    assert!(renamed > 300, "{renamed}");
}
