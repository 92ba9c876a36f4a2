//! A row comes to the same, whichever rows stand before it.

use proptest::prelude::*;

use kashi_parsers::layout::Reason;

use super::material::{Material, Read, shown};
use super::{of_every_layout, tried};

/// What a cell may be changed to: what another row has there, or a text near its own.
#[derive(Clone, Debug)]
enum Change {
    Other(usize),
    Blank,
    Longer(&'static str),
    Shorter,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (0..1000usize).prop_map(Change::Other),
        1 => Just(Change::Blank),
        2 => prop_oneof![Just("\""), Just("\"\""), Just(","), Just("\n"), Just(" "), Just("0"), Just("中")].prop_map(Change::Longer),
        1 => Just(Change::Shorter),
    ]
}

fn changed(material: &Material, cell: &str, column: usize, change: &Change) -> String {
    match change {
        Change::Other(row) => material.body[row % material.body.len()].get(column).cloned().unwrap_or_default(),
        Change::Blank => String::new(),
        Change::Longer(more) => format!("{cell}{more}"),
        Change::Shorter => cell.chars().skip(1).collect(),
    }
}

/// What each row came to: its lines, and what was refused of it.
fn by_row(read: &Read, row: u32) -> Vec<String> {
    let lines = read.ledger.lines().filter(|line| line.row() == row).map(shown);
    let refusals = read.bill.refusals.iter().filter(|refusal| refusal.origin.row == row);
    lines.chain(refusals.map(|r| format!("{}: {:?}, not {}", r.column, r.value, r.expected.as_str()))).collect()
}

#[test]
fn a_row_comes_to_the_same_whichever_rows_stand_before_it() {
    of_every_layout(|material| {
        if material.depends_on_order() {
            return Ok(());
        }
        let width = material.header.len();
        let picked = prop::collection::vec(0..4usize, 8..24);
        let changes = prop::collection::vec((0..1000usize, 0..width, change()), 0..12);
        tried(&material.name, 6, &(picked, changes), |(picked, changes)| {
            let mut body = material.rows(&picked);
            for (row, column, change) in changes {
                let row = row % body.len();
                if let Some(cell) = body[row].get_mut(column) {
                    *cell = changed(material, cell, column, &change);
                }
            }
            let fail = |error: kashi_parsers::Error| TestCaseError::fail(error.to_string());
            let read =
                |body: &[Vec<String>]| material.read_as(&material.table(&material.header, body), &material.claim);
            let all = read(&body).map_err(fail)?;
            // Whether a row is a total is said by the rows before it.
            prop_assume!(!all.bill.left_out.contains_key(&Reason::Total));
            let first = material.above.len() as u32 + 2;
            for (at, row) in body.iter().enumerate() {
                let alone = read(std::slice::from_ref(row)).map_err(fail)?;
                prop_assume!(!alone.bill.left_out.contains_key(&Reason::Total));
                prop_assert_eq!(by_row(&all, first + at as u32), by_row(&alone, first), "row {} of {:?}", at, body);
            }
            Ok(())
        })
    });
}
