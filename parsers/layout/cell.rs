//! A cell as it is printed.

use std::borrow::Cow;

use super::plan::Step;
use crate::ledger::money::blank;

/// Whether cells are the same; short ones, as most are, without a call.
#[inline]
pub(super) fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() || one.len() > 16 {
        return one == other;
    }
    match (one.first_chunk::<8>(), other.first_chunk::<8>(), one.last_chunk::<8>(), other.last_chunk::<8>()) {
        (Some(a), Some(b), Some(c), Some(d)) => {
            u64::from_ne_bytes(*a) == u64::from_ne_bytes(*b) && u64::from_ne_bytes(*c) == u64::from_ne_bytes(*d)
        }
        _ => one.iter().eq(other),
    }
}

/// Whether a cell has no padding and does not say that there is no value, seen at its ends.
#[inline]
pub(super) fn is_bare(cell: &[u8]) -> bool {
    cell.len() > 4 && cell[0].is_ascii_graphic() && cell[cell.len() - 1].is_ascii_graphic()
}

/// A cell as text; checking that it is UTF-8 is quicker than repairing it.
pub(super) fn utf8(cell: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(cell).map_or_else(|_| String::from_utf8_lossy(cell), Cow::Borrowed)
}

/// A cell without its padding, unless it says that there is no value.
pub(super) fn value(text: &str) -> Option<&str> {
    let text = text.trim_matches(blank);
    match text {
        "" | "-" | "--" | "NULL" | "null" | "N/A" => None,
        text => Some(text),
    }
}

pub(super) fn extract<'t>(step: &Step, text: &'t str) -> Option<&'t str> {
    let Some(pattern) = &step.pattern else { return Some(text) };
    let Some(begins) = &step.begins else { return pattern.captures(text)?.get(1).map(|m| m.as_str()) };
    // What the pattern begins with is looked for first: most cells do not have it, and where it
    // stands only the rest of the pattern is left to match.
    let places = begins.literal.find_iter(text.as_bytes()).map(|at| at + begins.literal.needle().len());
    places.filter_map(|at| text.get(at..)).find_map(|rest| begins.rest.captures(rest)?.get(1)).map(|m| m.as_str())
}
