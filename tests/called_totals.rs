//! Totals whose word stands in another cell than the first, and charges that have such a name.

use std::process::Command;

const FOLDER: &str = "fixtures/mended/totals-in-other-cells";

fn kashi(arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kashi")).args(arguments).current_dir(FOLDER).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// The first lines cost 10.50 and 2; what is added, stated and left out is in the table.
#[test]
fn a_total_is_told_from_a_charge_of_its_name() {
    for (platform, bill, cost, lines, stated, totals) in [
        ("few", "month-first", "12.50", 2, Some("12.50"), 1),
        ("few", "english", "12.50", 2, Some("12.50"), 1),
        ("few", "drawn-apart", "12.50", 2, Some("12.50"), 1),
        // 10.123 + 2.002 = 12.125, printed as 12.13.
        ("few", "rounded", "12.125", 2, Some("12.13"), 1),
        // 12.50 + 4 + 1.25; the sums of the groups say nothing of the bill.
        ("few", "groups", "17.75", 4, Some("17.75"), 3),
        // 12.50 + 12.50 + 3: the product is "Total Storage".
        ("few", "longer-names", "28.00", 4, None, 0),
        // The layout says what it is.
        ("none", "month-first", "25.00", 3, None, 0),
        ("listed", "month-first", "12.50", 2, Some("12.50"), 1),
        ("listed", "other-sum", "12.50", 2, Some("13.00"), 1),
        // 12.50 + 3 + 4: a resource named "total", a product named "Total".
        ("many", "names", "19.50", 4, None, 0),
        ("many", "blanks", "12.50", 2, Some("13.00"), 1),
        // 2112.18 + 2112.18 + 31.07: every row of the account has its name.
        ("posted", "account-of-that-name", "4255.43", 3, None, 0),
    ] {
        let (out, err) = kashi(&[
            "audit",
            "--format",
            "json",
            "--platform-file",
            &format!("{platform}.toml"),
            &format!("{bill}.csv"),
        ]);
        let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{bill}: {e} {err}"));
        let input = &report["inputs"][0];
        assert_eq!(input["lines_total"], cost, "{bill}: {input}");
        assert_eq!(input["lines"], lines, "{bill}: {input}");
        assert_eq!(input["stated_total"].as_str(), stated, "{bill}: {input}");
        assert_eq!(input["left_out"]["total"].as_u64().unwrap_or_default(), totals, "{bill}: {input}");
    }
}

/// What may be either is refused by name, and counted as refused where the user goes on.
#[test]
fn what_may_be_either_is_named() {
    for (platform, bill, says) in [
        ("few", "other-sum", "it says 13.00, and the charges above come to 12.5"),
        ("many", "unlike", "it says 9, and the charges above come to 12.5"),
        // A product, a time and the sum of the others: a total that repeats them, or a charge by chance.
        ("many", "times", "it says 12.50, and the charges above come to 12.5"),
        ("many", "rounded-by-line", "it says 30.02, and the charges above come to 30.008"),
        // Its word begins as the layout's totals do.
        ("posted", "product-first", "it says 7.00, and the charges above come to 20"),
    ] {
        let (platform, bill) = (format!("{platform}.toml"), format!("{bill}.csv"));
        let (out, err) = kashi(&["ledger", "--platform-file", &platform, &bill, "--totals"]);
        assert!(out.is_empty() && err.contains("1 value was refused") && err.contains(says), "{bill}: {err}");
    }
}

/// A bill read in parts is the same as one read as a whole, wherever the word stands.
#[test]
fn parts_do_not_decide_alone() {
    use kashi_parsers::layout::{self, Given, Platforms};
    use kashi_parsers::ledger::{Ledger, Lines};
    let mut platforms = Platforms::default();
    platforms.add("few.toml", &std::fs::read_to_string(format!("{FOLDER}/few.toml")).unwrap()).unwrap();
    let mut text = "月份,产品,金额\n".to_owned();
    (0..600).for_each(|n| text.push_str(&format!("2026-10,GPU {n},0.01\n")));
    text.push_str("2026-10,小计,6.00\n");
    (0..600).for_each(|n| text.push_str(&format!("2026-10,硬盘 {n},0.02\n")));
    text.push_str("2026-10,合计,18.00\n");
    let table = kashi_parsers::open::Table::from_text("bill.csv", &text);
    let claim = layout::identify(&table, &platforms).unwrap();
    for parts in [1, 2, 3, 7] {
        let mut lines = Lines::new();
        let bill = layout::read_in_parts(&table, &claim, Given::default(), &mut lines, parts).unwrap();
        assert_eq!((bill.lines, bill.rows, bill.left_out[&layout::Reason::Total]), (1200, 1203, 2), "{parts}");
        // What comes last is what the bill states.
        assert_eq!(bill.stated.last().unwrap().amount.normalize().to_string(), "18", "{parts}");
        assert_eq!(Ledger::new(lines).len(), 1200);
    }
}

/// Tencent's layout lists 合计; a charge is not lost for one cell of it.
#[test]
fn a_charge_that_lacks_nothing_is_not_lost_for_a_listed_word() {
    let bytes = std::fs::read("fixtures/tencent/l3-2026-09.csv").unwrap();
    let mut reader = csv::Reader::from_reader(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes));
    let header = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("l3-2026-09.csv");
    for column in ["交易类型", "开始使用时间", "结束使用时间"] {
        let place = header.iter().position(|name| name == column).unwrap();
        let mut writer = csv::Writer::from_path(&file).unwrap();
        writer.write_record(&header).unwrap();
        for (at, row) in rows.iter().enumerate() {
            let cell = |(place_of, cell)| if at == 5 && place_of == place { "合计" } else { cell };
            writer.write_record(row.iter().enumerate().map(cell)).unwrap();
        }
        writer.flush().unwrap();
        let (_, err) = kashi(&["ledger", file.to_str().unwrap()]);
        assert!(err.contains("1 value was refused") && err.contains("row 7, column"), "{column}: {err}");
    }
}
