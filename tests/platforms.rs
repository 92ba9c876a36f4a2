//! Every fixture of a platform is claimed by one of its layouts, and becomes the expected ledger.

use std::path::{Path, PathBuf};

use kashi::config::Config;
use kashi::places::Place;
use kashi::{bills, commands, export};

use crate::golden;

/// Folders of fixtures that are not platforms.
const OTHERS: [&str; 11] =
    ["cards", "demo", "errors", "events", "inventory", "map", "mended", "month", "profiles", "rules", "usage"];

fn fixtures() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for folder in sorted("fixtures") {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !folder.is_dir() || OTHERS.contains(&name.as_str()) {
            continue;
        }
        for file in sorted(&folder) {
            let text = file.to_string_lossy().into_owned();
            if !text.ends_with(".ledger.csv") && !text.ends_with(".toml") {
                found.push((name.clone(), file));
            }
        }
    }
    found
}

fn sorted(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

fn place(file: &Path) -> Place {
    Place { name: file.file_name().unwrap().to_string_lossy().into_owned(), path: file.to_owned() }
}

/// The kashi.toml of a fixture that needs one, beside it.
fn config(file: &Path) -> Config {
    let beside = file.with_extension("toml");
    if beside.exists() { Config::read(&beside, "kashi.toml").unwrap() } else { Config::default() }
}

#[test]
fn every_fixture_becomes_its_expected_ledger() {
    let platforms = commands::platforms(&[]).unwrap();
    let all = fixtures();
    assert!(!all.is_empty());
    for (platform, file) in all {
        let place = place(&file);
        for (_, claim) in bills::claims(&place, &platforms).unwrap() {
            assert_eq!(claim.platform.name, platform, "{} is claimed by another platform", file.display());
        }
        let read = bills::read(&[place], &platforms, config(&file).given(), false)
            .unwrap_or_else(|e| panic!("{}: {e:#}", file.display()));
        for bill in &read.bills {
            let left: usize = bill.left_out.values().sum();
            assert_eq!(
                bill.rows + bill.parts,
                bill.lines + left + bill.refused_rows,
                "{}: a row was lost",
                file.display()
            );
            assert!(bill.unknown_columns.is_empty(), "{}: {:?}", file.display(), bill.unknown_columns);
        }
        let mut csv = Vec::new();
        export::csv(&read.ledger, None, &mut csv).unwrap();
        golden::check(&file.with_extension("ledger.csv"), &String::from_utf8(csv).unwrap());
    }
}

#[test]
fn every_layout_has_a_fixture_of_thirty_rows() {
    let platforms = commands::platforms(&[]).unwrap();
    let mut seen: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for (_, file) in fixtures() {
        let read = bills::read(&[place(&file)], &platforms, config(&file).given(), false).unwrap();
        for bill in &read.bills {
            let most = seen.entry(bill.layout.clone()).or_default();
            *most = (*most).max(bill.lines);
        }
    }
    for platform in platforms.iter().filter(|p| p.name != "ledger") {
        for layout in &platform.layouts {
            let name = format!("{}/{}", platform.name, layout.name);
            let lines = seen.get(&name).copied().unwrap_or_default();
            assert!(lines >= 30, "{name}: the largest fixture has {lines} rows");
        }
    }
}

#[test]
fn every_shipped_platform_file_is_right() {
    kashi_parsers::layout::check_shipped().unwrap();
}
