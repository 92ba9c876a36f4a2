//! Law 4: what is not known is neither zero nor idle.

use proptest::prelude::*;

use kashi_parsers::ledger::MoneyColumn;
use kashi_parsers::usage::{Options, Usage, read_from};

use super::holds;
use super::material::Material;

/// How exports say that there is no value.
const NOTHING: [&str; 8] = ["", " ", "-", "--", "N/A", "null", "NULL", "\u{3000}"];

#[test]
fn a_cell_without_a_value_is_never_zero() {
    let mut blanked = 0;
    for material in Material::all() {
        for (column, name) in MoneyColumn::ALL {
            // Hours and cards follow from other columns where their own says nothing.
            if matches!(column, MoneyColumn::CardHours | MoneyColumn::Cards) {
                continue;
            }
            let Some((place, _)) = material.stated(name) else { continue };
            blanked += 1;
            let rows = (prop::collection::vec(0..1000usize, 1..6), prop::sample::select(NOTHING.to_vec()));
            holds(&material.name, 4, &rows, |(picked, nothing)| {
                let mut body = material.rows(&picked);
                body.iter_mut().filter(|row| row.len() > place).for_each(|row| row[place] = nothing.to_owned());
                let read = material.plain(&body);
                if column == MoneyColumn::Cost {
                    prop_assert!(read.ledger.is_empty(), "a line without a cost");
                    prop_assert!(read.bill.refusals.iter().all(|r| !r.expected.as_str().is_empty()));
                    return Ok(());
                }
                // Money paid in advance moves to `paid` by itself.
                let lines = read.ledger.lines().filter(|l| column != MoneyColumn::Paid || l.is_charge());
                for line in lines {
                    prop_assert_eq!(line.money(column), None, "{} of {:?} is {:?}", name, nothing, line);
                }
                Ok(())
            });
        }
    }
    assert!(blanked >= 60, "{blanked}");
}

/// How utilization exports say it.
const UNKNOWN: [&str; 6] = ["[N/A]", "N/A", "[Not Supported]", "", "[Unknown Error]", "-"];

/// One sample a minute of one card; `None` where it is not known.
fn smi(samples: &[Option<u8>], unknown: &str) -> Usage {
    let mut text = String::from("timestamp, index, uuid, utilization.gpu [%], memory.used [MiB]\n");
    for (minute, sample) in samples.iter().enumerate() {
        let cell = sample.map_or(unknown.to_owned(), |percent| format!("{percent} %"));
        let at = format!("2026/09/28 {:02}:{:02}:00.000", 10 + minute / 60, minute % 60);
        text.push_str(&format!("{at}, 0, GPU-0001, {cell}, 1024 MiB\n"));
    }
    read_from("smi.csv", text.as_bytes(), &Options::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn a_sample_that_is_not_known_is_no_idle_time() {
    let samples = prop::collection::vec(prop::option::of(0..=100u8), 4..150);
    holds("samples", 200, &(samples, prop::sample::select(UNKNOWN.to_vec())), |(samples, unknown)| {
        let usage = smi(&samples, unknown);
        let known = samples.iter().flatten().count() as f64;
        let idle = samples.iter().flatten().filter(|percent| **percent < 5).count() as f64;
        let busy = samples.iter().flatten().filter(|percent| **percent >= 70).count() as f64;
        let sum = |of: fn(&kashi_parsers::usage::UsageHour) -> f64| usage.hours.iter().map(of).sum::<f64>();
        // A sample stands for a minute, the last one for no more than that.
        prop_assert!(sum(|h| h.observed_s) <= known * 60.0 + 0.01, "{} of {known}", sum(|h| h.observed_s));
        prop_assert!(sum(|h| h.idle_s) <= idle * 60.0 + 0.01, "idle");
        prop_assert!(sum(|h| h.busy_s) <= busy * 60.0 + 0.01, "busy");
        if known == 0.0 {
            prop_assert!(usage.hours.iter().all(|h| h.util_mean.is_none() && h.util_max.is_none()));
        }
        // Nothing that is known is lost: all but the last sample stand for their whole minute.
        prop_assert!(sum(|h| h.observed_s) >= (known - 1.0) * 60.0 - 0.01);
        Ok(())
    });
}
