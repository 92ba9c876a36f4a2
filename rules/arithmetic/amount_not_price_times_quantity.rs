//! Lines whose own figures do not give their amount.

use std::collections::BTreeMap;

use kashi_parsers::ledger::{Kind, Line, MoneyColumn, Terms};
use rust_decimal::Decimal;

use crate::shown::money;
use crate::{AmountKind, Case, Claim, Finding, Params, Severity, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let tolerance = params.decimal("tolerance");
    let mut wrong: BTreeMap<(bool, Product<'_>), Vec<(Line<'_>, Decimal)>> = BTreeMap::new();
    let mut units: BTreeMap<Product<'_>, usize> = BTreeMap::new();
    for line in case.charges().filter(|l| is_priced(*l)) {
        match fault(line, tolerance) {
            None => {}
            Some(Fault::Unit) => *units.entry(product(line)).or_default() += 1,
            Some(Fault::Off(by)) => {
                wrong.entry((by > Decimal::ZERO, product(line))).or_default().push((line, by));
            }
        }
    }
    let mut verdict = Verdict::default();
    for ((over, _), lines) in &wrong {
        verdict.find(if *over { overcharged(lines) } else { undercharged(lines) });
    }
    for (product, lines) in units {
        verdict.undetermined(None, "unit", &[("sku", product.2.to_owned()), ("lines", lines.to_string())]);
    }
    verdict
}

type Product<'a> = (&'a str, Option<&'a str>, &'a str, Option<&'a str>, &'a str);

fn product(line: Line<'_>) -> Product<'_> {
    (line.platform(), line.account(), line.sku(), line.resource(), line.currency())
}

/// A line whose amount is meant to follow from its own figures.
fn is_priced(line: Line<'_>) -> bool {
    let bought = matches!(line.kind(), Kind::Usage | Kind::Subscription | Kind::Fee);
    bought && line.cost() > Decimal::ZERO && !matches!(line.terms(), Some(Terms::Free | Terms::Committed))
}

fn overcharged(lines: &[(Line<'_>, Decimal)]) -> Finding {
    let amount: Decimal = lines.iter().map(|(_, by)| *by).sum();
    let currency = lines[0].0.currency();
    let claims = lines.iter().map(|(l, by)| Claim { line: l.index(), hour: None, amount: *by }).collect();
    finding("over", lines)
        .amount(amount, currency, AmountKind::Recoverable)
        .claims(claims)
        .value("amount", money(amount, currency))
}

fn undercharged(lines: &[(Line<'_>, Decimal)]) -> Finding {
    let missing: Decimal = lines.iter().map(|(_, by)| -*by).sum();
    finding("under", lines).severity(Severity::Info).value("excess", money(missing, lines[0].0.currency()))
}

fn finding(sentence: &'static str, lines: &[(Line<'_>, Decimal)]) -> Finding {
    let first = lines[0].0;
    let charged: Decimal = lines.iter().map(|(l, _)| l.cost()).sum();
    let expected: Decimal = lines.iter().map(|(l, by)| l.cost() - by).sum();
    let finding = Finding::new(first.platform(), sentence, first.origin())
        .account(first.account())
        .evidence(lines[1..].iter().map(|(l, _)| l.origin()))
        .value("lines", lines.len())
        .value("sku", first.sku())
        .value("charged", money(charged, first.currency()))
        .value("expected", money(expected, first.currency()));
    match first.resource() {
        Some(resource) => finding.resource(resource),
        None => finding,
    }
}

/// Factors between units that are in use; a line off by one of them states its price per another
/// unit than its quantity (¥/1,000 tokens, ¥/10,000 requests, an hour's price for seconds).
const UNITS: [u32; 7] = [24, 60, 1_000, 1_024, 3_600, 10_000, 1_000_000];

/// What the figures of a line say against its amount.
enum Fault {
    /// The cost is this much over (or, negative, under) what they give.
    Off(Decimal),
    /// Price and quantity are in different units.
    Unit,
}

/// The largest fault of a line that is beyond rounding.
fn fault(line: Line<'_>, tolerance: Decimal) -> Option<Fault> {
    let mut worst: Option<Decimal> = None;
    for sum in [at_list(line, tolerance), at_price(line, tolerance), after_discount(line, tolerance)] {
        match sum {
            None => {}
            Some(Fault::Unit) => return Some(Fault::Unit),
            Some(Fault::Off(by)) => worst = Some(worst.map_or(by, |w| w.max(by))),
        }
    }
    worst.map(Fault::Off)
}

/// List price × quantity = cost at list price.
fn at_list(line: Line<'_>, tolerance: Decimal) -> Option<Fault> {
    let (price, quantity) = (line.money(MoneyColumn::ListPrice)?, line.quantity()?);
    let listed = line.money(MoneyColumn::ListCost)?;
    let expected = product_of(price, quantity)?;
    let off = beyond(listed, expected, rounding(price, quantity, tolerance))?;
    if is_unit_factor(listed, expected) {
        return Some(Fault::Unit);
    }
    // What is wrong at list price reaches the cost in the proportion of the discount.
    off.checked_mul(line.cost())?.checked_div(listed).map(Fault::Off)
}

/// Price × quantity = cost, before or after the voucher.
fn at_price(line: Line<'_>, tolerance: Decimal) -> Option<Fault> {
    let (price, quantity) = (line.money(MoneyColumn::Price)?, line.quantity()?);
    let expected = product_of(price, quantity)?;
    let tolerance = rounding(price, quantity, tolerance);
    let before = line.cost().checked_add(line.money(MoneyColumn::Voucher).unwrap_or_default())?;
    beyond(line.cost(), expected, tolerance)?;
    let off = beyond(before, expected, tolerance)?;
    Some(if is_unit_factor(before, expected) { Fault::Unit } else { Fault::Off(off) })
}

/// Cost at list price − discount − voucher = cost.
fn after_discount(line: Line<'_>, tolerance: Decimal) -> Option<Fault> {
    let [listed, discount, voucher] =
        [MoneyColumn::ListCost, MoneyColumn::Discount, MoneyColumn::Voucher].map(|c| line.money(c));
    let expected = listed?.checked_sub(discount?)?.checked_sub(voucher?)?;
    beyond(line.cost(), expected, tolerance).map(Fault::Off)
}

/// Price × quantity; a zero is a figure that the bill does not state (a fee, a minimum charge).
fn product_of(price: Decimal, quantity: Decimal) -> Option<Decimal> {
    price.checked_mul(quantity).filter(|product| !product.is_zero())
}

fn beyond(charged: Decimal, expected: Decimal, tolerance: Decimal) -> Option<Decimal> {
    let off = charged.checked_sub(expected)?;
    (off.abs() > tolerance).then_some(off)
}

/// Half a unit of the price's last printed digit × quantity; a price is printed to the cent at
/// least, and a ledger keeps no trailing zeros.
fn rounding(price: Decimal, quantity: Decimal, tolerance: Decimal) -> Decimal {
    let places = price.normalize().scale().max(2);
    let half = Decimal::new(5, places + 1);
    half.checked_mul(quantity.abs()).map_or(tolerance, |r| r.max(tolerance))
}

fn is_unit_factor(charged: Decimal, expected: Decimal) -> bool {
    let near = |a: Decimal, b: Decimal| {
        let slack = b.abs().checked_mul(Decimal::new(1, 3)).unwrap_or_default();
        (a - b).abs() <= slack
    };
    UNITS.iter().any(|unit| {
        let unit = Decimal::from(*unit);
        expected.checked_mul(unit).is_some_and(|up| near(charged, up))
            || charged.checked_mul(unit).is_some_and(|up| near(up, expected))
    })
}
