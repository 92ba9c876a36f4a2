//! Bills whose lines do not add up to the total that is stated.

use kashi_parsers::Origin;
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
    let silent: Vec<&Footing> =
        case.footings.iter().filter(|f| f.stated.is_none() && !is_held_to_another(case, f)).collect();
    if let Some(first) = silent.first() {
        let values = [("file", first.origin.file.to_string()), ("bills", silent.len().to_string())];
        verdict.undetermined(None, "total", &values);
    }
    verdict
}

/// Whether a bill is a summary whose details are there, or such details.
fn is_held_to_another(case: &Case, bill: &Footing) -> bool {
    let named = |of: &Footing| {
        let details = of.details.as_ref().filter(|_| of.currency == bill.currency);
        details.is_some_and(|(details, _)| of.origin == bill.origin || details.contains(&bill.origin))
    };
    case.footings.iter().any(named)
}

/// Decimals that money is settled at.
const SETTLED: u32 = 2;

/// Lines of a bill that settling rounds: those finer than what is settled.
fn rounded(case: &Case, footing: &Footing) -> usize {
    let bills =
        footing.details.as_ref().map_or(std::slice::from_ref(&footing.origin), |(details, _)| details.as_slice());
    let of_bill = |line: &Line<'_>| {
        let bill = |bill: &Origin| line.file() == &*bill.file && line.sheet() == bill.sheet.as_deref();
        bills.iter().any(bill) && line.currency() == footing.currency
    };
    let fine = case.ledger.lines().filter(of_bill).filter(|line| line.cost().normalize().scale() > SETTLED).count();
    fine.min(footing.lines)
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
    let (details, month) = footing.details.clone().unwrap_or_default();
    let files: Vec<String> = details.iter().map(ToString::to_string).collect();
    let worded = match (details.is_empty(), sentence) {
        (false, "over") => "details_over",
        (false, "under") => "details_under",
        (false, _) => "details_rounding",
        (true, own) => own,
    };
    let finding = Finding::new(footing.platform.as_str(), worded, place.clone())
        .evidence(std::iter::once(footing.origin.clone()).chain(details))
        .value("details", files.join(", "))
        .value("month", month)
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
