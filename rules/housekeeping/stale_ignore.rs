//! Exceptions that except nothing.

use kashi_parsers::Origin;
use kashi_parsers::contract::Ignore;

use crate::{Case, Finding, Params, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let mut verdict = Verdict::default();
    for (ignore, matched) in case.contract.ignores.iter().zip(&params.ignored) {
        let sentence = match ignore.until {
            Some(until) if until < case.last_day() => "expired",
            _ if *matched == Some(0) => "unmatched",
            _ => continue,
        };
        verdict.find(finding(ignore, sentence));
    }
    verdict
}

fn finding(ignore: &Ignore, sentence: &'static str) -> Finding {
    Finding::new("", sentence, Origin::file("kashi.toml"))
        .resource(ignore.resource.as_ref().unwrap_or(&ignore.rule))
        .value("rule", &ignore.rule)
        .value("reason", &ignore.reason)
        .value("until", ignore.until.map(|day| day.to_string()).unwrap_or_default())
}
