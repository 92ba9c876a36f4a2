//! Exports that state the same money in two ways.
//!
//! Some platforms offer a month twice: what was paid when, and the same with commitments spread
//! over the use that they cover. The header does not tell the two apart; the lines of a commitment
//! do: a use that it covers costs nothing in the one and its share in the other.

use std::collections::{BTreeMap, BTreeSet};

use kashi_parsers::Error;
use kashi_parsers::error::Kind as Fault;
use kashi_parsers::layout::Bill;
use kashi_parsers::ledger::{Kind, Ledger, Line, Terms};
use kashi_parsers::message;

/// Notes which bills are amortized, and refuses both views of one account and month.
///
/// `spread` are the places of the bills whose export has the two views.
pub(crate) fn check(ledger: &Ledger, bills: &mut [Bill], spread: &[usize]) -> Vec<Error> {
    let mut seen: BTreeMap<Month<'_>, [Option<usize>; 2]> = BTreeMap::new();
    let mut errors = Vec::new();
    for &at in spread {
        let lines = lines(ledger, &bills[at]);
        let Some(view) = lines.clone().find_map(view) else { continue };
        if let (View::Amortized, Some(bill)) = (view, bills.get_mut(at)) {
            bill.notes.push("is the amortized export: commitments are spread over the use that they cover, so that it does not come to the invoice".to_owned());
        }
        let months: BTreeSet<_> = lines.map(|l| (l.platform(), l.account(), l.period())).collect();
        for month in months {
            let both = seen.entry(month).or_default();
            both[view as usize].get_or_insert(at);
            if let [Some(actual), Some(amortized)] = *both {
                errors.push(twice(&bills[actual], &bills[amortized], month.2));
                both[view as usize] = None;
            }
        }
    }
    errors
}

/// How an export states what a commitment costs.
#[derive(Clone, Copy)]
enum View {
    /// The purchase has its amount, and the use that it covers none.
    Actual,
    /// The use has its share of the purchase.
    Amortized,
}

/// What a line says of the view; most say nothing.
fn view(line: Line<'_>) -> Option<View> {
    let committed = line.terms() == Some(Terms::Committed);
    match (line.kind(), line.cost().is_zero()) {
        (Kind::Usage, false) if committed => Some(View::Amortized),
        (Kind::Usage, true) | (Kind::Fee, false) if committed => Some(View::Actual),
        _ => None,
    }
}

fn lines<'a>(ledger: &'a Ledger, bill: &Bill) -> impl Iterator<Item = Line<'a>> + Clone + use<'a> {
    bill.span().map(|at| ledger.line(at))
}

fn twice(actual: &Bill, amortized: &Bill, month: &str) -> Error {
    let message = message!(
        "states {month} with commitments spread over their use (amortized), and {} states it as paid (actual): the same money twice",
        actual.origin
    );
    Error::new(Fault::Input, message)
        .at(amortized.origin.clone())
        .hint("give one of the two; the actual export is the one that comes to the invoice")
}

/// A platform, an account of it and a month.
type Month<'a> = (&'a str, Option<&'a str>, &'a str);
