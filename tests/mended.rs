//! Faults that were mended, each with a bill named after it and the right values worked out by hand.

use std::path::Path;
use std::process::Command;

fn kashi(arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kashi")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// `1.234` is a thousand and more where points group digits, with and without other groups.
#[test]
fn points_group_digits() {
    let folder = "fixtures/mended/points-group-digits";
    let (platform, bill) = (format!("{folder}/points.toml"), format!("{folder}/bill.csv"));
    let (out, err) = kashi(&["ledger", "--platform-file", &platform, &bill]);
    let costs: Vec<String> = csv::Reader::from_reader(out.as_bytes())
        .deserialize::<std::collections::HashMap<String, String>>()
        .map(|row| row.unwrap()["cost"].clone())
        .collect();
    assert_eq!(costs, ["1234", "12345", "1234567", "1234.5", "-1234", "7"], "{err}");
}

/// A charge whose first cell begins like a total is a charge: 10.50 and 2 make 12.50.
#[test]
fn a_name_like_a_total_is_a_charge() {
    let folder = "fixtures/mended/a-name-like-a-total";
    let (platform, bill) = (format!("{folder}/named.toml"), format!("{folder}/bill.csv"));
    let (out, err) = kashi(&["ledger", "--platform-file", &platform, &bill, "--totals"]);
    assert_eq!(out, "currency,category,lines,cost\nCNY,gpu,2,12.5\n", "{err}");
    assert!(err.contains("1 total"), "{err}");
}

/// Marks beside amounts give the currency where nothing else names one: each line has its own.
#[test]
fn marks_give_the_currency() {
    let folder = "fixtures/mended/marks-give-the-currency";
    let (platform, bill) = (format!("{folder}/ours.toml"), format!("{folder}/bill.csv"));
    let (out, err) = kashi(&["ledger", "--platform-file", &platform, &bill]);
    let read = |row: std::collections::HashMap<String, String>| format!("{} {}", row["cost"], row["currency"]);
    let lines: Vec<String> =
        csv::Reader::from_reader(out.as_bytes()).deserialize().map(|row| read(row.unwrap())).collect();
    assert_eq!(lines, ["5 USD", "5 CNY", "5.25 EUR", "5 HKD", "-5 GBP", "5.5 CNY", "500 JPY"], "{err}");
}

/// A total row narrower than the header, or with all of it in one cell, states 12.50 as a full one
/// does; where the amount is not beyond doubt, that is said.
#[test]
fn a_short_total_row_states_its_amount() {
    let folder = "fixtures/mended/total-rows";
    let platform = format!("{folder}/ours.toml");
    for (name, understood) in [
        ("wide", true),
        ("short", true),
        ("one-cell", true),
        ("one-cell-words", true),
        ("unclear", false),
        ("unclear-words", false),
        ("elsewhere", false),
    ] {
        let bill = format!("{folder}/{name}.csv");
        let (out, err) = kashi(&["audit", "--format", "json", "--platform-file", &platform, &bill]);
        let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{name}: {e} {err}"));
        let input = &report["inputs"][0];
        assert_eq!(input["lines_total"], "12.50", "{name}");
        assert_eq!(input["stated_total"].as_str(), understood.then_some("12.50"), "{name}: {input}");
        let (_, said) = kashi(&["ledger", "--platform-file", &platform, &bill, "--totals"]);
        assert_eq!(said.contains("its amount was not understood"), !understood, "{name}: {said}");
    }
}

/// A cell of hard or full-width blanks is empty: in a line, in a blank row, before a total.
#[test]
fn hard_blanks_are_blank() {
    let folder = "fixtures/mended/blank-first-cells";
    let (platform, bill) = (format!("{folder}/ours.toml"), format!("{folder}/bill.csv"));
    let (out, err) = kashi(&["ledger", "--platform-file", &platform, &bill, "--totals"]);
    assert_eq!(out, "currency,category,lines,cost\nCNY,other,3,12.5\n", "{err}");
    assert!(err.contains("left out: 1 blank, 1 header, 1 total"), "{err}");
    let inventory = Path::new(folder).join("inventory.csv");
    let assets = kashi_parsers::inventory::read(&inventory, "inventory.csv").unwrap();
    let sizes: Vec<Option<String>> = assets.iter().map(|a| a.size_gb.map(|size| size.to_string())).collect();
    assert_eq!(sizes, [Some("40".to_owned()), None]);
}

/// The same bytes twice count once, in the ledger as in an audit.
#[test]
fn a_bill_given_twice_counts_once() {
    let bill = "fixtures/autodl/statement-2026-09.csv";
    let (once, _) = kashi(&["ledger", bill, "--totals"]);
    let (twice, err) = kashi(&["ledger", bill, bill, "--totals"]);
    assert_eq!(once, twice);
    assert!(err.contains("was not counted again"), "{err}");
}

/// An XLS, which older consoles write, is the ledger that its rows are as CSV.
#[test]
fn an_old_workbook_is_read() {
    let (csv, _) = kashi(&["ledger", "fixtures/autodl/statement-2026-09.csv", "--totals"]);
    let (xls, err) = kashi(&["ledger", "fixtures/mended/old-workbook/bill.xls", "--totals"]);
    assert_eq!(xls, csv, "{err}");
    assert!(csv.lines().count() > 1);
}

/// A copy of an archive is left out and said, at a member of the one that is read.
#[test]
fn a_copy_of_an_archive_is_said() {
    let archive = "fixtures/alibaba/1688000000000042_1_consumeDetailBillV2_202608.zip";
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("again.zip");
    std::fs::copy(archive, &copy).unwrap();
    let (once, _) = kashi(&["ledger", archive, "--totals"]);
    let (twice, err) = kashi(&["ledger", archive, copy.to_str().unwrap(), "--totals"]);
    assert_eq!(once, twice);
    assert_eq!(err.matches("again.zip holds the same bytes and was not counted again").count(), 1, "{err}");
}

/// Balances come as numbers, blank days and in the encoding of a Chinese spreadsheet.
#[test]
fn balances_are_read_from_tables() {
    let place = |name: &str| kashi::places::Place {
        path: Path::new("fixtures/mended/balances").join(name),
        name: name.to_owned(),
    };
    for name in ["numbers.csv", "gb18030.csv"] {
        let read = kashi::balances::read(&place(name)).unwrap();
        let told: Vec<String> = read
            .iter()
            .map(|b| format!("{} {} {} {:?} {:?}", b.platform, b.amount, b.currency, b.date, b.refundable))
            .collect();
        assert_eq!(told[0], "autodl 5419.23 CNY Some(2026-10-31) Some(false)", "{name}");
        assert_eq!(told[1], "runpod 12 USD None None", "{name}");
    }
}
