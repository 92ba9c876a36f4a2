//! Bills whose lines do not add up to the total that is stated.

use kashi_parsers::ledger::Line;
use rust_decimal::Decimal;

use crate::shown::exact;
use crate::{AmountKind, Case, Finding, Footing, Params, Severity, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let mut verdict = Verdict::default();
    for footing in &case.footings {
        verdict.findings.extend(finding(case, footing, params.decimal("rounding_per_line")));
    }
    let silent: Vec<&Footing> = case.footings.iter().filter(|f| f.stated.is_none()).collect();
    if let Some(first) = silent.first() {
        let values = [("file", first.origin.file.to_string()), ("bills", silent.len().to_string())];
        verdict.undetermined(None, "total", &values);
    }
    verdict
}

/// Decimals that money is settled at.
const SETTLED: u32 = 2;

/// Lines of a bill that settling rounds: those finer than what is settled.
fn rounded(case: &Case, footing: &Footing) -> usize {
    let of_bill = |line: &Line<'_>| {
        line.file() == &*footing.origin.file
            && line.sheet() == footing.origin.sheet.as_deref()
            && line.currency() == footing.currency
    };
    case.ledger.lines().filter(of_bill).filter(|line| line.cost().normalize().scale() > SETTLED).count()
}

fn finding(case: &Case, footing: &Footing, rounding_per_line: Decimal) -> Option<Finding> {
    let (stated, place) = footing.stated.as_ref()?;
    let gap = stated.checked_sub(footing.lines_total)?;
    if gap.is_zero() {
        return None;
    }
    let rounding = rounding_per_line.checked_mul(Decimal::from(rounded(case, footing)))?;
    let sentence = match gap {
        gap if gap.abs() <= rounding => "rounding",
        gap if gap > Decimal::ZERO => "over",
        _ => "under",
    };
    let finding = Finding::new(footing.platform.as_str(), sentence, place.clone())
        .evidence([footing.origin.clone()])
        .value("file", &footing.origin.file)
        .value("lines", footing.lines)
        .value("stated", exact(*stated, &footing.currency))
        .value("sum", exact(footing.lines_total, &footing.currency))
        .value("excess", exact(gap.abs(), &footing.currency))
        .value("amount", exact(gap.abs(), &footing.currency));
    Some(match sentence {
        "over" => finding.amount(gap, footing.currency.as_str(), AmountKind::Recoverable),
        "rounding" => finding.severity(Severity::Info),
        _ => finding,
    })
}
