//! What a user should know of the answers.

use std::collections::{BTreeMap, BTreeSet};

use super::{Inquiry, Span};
use crate::usage::hour::UsageHour;

/// The pace, and what was partial.
pub(super) fn notes(inquiry: &Inquiry, paces: &BTreeMap<String, u32>, warnings: &BTreeMap<String, u32>) -> Vec<String> {
    let mut notes = Vec::new();
    match inquiry.scrape {
        Some(seconds) => notes.push(format!("scrape interval {seconds} s, as given")),
        None if paces.len() > 1 => {
            let found: Vec<&str> = paces.keys().map(String::as_str).collect();
            notes.push(format!("scrape intervals found by counting samples: {}, by day and series; give --scrape-interval if one of them is wrong", found.join(", ")));
        }
        None => notes.extend(paces.keys().map(|pace| format!("scrape interval {pace}, found by counting samples"))),
    }
    for (warning, times) in warnings {
        notes.push(format!("the server's answer was partial, {times} times: {warning}; what it left out is unknown"));
    }
    notes
}

/// Says how many hours hold nothing of any card.
pub(super) fn missing(span: Span, hours: &[UsageHour]) -> Option<String> {
    let told: BTreeSet<_> = hours.iter().filter(|h| h.observed_s > 0.0).map(|h| h.hour).collect();
    let all = usize::try_from(span.hours()).unwrap_or(usize::MAX);
    let missing = all.saturating_sub(told.len());
    (missing > 0).then(|| format!("in {missing} of {all} hours no card's utilization is known"))
}
