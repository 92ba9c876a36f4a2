//! The totals in one currency, as a sentence with the rates that it rests on.

use super::{decimal, fill};
use crate::report::{amount, v1};
use crate::text::Words;

/// What a reader is told; `None` if nothing is to be turned into another currency.
pub(super) fn sentence(report: &v1::Report, w: &Words) -> Option<String> {
    let converted = report.converted.as_ref()?;
    let currency = &converted.currency;
    Some(match &converted.cost {
        Some(cost) => {
            let rate = |r: &v1::Rate| {
                let values: [(&str, &dyn std::fmt::Display); 4] =
                    [("from", &r.from), ("rate", &r.rate), ("to", &r.to), ("date", &r.date)];
                fill(w.rate, &values)
            };
            let rates: Vec<String> = converted.rates.iter().map(rate).collect();
            let cost = amount(decimal(cost));
            fill(w.converted, &[("cost", &cost), ("currency", currency), ("rates", &rates.join(w.list))])
        }
        None => {
            let line = |from: &String| {
                format!(
                    "[[rate]] from = \"{from}\", to = \"{currency}\", date = \"{}-01\", rate = \"…\"",
                    report.period
                )
            };
            let lines: Vec<String> = converted.missing.iter().map(line).collect();
            fill(w.not_converted, &[("currency", currency), ("lines", &lines.join(w.list)), ("period", &report.period)])
        }
    })
}
