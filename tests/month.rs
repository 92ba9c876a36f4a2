//! Several files of one month: what counts, what is said of it, and that the order of the files
//! does not matter. `fixtures/month/<case>/` holds the files, `expected.txt` what comes of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rust_decimal::Decimal;
use serde_json::Value;

use crate::golden;

fn cases() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("fixtures/month").unwrap();
    let mut all: Vec<_> = entries.map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    all.sort();
    all
}

/// The bills of a case, by name.
fn files(case: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(case).unwrap();
    let mut all: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    all.retain(|name| name != "expected.txt" && !name.ends_with(".toml"));
    all.sort();
    all
}

fn kashi(case: &Path, arguments: &[&str], files: &[String]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kashi"));
    command.args(arguments).args(files).current_dir(case);
    if case.join("kashi.toml").exists() {
        command.args(["--config", "kashi.toml"]);
    }
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let error = text(output.stderr);
    assert!(output.status.success(), "{}: {error}", case.display());
    (text(output.stdout), error)
}

fn report(case: &Path, files: &[String]) -> Value {
    serde_json::from_str(&kashi(case, &["audit", "--format", "json"], files).0).unwrap()
}

/// What the footing rule says, and what the totals in one currency are.
fn audited(report: &Value) -> String {
    let mut text = String::new();
    for finding in report["findings"].as_array().unwrap().iter().filter(|f| f["rule"] == "bill-does-not-foot") {
        let _ =
            writeln!(text, "  {}: {}", finding["severity"].as_str().unwrap(), finding["sentence"].as_str().unwrap());
    }
    for total in report["totals"].as_array().unwrap() {
        let _ = writeln!(text, "  {} {}", total["cost"].as_str().unwrap(), total["currency"].as_str().unwrap());
    }
    if let Some(converted) = report.get("converted") {
        let _ = writeln!(text, "  {converted}");
    }
    text
}

#[test]
fn every_month_is_counted_once() {
    for case in cases() {
        let files = files(&case);
        let (totals, said) = kashi(&case, &["ledger", "--totals"], &files);
        let report = report(&case, &files);
        let actual = format!("{said}{totals}audit\n{}", audited(&report));
        golden::check(&case.join("expected.txt"), &actual);
    }
}

/// The order in which files are named changes neither what counts nor what is said of a file.
#[test]
fn the_order_of_the_files_does_not_matter() {
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    for case in cases() {
        let mut files = files(&case);
        let (totals, said) = kashi(&case, &["ledger", "--totals"], &files);
        let audit = audited(&report(&case, &files));
        for _ in 0..files.len() {
            files.rotate_left(1);
            let mut turned = files.clone();
            turned.reverse();
            for order in [&files, &turned] {
                let (other, also) = kashi(&case, &["ledger", "--totals"], order);
                assert_eq!(totals, other, "{}: {order:?}", case.display());
                assert_eq!(sorted(&said), sorted(&also), "{}: {order:?}", case.display());
                assert_eq!(sorted(&audit), sorted(&audited(&report(&case, order))), "{}", case.display());
            }
        }
    }
}

/// Rows read are lines, rows left out for a stated reason, or refused: also where a line does not count.
#[test]
fn no_row_is_lost_where_bills_meet() {
    for case in cases() {
        let report = report(&case, &files(&case));
        let mut lines = 0;
        for input in report["inputs"].as_array().unwrap() {
            let left: u64 = input["left_out"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
            let (rows, of) = (input["rows"].as_u64().unwrap(), input["lines"].as_u64().unwrap());
            // A row that charges for several things is several lines.
            assert!(rows <= of + left, "{}: {input}", case.display());
            lines += of;
        }
        let (ledger, _) = kashi(&case, &["ledger"], &files(&case));
        let written = csv::Reader::from_reader(ledger.as_bytes()).into_records().map(Result::unwrap).count();
        assert_eq!(written as u64, lines, "{}", case.display());
    }
}

/// What a ledger costs is what the totals say, worked out from its lines alone.
#[test]
fn the_lines_that_count_come_to_the_total() {
    for case in cases() {
        let (ledger, _) = kashi(&case, &["ledger"], &files(&case));
        let mut sum = Decimal::ZERO;
        for row in
            csv::Reader::from_reader(ledger.as_bytes()).deserialize::<std::collections::HashMap<String, String>>()
        {
            let row = row.unwrap();
            if row["kind"] != "top_up" {
                sum += row["cost"].parse::<Decimal>().unwrap();
            }
        }
        let report = report(&case, &files(&case));
        let totals = report["totals"].as_array().unwrap().iter();
        let stated: Decimal = totals.map(|t| t["cost"].as_str().unwrap().parse::<Decimal>().unwrap()).sum();
        assert_eq!(sum.normalize(), stated.normalize(), "{}", case.display());
    }
}
