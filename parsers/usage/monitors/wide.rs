//! Tables with a column a series: what each column measures, and of which card.

use super::super::device::Devices;
use super::super::sample::Sample;
use super::cell;
use super::feed::Feed;
use super::measure::{Measure, What};

/// The columns of a table, by card.
#[derive(Default)]
pub(super) struct Wide {
    cards: Vec<(usize, Vec<(usize, Measure)>)>,
    /// Whether numbers may have a decimal comma.
    pub(super) comma: bool,
}

impl Wide {
    /// Takes a column for a measure of a card; `false` if the card has one of it already.
    pub(super) fn add(&mut self, place: usize, column: usize, measure: Measure) -> bool {
        let columns = match self.cards.iter_mut().find(|(known, _)| *known == place) {
            Some((_, columns)) => columns,
            None => {
                self.cards.push((place, Vec::new()));
                let Some((_, columns)) = self.cards.last_mut() else { return false };
                columns
            }
        };
        let new = columns.iter().all(|(_, known)| known.what != measure.what);
        if new {
            columns.push((column, measure));
        }
        new
    }

    /// Whether a column was taken.
    pub(super) fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// Hands on what a row says at a time; an empty cell is no sample.
    pub(super) fn row(&self, cells: &[String], at: i64, row: u32, feed: &mut Feed, devices: &mut Devices) {
        for (place, columns) in &self.cards {
            let (mut sample, mut any, mut weighs) = (Sample::default(), false, false);
            for (column, measure) in columns {
                let cell = cells.get(*column).map_or(cell::Cell::Absent, |text| cell::read(text, self.comma));
                if let Some(read) = measure.sample(cell) {
                    sample.join(&read);
                    any = true;
                    weighs |= measure.what == What::Util;
                }
            }
            if any {
                feed.take(devices, *place, at, row, sample, weighs);
            }
        }
    }
}
