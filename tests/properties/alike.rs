//! A row comes to the same, whichever rows stand before it.

use proptest::prelude::*;

use kashi_parsers::layout::Reason;
use kashi_parsers::open::Table;

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

/// What a row for a total says, what says nothing, and texts of the lengths at which they are told apart.
fn odd() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("合计".to_owned()),
        Just("小计".to_owned()),
        Just(" 合计".to_owned()),
        Just("合计 ".to_owned()),
        Just("\"合计\"".to_owned()),
        Just("合\"计".to_owned()),
        Just("\t合计".to_owned()),
        Just("Total".to_owned()),
        (26..36usize).prop_map(|length| format!("Total ({})", "x".repeat(length))),
        prop_oneof![Just("null"), Just("NULL"), Just("N/A"), Just("-"), Just("vm01"), Just("Tax"), Just("\"vm-01\"")]
            .prop_map(str::to_owned),
    ]
}

/// The rows as CSV, some cells in quotes that need none.
fn in_quotes(material: &Material, body: &[Vec<String>], every: usize) -> Table {
    let all = material.above.iter().chain([&material.header]).chain(body);
    let mut text = String::new();
    for (row, cells) in all.enumerate() {
        // A quote may also close before the text ends.
        let early = |cell: &str| !cell.contains(['"', ',', '\n', '\r']) && cell.is_ascii() && cell.len() > 3;
        let cell = |(at, cell): (usize, &String)| match (row * 7 + at) % every {
            0 if (row + at).is_multiple_of(3) && early(cell) => format!("\"{}\"{}", &cell[..2], &cell[2..]),
            0 => format!("\"{}\"", cell.replace('"', "\"\"")),
            _ if cell.contains(['"', ',', '\n', '\r']) => format!("\"{}\"", cell.replace('"', "\"\"")),
            _ => cell.clone(),
        };
        text.push_str(&cells.iter().enumerate().map(cell).collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    material.table_of(&text)
}

#[test]
fn quotes_that_are_not_needed_change_nothing() {
    of_every_layout(|material| {
        let width = material.header.len();
        let picked = prop::collection::vec(0..4usize, 2..8);
        let changes = prop::collection::vec((0..1000usize, 0..width, odd()), 0..6);
        tried(&material.name, 24, &(picked, changes, 1..5usize), |(picked, changes, every)| {
            let mut body = material.rows(&picked);
            for (row, column, text) in changes {
                let row = row % body.len();
                if let Some(cell) = body[row].get_mut(column) {
                    *cell = text;
                }
            }
            let fail = |error: kashi_parsers::Error| TestCaseError::fail(error.to_string());
            let bare = material.read_as(&material.table(&material.header, &body), &material.claim).map_err(fail)?;
            let quoted = material.read_as(&in_quotes(material, &body, every), &material.claim).map_err(fail)?;
            for row in 0..(material.above.len() + 2 + body.len()) as u32 {
                prop_assert_eq!(by_row(&bare, row), by_row(&quoted, row), "row {} of {:?}", row, body);
            }
            prop_assert_eq!(&bare.bill.left_out, &quoted.bill.left_out, "{:?}", body);
            Ok(())
        })
    });
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
