//! The card that the labels of a series name.

use std::collections::BTreeMap;

use super::device::Devices;
use super::hour::SLICE;
use super::label::stem;
use super::log::Log;
use super::metric::{Metric, metric};

/// The series whose labels name a card; its value says nothing.
pub(super) const CARD_INFO: &str = "nvidia_smi_gpu_info";

/// Whether an id is a UUID and nothing else.
fn is_bare(id: &str) -> bool {
    id.len() == 36 && id.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// The labels of a series.
pub(super) type Labels = BTreeMap<String, String>;

/// Labels that tell one card from all others, that name its machine, its place in it, and a slice of it.
const UUID: [&str; 3] = ["uuid", "gpu_uuid", "vdie_id"];
const HOST: [&str; 4] = ["hostname", "host", "instance", "node"];
const INDEX: [&str; 5] = ["gpu", "gpu_id", "index", "minor_number", "id"];
const SLICED: [&str; 1] = ["GPU_I_ID"];

/// The first of these labels that says something, as it is spelled, and what it says.
fn label<'a>(labels: &'a Labels, names: &[&str]) -> Option<(&'a str, &'a str)> {
    let of = |n: &&str| labels.iter().find(|(k, v)| k.eq_ignore_ascii_case(n) && !v.is_empty());
    names.iter().find_map(of).map(|(k, v)| (k.as_str(), v.as_str()))
}

/// The labels, as they are spelled, that [`place`] tells a series' card by.
pub(super) fn telling(labels: &Labels) -> Vec<&str> {
    let by: &[&[&str]] = if label(labels, &UUID).is_some() { &[&UUID, &SLICED] } else { &[&HOST, &INDEX, &SLICED] };
    by.iter().filter_map(|names| label(labels, names)).map(|(name, _)| name).collect()
}

/// The card that labels speak of and what they measure of it; `None` for what is not read.
pub(super) fn card(
    labels: &Labels,
    file: &str,
    log_name: &str,
    devices: &mut Devices,
    log: &mut Log,
) -> Option<(usize, Metric)> {
    // A function such as avg_over_time takes the name away: then the file's may tell.
    let named = labels.get("__name__").map(String::as_str);
    let name = named.unwrap_or_else(|| Some(stem(file)).filter(|s| metric(s).is_some()).unwrap_or("no name"));
    let metric = metric(name);
    if metric.is_none() && name != CARD_INFO {
        log.leave(&format!("series of {name}"));
        return None;
    }
    let Some(place) = place(labels, name, file, log_name, devices) else {
        log.leave("series without a card's label");
        return None;
    };
    Some((place, metric?))
}

/// The place of the card that the labels of a metric's series name; `None` if they name none.
pub(super) fn place(labels: &Labels, name: &str, file: &str, log_name: &str, devices: &mut Devices) -> Option<usize> {
    let said = |names: &[&str]| label(labels, names).map(|(_, v)| v.to_owned());
    let host = said(&HOST);
    // nvidia_gpu_exporter leaves out the prefix that nvidia-smi and dcgm-exporter print.
    let whole = |id: String| if name.starts_with("nvidia_smi_") && is_bare(&id) { format!("GPU-{id}") } else { id };
    let mut card = match said(&UUID).map(whole) {
        Some(card) => card,
        None => format!("{}/{}", host.as_deref().unwrap_or(log_name), said(&INDEX)?),
    };
    let slice = said(&SLICED);
    if let Some(slice) = &slice {
        card = format!("{card}/{slice}");
    }
    let place = devices.place(&card, file);
    let about = &mut devices.about[place];
    if about.name.is_empty() {
        about.name = said(&["modelName", "model_name", "card_series", "name"])
            .map(|name| named(&name, slice.is_some(), said(&["GPU_I_PROFILE"])))
            .unwrap_or_default();
    }
    about.host = host.or(about.host.take());
    about.labels.extend(labels.iter().map(|(k, v)| (k.clone(), v.clone())));
    Some(place)
}

/// A card's name, with the profile behind it for a slice.
fn named(card: &str, slice: bool, profile: Option<String>) -> String {
    let card = card.replace("NVIDIA-", "NVIDIA ");
    let profile = profile.map_or(String::new(), |profile| format!(" {profile}"));
    if slice { format!("{card}{SLICE}{profile}") } else { card }
}
