//! Laws 1, 3 and 6: no row is lost, sums are exact in any order, and currencies never meet.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rust_decimal::Decimal;

use kashi_parsers::layout::schema::Thousands;
use kashi_parsers::ledger::{Kind, MoneyColumn};

use super::holds;
use super::material::{Material, Read};

/// What a cell may come to hold.
fn cell() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("-".to_owned()),
        Just("N/A".to_owned()),
        Just(" ".to_owned()),
        "[0-9]{1,9}\\.[0-9]{1,18}",
        "-[0-9]{1,6}\\.[0-9]{1,8}",
        "[0-9]{20,40}",
        "0\\.[0-9]{19,22}",
        "2026-1[0-2]-[0-3][0-9]( [0-2][0-9]:[0-5][0-9]:[0-5][0-9])?",
        "[a-z,\"\n;中文]{1,12}",
        "合计.{0,3}",
    ]
}

/// The first law of a bill with so many rows above and below its header.
fn conserved(read: &Read, rows: usize) -> Result<(), TestCaseError> {
    let bill = &read.bill;
    let left: usize = bill.left_out.values().sum();
    prop_assert_eq!(bill.rows, rows, "rows of the table");
    prop_assert_eq!(bill.lines, read.ledger.len());
    prop_assert_eq!(bill.rows + bill.parts, bill.lines + left + bill.refused_rows, "a row was lost: {:?}", bill);
    prop_assert_eq!(bill.refused_rows == 0, bill.refusals.is_empty());
    prop_assert!(bill.refusals.iter().all(|r| r.origin.row > 0 && !r.expected.as_str().is_empty()));
    Ok(())
}

/// The cost that the cells state, by currency and worked out without kashi's reader of numbers.
fn stated(material: &Material, body: &[Vec<String>], read: &Read) -> Option<BTreeMap<String, Decimal>> {
    let (place, source) = material.stated("cost")?;
    if source.float || material.layout().thousands == Thousands::Point {
        return None;
    }
    let first = material.above.len() as u32 + 2;
    let mut sums = BTreeMap::new();
    for line in read.ledger.lines().filter(|line| line.kind() != Kind::TopUp) {
        let cell = &body[(line.row() - first) as usize][place];
        let digits: String = cell.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | '-')).collect();
        let amount = Decimal::from_scientific(cell.trim()).or_else(|_| Decimal::from_str_exact(&digits)).ok()?;
        // Accountants put what is negative in parentheses.
        *sums.entry(line.currency().to_owned()).or_default() += if cell.contains('(') { -amount } else { amount };
    }
    Some(sums)
}

#[test]
fn no_row_of_a_changed_table_is_lost() {
    for material in Material::all() {
        let width = material.header.len();
        let picked = prop::collection::vec(0..1000usize, 1..16);
        let changes = prop::collection::vec((0..1000usize, 0..width, cell()), 0..6);
        holds(&material.name, 16, &(picked, changes), |(picked, changes)| {
            let mut body = material.rows(&picked);
            let mut changed = Vec::new();
            for (row, column, text) in changes {
                let row = row % body.len();
                if let Some(cell) = body[row].get_mut(column) {
                    *cell = text;
                    changed.push(row);
                }
            }
            let first = material.above.len() + 2;
            let table = material.table(&material.header, &body);
            let read = material.read(&table).map_err(|e| TestCaseError::fail(e.to_string()))?;
            conserved(&read, material.above.len() + 1 + body.len())?;
            if !material.depends_on_order() {
                for refusal in &read.bill.refusals {
                    let row = refusal.origin.row as usize - first;
                    prop_assert!(changed.contains(&row), "row {} was as it came: {}", row + first, refusal);
                }
            }
            if let Some(expected) = stated(material, &body, &read) {
                let mut sums: BTreeMap<String, Decimal> = BTreeMap::new();
                for total in read.ledger.totals().map_err(|e| TestCaseError::fail(e.to_string()))? {
                    *sums.entry(total.currency).or_default() += total.cost;
                }
                prop_assert_eq!(sums, expected);
            }
            Ok(())
        });
    }
}

#[test]
fn most_layouts_state_a_cost_that_a_test_can_add_up() {
    let stated = Material::all().iter().filter(|m| m.stated("cost").is_some()).count();
    assert!(stated >= 20, "{stated}");
}

/// Sums of any amounts are those of the integers that they are, whatever the order and the groups.
#[test]
fn sums_are_exact_in_any_order() {
    let amounts = prop::collection::vec((any::<i32>(), 0..=18u32, any::<u32>()), 1..40);
    let simple: Vec<&Material> =
        Material::all().iter().filter(|m| m.stated("cost").is_some_and(|(_, s)| !s.float)).collect();
    holds("sums", 200, &(amounts, 0..simple.len()), |(amounts, at)| {
        let material = simple[at];
        let (place, _) = material.stated("cost").unwrap();
        let template = &material.body[0];
        let mut expected: i128 = 0;
        let mut body = Vec::new();
        for (whole, decimals, fraction) in amounts {
            let fraction = u64::from(fraction) % 10u64.pow(decimals);
            let sign = if whole < 0 { "-" } else { "" };
            let text = match decimals {
                0 => format!("{sign}{}", whole.unsigned_abs()),
                _ => format!("{sign}{}.{fraction:0width$}", whole.unsigned_abs(), width = decimals as usize),
            };
            let mantissa =
                i128::from(whole.unsigned_abs()) * 10i128.pow(18) + i128::from(fraction) * 10i128.pow(18 - decimals);
            expected += if whole < 0 { -mantissa } else { mantissa };
            let mut row = template.clone();
            row[place] = text;
            body.push(row);
        }
        let read = material.plain(&body);
        prop_assume!(read.bill.refusals.is_empty());
        prop_assume!(read.ledger.lines().all(|l| l.kind() != Kind::TopUp));
        let exact: i128 = read
            .ledger
            .lines()
            .filter_map(|line| line.money(MoneyColumn::Cost))
            .map(|cost| cost.mantissa() * 10i128.pow(18 - cost.scale()))
            .sum();
        prop_assert_eq!(exact, expected);
        let total: Decimal = read.ledger.totals().unwrap().iter().map(|t| t.cost).sum();
        body.reverse();
        let turned = material.plain(&body).ledger.totals().unwrap();
        prop_assert_eq!(turned, read.ledger.totals().unwrap());
        prop_assert_eq!(total.mantissa() * 10i128.pow(18 - total.scale()), expected);
        Ok(())
    });
}

/// A total is of one currency, and has every line of it.
#[test]
fn currencies_never_meet() {
    let mut mixed = 0;
    for material in Material::all() {
        let Some((place, _)) = material.stated("currency") else { continue };
        mixed += 1;
        let rows = prop::collection::vec((0..1000usize, prop::sample::select(vec!["CNY", "USD", "EUR"])), 2..20);
        holds(&material.name, 12, &rows, |rows| {
            let mut body = material.rows(&rows.iter().map(|(at, _)| *at).collect::<Vec<_>>());
            for (row, (_, currency)) in body.iter_mut().zip(&rows) {
                row[place] = (*currency).to_owned();
            }
            let read = material.plain(&body);
            let totals = read.ledger.totals().unwrap();
            for currency in ["CNY", "USD", "EUR"] {
                let charges = read.ledger.lines().filter(|l| l.currency() == currency && l.is_charge());
                let sum: Decimal = charges.map(|l| l.cost()).sum();
                let total: Decimal = totals.iter().filter(|t| t.currency == currency).map(|t| t.cost).sum();
                prop_assert_eq!(sum, total, "{}", currency);
            }
            prop_assert!(totals.iter().all(|t| ["CNY", "USD", "EUR"].contains(&t.currency.as_str())));
            Ok(())
        });
    }
    assert!(mixed >= 5, "{mixed}");
}
