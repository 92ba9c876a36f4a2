//! Inventories: each file of `fixtures/inventory` beside what is read from it, or why it is refused.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use kashi_parsers::inventory::{self, Asset};

use crate::golden;

fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("fixtures/inventory").unwrap();
    let mut all: Vec<_> =
        entries.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "csv")).collect();
    all.sort();
    all
}

fn time(time: Option<DateTime<Utc>>) -> String {
    time.map_or_else(|| "-".to_owned(), |t| t.to_rfc3339_opts(SecondsFormat::Secs, true))
}

fn shown(asset: &Asset) -> String {
    let text = |t: &Option<String>| t.clone().unwrap_or_else(|| "-".to_owned());
    format!(
        "row {}: {} {} {} {} | {} GB | created {} | used {} | of {} | released {} | {}",
        asset.origin.row,
        asset.platform,
        text(&asset.account),
        asset.kind.as_str(),
        asset.resource,
        asset.size_gb.map_or_else(|| "-".to_owned(), |s| s.to_string()),
        time(asset.created_at),
        time(asset.last_used_at),
        text(&asset.source),
        time(asset.released_at),
        text(&asset.state),
    )
}

fn read(path: &Path) -> String {
    let name = path.file_name().unwrap().to_string_lossy();
    match inventory::read(path, &name) {
        Ok(assets) => assets.iter().fold(String::new(), |mut all, asset| {
            let _ = writeln!(all, "{}", shown(asset));
            all
        }),
        Err(error) => format!("{error}\n"),
    }
}

#[test]
fn every_inventory_is_read_or_refused_as_expected() {
    for path in files() {
        golden::check(&path.with_extension("txt"), &read(&path));
    }
}

#[test]
fn text_reads_as_its_file() {
    let path = Path::new("fixtures/inventory/month.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let (parsed, read) = (inventory::parse(&text, "month.csv").unwrap(), inventory::read(path, "month.csv").unwrap());
    assert_eq!(parsed.iter().map(shown).collect::<Vec<_>>(), read.iter().map(shown).collect::<Vec<_>>());
}
