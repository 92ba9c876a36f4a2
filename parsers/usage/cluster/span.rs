//! A stretch of whole UTC hours.

use chrono::{DateTime, Duration, DurationRound, SecondsFormat, TimeDelta, Utc};

/// Whole UTC hours from one time until another, half open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    from: DateTime<Utc>,
    until: DateTime<Utc>,
}

/// The longest span that is asked for: a year and a month.
const LONGEST: TimeDelta = TimeDelta::days(400);

impl Span {
    /// The whole hours that hold everything between two times.
    ///
    /// # Errors
    /// With what is wrong, if the end is not after the begin or more than 400 days after it.
    pub fn new(from: DateTime<Utc>, until: DateTime<Utc>) -> Result<Self, &'static str> {
        let hour = TimeDelta::hours(1);
        let (Ok(begin), Ok(end)) = (from.duration_trunc(hour), until.duration_trunc(hour)) else {
            return Err("is no time that can be counted in hours");
        };
        let end = if end < until { end + hour } else { end };
        if until <= from {
            return Err("ends before it begins");
        }
        if end - begin > LONGEST {
            return Err("is longer than 400 days; ask for a month at a time");
        }
        Ok(Self { from: begin, until: end })
    }

    /// Its begin.
    pub fn from(&self) -> DateTime<Utc> {
        self.from
    }

    /// Its end, which is not part of it.
    pub fn until(&self) -> DateTime<Utc> {
        self.until
    }

    /// The end of its first hour: what a query says at a time is of the hour before.
    pub fn first_end(&self) -> DateTime<Utc> {
        self.from + TimeDelta::hours(1)
    }

    /// How many hours it holds.
    pub fn hours(&self) -> i64 {
        (self.until - self.from).num_hours()
    }

    /// Its UTC days, the first and the last as far as it reaches into them.
    pub(super) fn days(self) -> impl Iterator<Item = Self> {
        let mut next = self.from;
        std::iter::from_fn(move || {
            let from = next;
            let day = from.duration_trunc(TimeDelta::days(1)).ok()?;
            next = (day + Duration::days(1)).min(self.until);
            (from < self.until).then_some(Self { from, until: next })
        })
    }

    /// Its two halves; `None` for a single hour.
    pub(super) fn halves(self) -> Option<(Self, Self)> {
        let half = self.hours() / 2;
        let middle = self.from + TimeDelta::hours(half);
        (half > 0).then_some((Self { until: middle, ..self }, Self { from: middle, ..self }))
    }
}

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let time = |t: DateTime<Utc>| t.to_rfc3339_opts(SecondsFormat::Secs, true);
        write!(f, "{} to {}", time(self.from), time(self.until))
    }
}
