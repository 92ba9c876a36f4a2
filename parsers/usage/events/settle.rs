//! Events find the cards that the samples are of, and their years.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta, Utc};

use super::super::device::About;
use super::super::hour::UsageHour;
use super::super::read::Usage;
use super::named::{Named, bus};
use super::{Event, EventKind};
use crate::ledger::time::Zone;

/// How far from the samples an event may lie whose line leaves out the year.
const NEAR: TimeDelta = TimeDelta::days(31);

/// Gives events their years and devices, and counts out-of-memory events into the hours of their
/// cards. An event that nothing ties to one card stays an event and no more.
pub(in crate::usage) fn settle(usage: &mut Usage, zone: Zone) {
    let span = usage.hours.iter().map(|h| h.hour).min().zip(usage.hours.iter().map(|h| h.hour).max());
    let mut events = std::mem::take(&mut usage.events);
    for event in &mut events {
        if let Some(local) = event.yearless {
            event.time = span.and_then(|span| year(local, span, zone));
        }
        if event.kind != EventKind::Killed
            && let Some(device) = device(event, &usage.about)
        {
            event.device = Some(device);
            if event.kind == EventKind::OutOfMemory {
                count(event, usage);
            }
        }
    }
    let timeless = events.iter().filter(|e| e.yearless.is_some() && e.time.is_none());
    for event in timeless {
        let source = usage.sources.iter_mut().find(|s| s.file == event.file);
        let note = "leaves out the year of its times; give it together with the samples of that time";
        if let Some(source) = source.filter(|s| s.notes.iter().all(|n| n != note)) {
            source.notes.push(note.to_owned());
        }
    }
    events.sort_by(|a, b| (a.time, &a.file, a.row).cmp(&(b.time, &b.file, b.row)));
    usage.events = events;
}

/// The time in the year that lies nearest to the samples.
fn year(local: NaiveDateTime, (first, last): (DateTime<Utc>, DateTime<Utc>), zone: Zone) -> Option<DateTime<Utc>> {
    let years = first.year() - 1..=last.year() + 1;
    let times = years.filter_map(|year| {
        let day = NaiveDate::from_ymd_opt(year, local.month(), local.day())?;
        zone.to_utc(day.and_time(local.time()))
    });
    let far = |time: &DateTime<Utc>| (first - *time).max(*time - last).max(TimeDelta::zero());
    times.min_by_key(far).filter(|time| far(time) <= NEAR)
}

/// The device of the samples that an event is of, if exactly one can be meant.
fn device(event: &Event, about: &BTreeMap<String, About>) -> Option<String> {
    let of_host = |a: &About| event.host.is_none() || a.host.is_none() || a.host == event.host;
    let only = |is: &dyn Fn(&str, &About) -> bool| {
        let mut all = about.iter().filter(|(device, a)| is(device, a));
        let first = all.next()?;
        all.next().is_none().then(|| first.0.clone())
    };
    // A log lies beside the samples of its machine, or names the machine.
    let beside = |a: &About| match &event.host {
        Some(host) if a.host.is_some() => a.host.as_ref() == Some(host),
        _ => a.files.iter().any(|f| folder(f) == folder(&event.file)) && folder(&event.file).is_some(),
    };
    match &event.named {
        Named::Uuid(id) => about.contains_key(id).then(|| id.clone()),
        Named::Bus(at) => only(&|device, a| of_host(a) && bus(device).as_ref() == Some(at)),
        Named::Index(index) => {
            // A program counts the cards that it sees: its first is the only one, where there is one.
            let ending = format!("/{index}");
            only(&|device, a| beside(a) && device.ends_with(&ending))
                .or_else(|| only(&|_, a| beside(a)).filter(|_| index == "0"))
        }
        Named::Nothing => only(&|_, a| beside(a)),
    }
}

/// The folder of a file; `None` for one that is named by itself.
fn folder(file: &str) -> Option<&str> {
    file.rsplit_once('/').map(|(folder, _)| folder)
}

/// Counts an event into its hour, which the samples may not know.
fn count(event: &Event, usage: &mut Usage) {
    let (Some(time), Some(device)) = (event.time, &event.device) else { return };
    let Some(hour) = DateTime::from_timestamp(time.timestamp().div_euclid(3600) * 3600, 0) else { return };
    let known = usage.hours.iter_mut().find(|h| h.device == *device && h.hour == hour);
    match known {
        Some(known) => known.oom = known.oom.saturating_add(1),
        None => {
            let about = usage.about.get(device).cloned().unwrap_or_default();
            let new = UsageHour::unknown(device.clone(), hour);
            usage.hours.push(UsageHour { oom: 1, name: about.name, host: about.host, ..new });
        }
    }
}
