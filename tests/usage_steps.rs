//! Samples that follow each other steadily tell the same as when each is looked at by itself.

use std::fmt::Write as _;

use kashi_parsers::usage::{Options, Usage, read_from};

use crate::dice::Dice;

/// Lines before the interval changes: the first ones tell what it is.
const FIRST: u32 = 100;

/// A log of one card whose interval changes, with holes and steps back, and the same with each line
/// behind the first ones twice: the second says nothing new, but nothing can follow it steadily.
fn logs(seed: u64) -> (String, String) {
    let mut dice = Dice::new(seed);
    let (mut once, mut twice) = ("timestamp,index,utilization.gpu [%]\n".to_owned(), String::new());
    twice += &once;
    let (mut millis, mut step) = (dice.below(3_600_000), 1000);
    for line in 0..FIRST + 20_000 {
        if line > FIRST && dice.below(2000) == 0 {
            step = [100, 500, 1000, 2000, 5000][dice.below(5) as usize];
        }
        millis += match dice.below(200) {
            0 => step * 40,
            1 if dice.below(50) == 0 => 3_600_000,
            2..80 => step * 2 - 1,
            80..140 => step + step / 2,
            _ => step,
        };
        if line > FIRST && dice.below(300) == 0 {
            millis = millis.saturating_sub(step * dice.below(50));
        }
        let util = match dice.below(40) {
            0 => "[N/A]".to_owned(),
            1 => "4.5".to_owned(),
            _ => [0, 3, 5, 69, 70, 94, 95, 100][dice.below(8) as usize].to_string(),
        };
        let (second, day) = (millis / 1000, 1 + millis / 86_400_000);
        let clock =
            format!("{:02}:{:02}:{:02}.{:03}", second / 3600 % 24, second / 60 % 60, second % 60, millis % 1000);
        let mut sample = String::new();
        let _ = writeln!(sample, "2026/10/{day:02} {clock},0,{util}");
        once += &sample;
        twice += &sample.repeat(if line > FIRST { 2 } else { 1 });
    }
    (once, twice)
}

#[test]
fn samples_that_come_twice_tell_the_same() {
    let read = |text: &str| -> Usage { read_from("smi.csv", text.as_bytes(), &Options::default()).unwrap() };
    let mut hours = 0;
    for seed in 1..40 {
        let (once, twice) = logs(seed);
        let (one, other) = (read(&once), read(&twice));
        assert_eq!(one.hours, other.hours, "seed {seed}");
        hours += one.hours.len();
    }
    assert!(hours > 500, "{hours} hours are few");
}

/// The memory of a moment may stand before its utilization or behind it, also where an hour begins.
#[test]
fn the_order_of_columns_tells_nothing() {
    let [util, memory] = ["gpu0 utilization", "gpu0 memory used"];
    let (mut behind, mut before) = (format!("Time,{util},{memory}\n"), format!("Time,{memory},{util}\n"));
    for second in (0..4 * 3600).step_by(7) {
        let time = format!("2026-09-03 {:02}:{:02}:{:02}", 7 + second / 3600, second / 60 % 60, second % 60);
        let (util, memory) = (second / 7 % 101, 512 + second / 60);
        let _ = writeln!(behind, "{time},{util}%,{memory} MiB");
        let _ = writeln!(before, "{time},{memory} MiB,{util}%");
    }
    let hours = |text: &str| read_from("grafana.csv", text.as_bytes(), &Options::default()).unwrap().hours;
    let (behind, before) = (hours(&behind), hours(&before));
    assert_eq!(behind, before);
    // The first hour ends within the step from its 3598th second to the 5th of the next.
    let seen: Vec<(f64, Option<f64>)> = behind.iter().map(|hour| (hour.observed_s, hour.memory_max)).collect();
    assert_eq!(seen[..3], [(3600.0, Some(571.0)), (3600.0, Some(631.0)), (3600.0, Some(691.0))]);
}
