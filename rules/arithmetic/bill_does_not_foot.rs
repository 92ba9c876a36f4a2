//! Bills whose lines do not add up to the total that is stated.

use rust_decimal::Decimal;

use crate::shown::money;
use crate::{AmountKind, Case, Finding, Footing, Params, Severity, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let mut verdict = Verdict::default();
    for footing in &case.footings {
        verdict.findings.extend(finding(footing, params.decimal("rounding_per_line")));
    }
    verdict
}

fn finding(footing: &Footing, rounding_per_line: Decimal) -> Option<Finding> {
    let (stated, place) = footing.stated.as_ref()?;
    let gap = stated.checked_sub(footing.lines_total)?;
    if gap.is_zero() {
        return None;
    }
    let rounding = rounding_per_line.checked_mul(Decimal::from(footing.lines))?;
    let sentence = match gap {
        gap if gap.abs() <= rounding => "rounding",
        gap if gap > Decimal::ZERO => "over",
        _ => "under",
    };
    let finding = Finding::new(footing.platform.as_str(), sentence, place.clone())
        .evidence([footing.origin.clone()])
        .value("file", &footing.origin.file)
        .value("lines", footing.lines)
        .value("stated", money(*stated, &footing.currency))
        .value("sum", money(footing.lines_total, &footing.currency))
        .value("excess", money(gap.abs(), &footing.currency))
        .value("amount", money(gap.abs(), &footing.currency));
    Some(match sentence {
        "over" => finding.amount(gap, footing.currency.as_str(), AmountKind::Recoverable),
        "rounding" => finding.severity(Severity::Info),
        _ => finding,
    })
}
