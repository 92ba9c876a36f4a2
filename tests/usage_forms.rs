//! Lines of nvidia-smi logs that are read by their form tell the same as when each cell is read.

use std::fmt::Write as _;

use kashi_parsers::usage::{Options, Usage, read_from, write_hours_csv};

use crate::dice::Dice;

const COLUMNS: [&str; 15] = [
    "index",
    "uuid",
    "name",
    "pstate",
    "utilization.gpu",
    "utilization.memory",
    "memory.used",
    "memory.total",
    "memory.free",
    "power.draw",
    "power.draw.instant",
    "power.limit",
    "temperature.gpu",
    "clocks_throttle_reasons.active",
    "clocks_event_reasons.hw_slowdown",
];

/// A cell of a column; now and then one as no driver prints it.
fn cell(column: &str, card: u64, odd: u64, units: bool, dice: &mut Dice) -> String {
    let number = |most: u64, unit: &str, dice: &mut Dice| match dice.below(odd) {
        0 => dice
            .of(&[
                "[N/A]",
                "",
                "-",
                "!42",
                "7 GiB",
                "3.",
                ".5",
                "1.5",
                "123456789",
                "4 xyz",
                " 8",
                "0.1234567 W",
                "99 kW",
            ])
            .to_owned(),
        _ => format!("{}{}", dice.below(most), if units { unit } else { "" }),
    };
    match column {
        "index" => card.to_string(),
        "uuid" => format!("GPU-3ccc38b7-5213-45c1-ad75-{card:012}"),
        "name" => "NVIDIA H20".to_owned(),
        "pstate" => dice.of(&["P0", "P8"]).to_owned(),
        "clocks_throttle_reasons.active" => dice.of(&["0x0000000000000000", "0x0000000000000004", "0x20"]).to_owned(),
        "clocks_event_reasons.hw_slowdown" => dice.of(&["Active", "Not Active"]).to_owned(),
        "temperature.gpu" => number(110, "", dice),
        "memory.total" | "power.limit" if dice.below(odd) > 0 => if units { "98304 MiB" } else { "98304" }.to_owned(),
        c if c.starts_with("util") => number(102, " %", dice),
        c if c.starts_with("memory") => number(98_305, " MiB", dice),
        _ => format!("{}.{:02}{}", dice.below(700), dice.below(100), if units { " W" } else { "" }),
    }
}

/// A log; the same seed gives the same.
fn log(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut columns: Vec<&str> = COLUMNS.into_iter().filter(|_| dice.below(3) > 0).collect();
    for needed in ["index", "memory.used"] {
        if !columns.contains(&needed) {
            columns.push(needed);
        }
    }
    columns.rotate_left(dice.below(3) as usize);
    columns.insert(dice.below(2) as usize, "timestamp");
    let (cards, odd) = (1 + dice.below(8), [10, 100, 5000][dice.below(3) as usize]);
    let (units, step, end) = (dice.below(2) > 0, 1 + dice.below(40), dice.of(&["\n", "\r\n"]));
    let mut text = columns.join(", ") + end;
    for tick in 0..400 {
        for card in 0..cards {
            if dice.below(odd) == 0 {
                text += dice.of(&["", "Unknown Error", "2026/10/31", "5, 5"]);
                text += end;
                continue;
            }
            let second = tick * step + if dice.below(20 * odd) == 0 { dice.below(5000) } else { 0 };
            let clock = format!("{:02}:{:02}:{:02}", 1 + second / 3600, second / 60 % 60, second % 60);
            let cells = columns.iter().map(|column| match *column {
                "timestamp" => format!("2026/10/31 {clock}.{:03}", dice.below(1000)),
                column => cell(column, card, odd, units, &mut dice),
            });
            text += &cells.collect::<Vec<_>>().join(", ");
            text += end;
        }
    }
    text
}

fn told(text: &str) -> String {
    let usage: Usage = read_from("gpu.csv", text.as_bytes(), &Options::default()).unwrap();
    let mut hours = Vec::new();
    write_hours_csv(&usage.hours, &mut hours).unwrap();
    let source = &usage.sources[0];
    let mut told = String::from_utf8(hours).unwrap();
    let _ = write!(told, "{} {:?} {:?} {:?}", source.samples, source.left_out, source.notes, source.span);
    told
}

#[test]
fn a_line_read_by_its_form_tells_the_same_as_one_read_cell_by_cell() {
    let mut samples = 0;
    for seed in 0..60 {
        let log = log(seed);
        // A header in quotes has every line undressed first and then read cell by cell.
        let dressed = format!("\"{}", log.replacen(',', "\",", 1));
        let (by_form, by_cell) = (told(&log), told(&dressed));
        assert_eq!(by_form, by_cell, "seed {seed}");
        samples += log.lines().count();
    }
    assert!(samples > 60_000, "{samples} lines");
}

#[test]
fn a_zero_byte_spoils_its_line_and_no_other() {
    let mut log = String::from("timestamp, index, utilization.gpu [%], memory.used [MiB]\n");
    for second in 0..50 {
        let _ = writeln!(log, "2026/10/31 18:05:{second:02}.000, 0, 42, 31000");
    }
    let log = log.replacen("18:05:07.000, 0", "18:05:07.0\0, 0", 1);
    let usage = read_from("gpu.csv", log.as_bytes(), &Options::default()).unwrap();
    let left: Vec<_> = usage.sources[0].left_out.values().collect();
    assert_eq!((usage.sources[0].samples, left), (49, vec![&1]));
}
