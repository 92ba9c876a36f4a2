//! The tables as rows of words, for the renderers that write columns.

use std::fmt::Display;

use super::view::{Bill, Changes, Shares, Usage, fill};
use crate::text::Words;

/// Resources that are named of one reason; the JSON report names all.
const MOST_RESOURCES: usize = 6;

/// This month and the next: two columns of words, three of figures.
pub(super) fn changed(changes: &Changes, w: &Words) -> Vec<Vec<String>> {
    let mut rows = vec![owned(&[w.platform, w.category, w.before, w.after, w.saved])];
    for row in changes.rows.iter().chain([&changes.total]) {
        rows.push(owned(&[&row.platform, &row.category, &row.before, &row.after, &row.saved]));
    }
    rows
}

/// Costs by category: a column of words, two of figures.
pub(super) fn shared(shares: &Shares, w: &Words) -> Vec<Vec<String>> {
    let mut rows = vec![owned(&[w.category, w.cost, w.share])];
    rows.extend(shares.rows.iter().map(|r| owned(&[&r.category, &r.cost, &format!("{} %", r.share)])));
    rows.push(owned(&[w.total, &shares.total, ""]));
    rows
}

/// The bills: two columns of words, six of figures.
pub(super) fn bills(bills: &[Bill], w: &Words) -> Vec<Vec<String>> {
    let mut rows = vec![owned(&[w.file, w.layout, w.rows, w.left_out, w.refused, w.lines, w.sum, w.stated])];
    rows.extend(bills.iter().map(|b| {
        let [all, left, refused, lines] = [b.rows, b.left_out, b.refused, b.lines].map(|n| n.to_string());
        let stated = format!("{} {}", b.stated, b.foots);
        owned(&[&b.file, &b.layout, &all, &left, &refused, &lines, &b.sum, stated.trim_end()])
    }));
    rows
}

/// The utilization exports: two columns of words, two of figures.
pub(super) fn usage(usage: &[Usage], w: &Words) -> Vec<Vec<String>> {
    let mut rows = vec![owned(&[w.file, w.format, w.samples, w.devices])];
    rows.extend(usage.iter().map(|u| owned(&[&u.file, &u.format, &u.samples, &u.devices.to_string()])));
    rows
}

/// A row of words.
pub(super) fn owned(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// A title with a remark in brackets.
pub(super) fn titled(title: &str, remark: &dyn Display, w: &Words) -> String {
    format!("{title}{}{remark}{}", w.open, w.close)
}

/// The first of many names, and how many there are more.
pub(super) fn some(names: &[String], w: &Words) -> String {
    let mut text = names.iter().take(MOST_RESOURCES).cloned().collect::<Vec<_>>().join(w.list);
    if names.len() > MOST_RESOURCES {
        text.push_str(&fill(w.and_more_names, &[("n", &(names.len() - MOST_RESOURCES))]));
    }
    text
}
