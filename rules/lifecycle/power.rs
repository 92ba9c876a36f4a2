//! When instances were on and off, as far as bills and inventory tell.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use kashi_parsers::inventory::{Asset, AssetKind};
use kashi_parsers::ledger::{Category, Kind, Line};

use crate::Case;

/// A stretch of time, end exclusive.
pub(super) type Span = (DateTime<Utc>, DateTime<Utc>);

/// States under which consoles list an instance that is off, without blanks and in lower case.
const OFF: [&str; 12] = [
    "stopped",
    "stop",
    "off",
    "poweroff",
    "powered_off",
    "shutdown",
    "shutoff",
    "shut-off",
    "deallocated",
    "关机",
    "已关机",
    "已停止",
];

/// What is known of one instance.
#[derive(Default)]
pub(super) struct Instance<'a> {
    /// Its row in the inventory.
    pub(super) listed: Option<&'a Asset>,
    /// The stretches of the month in which nothing was charged for card or machine.
    pub(super) off: Vec<Span>,
    on: Vec<Span>,
    /// From its first to its last charge of any kind: outside of it nothing is known.
    billed: Option<Span>,
    timeless: bool,
}

/// The instances of a case by platform and id, and the disks that belong to them.
pub(super) struct Instances<'a> {
    known: BTreeMap<(&'a str, &'a str), Instance<'a>>,
    disks: BTreeMap<(&'a str, &'a str), &'a Asset>,
}

impl<'a> Instances<'a> {
    /// Whatever has lines for card or machine, or is listed as an instance; off if for so long at least.
    pub(super) fn of(case: &'a Case, off_at_least: TimeDelta) -> Self {
        let mut known: BTreeMap<(&str, &str), Instance<'_>> = BTreeMap::new();
        for line in case.charges().filter(|l| is_machine(*l)) {
            if let Some(resource) = line.resource() {
                let instance = known.entry((line.platform(), resource)).or_default();
                match line.start().zip(line.end()).filter(|(start, end)| start < end) {
                    Some(span) => instance.on.push(span),
                    None => instance.timeless = true,
                }
            }
        }
        let mut disks = BTreeMap::new();
        for asset in &case.inventory {
            let key = (asset.platform.as_str(), asset.resource.as_str());
            match asset.kind {
                AssetKind::Instance => known.entry(key).or_default().listed = Some(asset),
                AssetKind::Disk => drop(disks.insert(key, asset)),
                _ => {}
            }
        }
        known.values_mut().for_each(|instance| instance.on = merged(std::mem::take(&mut instance.on)));
        let mut instances = Self { known, disks };
        case.charges().for_each(|line| instances.bill(line));
        instances.known.values_mut().for_each(|instance| instance.off = instance.off(case, off_at_least));
        instances
    }

    fn bill(&mut self, line: Line<'a>) {
        let times = line.start().or(line.posted()).zip(line.end().or(line.posted()).or(line.start()));
        let instance = self.key(line).and_then(|key| self.known.get_mut(&key));
        if let (Some((start, end)), Some(instance)) = (times, instance) {
            let (first, last) = instance.billed.unwrap_or((start, end));
            instance.billed = Some((first.min(start), last.max(end)));
        }
    }

    fn key(&self, line: Line<'a>) -> Option<(&'a str, &'a str)> {
        let key = (line.platform(), line.resource()?);
        let through_disk = || Some((key.0, self.disks.get(&key)?.source.as_deref()?));
        if self.known.contains_key(&key) { Some(key) } else { through_disk() }
    }

    /// The instance that a line charges for, itself or through a disk of it, and its id.
    pub(super) fn charged_by(&self, line: Line<'a>) -> Option<(&'a str, &Instance<'a>)> {
        let key = self.key(line)?;
        self.known.get(&key).map(|instance| (key.1, instance))
    }

    /// When what a line charges for was released.
    pub(super) fn released(&self, line: Line<'a>) -> Option<DateTime<Utc>> {
        let key = (line.platform(), line.resource()?);
        let disk = self.disks.get(&key).copied();
        disk.or_else(|| self.known.get(&key)?.listed)?.released_at
    }
}

impl Instance<'_> {
    /// Since when it is off for good: stopped, by the inventory.
    pub(super) fn stopped_since(&self) -> Option<DateTime<Utc>> {
        self.listed.filter(|a| a.released_at.is_none() && is_off(a))?.last_used_at
    }

    /// Its stretches of some length at least. None where that says nothing: a charge without a time,
    /// or an instance that is listed as running and billed elsewhere.
    fn off(&self, case: &Case, at_least: TimeDelta) -> Vec<Span> {
        let listed_off = self.listed.is_some_and(|a| is_off(a) || a.released_at.is_some());
        if self.timeless || (self.on.is_empty() && !listed_off) {
            return Vec::new();
        }
        let Some((first, last)) = self.billed else { return Vec::new() };
        let (mut from, until) = (case.start.max(first), case.end.min(last));
        if self.on.is_empty() {
            let since = self.listed.and_then(|a| a.released_at.or(a.last_used_at));
            from = since.map_or(from, |since| since.max(from));
        }
        let mut gaps = Vec::new();
        for (start, end) in &self.on {
            gaps.push((from, (*start).min(until)));
            from = from.max(*end);
        }
        gaps.push((from, until));
        gaps.retain(|(start, end)| *end - *start >= at_least);
        gaps
    }
}

fn is_machine(line: Line<'_>) -> bool {
    matches!(line.category(), Category::Gpu | Category::Compute)
        && matches!(line.kind(), Kind::Usage | Kind::Subscription)
}

fn is_off(asset: &Asset) -> bool {
    asset.state.as_ref().is_some_and(|state| OFF.contains(&state.to_lowercase().replace(' ', "").as_str()))
}

/// Stretches in order, those that touch joined.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    let mut joined: Vec<Span> = Vec::new();
    for (start, end) in spans {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}
