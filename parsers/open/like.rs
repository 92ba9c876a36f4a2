//! What a row may repeat of one that was read before.
//!
//! A bill names the same thing hour after hour: between the amounts that differ lie stretches of
//! cells that were read before, byte by byte. Where the bytes that come are those of a stretch, its
//! cells are known, and no byte of them is searched for a delimiter.

use super::record::Record;

/// Cells of a row read before, one byte behind each: in a stretch its delimiter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Like<'a> {
    /// Their bytes.
    pub bytes: &'a [u8],
    /// Where in them each cell ends.
    pub ends: &'a [u16],
    /// Stretches from the left, none at the first place of a row and no two beside each other; 64 are
    /// looked at.
    pub stretches: &'a [Stretch],
}

/// Cells beside each other in a row, the last of which has another behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The place of the first in the row.
    pub place: usize,
    /// The place of the first among the cells that are known.
    pub first: usize,
    /// How many they are.
    pub cells: usize,
}

impl<'a> Like<'a> {
    /// Where a known cell begins.
    #[inline]
    fn begin(&self, at: usize) -> usize {
        at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| usize::from(*end) + 1)
    }

    /// A known cell.
    #[inline]
    pub fn cell(&self, at: usize) -> &'a [u8] {
        let end = self.ends.get(at).copied().unwrap_or_default();
        self.bytes.get(self.begin(at)..usize::from(end)).unwrap_or_default()
    }

    /// The bytes of a stretch with the delimiter behind the last, where they begin, and where its cells end.
    #[inline]
    pub(super) fn stretch(&self, at: usize) -> Option<(&'a [u8], usize, &'a [u16])> {
        let Stretch { first, cells, .. } = *self.stretches.get(at)?;
        let ends = self.ends.get(first..first + cells)?;
        let begin = self.begin(first);
        Some((self.bytes.get(begin..=usize::from(*ends.last()?))?, begin, ends))
    }

    /// The place in a row that a stretch begins at.
    #[inline]
    pub(super) fn place(&self, at: usize) -> usize {
        self.stretches.get(at).map_or(usize::MAX, |stretch| stretch.place)
    }
}

/// Adds what a row may be repeated by: the cells of stretches and those alone, by place.
///
/// `false` if they take more than 64 KiB or are not all there; what was added then is of no use.
pub fn remember(
    record: &Record,
    stretches: &[Stretch],
    alone: &[usize],
    (bytes, ends): (&mut Vec<u8>, &mut Vec<u16>),
) -> bool {
    let (begin, ranges) = (bytes.len(), record.ranges());
    for Stretch { place, cells, .. } in stretches {
        let Some(ranges) = ranges.get(*place..place + cells) else { return false };
        let (Some((first, _)), Some((_, last))) = (ranges.first(), ranges.last()) else { return false };
        // Nothing is behind the cells that a short row of a sheet lacks.
        let Some(known) = record.as_slice().get(*first as usize..=*last as usize) else { return false };
        let before = (bytes.len() - begin) as u32;
        bytes.extend_from_slice(known);
        ends.extend(ranges.iter().map(|(_, end)| (end - first + before) as u16));
    }
    for place in alone {
        bytes.extend_from_slice(record.get(*place).unwrap_or_default());
        ends.push((bytes.len() - begin) as u16);
        bytes.push(0);
    }
    bytes.len() - begin <= usize::from(u16::MAX)
}
