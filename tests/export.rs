//! Clean data: the same lines in every format, exact to the last digit, read by other programs.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use kashi::export::{csv, write_ledger};
use kashi::places::Place;
use kashi::{bills, commands};
use kashi_parsers::layout::Given;
use kashi_parsers::ledger::{Category, Kind, Ledger, Lines, MoneyColumn, TextColumn, TimeColumn, money};
use kashi_rules::JoinRow;
use rust_decimal::Decimal;

/// Lines of every platform's fixtures, and three with what a format could lose.
fn ledger() -> Ledger {
    let mut lines = Lines::new();
    for (row, cost, resource) in [
        (2, "0.000000000000000001", "=1+1"),
        (3, "-123456789012345.123", "snow ☃ \"quoted\", 中文\nsecond line"),
        (4, "999999999.999999", "@x"),
    ] {
        lines.text(TextColumn::File, "hard.csv");
        lines.text(TextColumn::Platform, "alibaba");
        lines.text(TextColumn::Period, "2026-10");
        lines.kind(Kind::Usage);
        lines.category(Category::Gpu);
        lines.text(TextColumn::Resource, resource);
        lines.text(TextColumn::Currency, "CNY");
        lines.money(MoneyColumn::Cost, money::parse(cost, Default::default()).unwrap());
        lines.time(TimeColumn::Start, 1_793_491_200_000_000 + i64::from(row % 2));
        lines.commit(row);
    }
    Ledger::new(lines)
}

fn join() -> Vec<JoinRow> {
    let third = Decimal::ONE / Decimal::from(3);
    vec![JoinRow {
        line: 1,
        busy_hours: Decimal::ONE,
        idle_hours: third,
        unknown_hours: Decimal::ZERO,
        idle_cost: third,
    }]
}

fn written(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    write_ledger(&ledger(), &path, Some(&join())).unwrap();
    path
}

#[test]
fn csv_is_guarded_and_exact() {
    let mut bytes = Vec::new();
    csv(&ledger(), Some(&join()), &mut bytes).unwrap();
    let mut reader = ::csv::Reader::from_reader(&bytes[..]);
    let header = reader.headers().unwrap().clone();
    let at = |name: &str| header.iter().position(|h| h == name).unwrap();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let column = |name: &str| rows.iter().map(|r| r[at(name)].to_owned()).collect::<Vec<_>>();
    assert_eq!(column("resource"), ["'=1+1", "snow ☃ \"quoted\", 中文\nsecond line", "'@x"]);
    assert_eq!(column("cost"), ["0.000000000000000001", "-123456789012345.123", "999999999.999999"]);
    assert_eq!(column("start"), ["2026-11-01T00:00:00Z", "2026-11-01T00:00:00.000001Z", "2026-11-01T00:00:00Z"]);
    assert_eq!(column("idle_cost"), ["", "0.333333333333333333", ""]);
}

#[test]
fn every_format_is_the_same_bytes_each_time() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.csv", "a.jsonl", "a.parquet", "a.xlsx"] {
        let first = std::fs::read(written(folder.path(), name)).unwrap();
        assert_eq!(first, std::fs::read(written(folder.path(), name)).unwrap(), "{name}");
    }
}

#[test]
fn an_unknown_ending_is_an_error_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let error = write_ledger(&ledger(), &folder.path().join("a.xml"), None).unwrap_err().to_string();
    assert!(error.ends_with("expected .csv, .jsonl, .parquet or .xlsx"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn json_lines_hold_every_column_and_amounts_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(written(folder.path(), "a.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["cost"], "0.000000000000000001");
    assert_eq!(rows[0]["resource"], "=1+1");
    assert_eq!(rows[1]["row"], 3);
    assert_eq!(rows[1]["idle_hours"], "0.333333333333333333");
    assert!(rows[2]["sheet"].is_null() && rows[2]["busy_hours"].is_null());
    assert!(rows.iter().all(|r| r.as_object().unwrap().len() == 39));
}

/// Amounts of up to 15 digits are numbers, longer ones text: no digit is lost.
#[test]
fn a_workbook_loses_no_digit() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), "a.xlsx");
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut sheet = String::new();
    archive.by_name("xl/worksheets/sheet1.xml").unwrap().read_to_string(&mut sheet).unwrap();
    for held in ["<v>1e-18</v>", "<t>-123456789012345.123</t>", "<v>999999999.999999</v>", "<t>&apos;=1+1</t>"] {
        let plain = held.replace("1e-18", "0.000000000000000001").replace("&apos;", "'");
        assert!(sheet.contains(held) || sheet.contains(&plain), "{held} is not in {sheet}");
    }
    assert!(!sheet.contains("<f>"), "there is no formula");
}

/// DuckDB and Python's decimal agree with the CSV on every sum of every fixture.
#[test]
fn parquet_is_read_exactly_by_duckdb() {
    if !python_has("duckdb") {
        return;
    }
    let platforms = commands::platforms(&[]).unwrap();
    let mut places = Vec::new();
    for platform in ["alibaba", "autodl", "aws", "focus", "huawei", "tencent"] {
        let files = std::fs::read_dir(Path::new("fixtures").join(platform)).unwrap();
        let bills = files.map(|f| f.unwrap().path()).filter(|p| {
            let name = p.to_string_lossy();
            (name.ends_with(".csv") || name.ends_with(".xlsx")) && !name.ends_with(".ledger.csv")
        });
        places.extend(bills.map(|path| Place { name: path.to_string_lossy().into_owned(), path }));
    }
    places.sort();
    // Each on its own: many are the same month in another form, which is not added up.
    let mut lines = Lines::new();
    for place in &places {
        for (table, claim) in bills::claims(place, &platforms).unwrap() {
            kashi_parsers::layout::read(&table, &claim, Given::default(), &mut lines).unwrap();
        }
    }
    let ledger = Ledger::new(lines);
    let folder = tempfile::tempdir().unwrap();
    let (parquet, csv) = (folder.path().join("a.parquet"), folder.path().join("a.csv"));
    write_ledger(&ledger, &parquet, None).unwrap();
    write_ledger(&ledger, &csv, None).unwrap();
    let output = Command::new("python3").arg("tests/export.py").args([&parquet, &csv]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(&format!("{} lines agree", ledger.len())), "{said}");
}

/// Whether Python has a package; in CI it must.
pub(crate) fn python_has(package: &str) -> bool {
    let found = Command::new("python3").args(["-c", &format!("import {package}")]).output();
    if found.is_ok_and(|o| o.status.success()) {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "CI needs python3 with the package {package}");
    println!("skipped: python3 with the package {package} is not installed");
    false
}

/// What `kashi ledger --by` prints is what adding up the written lines gives.
#[test]
fn totals_by_columns_are_those_of_the_lines() {
    let kashi = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kashi")).arg("ledger").args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let read = |bytes: &[u8]| -> Vec<std::collections::HashMap<String, String>> {
        ::csv::Reader::from_reader(bytes).deserialize().map(|row| row.unwrap()).collect()
    };
    let mut wanted = std::collections::BTreeMap::<Vec<String>, (u64, Decimal, Decimal)>::new();
    for line in read(&kashi(&["fixtures/demo"])).iter().filter(|line| line["kind"] != "top_up") {
        let key = ["currency", "platform", "card", "resource"].map(|column| line[column].clone()).to_vec();
        let sum = wanted.entry(key).or_default();
        sum.0 += 1;
        sum.1 += line["card_hours"].parse::<Decimal>().unwrap_or_default();
        sum.2 += line["cost"].parse::<Decimal>().unwrap();
    }
    let groups = read(&kashi(&["fixtures/demo", "--by", "platform,card,resource"]));
    assert!(groups.len() > 20 && groups.len() == wanted.len(), "{} groups", groups.len());
    for group in groups {
        let key = ["currency", "platform", "card", "resource"].map(|column| group[column].clone()).to_vec();
        let hours = group["card_hours"].parse::<Decimal>().unwrap_or_default();
        let found = (group["lines"].parse().unwrap(), hours, group["cost"].parse().unwrap());
        assert_eq!(wanted.get(&key), Some(&found), "{key:?}");
    }
}
