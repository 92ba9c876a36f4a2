//! A large bill is read in parts at once: what comes out is what one reader makes of it. And its
//! lines lie packed: what comes out is what was put in.

use std::fmt::Write as _;

use kashi_parsers::layout::{self, Given, Platforms};
use kashi_parsers::ledger::{Ledger, Line, Lines, MoneyColumn, TextColumn, TimeColumn, money};
use kashi_parsers::open::{self, Table};

use crate::dice::Dice;

const PLATFORM: &str = r#"
name = "our-cloud"
title = { en = "Our Cloud", zh = "我们的云" }
zone = "+08:00"
currency = "CNY"
[[layout]]
name = "charges"
title = { en = "Charges", zh = "费用" }
mark = "confirmed"
source = "a test"
total = ["合计"]
[layout.columns]
start = "time"
kind = { column = "kind", is = { "use" = "usage", "back" = "refund" } }
sku = "what"
resource_name = "note"
cost = { column = "amount", float = true }
"#;

const PART: &str = r#"
[[layout.part]]
columns.cost = { column = "part", float = true }
"#;

const HEADER: &str = "time,kind,what,note,part,amount";

/// A row with, now and then, whatever a bill may have that makes it hard to cut or to read.
fn row(dice: &mut Dice, mess: u64) -> String {
    let hour = dice.below(24);
    let plain = format!("2026-10-{:02} {hour:02}:00:00", dice.below(31) + 1);
    let mut time = plain.as_str();
    let kind = if dice.below(40 * mess) == 0 { "new" } else { dice.of(&["use", "use", "use", "back"]) };
    let what = dice.of(&["GPU", "disk", "GPU 显卡", "\"a, b\""]);
    let mut note = match dice.below(8 * mess) {
        0 => "\"two\nlines\"".to_owned(),
        1 => "\"said \"\"so\"\", twice\"".to_owned(),
        2 => "5\" disk".to_owned(),
        3 => format!("\"\n{plain},use,GPU,inside,,1\n{plain},use,GPU,\"\"inside\"\",,2\n\""),
        4 => "\"\"".to_owned(),
        _ => format!("n{}", dice.below(50)),
    };
    let part = dice.of(&["", "", "0.5", "1"]);
    let amount = match dice.below(12 * mess) {
        0 => "1.0000000000000000005".to_owned(),
        1 => "12,5".to_owned(),
        2 => "x".to_owned(),
        3 => format!("{}.{:013}", dice.below(999_999), dice.below(9_999_999_999_999)),
        _ => format!("{}.{:02}", dice.below(100), dice.below(100)),
    };
    match dice.below(20 * mess) {
        0 => return ["\n", "\n\n", ",,,,,\n"][dice.below(3) as usize].to_owned(),
        1 => return format!("{HEADER}\n"),
        2 => return format!("合计,,,,,{amount}\n"),
        3 => return format!("{plain},{kind},{what}\n"),
        4 => return format!("{plain},{kind},{what},{note},{part},1,,\n"),
        5 => time = "2026-10-32",
        6 => note.push_str("\"\"\""),
        _ => {}
    }
    format!("{time},{kind},{what},{note},{part},{amount}\n")
}

fn bill(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let (mess, rows) = ([1, 4, 40][dice.below(3) as usize], [12, 60, 400][dice.below(3) as usize]);
    let mut text = dice.of(&["", "\u{feff}"]).to_owned();
    text.push_str(["", "title\n\n"][dice.below(2) as usize]);
    text += HEADER;
    text.push('\n');
    (0..rows).for_each(|_| text += &row(&mut dice, mess));
    text.push_str(dice.of(&["", "\n\n", "2026-10-01 00:00:00,use,GPU,\"cut off", "2026-10-01 00:00:00,use,GPU,,,1"]));
    match dice.below(4) {
        0 => text.replace('\n', "\r\n"),
        1 => text.replace("\nlines", "\rlines").replacen("\n2026", "\r2026", rows / 3),
        _ => text,
    }
}

/// All that a reader makes of a table: what became of its rows, and every value of every line.
fn read(table: &Table, platforms: &Platforms, parts: usize) -> (String, Ledger) {
    let claim = layout::identify(table, platforms).unwrap_or_else(|e| panic!("{e}"));
    let mut lines = Lines::new();
    // A line of an earlier bill.
    lines.text(TextColumn::Sku, "n7");
    lines.commit(1);
    let bill = layout::read_in_parts(table, &claim, Given::default(), &mut lines, parts).unwrap();
    let mut shown = format!("{bill:#?}\n");
    let ledger = Ledger::new(lines);
    ledger.lines().for_each(|line| writeln!(shown, "{}", values(line)).unwrap());
    (shown, ledger)
}

fn values(line: Line<'_>) -> String {
    let mut shown = line.row().to_string();
    TextColumn::ALL.iter().for_each(|(column, _)| write!(shown, "|{:?}", line.text(*column)).unwrap());
    TimeColumn::ALL.iter().for_each(|(column, _)| write!(shown, "|{:?}", line.time(*column)).unwrap());
    MoneyColumn::ALL.iter().for_each(|(column, _)| write!(shown, "|{:?}", line.money(*column)).unwrap());
    shown
}

fn platforms(part: &str) -> Platforms {
    let mut platforms = layout::shipped().unwrap().clone();
    platforms.add("our-cloud.toml", &format!("{PLATFORM}{part}")).unwrap();
    platforms
}

#[test]
fn a_bill_read_in_parts_is_the_bill() {
    let layouts = [platforms(""), platforms(PART)];
    let folder = tempfile::tempdir().unwrap();
    let (mut cut, mut refused) = (0, 0);
    for seed in 0..400u64 {
        let text = bill(seed);
        let path = folder.path().join("bill.csv");
        std::fs::write(&path, &text).unwrap();
        let tables = [open::open(&path, "bill.csv"), open::open_bytes(text.into_bytes(), "bill.csv")];
        let layout = &layouts[(seed % 2) as usize];
        for table in tables.map(|tables| tables.unwrap().remove(0)) {
            let (whole, ledger) = read(&table, layout, 1);
            refused += usize::from(whole.contains("Refusal"));
            let claim = layout::identify(&table, layout).unwrap();
            for parts in [2, 3, 7] {
                cut += table.cut(claim.delimiter, claim.header.names.len(), parts).len() - 1;
                let (again, same) = read(&table, layout, parts);
                assert!(whole == again, "seed {seed}, {parts} parts:\n{}", difference(&whole, &again));
                assert_eq!(ledger.totals().unwrap(), same.totals().unwrap());
            }
        }
    }
    // Most can be cut where they were to be, and every kind of trouble was met.
    assert!(cut > 3000 && refused > 300, "{cut} cuts, {refused} with refusals");
}

/// The first line in which two texts differ.
fn difference(one: &str, other: &str) -> String {
    let differ = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    let lengths = format!("{} and {} lines", one.lines().count(), other.lines().count());
    differ.map_or(lengths, |(one, other)| format!("{one}\n{other}"))
}

#[test]
fn a_cut_in_a_cell_that_looks_like_rows_is_undone() {
    // The whole second half is one cell, which holds rows that look like the bill's own.
    let rows = |n: usize| "2026-10-01 00:00:00,use,GPU,,,1\n".repeat(n);
    let text = format!("{HEADER}\n{}2026-10-01 00:00:00,use,GPU,\"\n{}\",,5\n", rows(20), rows(60));
    let table = open::open_bytes(text.into_bytes(), "bill.csv").unwrap().remove(0);
    let platforms = platforms("");
    assert_eq!(table.cut(b',', 6, 2).len(), 2, "the cut is made where it seems right");
    let (whole, ledger) = read(&table, &platforms, 2);
    assert_eq!(whole, read(&table, &platforms, 1).0);
    assert_eq!(ledger.len(), 1 + 21);
}

#[test]
fn a_row_beyond_the_bound_is_refused_in_parts_too() {
    let row = "2026-10-01 00:00:00,use,GPU,,,1\n";
    let text = format!("{HEADER}\n{}2026-10-01 00:00:00,use,GPU,\"{}\n", row.repeat(50), "x,\n".repeat(6 << 20));
    let table = open::open_bytes(text.into_bytes(), "bill.csv").unwrap().remove(0);
    let claim = layout::identify(&table, &platforms("")).unwrap();
    let refused = |parts| {
        let read = layout::read_in_parts(&table, &claim, Given::default(), &mut Lines::new(), parts);
        read.unwrap_err().to_string()
    };
    assert!(
        refused(1).contains("row 52") && refused(1).contains("a row of more than 16777216 bytes"),
        "{}",
        refused(1)
    );
    assert_eq!(refused(3), refused(1));
}

#[test]
fn packed_lines_give_back_what_was_put_in() {
    let mut dice = Dice::new(7);
    // Spans of mantissas and times from one value to all that fit.
    let steps: [i128; 6] = [1, 10i128.pow(9), 10i128.pow(14), 36 * 10i128.pow(17), 7, 10i128.pow(18)];
    let spans = [1, 2, 254, 255, 256, 65_534, 65_535, 65_536, u64::from(u32::MAX), u64::from(u32::MAX) + 1, 1 << 50];
    for span in spans {
        for sparse in [1, 2, 5000] {
            let mut lines = Lines::new();
            let mut put = Vec::new();
            for line in 0..10_000u32 {
                let there = |dice: &mut Dice| sparse == 1 || dice.below(sparse) == 0;
                let amounts = steps.map(|step| {
                    let value = i128::from(dice.below(span)) - i128::from(span / 3);
                    there(&mut dice).then_some(value * step).filter(|value| money::to_decimal(*value).is_some())
                });
                let time = there(&mut dice).then(|| (dice.below(span.min(1 << 40)) as i64 - 1000) * 1_000_000);
                let word = there(&mut dice).then(|| format!("w{}", dice.below(span.min(70_000))));
                for (amount, (column, _)) in amounts.iter().zip(MoneyColumn::ALL) {
                    amount.inspect(|amount| lines.money(column, *amount));
                }
                time.inspect(|time| lines.time(TimeColumn::End, *time));
                word.as_ref().inspect(|word| lines.text(TextColumn::Resource, word));
                let row = line + line / 9 - dice.below(2) as u32 * (line / 7);
                lines.commit(row);
                put.push((row, amounts, time, word));
            }
            let ledger = Ledger::new(lines);
            assert_eq!(ledger.len(), put.len());
            for (line, (row, amounts, time, word)) in ledger.lines().zip(&put) {
                let got = MoneyColumn::ALL.map(|(column, _)| line.money(column));
                let expected = amounts.map(|amount| amount.and_then(money::to_decimal));
                assert_eq!(
                    (&got[..6], &got[6..]),
                    (&expected[..], &[None; 6][..]),
                    "span {span}, line {}",
                    line.index()
                );
                assert_eq!(
                    (line.row(), line.end().map(|t| t.timestamp_micros()), line.resource()),
                    (*row, *time, word.as_deref())
                );
            }
        }
    }
}
