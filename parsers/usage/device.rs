//! The devices of all files.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::hour::UsageHour;
use super::rollup::{Roll, Sample};

/// What is known of a device besides its samples.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    /// The card's name as printed.
    pub(super) name: String,
    /// The machine.
    pub(super) host: Option<String>,
    /// Labels of its series.
    pub(super) labels: BTreeMap<String, String>,
    /// The files that it was seen in, as shown.
    pub(super) files: Vec<String>,
}

/// Every device met so far.
#[derive(Debug, Default)]
pub(super) struct Devices {
    places: FxHashMap<String, usize>,
    pub(super) names: Vec<String>,
    pub(super) about: Vec<About>,
    rolls: Vec<Roll>,
}

impl Devices {
    /// The place of a device, seen in a file.
    pub(super) fn place(&mut self, device: &str, file: &str) -> usize {
        let place = *self.places.entry(device.to_owned()).or_insert_with(|| {
            self.names.push(device.to_owned());
            self.about.push(About::default());
            self.rolls.push(Roll::default());
            self.names.len() - 1
        });
        let files = &mut self.about[place].files;
        if !files.iter().any(|f| f == file) {
            files.push(file.to_owned());
        }
        place
    }

    #[inline]
    pub(super) fn push(&mut self, place: usize, at: i64, sample: Sample) {
        self.rolls[place].push(at, sample);
    }

    pub(super) fn peak(&mut self, place: usize, at: i64, sample: Sample) {
        self.rolls[place].peak(at, sample);
    }

    /// Ends what was read of one device: a series of the same card may follow.
    pub(super) fn end_series(&mut self, place: usize) {
        self.rolls[place].finish();
    }

    /// Ends the log of every device: the next file begins anew. Returns how many samples were out
    /// of order, and how many of a time that a file before has told of.
    pub(super) fn end_file(&mut self) -> (u64, u64) {
        let (mut disordered, mut repeated) = (0, 0);
        for roll in &mut self.rolls {
            roll.finish();
            disordered += std::mem::take(&mut roll.disordered);
            repeated += std::mem::take(&mut roll.repeated);
        }
        (disordered, repeated)
    }

    /// The finished hours, by device and hour.
    pub(super) fn finish(self) -> (Vec<UsageHour>, BTreeMap<String, About>) {
        let mut hours = Vec::new();
        let mut known = BTreeMap::new();
        for ((device, about), roll) in self.names.into_iter().zip(self.about).zip(self.rolls) {
            for mut hour in roll.hours(&device) {
                hour.name.clone_from(&about.name);
                hour.host.clone_from(&about.host);
                hours.push(hour);
            }
            known.insert(device, about);
        }
        hours.sort_by(|a, b| (&a.device, a.hour).cmp(&(&b.device, b.hour)));
        (hours, known)
    }
}
