//! Hours straight from a metrics cluster: it reads the raw samples, kashi asks for the roll-up.
//!
//! The questions are PromQL, and their answers become the same hours as an export of the raw
//! samples does; how they travel is the caller's business. The two differ at most by:
//!
//! - seconds: two scrape intervals an hour, and two more wherever a card's series changes its
//!   labels, because the cluster looks at the samples once a scrape interval;
//! - mean: what those seconds may shift it by;
//! - 95th percentile: the next sample by rank;
//! - maxima: nothing, but where a series changes its labels, a scrape interval's worth of samples
//!   at the full hour; power and memory beyond all measure make their hour's maximum unknown.

mod answer;
mod gather;
mod matchers;
mod notes;
mod pace;
mod query;
mod span;
mod weighed;

pub use answer::{Answer, Matrix, Refused};
pub use gather::ask;
pub use matchers::Matchers;
pub use span::Span;

use crate::error::{Error, Result};

/// A server that speaks PromQL: Prometheus, Thanos, Mimir, VictoriaMetrics.
pub trait Cluster {
    /// What reports call it; it holds no login.
    fn name(&self) -> &str;

    /// What its cards are called by where a series names no machine.
    fn label(&self) -> &str;

    /// The names of the series that a selector picks in a span, and what the server warned of.
    ///
    /// # Errors
    /// If it cannot be reached or refuses.
    fn names(&mut self, selector: &str, span: Span) -> Result<(Vec<String>, Vec<String>)>;

    /// The value of a query at the end of every hour of a span.
    ///
    /// # Errors
    /// If it cannot be reached or refuses.
    fn hourly(&mut self, query: &str, span: Span) -> Result<Reply>;
}

/// What a cluster says to a query.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The series of the answer, and what the server warned of.
    Matrix(Matrix, Vec<String>),
    /// The span holds more than it may or can read at once; a shorter one may do.
    TooMuch(Error),
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The hours.
    pub span: Span,
    /// Which series, besides their names.
    pub matchers: Matchers,
    /// Seconds between two samples of a series; found out by counting where it is not given.
    pub scrape: Option<u32>,
}
