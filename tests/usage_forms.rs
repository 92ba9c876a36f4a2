//! Lines of nvidia-smi logs that are read by their form tell the same as when each cell is read.

use std::fmt::Write as _;

use kashi_parsers::usage::{Options, Usage, read_from, write_hours_csv};

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len() as u64) as usize]
    }
}

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
    let number = |most: u64, unit: &str, dice: &mut Dice| match dice.roll(odd) {
        0 => dice
            .pick(&[
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
        _ => format!("{}{}", dice.roll(most), if units { unit } else { "" }),
    };
    match column {
        "index" => card.to_string(),
        "uuid" => format!("GPU-3ccc38b7-5213-45c1-ad75-{card:012}"),
        "name" => "NVIDIA H20".to_owned(),
        "pstate" => dice.pick(&["P0", "P8"]).to_owned(),
        "clocks_throttle_reasons.active" => dice.pick(&["0x0000000000000000", "0x0000000000000004", "0x20"]).to_owned(),
        "clocks_event_reasons.hw_slowdown" => dice.pick(&["Active", "Not Active"]).to_owned(),
        "temperature.gpu" => number(110, "", dice),
        "memory.total" | "power.limit" if dice.roll(odd) > 0 => if units { "98304 MiB" } else { "98304" }.to_owned(),
        c if c.starts_with("util") => number(102, " %", dice),
        c if c.starts_with("memory") => number(98_305, " MiB", dice),
        _ => format!("{}.{:02}{}", dice.roll(700), dice.roll(100), if units { " W" } else { "" }),
    }
}

/// A log; the same seed gives the same.
fn log(seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut columns: Vec<&str> = COLUMNS.into_iter().filter(|_| dice.roll(3) > 0).collect();
    for needed in ["index", "memory.used"] {
        if !columns.contains(&needed) {
            columns.push(needed);
        }
    }
    columns.rotate_left(dice.roll(3) as usize);
    columns.insert(dice.roll(2) as usize, "timestamp");
    let (cards, odd) = (1 + dice.roll(8), [10, 100, 5000][dice.roll(3) as usize]);
    let (units, step, end) = (dice.roll(2) > 0, 1 + dice.roll(40), dice.pick(&["\n", "\r\n"]));
    let mut text = columns.join(", ") + end;
    for tick in 0..400 {
        for card in 0..cards {
            if dice.roll(odd) == 0 {
                text += dice.pick(&["", "Unknown Error", "2026/10/31", "5, 5"]);
                text += end;
                continue;
            }
            let second = tick * step + if dice.roll(odd) == 0 { dice.roll(5000) } else { 0 };
            let clock = format!("{:02}:{:02}:{:02}", 1 + second / 3600, second / 60 % 60, second % 60);
            let cells = columns.iter().map(|column| match *column {
                "timestamp" => format!("2026/10/31 {clock}.{:03}", dice.roll(1000)),
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
