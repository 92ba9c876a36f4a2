//! Law 7: a time is an instant, whatever the zone that it is written in, and intervals are half open.

use chrono::{DateTime, FixedOffset, Utc};
use proptest::prelude::*;

use kashi_parsers::layout::{self, Given, Platforms, schema};
use kashi_parsers::ledger::{Ledger, Lines, TimeColumn};
use kashi_parsers::open::Table;
use kashi_parsers::usage::{Options, read_from};

use super::holds;
use super::material::{Material, Read};

/// The same layout of a platform whose clock stands so many hours before UTC's.
fn read_in(material: &Material, table: &Table, hours: i32) -> Read {
    let mut claim = material.claim.clone();
    let mut platform = schema::Platform::clone(&claim.platform);
    platform.zone = format!("{hours:+03}:00");
    let layout = &mut platform.layouts[claim.index];
    let parts = layout.parts.iter_mut().flat_map(|part| part.columns.values_mut());
    layout.columns.values_mut().chain(parts).flat_map(|s| &mut s.0).for_each(|source| source.zone = None);
    claim.platform = platform.into();
    material.read_as(table, &claim).unwrap_or_else(|e| panic!("{}: {e}", material.name))
}

/// A clock that is eight hours ahead shows a time eight hours earlier; a time that says its zone itself stays.
#[test]
fn a_time_without_a_zone_is_of_the_platforms_clock() {
    let mut moved = 0;
    for material in Material::all() {
        let table = material.table(&material.header, &material.body);
        let (utc, china) = (read_in(material, &table, 0), read_in(material, &table, 8));
        assert_eq!(utc.ledger.len(), china.ledger.len(), "{}", material.name);
        for (one, other) in utc.ledger.lines().zip(china.ledger.lines()) {
            for (column, name) in TimeColumn::ALL {
                let (Some(utc), Some(china)) = (one.time(column), other.time(column)) else {
                    assert_eq!(one.time(column), other.time(column), "{}: {name}", material.name);
                    continue;
                };
                let hours = (utc - china).num_minutes();
                assert!(hours == 0 || hours == 480, "{}: {name} moved by {hours} minutes", material.name);
                moved += usize::from(hours == 480);
            }
            // What it costs and how long it took does not depend on a clock.
            assert_eq!(one.cost(), other.cost(), "{}", material.name);
            assert_eq!(one.card_hours(), other.card_hours(), "{}", material.name);
        }
    }
    assert!(moved > 1000, "{moved}");
}

fn platform(zone: &str) -> Platforms {
    let mut platforms = Platforms::default();
    let text = format!(
        r#"
name = "our-cloud"
title = {{ en = "Our Cloud", zh = "我们的云" }}
zone = "{zone}"
currency = "CNY"
[[layout]]
name = "bill"
title = {{ en = "Bill", zh = "账单" }}
mark = "confirmed"
source = "a test"
[layout.columns]
start = "start"
end = {{ column = "end", through = "day", format = "%Y-%m-%d" }}
posted = {{ column = "posted", format = ["rfc3339", "%Y/%m/%d %H:%M", "%s"] }}
kind = {{ value = "usage" }}
sku = "sku"
cost = "cost"
"#
    );
    platforms.add("our-cloud.toml", &text).unwrap();
    platforms
}

fn ledger(zone: &str, text: &str) -> Ledger {
    let (table, platforms) = (Table::from_text("bill.csv", text), platform(zone));
    let claim = layout::identify(&table, &platforms).unwrap();
    let mut lines = Lines::new();
    let bill = layout::read(&table, &claim, Given::default(), &mut lines).unwrap();
    assert_eq!(bill.refusals, [], "{text}");
    Ledger::new(lines)
}

/// A moment of the years 2000 to 2100, in whole minutes, and a distance from UTC in quarters of an hour.
fn moment() -> impl Strategy<Value = (DateTime<Utc>, FixedOffset)> {
    let minute = (946_684_800 / 60..4_102_444_800i64 / 60).prop_map(|m| DateTime::from_timestamp(m * 60, 0).unwrap());
    (minute, (-48..=56i32).prop_map(|quarters| FixedOffset::east_opt(quarters * 900).unwrap()))
}

#[test]
fn an_instant_is_the_same_in_every_zone_and_form() {
    holds("instants", 300, &moment(), |(at, offset)| {
        let local = at.with_timezone(&offset);
        let zone = local.format("%:z").to_string();
        let end = local.format("%Y-%m-%d");
        for posted in [
            local.to_rfc3339(),
            at.to_rfc3339(),
            local.format("%Y/%m/%d %H:%M").to_string(),
            at.timestamp().to_string(),
        ] {
            let text =
                format!("sku,start,end,posted,cost\ngpu,{},{end},{posted},1\n", local.format("%Y-%m-%d %H:%M:%S"));
            let ledger = ledger(&zone, &text);
            let line = ledger.line(0);
            prop_assert_eq!(line.start(), Some(at), "{} {}", zone, text);
            prop_assert_eq!(line.posted(), Some(at), "{} {}", zone, text);
            // The day that a line goes through is charged whole: it ends where the next one begins.
            let midnight = line.end().unwrap().with_timezone(&offset);
            prop_assert_eq!(midnight.format("%H:%M:%S").to_string(), "00:00:00");
            prop_assert!(line.end().unwrap() > at && (line.end().unwrap() - at).num_hours() <= 24);
            // A bill without a month is of the one that its own clock shows.
            prop_assert_eq!(line.period(), local.format("%Y-%m").to_string());
        }
        Ok(())
    });
}

/// Hours of a log are the same ones, whether its times are UTC or on a clock that the options name.
#[test]
fn an_hour_of_use_is_the_same_on_every_clock() {
    let log = (moment(), prop::collection::vec(0..=100u8, 2..90));
    holds("hours", 100, &log, |((at, offset), samples)| {
        // Hours are those of UTC, so that a zone with half hours cuts them elsewhere than its clock does.
        let text = |offset: FixedOffset| {
            let mut text = String::from("timestamp, index, uuid, utilization.gpu [%]\n");
            for (minute, percent) in samples.iter().enumerate() {
                let local = (at + chrono::Duration::minutes(minute as i64)).with_timezone(&offset);
                text.push_str(&format!("{}, 0, GPU-1, {percent} %\n", local.format("%Y/%m/%d %H:%M:%S%.3f")));
            }
            text
        };
        let utc = FixedOffset::east_opt(0).unwrap();
        let read = |offset: FixedOffset| {
            let zone = kashi_parsers::ledger::time::Zone::Fixed(offset);
            let options = Options { zone, ..Options::default() };
            read_from("smi.csv", text(offset).as_bytes(), &options).unwrap().hours
        };
        let (one, other) = (read(utc), read(offset));
        prop_assert_eq!(&one, &other);
        // Half open: the sample at the full hour is of the hour that begins.
        prop_assert!(one.iter().all(|h| h.observed_s <= 3600.0 && h.hour.timestamp() % 3600 == 0));
        Ok(())
    });
}
