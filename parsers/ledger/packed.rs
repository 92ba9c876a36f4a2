//! A column of a block in as few bytes as its values need.

use super::divisor::Divisor;

/// The mark of a line without a value; no value is this.
pub(super) const NONE: i64 = i64::MIN;

/// Whole numbers as `base + step × offset`, the offsets as narrow as the block allows.
#[derive(Debug)]
pub(super) struct Packed {
    base: i128,
    step: u64,
    offsets: Offsets,
}

/// One offset a line; the largest of its width is no value.
#[derive(Debug)]
enum Offsets {
    /// No line has a value.
    Nothing,
    /// Every line has the value of the base.
    Same,
    One(Box<[u8]>),
    Two(Box<[u16]>),
    Four(Box<[u32]>),
    Eight(Box<[u64]>),
    /// Values as they are, too far apart for an offset of eight bytes; the least is no value.
    Sixteen(Box<[i128]>),
}

impl Offsets {
    /// Offsets up to a largest; all that is larger is no value.
    fn new(largest: u64, offsets: impl Iterator<Item = u64>) -> Self {
        match largest {
            0..0xff => Self::One(offsets.map(|offset| offset as u8).collect()),
            0xff..0xffff => Self::Two(offsets.map(|offset| offset as u16).collect()),
            0xffff..0xffff_ffff => Self::Four(offsets.map(|offset| offset as u32).collect()),
            _ => Self::Eight(offsets.collect()),
        }
    }
}

impl Packed {
    /// Packs the values of a block, [`NONE`] where a line has none.
    pub(super) fn new(values: &[i64]) -> Self {
        let (mut least, mut most, mut gaps) = (i64::MAX, NONE, false);
        for &value in values {
            least = least.min(if value == NONE { i64::MAX } else { value });
            most = most.max(value);
            gaps |= value == NONE;
        }
        let base = i128::from(least);
        if most == NONE {
            return Self { base: 0, step: 0, offsets: Offsets::Nothing };
        }
        let range = most.wrapping_sub(least) as u64;
        if range == 0 && !gaps {
            return Self { base, step: 0, offsets: Offsets::Same };
        }
        let away = |value: i64| value.wrapping_sub(least) as u64;
        let step = match u64::from(u8::MAX) > range {
            true => Divisor::new(1),
            false => Divisor::common(values.iter().filter(|v| **v != NONE).map(|v| away(*v))),
        };
        let offsets = match step.by() {
            // Most columns are of this kind, and without a product there is nothing to wait for.
            1 => Offsets::new(range, values.iter().map(|v| if *v == NONE { u64::MAX } else { away(*v) })),
            _ => {
                let offset = |v: &i64| if *v == NONE { u64::MAX } else { step.quotient(away(*v)) };
                Offsets::new(step.quotient(range), values.iter().map(offset))
            }
        };
        Self { base, step: step.by(), offsets }
    }

    /// Packs values of sixteen bytes, `None` where a line has none.
    pub(super) fn wide(values: &[Option<i128>]) -> Self {
        let least = values.iter().flatten().min().copied().unwrap_or_default();
        let near = |value: &Option<i128>| match value {
            Some(value) => value.checked_sub(least).and_then(|away| i64::try_from(away).ok()),
            None => Some(NONE),
        };
        match values.iter().map(near).collect::<Option<Vec<i64>>>() {
            Some(near) => {
                let packed = Self::new(&near);
                Self { base: packed.base + least, ..packed }
            }
            None => {
                let values = values.iter().map(|value| value.unwrap_or(i128::MIN)).collect();
                Self { base: 0, step: 1, offsets: Offsets::Sixteen(values) }
            }
        }
    }

    /// The value at a place.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<i128> {
        let offset = match &self.offsets {
            Offsets::Nothing => return None,
            Offsets::Same => 0,
            Offsets::One(offsets) => u64::from(*offsets.get(at).filter(|offset| **offset != u8::MAX)?),
            Offsets::Two(offsets) => u64::from(*offsets.get(at).filter(|offset| **offset != u16::MAX)?),
            Offsets::Four(offsets) => u64::from(*offsets.get(at).filter(|offset| **offset != u32::MAX)?),
            Offsets::Eight(offsets) => *offsets.get(at).filter(|offset| **offset != u64::MAX)?,
            Offsets::Sixteen(values) => return values.get(at).copied().filter(|value| *value != i128::MIN),
        };
        Some(self.base + i128::from(self.step) * i128::from(offset))
    }

    /// Moves every value up.
    pub(super) fn shift(&mut self, by: u32) {
        self.base += i128::from(by);
    }
}
