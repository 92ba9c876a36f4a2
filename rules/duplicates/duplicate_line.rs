//! Lines that stand in the bill more than once.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use kashi_parsers::ledger::{Category, Kind, Line, MoneyColumn, TextColumn, TimeColumn};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use rustc_hash::FxHasher;

use crate::engine::parallel::Parallel;
use crate::shown::money;
use crate::{AmountKind, Case, Claim, Finding, Params, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let mut twice: BTreeMap<Subject<'_>, Copies> = BTreeMap::new();
    let mut files: BTreeMap<(&str, &str, &str), Copies> = BTreeMap::new();
    let groups = equal(case, params.decimal("smallest"));
    let cards = Parallel::new(case.charges(), &case.contract);
    let doubled = doubled(case, &groups, params.decimal("smallest"));
    for group in groups {
        let first = group[0];
        let mut spare = side_by_side(case, &cards, &group, &doubled);
        for copy in &group[1..] {
            if spare > 0 && case.ledger.line(first).file() == case.ledger.line(*copy).file() {
                spare -= 1;
                continue;
            }
            let copies = match (case.ledger.line(first), case.ledger.line(*copy)) {
                (a, b) if a.file() == b.file() => twice.entry(subject(a)).or_default(),
                (a, b) => files.entry((a.file(), b.file(), a.currency())).or_default(),
            };
            copies.of.insert(first);
            copies.extra.push(*copy);
        }
    }
    let mut verdict = Verdict::default();
    twice.into_values().for_each(|copies| verdict.find(charged_twice(case, &copies)));
    files.into_values().for_each(|copies| verdict.find(read_twice(case, &copies)));
    verdict
}

/// Copies of a line that are further cards of its resource, each billed in a line of its own.
fn side_by_side<'a>(case: &'a Case, cards: &Parallel<'a>, group: &[usize], doubled: &BTreeSet<&str>) -> usize {
    let first = case.ledger.line(group[0]);
    let own = first.cards().filter(|own| *own > Decimal::ZERO);
    let Some(own) = own.filter(|_| cards.is_parallel(first) && !doubled.contains(first.file())) else { return 0 };
    let copies = group.iter().skip(1).filter(|line| case.ledger.line(**line).file() == first.file()).count();
    // What is more than usual is charged too often, one line after the other.
    let surplus = cards.surplus(first).and_then(|surplus| surplus.checked_div(own)).unwrap_or_default();
    copies.saturating_sub(surplus.ceil().to_usize().unwrap_or(copies))
}

/// Files in which every line of several subjects stands more than once: they were written twice.
fn doubled<'a>(case: &'a Case, groups: &[Vec<usize>], smallest: Decimal) -> BTreeSet<&'a str> {
    let copied: BTreeSet<usize> = groups.iter().flatten().copied().collect();
    let mut files: BTreeMap<&str, (BTreeSet<Subject<'a>>, bool)> = BTreeMap::new();
    if copied.is_empty() {
        return BTreeSet::new();
    }
    for line in case.charges().filter(|line| is_told_apart(*line, smallest)) {
        let (subjects, single) = files.entry(line.file()).or_default();
        subjects.insert(subject(line));
        *single |= !copied.contains(&line.index());
    }
    files.into_iter().filter(|(_, (subjects, single))| subjects.len() > 1 && !single).map(|(file, _)| file).collect()
}

type Subject<'a> = (&'a str, Option<&'a str>, Option<&'a str>, &'a str, &'a str);

fn subject(line: Line<'_>) -> Subject<'_> {
    (line.platform(), line.account(), line.resource(), line.sku(), line.currency())
}

/// Copies of one subject, and the lines that they are copies of.
#[derive(Default)]
struct Copies {
    of: BTreeSet<usize>,
    extra: Vec<usize>,
}

/// Groups of equal lines, each in the order of the bills.
///
/// Sorting a fingerprint a line keeps this in 16 bytes a line, however long the bills are.
fn equal(case: &Case, smallest: Decimal) -> Vec<Vec<usize>> {
    let told = case.charges().filter(|line| is_told_apart(*line, smallest));
    let mut prints: Vec<(u64, usize)> = told.map(|line| (fingerprint(line), line.index())).collect();
    prints.sort_unstable();
    let mut groups = Vec::new();
    for run in prints.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
        let mut rest: Vec<usize> = run.iter().map(|(_, index)| *index).collect();
        while let Some(first) = rest.first().copied() {
            let (group, other) = rest.into_iter().partition(|i| same(case.ledger.line(first), case.ledger.line(*i)));
            groups.push(group);
            rest = other;
        }
    }
    groups.retain(|group: &Vec<usize>| group.len() > 1);
    groups.sort_unstable();
    groups
}

fn charged_twice(case: &Case, copies: &Copies) -> Finding {
    let amount = cost(case, copies);
    let claims =
        copies.extra.iter().map(|i| Claim { line: *i, hour: None, amount: case.ledger.line(*i).cost() }).collect();
    let line = case.ledger.line(copies.extra[0]);
    finding(case, copies, "twice")
        .resource(line.resource().unwrap_or_default())
        .amount(amount, line.currency(), AmountKind::Recoverable)
        .claims(claims)
        .value("copies", copies.extra.len())
        .value("originals", copies.of.len())
        .value("amount", money(amount, line.currency()))
}

fn read_twice(case: &Case, copies: &Copies) -> Finding {
    let copy = case.ledger.line(copies.extra[0]);
    let original = copies.of.first().map_or(copy, |i| case.ledger.line(*i));
    finding(case, copies, "files")
        .value("lines", copies.extra.len())
        .value("first", original.file())
        .value("second", copy.file())
        .value("excess", money(cost(case, copies), copy.currency()))
}

fn cost(case: &Case, copies: &Copies) -> Decimal {
    copies.extra.iter().map(|i| case.ledger.line(*i).cost()).sum()
}

fn finding(case: &Case, copies: &Copies, sentence: &'static str) -> Finding {
    let mut rows: Vec<usize> = copies.of.iter().chain(&copies.extra).copied().collect();
    rows.sort_unstable();
    let first = case.ledger.line(rows[0]);
    Finding::new(first.platform(), sentence, first.origin())
        .account(first.account())
        .evidence(rows[1..].iter().map(|i| case.ledger.line(*i).origin()))
        .value("sku", first.sku())
}

/// Everything that says what was charged. `invoice`, `posted`, `paid` and `balance` do not: a
/// second order or a later settlement of the same hour is still the same hour.
const TEXTS: [TextColumn; 13] = [
    TextColumn::Platform,
    TextColumn::Account,
    TextColumn::Project,
    TextColumn::Kind,
    TextColumn::Category,
    TextColumn::Terms,
    TextColumn::Resource,
    TextColumn::Region,
    TextColumn::Sku,
    TextColumn::Card,
    TextColumn::Tags,
    TextColumn::Unit,
    TextColumn::Currency,
];
const TIMES: [TimeColumn; 2] = [TimeColumn::Start, TimeColumn::End];
const MONEYS: [MoneyColumn; 8] = [
    MoneyColumn::Cards,
    MoneyColumn::Quantity,
    MoneyColumn::ListPrice,
    MoneyColumn::Price,
    MoneyColumn::ListCost,
    MoneyColumn::Discount,
    MoneyColumn::Voucher,
    MoneyColumn::Cost,
];

/// Whether two lines charge the very same thing.
pub(super) fn same(a: Line<'_>, b: Line<'_>) -> bool {
    TEXTS.iter().all(|c| a.text(*c) == b.text(*c))
        && TIMES.iter().all(|c| a.time(*c) == b.time(*c))
        && MONEYS.iter().all(|c| a.money(*c) == b.money(*c))
}

fn fingerprint(line: Line<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    TEXTS.iter().for_each(|c| line.text(*c).hash(&mut hasher));
    TIMES.iter().for_each(|c| line.time(*c).map(|t| t.timestamp_micros()).hash(&mut hasher));
    MONEYS.iter().for_each(|c| line.money(*c).hash(&mut hasher));
    hasher.finish()
}

/// A line that can be told from every other one by what it says.
fn is_told_apart(line: Line<'_>, smallest: Decimal) -> bool {
    matches!(line.kind(), Kind::Usage | Kind::Subscription)
        // Equal events (two requests, both ends of a transfer) are no copies; equal hours are.
        && !matches!(line.category(), Category::Egress | Category::Service | Category::Other)
        && line.resource().is_some()
        && line.start().zip(line.end()).is_some_and(|(start, end)| start < end)
        && line.cost() >= smallest
}
