//! Traffic of exactly the same size, over and over.

use std::collections::BTreeMap;

use kashi_parsers::ledger::{Category, Kind, Line};
use rust_decimal::Decimal;

use crate::shown::money;
use crate::{AmountKind, Case, Claim, Finding, Params, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let (transfers, smallest) = (params.count("transfers").max(2), params.decimal("smallest"));
    let mut equal: BTreeMap<Transfer<'_>, Vec<Line<'_>>> = BTreeMap::new();
    for line in case.charges().filter(|l| l.category() == Category::Egress && l.kind() == Kind::Usage) {
        if line.cost() <= Decimal::ZERO {
            continue;
        }
        if let Some(transfer) = Transfer::of(line).filter(|t| t.gigabytes() >= Some(smallest)) {
            equal.entry(transfer).or_default().push(line);
        }
    }
    let mut verdict = Verdict::default();
    for (transfer, lines) in equal {
        if lines.len() as i64 >= transfers {
            verdict.find(finding(&transfer, lines));
        }
    }
    verdict
}

/// What must be equal for two lines to have sent the same data.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Transfer<'a> {
    period: &'a str,
    platform: &'a str,
    account: Option<&'a str>,
    resource: &'a str,
    sku: &'a str,
    unit: &'a str,
    quantity: Decimal,
    currency: &'a str,
}

impl<'a> Transfer<'a> {
    fn of(line: Line<'a>) -> Option<Self> {
        Some(Self {
            period: line.period(),
            platform: line.platform(),
            account: line.account(),
            resource: line.resource()?,
            sku: line.sku(),
            unit: line.unit()?,
            quantity: line.quantity()?,
            currency: line.currency(),
        })
    }

    /// The size in GB; `None` where the unit is none of data.
    fn gigabytes(&self) -> Option<Decimal> {
        let per: u64 = match self.unit {
            "byte" => 1_000_000_000,
            "kb" => 1_000_000,
            "mb" => 1_000,
            "gb" | "gib" => 1,
            "tb" => return self.quantity.checked_mul(Decimal::ONE_THOUSAND),
            _ => return None,
        };
        self.quantity.checked_div(Decimal::from(per))
    }

    fn size(&self) -> String {
        let unit = if self.unit == "gib" { "GiB" } else { "GB" };
        format!("{} {unit}", self.gigabytes().unwrap_or_default().normalize())
    }
}

fn finding(transfer: &Transfer<'_>, mut lines: Vec<Line<'_>>) -> Finding {
    lines.sort_by_key(|l| (l.start(), l.index()));
    let again = &lines[1..];
    let amount: Decimal = again.iter().map(|l| l.cost()).sum();
    let claims = again.iter().map(|l| Claim { line: l.index(), hour: None, amount: l.cost() }).collect();
    Finding::new(transfer.platform, "repeated", lines[0].origin())
        .account(transfer.account)
        .resource(transfer.resource)
        .amount(amount, transfer.currency, AmountKind::Avoidable)
        .evidence(again.iter().map(|l| l.origin()))
        .claims(claims)
        .value("size", transfer.size())
        .value("times", lines.len())
        .value("amount", money(amount, transfer.currency))
}
