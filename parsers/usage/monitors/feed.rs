//! Samples on their way to the devices, whichever end of time a file begins with.
//!
//! A roll-up needs the oldest first. What comes newest first is held in pieces, and each piece is
//! turned round: memory stays flat, and two pieces meet as two logs of one card do.

use rustc_hash::FxHashMap;

use super::super::device::Devices;
use super::super::sample::Sample;

/// Samples of one card that are held at most.
const PIECE: usize = 8192;

/// The samples of one file.
#[derive(Default)]
pub(super) struct Feed {
    lanes: FxHashMap<usize, Lane>,
    /// How many have been taken.
    pub(super) samples: u64,
}

/// The samples of one card.
#[derive(Default)]
struct Lane {
    /// Held until the order shows, or turned round.
    held: Vec<(i64, u32, Sample)>,
    /// Whether time runs on or back; unknown until two times differ.
    forward: Option<bool>,
}

impl Feed {
    /// Takes a sample at UTC microseconds, read from a row. One without utilization has no weight:
    /// other series of the card may tell of that.
    pub(super) fn take(
        &mut self,
        devices: &mut Devices,
        place: usize,
        at: i64,
        row: u32,
        sample: Sample,
        weighs: bool,
    ) {
        self.samples += 1;
        if !weighs {
            devices.peak(place, at, row, sample);
            return;
        }
        let lane = self.lanes.entry(place).or_default();
        if lane.forward == Some(true) {
            devices.push(place, at, row, sample);
            return;
        }
        if lane.forward.is_none() {
            lane.forward = lane.held.last().map(|(last, ..)| at - last).filter(|step| *step != 0).map(|step| step > 0);
        }
        lane.held.push((at, row, sample));
        if lane.forward == Some(true) {
            lane.held.drain(..).for_each(|(at, row, sample)| devices.push(place, at, row, sample));
        } else if lane.held.len() >= PIECE {
            lane.turn(devices, place);
        }
    }

    /// Hands on what is held.
    pub(super) fn finish(mut self, devices: &mut Devices) -> u64 {
        let mut places: Vec<usize> = self.lanes.keys().copied().collect();
        places.sort_unstable();
        for place in places {
            if let Some(lane) = self.lanes.get_mut(&place) {
                lane.turn(devices, place);
            }
        }
        self.samples
    }
}

impl Lane {
    fn turn(&mut self, devices: &mut Devices, place: usize) {
        if self.held.is_empty() {
            return;
        }
        // Samples that are out of order here and there are so in the turned piece, too.
        self.held.sort_by_key(|(at, ..)| *at);
        self.held.drain(..).for_each(|(at, row, sample)| devices.push(place, at, row, sample));
        devices.end_series(place);
    }
}
