//! What one sample says of a device.

/// The bit of the throttle mask that means a card held by its own power limit.
pub(super) const CAPPED: u64 = 0x4;
/// The bits that mean a card held down by hardware slowdown, heat or the power brake.
pub(super) const SLOWED: u64 = 0x8 | 0x20 | 0x40 | 0x80;

/// What one sample says of a device; NaN is unknown, so that it never passes a comparison.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Percent.
    pub(super) util: f32,
    /// MiB.
    pub(super) memory: f32,
    /// MiB.
    pub(super) memory_total: f32,
    /// MiB.
    pub(super) memory_free: f32,
    /// MiB.
    pub(super) memory_reserved: f32,
    /// Watt.
    pub(super) power: f32,
    /// Watt.
    pub(super) power_limit: f32,
    /// Degrees Celsius.
    pub(super) temperature: f32,
    /// Whether the clocks are held down, be it by the card's own power limit.
    pub(super) throttled: bool,
    /// Whether they are held down by heat or by the power supply.
    pub(super) slowed: bool,
}

/// Above any MiB of memory and any watt; a longer row of digits is a slip of the tool or of a copy.
pub(super) const MOST: f32 = 1e15;

impl Default for Sample {
    fn default() -> Self {
        Self {
            util: f32::NAN,
            memory: f32::NAN,
            memory_total: f32::NAN,
            memory_free: f32::NAN,
            memory_reserved: f32::NAN,
            power: f32::NAN,
            power_limit: f32::NAN,
            temperature: f32::NAN,
            throttled: false,
            slowed: false,
        }
    }
}

impl Sample {
    /// How many figures a sample has.
    pub(super) const FIGURES: usize = 8;

    /// A sample of its figures, in the order above, and of the mask of reasons why its clocks are
    /// held down.
    #[inline(always)]
    pub(super) fn of(figures: [f32; Self::FIGURES], reasons: u64) -> Self {
        let [util, memory, memory_total, memory_free, memory_reserved, power, power_limit, temperature] = figures;
        Self {
            util,
            memory,
            memory_total,
            memory_free,
            memory_reserved,
            power,
            power_limit,
            temperature,
            throttled: reasons & (CAPPED | SLOWED) != 0,
            slowed: reasons & SLOWED != 0,
        }
    }

    /// Leaves out what no card can have: sizes below zero or beyond measure, and what is no utilization.
    #[inline]
    pub(super) fn check(&mut self) -> Left {
        let mut left = Left::default();
        for number in [
            &mut self.memory,
            &mut self.memory_total,
            &mut self.memory_free,
            &mut self.memory_reserved,
            &mut self.power,
            &mut self.power_limit,
        ] {
            left.unless((0.0..MOST).contains(number), number);
        }
        left.unless((0.0..=100.0).contains(&self.util), &mut self.util);
        left
    }

    /// The same of a sample that tells of load and memory at one moment: without any memory in use
    /// nothing can be at work.
    #[inline]
    pub(super) fn check_whole(&mut self) -> Left {
        let mut left = self.check();
        if self.memory < 1.0 && self.util > 0.0 {
            (self.util, left.load) = (f32::NAN, true);
        }
        left
    }

    /// Joins two samples of one time: a card is idle only if both say so.
    #[cold]
    pub(super) fn join(&mut self, other: &Self) {
        for (mine, theirs) in [
            (&mut self.util, other.util),
            (&mut self.memory, other.memory),
            (&mut self.memory_total, other.memory_total),
            (&mut self.memory_free, other.memory_free),
            (&mut self.memory_reserved, other.memory_reserved),
            (&mut self.power, other.power),
            (&mut self.power_limit, other.power_limit),
            (&mut self.temperature, other.temperature),
        ] {
            *mine = mine.max(theirs);
        }
        self.throttled |= other.throttled;
        self.slowed |= other.slowed;
    }
}

/// What was left out of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Left {
    /// Figures that no card can have.
    pub(super) values: u64,
    /// Whether it is the load, of a card without memory in use.
    pub(super) load: bool,
}

impl Left {
    /// Leaves out a number that is not as it can be; one that is unknown is not counted.
    #[inline(always)]
    fn unless(&mut self, can_be: bool, number: &mut f32) {
        if !can_be {
            self.values += u64::from(!number.is_nan());
            *number = f32::NAN;
        }
    }
}
