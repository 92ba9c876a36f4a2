//! The devices of all files.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::doubts::Doubts;
use super::hour::UsageHour;
use super::rollup::{Roll, Seen};
use super::sample::Sample;
use crate::error::{Error, Kind, Origin, Result};

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
    /// What the file at hand says that no card can show.
    pub(super) doubts: Doubts,
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

    /// Takes a sample, read from a row.
    pub(super) fn push(&mut self, place: usize, at: i64, row: u32, mut sample: Sample) {
        self.doubts.add(sample.check(), row);
        self.push_next(place, at, row, &sample);
    }

    /// Takes a sample that tells of load and memory at one moment.
    pub(super) fn push_whole(&mut self, place: usize, at: i64, row: u32, mut sample: Sample) {
        self.doubts.add(sample.check_whole(), row);
        self.push_next(place, at, row, &sample);
    }

    /// Takes a sample that is checked, one of many.
    #[inline(always)]
    pub(super) fn push_next(&mut self, place: usize, at: i64, row: u32, sample: &Sample) {
        self.rolls[place].push(at, row, sample);
    }

    /// Takes a peak that has no weight of its own, from a series apart.
    pub(super) fn peak(&mut self, place: usize, at: i64, row: u32, mut sample: Sample) {
        self.doubts.add(sample.check(), row);
        self.rolls[place].peak(at, &sample);
    }

    /// Takes rows closer than this, in microseconds, for one sample.
    pub(super) fn join_within(&mut self, place: usize, micros: i64) {
        self.rolls[place].together = micros;
    }

    /// Ends what was read of one device: a series of the same card may follow.
    pub(super) fn end_series(&mut self, place: usize) {
        self.rolls[place].finish();
    }

    /// Ends the log of every device, so that the next file begins anew, and says what it was like.
    ///
    /// # Errors
    /// If it is not in the order of time, with the first row that is not.
    pub(super) fn end_file(&mut self, file: &str) -> Result<Seen> {
        let mut all = Seen::default();
        for roll in &mut self.rolls {
            roll.finish();
            let seen = roll.seen();
            if let Some(row) = seen.disorder() {
                return Err(Error::new(
                    Kind::Usage,
                    "is not in the order of time: this row comes before the one ahead of it, and so do many more",
                )
                .at(Origin::file(file).at(row))
                .hint("sort its lines by time, the oldest first"));
            }
            all.add(&seen);
        }
        Ok(all)
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
