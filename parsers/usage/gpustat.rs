//! `gpustat --json`: one document a moment, one or many in a file.

use std::io::BufRead;

use serde_json::Value;

use super::card::Card;
use super::documents::{self, number, text};
use super::formats::{Head, Input};
use super::log::Log;
use super::sample::Sample;
use super::stamp::Stamps;
use crate::error::Result;

/// Whether a file is such documents.
pub(super) fn is(head: &Head) -> bool {
    head.text.contains("\"query_time\"") && head.text.contains("\"gpus\"")
}

/// Reads the documents one by one.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let hint = "keep the whole documents, query_time included: `gpustat --json >> gpustat.json`, once a minute";
    documents::objects(reader, input, ("documents of gpustat", hint), |object, row, stamps, log, input| {
        moment(object, row, stamps, log, input);
    })
}

fn moment(object: &Value, row: u32, stamps: &mut Stamps, log: &mut Log, input: &mut Input<'_>) {
    let time = text(object.get("query_time"));
    let own = if time.is_empty() { None } else { stamps.read(&time) };
    let Some(at) = own.or_else(|| stamps.now(row)) else { return };
    let host = text(object.get("hostname"));
    for gpu in object.get("gpus").and_then(Value::as_array).into_iter().flatten() {
        let (uuid, name) = (text(gpu.get("uuid")), text(gpu.get("name")));
        if uuid.is_empty() {
            // A card that is lost prints its error for its name, and nothing else.
            log.leave(&format!("card that says: {}", name.chars().take(100).collect::<String>()));
            continue;
        }
        let index = text(gpu.get("index"));
        let card = Card { uuid: &uuid, index: &index, host: &host, name: &name, ..Card::default() };
        let sample = Sample {
            util: number(gpu.get("utilization.gpu")),
            memory: number(gpu.get("memory.used")),
            memory_total: number(gpu.get("memory.total")),
            power: number(gpu.get("power.draw")),
            power_limit: number(gpu.get("enforced.power.limit")),
            temperature: number(gpu.get("temperature.gpu")),
            ..Sample::default()
        };
        let place = input.place(&card);
        input.devices.push_whole(place, at, row, sample);
        log.samples += 1;
    }
}
