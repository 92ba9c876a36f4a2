//! Bills with tax beside bills without it.

use kashi_parsers::layout::{Bill, Platforms, Tax};
use kashi_parsers::message;

/// Says of bills whether their amounts contain tax, where the bills of one audit differ in that.
///
/// Nothing is turned into the other: what the tax is stands in no bill that leaves it out.
pub(crate) fn say(bills: &mut [Bill], platforms: &Platforms) {
    let tax = |bill: &Bill| platforms.layout(&bill.layout)?.1.tax;
    let first = |wanted: Tax| bills.iter().find(|bill| tax(bill) == Some(wanted)).map(|bill| bill.origin.to_string());
    let (Some(with), Some(without)) = (first(Tax::Included), first(Tax::Excluded)) else { return };
    for bill in bills.iter_mut() {
        match tax(bill) {
            Some(Tax::Included) => bill
                .notes
                .push(message!("states amounts with tax, {without} without: they are no sums of one kind").into()),
            Some(Tax::Excluded) => bill
                .notes
                .push(message!("states amounts without tax, {with} with it: they are no sums of one kind").into()),
            Some(Tax::None) | None => {}
        }
    }
}
