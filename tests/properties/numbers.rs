//! Law 3: no digit is lost, and what cannot be kept is refused, never rounded.

use proptest::prelude::*;
use rust_decimal::Decimal;

use kashi_parsers::layout::{self, Given, Platforms};
use kashi_parsers::ledger::money::{self, NotExact, Separators};
use kashi_parsers::ledger::{Ledger, Lines, MoneyColumn};
use kashi_parsers::open::Table;

use super::holds;

/// A number as text: `(sign, whole part, digits behind the point)`.
fn number() -> impl Strategy<Value = (bool, u64, String)> {
    let whole = prop_oneof![Just(0), 1..100_000u64, 1..1_000_000_000_000_000u64];
    (any::<bool>(), whole, "[0-9]{0,18}")
}

/// Digits from the first that is not zero to the last.
fn significant(whole: u64, fraction: &str) -> usize {
    format!("{whole}{fraction}").trim_matches('0').len()
}

fn written(negative: bool, whole: u64, fraction: &str) -> String {
    let sign = if negative { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// The integer that a number is at 18 decimals, by its digits alone.
fn mantissa(negative: bool, whole: u64, fraction: &str) -> i128 {
    let digits: i128 = format!("{whole}{fraction:0<18}").parse().unwrap();
    if negative { -digits } else { digits }
}

/// The number by another reader, which takes no more zeros than it needs.
fn exact(negative: bool, whole: u64, fraction: &str) -> Decimal {
    Decimal::from_str_exact(&written(negative, whole, fraction.trim_end_matches('0'))).unwrap()
}

#[test]
fn a_number_of_up_to_eighteen_decimals_is_read_to_the_last_digit() {
    holds("numbers", 2000, &number(), |(negative, whole, fraction)| {
        let text = written(negative, whole, &fraction);
        let read = money::parse(&text, Separators::None);
        if significant(whole, &fraction) > 28 {
            prop_assert_eq!(read, Err(NotExact::TooLarge), "{}", text);
            return Ok(());
        }
        prop_assert_eq!(read, Ok(mantissa(negative, whole, &fraction)), "{}", text);
        let shown = money::to_decimal(read.unwrap()).unwrap();
        prop_assert_eq!(shown, exact(negative, whole, &fraction), "{}", text);
        Ok(())
    });
}

#[test]
fn a_number_reads_the_same_however_a_vendor_writes_it() {
    let marks =
        prop::sample::select(vec!["{}", "¥{}", "￥ {}", "{}元", "$ {}", " {}\t", "{} CNY", "USD {}", "\u{3000}{}"]);
    holds("marks", 1000, &(number(), marks), |((negative, whole, fraction), mark)| {
        prop_assume!(significant(whole, &fraction) <= 28);
        let expected = Ok(mantissa(negative, whole, &fraction));
        let plain = written(negative, whole, &fraction);
        prop_assert_eq!(money::parse(&mark.replace("{}", &plain), Separators::None), expected, "{} in {}", plain, mark);
        let bare = written(false, whole, &fraction);
        let accountants = format!("({bare})");
        prop_assert_eq!(money::parse(&accountants, Separators::None), Ok(mantissa(true, whole, &fraction)));
        // Digit groups, where a layout says that it has them.
        let groups = whole
            .to_string()
            .as_bytes()
            .rchunks(3)
            .rev()
            .map(|c| String::from_utf8_lossy(c).into_owned())
            .collect::<Vec<_>>();
        let behind = |point: &str| if fraction.is_empty() { String::new() } else { format!("{point}{fraction}") };
        let positive = Ok(mantissa(false, whole, &fraction));
        prop_assert_eq!(money::parse(&format!("{}{}", groups.join(","), behind(".")), Separators::Comma), positive);
        prop_assert_eq!(money::parse(&format!("{}{}", groups.join("."), behind(",")), Separators::Point), positive);
        if groups.len() > 1 {
            prop_assert!(money::parse(&groups.join(","), Separators::None).is_err(), "a comma groups nothing here");
        }
        Ok(())
    });
}

#[test]
fn what_the_ledger_cannot_keep_is_refused() {
    let fine = ("[0-9]{1,9}", "[0-9]{18}", "[0-9]{0,6}", "[1-9]");
    holds("too fine", 500, &fine, |(whole, fraction, zeros, last)| {
        let text = format!("{whole}.{fraction}{zeros}{last}");
        prop_assert_eq!(money::parse(&text, Separators::None), Err(NotExact::TooFine), "{}", text);
        Ok(())
    });
    holds("too large", 500, &("[1-9][0-9]{15,30}", "[0-9]{0,4}"), |(whole, fraction)| {
        let text = if fraction.is_empty() { whole } else { format!("{whole}.{fraction}") };
        prop_assert_eq!(money::parse(&text, Separators::None), Err(NotExact::TooLarge), "{}", text);
        Ok(())
    });
    // Zeros at the end are no digits that would be lost.
    holds("zeros", 200, &("[0-9]{1,9}", "[0-9]{1,18}", 1..40usize), |(whole, fraction, zeros)| {
        let (plain, long) = (format!("{whole}.{fraction}"), format!("{whole}.{fraction}{}", "0".repeat(zeros)));
        prop_assert_eq!(money::parse(&long, Separators::None), money::parse(&plain, Separators::None));
        Ok(())
    });
}

#[test]
fn an_exponent_is_the_number_that_it_stands_for() {
    holds("exponents", 500, &("[1-9]", "[0-9]{0,6}", -12..12i32), |(whole, fraction, exponent)| {
        let digits = format!("{whole}{fraction}");
        // The place of the point in the digits.
        let point = 1 + exponent;
        let plain = match usize::try_from(point) {
            Ok(at) if at >= digits.len() => format!("{digits}{}", "0".repeat(at - digits.len())),
            Ok(at) if at > 0 => format!("{}.{}", &digits[..at], &digits[at..]),
            _ => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
        };
        let short = if fraction.is_empty() { whole } else { format!("{whole}.{fraction}") };
        let text = format!("{short}e{exponent}");
        let expected = money::parse(&plain, Separators::None);
        prop_assert_eq!(money::parse(&text, Separators::None), expected, "{} and {}", text, plain);
        Ok(())
    });
}

const PLATFORM: &str = r#"
name = "our-cloud"
title = { en = "Our Cloud", zh = "我们的云" }
zone = "+08:00"
currency = "CNY"
[[layout]]
name = "bill"
title = { en = "Bill", zh = "账单" }
mark = "confirmed"
source = "a test"
[layout.columns]
period = { value = "2026-09" }
kind = { value = "usage" }
sku = "sku"
cost = "cost"
list_cost = "list"
"#;

/// The whole way from a cell to the ledger, beside amounts of other widths in the same column.
#[test]
fn a_cell_keeps_its_digits_on_the_way_to_the_ledger() {
    let mut platforms = Platforms::default();
    platforms.add("our-cloud.toml", PLATFORM).unwrap();
    holds("columns", 300, &prop::collection::vec((number(), number()), 1..24), |cells| {
        let fits = |(_, whole, fraction): &(bool, u64, String)| significant(*whole, fraction) <= 28;
        let mut text = String::from("sku,cost,list\n");
        for ((n1, w1, f1), (n2, w2, f2)) in &cells {
            text.push_str(&format!("gpu,{},{}\n", written(*n1, *w1, f1), written(*n2, *w2, f2)));
        }
        let table = Table::from_text("bill.csv", &text);
        let claim = layout::identify(&table, &platforms).unwrap();
        let mut lines = Lines::new();
        let bill = layout::read(&table, &claim, Given::default(), &mut lines).unwrap();
        let kept: Vec<_> = cells.iter().filter(|(cost, list)| fits(cost) && fits(list)).collect();
        let ledger = Ledger::new(lines);
        prop_assert_eq!(bill.refused_rows, cells.len() - kept.len());
        prop_assert_eq!(ledger.len(), kept.len());
        for (line, (cost, list)) in ledger.lines().zip(kept) {
            prop_assert_eq!(line.money(MoneyColumn::Cost), Some(exact(cost.0, cost.1, &cost.2)));
            prop_assert_eq!(line.money(MoneyColumn::ListCost), Some(exact(list.0, list.1, &list.2)));
        }
        Ok(())
    });
}
