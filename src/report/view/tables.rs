//! The tables: this month and the next, costs by category, the bills, the exports.

use rust_decimal::Decimal;
use serde::Serialize;

use super::money::percent;
use super::{category, decimal, fill, platform};
use crate::report::{amount, exact, grouped, v1};
use crate::text::{Lang, catalogue};

/// This month and the next, in one currency.
#[derive(Debug, Serialize)]
pub struct Changes {
    /// ISO 4217.
    pub currency: String,
    /// The largest first.
    pub rows: Vec<Change>,
    /// Their sum.
    pub total: Change,
}

/// One row of it.
#[derive(Debug, Default, Serialize)]
pub struct Change {
    /// The platform's title; empty in a total.
    pub platform: String,
    /// In words.
    pub category: String,
    /// This month.
    pub before: String,
    /// The next.
    pub after: String,
    /// The difference.
    pub saved: String,
    /// Percent of the largest row, for a bar.
    pub before_share: String,
    /// The same.
    pub after_share: String,
}

/// Costs by category, in one currency.
#[derive(Debug, Serialize)]
pub struct Shares {
    /// ISO 4217.
    pub currency: String,
    /// The largest first.
    pub rows: Vec<Share>,
    /// Their sum.
    pub total: String,
}

/// A category's part.
#[derive(Debug, Serialize)]
pub struct Share {
    /// In words.
    pub category: String,
    /// Rounded for show.
    pub cost: String,
    /// Percent of all.
    pub share: String,
}

/// A bill, in one of its currencies.
#[derive(Debug, Serialize)]
pub struct Bill {
    /// File, with the sheet of a workbook.
    pub file: String,
    /// `platform/layout`.
    pub layout: String,
    /// Rows read: the lines, and those left out or refused.
    pub rows: usize,
    /// Lines made of it.
    pub lines: usize,
    /// Rows left out: blank, totals, the header again.
    pub left_out: usize,
    /// Rows refused.
    pub refused: usize,
    /// What they add up to.
    pub sum: String,
    /// What is stated.
    pub stated: String,
    /// Whether it foots, in words; empty if nothing is stated.
    pub foots: String,
    /// Whether it does not.
    pub wrong: bool,
}

/// A utilization export.
#[derive(Debug, Serialize)]
pub struct Usage {
    /// The file.
    pub file: String,
    /// What it was taken for.
    pub format: String,
    /// Samples read.
    pub samples: String,
    /// Devices in it.
    pub devices: usize,
}

/// This month and the next, where anything can be saved.
pub(super) fn changes(report: &v1::Report, lang: Lang) -> Vec<Changes> {
    let totals = report.before_after.iter().filter(|r| r.category.is_none() && r.before != r.after);
    totals
        .map(|total| {
            let mut rows: Vec<_> =
                report.before_after.iter().filter(|r| r.category.is_some() && r.currency == total.currency).collect();
            rows.sort_by_key(|r| std::cmp::Reverse(decimal(&r.before)));
            let most = rows.first().map(|r| decimal(&r.before)).unwrap_or_default();
            Changes {
                currency: total.currency.clone(),
                rows: rows.into_iter().map(|r| change(r, most, lang)).collect(),
                total: change(total, most, lang),
            }
        })
        .collect()
}

fn change(row: &v1::BeforeAfter, most: Decimal, lang: Lang) -> Change {
    let (before, after) = (decimal(&row.before), decimal(&row.after));
    Change {
        platform: platform(&row.platform, lang),
        category: row.category.as_deref().map_or_else(|| lang.words().total.to_owned(), |c| category(c, lang)),
        before: amount(before),
        after: amount(after),
        saved: amount(before - after),
        before_share: percent(before, most),
        after_share: percent(after, most),
    }
}

pub(super) fn shares(report: &v1::Report, lang: Lang) -> Vec<Shares> {
    let of = |total: &v1::Total| {
        let whole = decimal(&total.cost);
        let mut rows: Vec<_> = total.by_category.iter().map(|(c, cost)| (decimal(cost), c)).collect();
        rows.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        let row = |(cost, word): (Decimal, &String)| Share {
            category: category(word, lang),
            cost: amount(cost),
            share: percent(cost, whole),
        };
        Shares { currency: total.currency.clone(), rows: rows.into_iter().map(row).collect(), total: amount(whole) }
    };
    report.totals.iter().map(of).collect()
}

pub(super) fn bills(report: &v1::Report, lang: Lang) -> Vec<Bill> {
    let w = lang.words();
    let of = |input: &v1::Input| {
        let stated = input.stated_total.as_deref().map(decimal);
        // Where a bill does not foot the difference may be less than a cent.
        let wrong = stated.is_some_and(|s| s != decimal(&input.lines_total));
        let show = if wrong { exact } else { amount };
        Bill {
            file: match &input.sheet {
                Some(sheet) => format!("{}[{sheet}]", input.file),
                None => input.file.clone(),
            },
            layout: input.layout.clone(),
            rows: input.rows,
            lines: input.lines,
            left_out: input.left_out.values().sum(),
            refused: input.refused,
            sum: format!("{} {}", show(decimal(&input.lines_total)), input.currency).trim_end().to_owned(),
            stated: stated.map_or_else(|| w.not_stated.to_owned(), show),
            foots: match stated {
                None => "",
                Some(_) if wrong => w.does_not_foot,
                Some(_) => w.foots,
            }
            .to_owned(),
            wrong,
        }
    };
    report.inputs.iter().map(of).collect()
}

pub(super) fn usage(report: &v1::Report, lang: Lang) -> Vec<Usage> {
    let of = |u: &v1::UsageInput| Usage {
        file: u.file.clone(),
        format: catalogue::text(&u.format, lang),
        samples: grouped(u.samples),
        devices: u.devices,
    };
    report.usage.iter().map(of).collect()
}

/// What was left out, refused or noted of each bill and export: `(file, what)`.
pub(super) fn notes(report: &v1::Report, lang: Lang) -> Vec<(String, String)> {
    let w = lang.words();
    let mut notes: Vec<(String, String)> = Vec::new();
    for input in &report.inputs {
        if input.refused > 0 {
            notes.push((input.file.clone(), fill(w.refused_rows, &[("n", &input.refused)])));
        }
        if !input.unknown_columns.is_empty() {
            let columns = input.unknown_columns.join(w.comma);
            notes.push((input.file.clone(), format!("{}{}{columns}", w.unknown_columns, w.colon)));
        }
        notes.extend(input.notes.iter().map(|n| (input.file.clone(), note(n, lang))));
    }
    for usage in &report.usage {
        notes.extend(usage.notes.iter().map(|n| (usage.file.clone(), note(n, lang))));
    }
    // A bill with two currencies stands twice among the inputs.
    notes.dedup();
    notes
}

/// A note in the language, or how many lines were left out and why: `3: line without a time`.
fn note(said: &str, lang: Lang) -> String {
    match said.split_once(": ") {
        Some((n, why)) if n.parse::<u64>().is_ok() => {
            format!("{n}{}{}", lang.words().colon, catalogue::text(why, lang))
        }
        _ => catalogue::text(said, lang),
    }
}
