//! Which times of a device are told of already, so that no second of it counts twice.

/// Stretches of time that samples cover, in microseconds.
///
/// A log that is copied, appended to itself or joined in the wrong order tells of the same time
/// again; series of one card that take turns fill the holes of each other.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// The first and the last sample of the stretch being read.
    open: Option<(i64, i64)>,
    /// Stretches of the log being read.
    fresh: Vec<Stretch>,
    /// Stretches of what was read before, sorted; no sample of one lies in another.
    told: Vec<Stretch>,
    /// The end of all of these.
    told_to: Option<i64>,
}

/// Samples without a hole between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stretch {
    first: i64,
    last: i64,
    /// The time until which the last sample stands.
    end: i64,
}

/// A log with more holes than this is covered more coarsely, so that memory stays flat.
const MOST: usize = 1 << 16;

impl Cover {
    /// The time from which, and the one until which, a sample may stand; `None` if another log has
    /// told of its time.
    #[inline]
    pub(super) fn room(&self, at: i64) -> Option<(i64, i64)> {
        // New logs mostly begin where the old ones end.
        match self.told_to {
            Some(to) if at < to => self.search(at),
            _ => Some((at, i64::MAX)),
        }
    }

    #[cold]
    fn search(&self, at: i64) -> Option<(i64, i64)> {
        let next = self.told.partition_point(|stretch| stretch.first <= at);
        let until = self.told.get(next).map_or(i64::MAX, |stretch| stretch.first);
        match next.checked_sub(1).and_then(|before| self.told.get(before)) {
            Some(before) if at <= before.last => None,
            Some(before) => Some((at.max(before.end), until)),
            None => Some((at, until)),
        }
    }

    /// Whether no other log has told of this time or a later one.
    pub(super) fn is_ahead(&self, at: i64) -> bool {
        self.told_to.is_none_or(|to| at >= to)
    }

    /// Takes the time of a sample of the log being read.
    #[inline(always)]
    pub(super) fn extend(&mut self, at: i64) {
        match &mut self.open {
            Some((_, last)) => *last = at,
            None => self.open = Some((at, at)),
        }
    }

    /// Begins another stretch; the last sample of this one stands until `end`.
    pub(super) fn split(&mut self, end: i64) {
        if self.fresh.len() < MOST {
            self.fresh.extend(self.open.take().map(|(first, last)| Stretch { first, last, end }));
        }
    }

    /// Ends what is read: from here on it is told.
    pub(super) fn close(&mut self, end: i64) {
        self.fresh.extend(self.open.take().map(|(first, last)| Stretch { first, last, end }));
        if self.fresh.is_empty() {
            return;
        }
        self.told.append(&mut self.fresh);
        self.told.sort_unstable();
        self.told.dedup_by(|next, kept| {
            let joined = next.first <= kept.last;
            if joined {
                (kept.last, kept.end) = (kept.last.max(next.last), kept.end.max(next.end));
            }
            joined
        });
        self.told_to = self.told.iter().map(|stretch| stretch.end).max();
    }
}
