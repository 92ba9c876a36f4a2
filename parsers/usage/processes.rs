//! What exports by process say of a card: that something runs, and how much memory it holds.
//!
//! A process that is not listed may still be there: from within a container others are not seen.
//! So no process is no proof of an idle card; it stays unknown.

use std::collections::BTreeMap;

use super::device::Devices;
use super::log::Log;
use super::sample::Sample;

/// Rows of one query follow each other within this time, microseconds.
const ONE_QUERY: i64 = 500_000;
/// Utilization under which a card is idle, percent.
const IDLE: f32 = 5.0;

/// The processes of every card at the moment that is read.
#[derive(Debug, Default)]
pub(super) struct Processes {
    open: BTreeMap<usize, Moment>,
}

/// What one process does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Process<'a> {
    pub(super) pid: &'a str,
    /// MiB.
    pub(super) memory: f32,
    /// Percent.
    pub(super) util: f32,
}

#[derive(Debug)]
struct Moment {
    at: i64,
    row: u32,
    pids: Vec<String>,
    memory: f32,
    util: f32,
    /// Whether a process did not say how busy it kept the card.
    silent: bool,
}

impl Processes {
    /// Takes a process of a card; a later time, or a process met again, begins another moment.
    pub(super) fn take(
        &mut self,
        devices: &mut Devices,
        log: &mut Log,
        (place, at, row): (usize, i64, u32),
        process: Process<'_>,
    ) {
        let goes_on = self.open.get(&place).is_some_and(|moment| {
            (0..=ONE_QUERY).contains(&(at - moment.at)) && !moment.pids.iter().any(|pid| pid == process.pid)
        });
        if !goes_on {
            self.end(devices, log, place);
        }
        let new = Moment { at, row, pids: Vec::new(), memory: f32::NAN, util: f32::NAN, silent: false };
        let moment = self.open.entry(place).or_insert(new);
        moment.pids.push(process.pid.to_owned());
        add(&mut moment.memory, process.memory);
        // A process cannot keep a card busier than all of it; that the sum says more is no wonder.
        add(&mut moment.util, if process.util > 100.0 { -1.0 } else { process.util });
        moment.silent |= process.util.is_nan();
    }

    /// Ends all moments.
    pub(super) fn finish(mut self, devices: &mut Devices, log: &mut Log) {
        while let Some(place) = self.open.keys().next().copied() {
            self.end(devices, log, place);
        }
    }

    fn end(&mut self, devices: &mut Devices, log: &mut Log, place: usize) {
        let Some(moment) = self.open.remove(&place) else { return };
        let mut sample = Sample { memory: moment.memory, util: moment.util.min(100.0), ..Sample::default() };
        // What one process does not say may be the work of the card.
        if moment.util.is_nan() || (moment.silent && (0.0..IDLE).contains(&moment.util)) {
            sample.util = f32::NAN;
        }
        devices.push(place, moment.at, moment.row, sample);
        log.samples += 1;
    }
}

fn add(sum: &mut f32, value: f32) {
    if !value.is_nan() {
        // What one process cannot do makes the sum one that no card can have.
        let value = if value < 0.0 { f32::NEG_INFINITY } else { value };
        *sum = if sum.is_nan() { value } else { *sum + value };
    }
}
