//! What `nvidia-smi` logged: half-hourly samples, on the clock of the machines.

use std::collections::BTreeMap;

use chrono::{Duration, NaiveDate, NaiveDateTime, Timelike as _};

use super::autodl;
use super::random::Random;

const HEADER: &str = "timestamp, index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], power.limit [W]\n";

/// The logs, by file.
pub(super) fn logs() -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        ("usage/kb-a100-01.csv", contract()),
        ("usage/autodl-experiments.csv", rented(autodl::EXPERIMENTS, 3, |_| true)),
        // Its work was done by the evening of the first day.
        (
            "usage/autodl-8c2d5e7f1a-b3c4d5e6.csv",
            rented(autodl::FORGOTTEN, 5, |time| time < october(9, 17) + Duration::minutes(30)),
        ),
        ("usage/autodl-d4e5f60718-29a0b1c2.csv", rented(autodl::KEPT, 7, |_| true)),
    ])
}

fn october(day: u32, hour: u32) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2026, 10, day).unwrap().and_hms_opt(hour, 0, 0).unwrap()
}

/// What a card reads at one time.
struct Reading {
    util: i64,
    memory: i64,
    centiwatts: i64,
}

/// Four A100 80G: two serve, one was fine-tuned on for a week, one holds a copy of the model.
fn contract() -> String {
    let mut random = Random::new(80);
    let mut text = HEADER.to_owned();
    let mut time = october(1, 0) + Duration::seconds(12);
    while time < october(31, 0) + Duration::days(1) {
        for index in 0..4 {
            let reading = a100(&mut random, index, time);
            line(&mut text, time, (index, "NVIDIA A100-SXM4-80GB", 81_920, 400), &reading, random.within(3, 40));
        }
        time += Duration::minutes(30);
    }
    text
}

fn a100(random: &mut Random, index: i64, time: NaiveDateTime) -> Reading {
    let working = (9..21).contains(&time.hour());
    let tuning = index == 2 && october(19, 9) <= time && time < october(26, 9);
    let (util, memory) = match index {
        _ if tuning => (random.within(95, 100), random.within(16_380, 16_640)),
        0 | 1 if working => (random.within(9, 21), random.within(15_180, 15_940)),
        0 | 1 => (random.within(5, 9), random.within(15_180, 15_420)),
        _ => (random.within(0, 4), random.within(14_910, 15_020)),
    };
    let centiwatts = if tuning { random.within(33_400, 39_580) } else { 8_120 + util * 190 + random.within(0, 600) };
    Reading { util, memory, centiwatts }
}

/// A rented RTX 4090, logged while it was on.
fn rented(instance: &str, seed: u64, works: impl Fn(NaiveDateTime) -> bool) -> String {
    let mut random = Random::new(seed);
    let mut text = HEADER.to_owned();
    for (on, off) in autodl::boots(instance) {
        let mut time = on + Duration::seconds(35);
        while time < off {
            let reading = if works(time) {
                let util = random.within(91, 100);
                Reading { util, memory: random.within(14_620, 15_260), centiwatts: random.within(38_200, 44_750) }
            } else {
                Reading { util: 0, memory: random.within(1, 4), centiwatts: random.within(1_720, 2_480) }
            };
            line(&mut text, time, (0, "NVIDIA GeForce RTX 4090", 24_564, 450), &reading, random.within(3, 40));
            time += Duration::minutes(30);
        }
    }
    text
}

/// Index, name, MiB and power limit of a card.
type Card = (i64, &'static str, u32, u32);

fn line(text: &mut String, time: NaiveDateTime, (index, name, total, limit): Card, reading: &Reading, millis: i64) {
    let Reading { util, memory, centiwatts } = reading;
    let (watts, cents) = (centiwatts / 100, centiwatts % 100);
    let stamp = (time + Duration::milliseconds(100 + index * 41 + millis)).format("%Y/%m/%d %H:%M:%S%.3f");
    text.push_str(&format!(
        "{stamp}, {index}, {name}, {util} %, {memory} MiB, {total} MiB, {watts}.{cents:02} W, {limit}.00 W\n"
    ));
}
