//! Series of a monitor's answer: all points of one measure of one card.

use std::collections::BTreeMap;

use super::super::clock::{Clock, epoch};
use super::super::formats::Input;
use super::super::labelled;
use super::super::log::Log;
use super::card::Card;
use super::feed::Feed;
use super::json::number;
use super::measure::{Measure, What};
use crate::error::{Error, Kind, Origin, Result};

/// A point: UTC microseconds, the mean, and the highest value where it is told.
pub(super) struct Point {
    pub(super) at: i64,
    pub(super) mean: Option<f64>,
    pub(super) most: Option<f64>,
}

/// Takes the points of one series, in any order.
pub(super) fn take(input: &mut Input<'_>, card: &Card<'_>, measure: Measure, mut points: Vec<Point>, log: &mut Log) {
    let place = card.place(input.devices, input.file, input.label);
    points.sort_by_key(|p| p.at);
    let mut feed = Feed::default();
    for point in points {
        if let Some(most) = point.most {
            input.devices.peak(place, point.at, 0, measure.of(most));
        }
        // A highest value alone does not tell how much of the time the card was at work.
        let Some(mean) = point.mean else {
            log.leave("point without a mean");
            continue;
        };
        feed.take(input.devices, place, point.at, 0, measure.of(mean), measure.what == What::Util);
    }
    log.samples += feed.finish(input.devices);
    if measure.what == What::Util {
        input.devices.end_series(place);
    }
}

/// The card of a series that its labels tell of, and what it measures; `None`, and counted, if it is not read.
pub(super) fn labelled(
    labels: &BTreeMap<String, String>,
    input: &mut Input<'_>,
    log: &mut Log,
) -> Option<(usize, Measure)> {
    let name = labels.get("__name__").map_or("no name", String::as_str);
    let found = Measure::of_metric(name)
        .and_then(|measure| Some((labelled::place(labels, name, input.file, input.label, input.devices)?, measure)));
    if found.is_none() {
        log.leave(&format!("series of {name}"));
    }
    found
}

/// The time of a JSON value: a text with or without a zone, or seconds or milliseconds since 1970.
pub(super) fn time(value: &serde_json::Value, clock: &mut Clock) -> Option<i64> {
    match value.as_str() {
        Some(text) => clock.read(text.trim().as_bytes()).map(|(at, _)| at),
        None => number(value).and_then(|v| epoch(&format!("{v}"))),
    }
}

/// The error of an export in which nothing is a series of a card.
pub(super) fn nothing(file: &str, log: &Log, hint: &'static str) -> Error {
    let why: Vec<&str> = log.left_out.keys().map(String::as_str).collect();
    let why = if why.is_empty() { "it is empty".to_owned() } else { format!("only {}", why.join(", ")) };
    Error::new(Kind::Usage, message!("holds no series that kashi reads: {why}")).at(Origin::file(file)).hint(hint)
}

/// Ends an export: what is held goes on, and one in which nothing is a card's is an error.
pub(super) fn end(input: &mut Input<'_>, mut log: Log, feed: Feed, local: bool, hint: &'static str) -> Result<Log> {
    log.samples += feed.finish(input.devices);
    log.local = local;
    if log.samples == 0 { Err(nothing(input.file, &log, hint)) } else { Ok(log) }
}
