//! Numbers that look random and are the same in every run.

/// A generator of a seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % sides
    }

    pub(crate) fn of<'a>(&mut self, these: &[&'a str]) -> &'a str {
        these[self.below(these.len() as u64) as usize]
    }
}
