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

/// Totals by currency name it once; what they leave out is said: 5,000 and 1,500 topped up.
#[test]
fn totals_say_what_they_leave_out() {
    let bill = "fixtures/mended/top-ups/bill.csv";
    let (out, err) = kashi(&["ledger", bill, "--by", "currency,platform,currency"]);
    assert_eq!(out, "currency,platform,lines,card_hours,cost\nCNY,autodl,1,1,3\n", "{err}");
    assert!(err.contains("2 top-ups of 6500 CNY"), "{err}");
    let (out, err) = kashi(&["ledger", bill, "--totals"]);
    assert_eq!(out, "currency,category,lines,cost\nCNY,gpu,1,3\n");
    assert!(err.contains("2 top-ups of 6500 CNY"), "{err}");
}

/// What steers a terminal in a resource's name reaches no screen and no file.
#[test]
fn names_do_not_steer_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let bill = folder.path().join("bill.csv");
    let name = "i-\u{1b}]0;gone\u{7}\u{202e}live\u{9b}31m";
    let row = "autodl,usage,gpu,2026-10,gpu-hour,3.00,CNY";
    let head = "platform,kind,category,period,sku,cost,currency";
    std::fs::write(&bill, format!("{head},resource,\u{1b}[31mcolumn\n{row},{name},x\n")).unwrap();
    let bill = bill.to_str().unwrap();
    let lines = folder.path().join("lines.csv");
    let bad = |text: &str| text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{9b}']);
    for arguments in [
        &["ledger", bill][..],
        &["ledger", bill, "--by", "resource"],
        &["ledger", bill, "-o", lines.to_str().unwrap()],
        &["audit", bill],
        &["audit", bill, "--color", "always", "--format", "md"],
        &["identify", bill],
        &["map", bill],
    ] {
        let (out, err) = kashi(arguments);
        assert!(!bad(&out) && !bad(&err), "{arguments:?}: {out:?} {err:?}");
    }
    let written = std::fs::read_to_string(lines).unwrap();
    assert!(written.starts_with('\u{feff}') && written.contains("i- ]0;gone live 31m"), "{written:?}");
}

/// Characters that are cut in two on their way to the screen arrive whole.
#[test]
fn a_screen_takes_characters_in_pieces() {
    use std::io::Write as _;
    let text = "卡时 “ok” \u{202e}\u{9b}\u{1b}é\n";
    for size in 1..7 {
        let mut shown = Vec::new();
        let mut screen = kashi::guard::Screen::new(&mut shown);
        text.as_bytes().chunks(size).for_each(|piece| screen.write_all(piece).unwrap());
        screen.flush().unwrap();
        assert_eq!(String::from_utf8(shown).unwrap(), "卡时 “ok”   é\n", "{size}");
    }
}

/// The same marks begin every CSV file, and nothing on standard output; kashi reads its own files.
#[test]
fn csv_files_begin_alike() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let bill = "fixtures/autodl/statement-2026-09.csv";
    kashi(&["ledger", bill, "-o", &at("lines.csv")]);
    kashi(&["audit", bill, "--out", &at("reports")]);
    kashi(&["usage", "fixtures/usage/two-cards.csv", "-o", &at("hours.csv"), "--events", &at("events.csv")]);
    for name in ["lines.csv", "reports/ledger.csv", "reports/findings.csv", "hours.csv", "events.csv"] {
        assert!(std::fs::read(at(name)).unwrap().starts_with(kashi::MARK), "{name}");
    }
    let (direct, _) = kashi(&["ledger", bill, "--totals"]);
    let (again, err) = kashi(&["ledger", &at("lines.csv"), "--totals"]);
    assert_eq!(direct, again, "{err}");
    let (hours, _) = kashi(&["usage", "fixtures/usage/two-cards.csv"]);
    let (again, err) = kashi(&["usage", &at("hours.csv")]);
    assert_eq!(hours, again, "{err}");
    assert!(!hours.starts_with('\u{feff}'));
}

/// A report in the wrong language is not sent.
#[test]
fn mail_sends_the_language_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let reports = folder.path().to_str().unwrap();
    kashi(&["audit", "fixtures/autodl/statement-2026-09.csv", "--out", reports, "--lang", "zh"]);
    let mail = ["mail", reports, "--to", "a@example.com", "--from", "b@example.com", "--dry-run", "--lang"];
    let (_, err) = kashi(&[&mail[..], &["en"]].concat());
    assert!(err.contains("is in the language \"zh\"") && !folder.path().join("mail.eml").exists(), "{err}");
    let (_, err) = kashi(&[&mail[..], &["zh"]].concat());
    assert!(folder.path().join("mail.eml").exists(), "{err}");
}

/// The workbook of an audit holds findings and lines, amounts as numbers, names that are no formulas.
#[test]
fn an_audit_is_a_workbook() {
    let output = Command::new(env!("CARGO_BIN_EXE_kashi"))
        .args(["audit", "fixtures/mended/hostile-names/bill.csv", "--format", "xlsx"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tables = kashi_parsers::open::open_bytes(output.stdout, "audit.xlsx").unwrap();
    let sheet = |name: &str| {
        let table = tables.iter().find(|t| t.origin.sheet.as_deref() == Some(name)).unwrap_or_else(|| panic!("{name}"));
        let mut rows = table.rows(table.delimiters()[0]).unwrap();
        let mut record = kashi_parsers::open::Record::new();
        let mut all: Vec<Vec<String>> = Vec::new();
        while rows.next(&mut record).unwrap().is_some() {
            all.push(record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect());
        }
        all
    };
    // Of two equal hours of 3.00, one is charged twice.
    let findings = sheet("Findings");
    let twice = findings.iter().find(|row| row[1] == "duplicate-line").unwrap();
    assert_eq!((twice[7].as_str(), twice[10].as_str(), twice[11].as_str()), ("'=1+1", "3", "CNY"));
    let lines = sheet("ledger");
    let place = |name: &str| lines[0].iter().position(|n| n == name).unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!((lines[2][place("resource")].as_str(), lines[2][place("cost")].as_str()), ("'=1+1", "3"));
    assert!(sheet("report").iter().flatten().any(|cell| cell.contains("2026-10")));
    assert_eq!(sheet("Bills").len(), 2);
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

/// A row that says nothing but `Total` states 3,098.00 where the layout names no word for totals:
/// 454.48 + 287.04 + 95.68 + 1,130.40 + 1,130.40.
#[test]
fn a_total_that_no_layout_names_is_no_charge() {
    let bill = "fixtures/mended/total-that-no-layout-names/invoice.csv";
    let (out, err) = kashi(&["ledger", bill, "--totals"]);
    assert!(err.contains("1 total"), "{err}");
    let sum: rust_decimal::Decimal = out
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().unwrap().parse::<rust_decimal::Decimal>().unwrap())
        .sum();
    assert_eq!(sum.normalize().to_string(), "3098", "{out}");
    let (report, err) = kashi(&["audit", bill, "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap_or_else(|e| panic!("{e}: {err}"));
    assert_eq!(report["inputs"][0]["stated_total"], "3098.00", "{err}");
    assert!(report["findings"].as_array().unwrap().iter().all(|f| f["rule"] != "bill-does-not-foot"));
}

/// The month that is asked for is audited alone: 137.45908 in September, 43.296 in August.
#[test]
fn another_month_is_left_out() {
    let bill = "fixtures/mended/another-month/summary.csv";
    for (month, cost, lines, left) in [("2026-09", "137.45908", 3, 1), ("2026-08", "43.296", 1, 3)] {
        let (report, err) = kashi(&["audit", bill, "--period", month, "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap_or_else(|e| panic!("{e}: {err}"));
        assert_eq!(report["totals"][0]["cost"], cost, "{err}");
        assert_eq!(
            (&report["inputs"][0]["lines"], &report["inputs"][0]["left_out"]["other_month"]),
            (&lines.into(), &left.into())
        );
    }
}

/// A summary that states 8.31 more than its details in September is no finding of August.
#[test]
fn a_difference_of_another_month_is_not_claimed() {
    let folder = "fixtures/mended/another-months-difference";
    let (summary, details) = (format!("{folder}/summary.csv"), format!("{folder}/details.csv"));
    for (month, found) in [("2026-09", Some("8.31")), ("2026-08", None)] {
        let (report, err) = kashi(&["audit", &summary, &details, "--period", month, "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap_or_else(|e| panic!("{e}: {err}"));
        let findings = report["findings"].as_array().unwrap();
        let claimed = findings.iter().find(|f| f["rule"] == "bill-does-not-foot").map(|f| &f["amount"]["value"]);
        assert_eq!(claimed.and_then(|value| value.as_str()), found, "{month}: {err}");
    }
}
