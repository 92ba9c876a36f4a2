//! Division that leaves nothing over, without the processor's division.

/// A divisor made ready: its multiples are told and divided by one multiplication.
#[derive(Clone, Copy)]
pub(super) struct Divisor {
    by: u64,
    /// Its factors of two.
    twos: u32,
    /// The rest of it times this is one, modulo 2^64.
    inverse: u64,
    /// The largest quotient by the rest of it.
    most: u64,
}

impl Divisor {
    pub(super) fn new(by: u64) -> Self {
        let by = by.max(1);
        let twos = by.trailing_zeros();
        let odd = by >> twos;
        // An odd number is its own inverse in the last three bits; each round doubles them.
        let mut inverse = odd;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        Self { by, twos, inverse, most: u64::MAX / odd }
    }

    /// The greatest common divisor of numbers.
    pub(super) fn common(numbers: impl Iterator<Item = u64>) -> Self {
        let (mut common, mut last) = (None::<Self>, 0);
        for number in numbers {
            // Neighbours are often the same, and zero is a multiple of all.
            if number == last || number == 0 {
                continue;
            }
            last = number;
            match common {
                Some(known) if known.divides(number) => {}
                Some(Self { by: 1, .. }) => break,
                Some(known) => common = Some(Self::new(greatest(known.by, number))),
                None => common = Some(Self::new(number)),
            }
        }
        common.unwrap_or_else(|| Self::new(1))
    }

    pub(super) fn by(self) -> u64 {
        self.by
    }

    #[inline]
    fn divides(self, number: u64) -> bool {
        number.trailing_zeros() >= self.twos && self.quotient(number) <= self.most
    }

    /// The quotient of one of its multiples.
    #[inline]
    pub(super) fn quotient(self, multiple: u64) -> u64 {
        (multiple >> self.twos).wrapping_mul(self.inverse)
    }
}

/// Euclid's greatest common divisor.
fn greatest(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
