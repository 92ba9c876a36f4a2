//! One `<gpu>` of `nvidia-smi -q -x`.

use super::card::{Card, figure, known, mib};
use super::formats::Input;
use super::hour::SLICE;
use super::sample::{MOST, Sample};

/// One card of a document, and its slices.
#[derive(Default)]
pub(super) struct Gpu {
    bus: String,
    uuid: String,
    name: String,
    sample: Sample,
    slices: Vec<Slice>,
}

/// A slice of a card: a MIG device.
#[derive(Default)]
struct Slice {
    /// The number of the GPU instance.
    id: String,
    sample: Sample,
}

impl Gpu {
    /// A card at a bus address.
    pub(super) fn new(bus: Option<String>) -> Self {
        Self { bus: bus.unwrap_or_default(), ..Self::default() }
    }

    /// Begins another slice.
    pub(super) fn slice(&mut self) {
        self.slices.push(Slice::default());
    }

    /// Takes the text of an element, of a slice or of the card itself.
    pub(super) fn take(&mut self, of_slice: bool, parent: &str, name: &str, text: &str) {
        match (of_slice, self.slices.last_mut()) {
            (true, Some(slice)) => match (parent, name) {
                ("mig_device", "gpu_instance_id") => known(text).clone_into(&mut slice.id),
                _ => measure(&mut slice.sample, parent, name, text),
            },
            (true, None) => {}
            (false, _) => match (parent, name) {
                ("gpu", "uuid") => known(text).clone_into(&mut self.uuid),
                ("gpu", "product_name") => known(text).clone_into(&mut self.name),
                _ => measure(&mut self.sample, parent, name, text),
            },
        }
    }

    /// Hands the card and its slices over, and says how many that are.
    pub(super) fn push(&self, at: i64, row: u32, input: &mut Input<'_>) -> u64 {
        let card = Card { uuid: &self.uuid, index: &self.bus, name: &self.name, ..Card::default() };
        let place = input.place(&card);
        input.devices.push_whole(place, at, row, self.sample);
        let name = format!("{}{SLICE}", self.name);
        for slice in &self.slices {
            let place = input.place(&Card { slice: &slice.id, name: &name, ..card });
            input.devices.push_whole(place, at, row, slice.sample);
        }
        1 + self.slices.len() as u64
    }
}

/// Takes what an element measures. The first reading that is known counts: drivers print a power
/// draw of the board, then one of the module, and old names beside new ones.
fn measure(sample: &mut Sample, parent: &str, name: &str, text: &str) {
    let (place, value) = match (parent, name) {
        ("utilization", "gpu_util") => (&mut sample.util, figure(text)),
        ("fb_memory_usage", "used") => (&mut sample.memory, mib(text)),
        ("fb_memory_usage", "total") => (&mut sample.memory_total, mib(text)),
        ("fb_memory_usage", "free") => (&mut sample.memory_free, mib(text)),
        ("fb_memory_usage", "reserved") => (&mut sample.memory_reserved, mib(text)),
        ("temperature", "gpu_temp") => (&mut sample.temperature, figure(text)),
        ("power_readings" | "gpu_power_readings", name) => match name {
            "power_draw" | "average_power_draw" | "instant_power_draw" => (&mut sample.power, figure(text)),
            "power_limit" | "current_power_limit" => (&mut sample.power_limit, figure(text)),
            _ => return,
        },
        ("clocks_throttle_reasons" | "clocks_event_reasons", name) if text == "Active" => {
            let is = |reason: &str| name.ends_with(reason);
            let slowed = is("_thermal_slowdown") || is("_hw_slowdown") || is("_power_brake_slowdown");
            sample.slowed |= slowed;
            sample.throttled |= slowed || is("_sw_power_cap");
            return;
        }
        _ => return,
    };
    if place.is_nan() || !(0.0..MOST).contains(place) && !value.is_nan() {
        *place = value;
    }
}
