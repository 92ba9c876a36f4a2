//! Cards side by side: a resource that is billed in several lines for one and the same time.
//!
//! Some platforms bill each card of a machine in a line of its own. The lines of an hour then look
//! like copies of each other, and each says one card. What tells cards from copies is time: cards
//! run side by side for most of it, a charge that was made twice stands out.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kashi_parsers::contract::Contract;
use kashi_parsers::ledger::{Category, Kind, Line};
use rust_decimal::Decimal;

/// What lines of one product of a resource have in common.
type Subject<'a> = (&'a str, &'a str, Option<&'a str>, &'a str, &'a str, Option<&'a str>, &'a str);

/// How many cards run at once, by product of a resource and by file.
#[derive(Debug, Default)]
pub(crate) struct Parallel<'a> {
    loads: BTreeMap<Subject<'a>, Load>,
}

/// The cards of one product over time.
#[derive(Debug, Default)]
struct Load {
    /// Cards from a time on, up to the next; sorted.
    cards: Vec<(DateTime<Utc>, Decimal)>,
    /// The most cards of one line.
    line: Decimal,
    /// The cards that run for more than half of the time.
    usual: Decimal,
}

/// Different beginnings from which what is usual can be told from what is not.
const LEAST: usize = 3;

impl<'a> Parallel<'a> {
    /// Looks at the lines for cards that state how many, and when.
    pub(crate) fn new(lines: impl Iterator<Item = Line<'a>>, contract: &Contract) -> Self {
        type Span = (DateTime<Utc>, DateTime<Utc>, Decimal);
        let mut spans: BTreeMap<Subject<'a>, Vec<Span>> = BTreeMap::new();
        for line in lines {
            if let Some((subject, cards)) = subject(line).zip(line.cards())
                && let Some((start, end)) = line.start().zip(line.end()).filter(|(start, end)| start < end)
            {
                spans.entry(subject).or_default().push((start, end, cards));
            }
        }
        let declared = |subject: &Subject<'_>| {
            let device = contract.devices.iter().find(|d| {
                d.cards.is_some() && d.resource == subject.3 && d.platform.as_deref().is_none_or(|p| p == subject.1)
            });
            device.and_then(|d| d.cards).map(Decimal::from)
        };
        let loads =
            spans.into_iter().map(|(subject, spans)| (subject, Load::new(&spans, declared(&subject)))).collect();
        Self { loads }
    }

    /// The cards that usually run at once in the product of a line; at least those of a line.
    pub(crate) fn usual(&self, line: Line<'a>) -> Option<Decimal> {
        subject(line).and_then(|subject| self.loads.get(&subject)).map(|load| load.usual.max(load.line))
    }

    /// The cards that are too many at some time of a line; `None` if none are.
    pub(crate) fn surplus(&self, line: Line<'a>) -> Option<Decimal> {
        let load = self.loads.get(&subject(line)?)?;
        let (start, end) = line.start().zip(line.end())?;
        let surplus = load.most(start, end) - load.usual.max(load.line);
        (surplus > Decimal::ZERO).then_some(surplus)
    }

    /// Whether the product of a line is billed by the card, so that equal lines are cards of it.
    pub(crate) fn is_parallel(&self, line: Line<'a>) -> bool {
        subject(line).and_then(|subject| self.loads.get(&subject)).is_some_and(|load| load.usual > load.line)
    }
}

impl Load {
    fn new(spans: &[(DateTime<Utc>, DateTime<Utc>, Decimal)], declared: Option<Decimal>) -> Self {
        let mut changes: BTreeMap<DateTime<Utc>, Decimal> = BTreeMap::new();
        for (start, end, cards) in spans {
            *changes.entry(*start).or_default() += cards;
            *changes.entry(*end).or_default() -= cards;
        }
        let mut now = Decimal::ZERO;
        let cards: Vec<_> = changes
            .into_iter()
            .map(|(time, change)| {
                now += change;
                (time, now)
            })
            .collect();
        let line = spans.iter().map(|(_, _, cards)| *cards).max().unwrap_or_default();
        let mut starts: Vec<_> = spans.iter().map(|(start, _, _)| *start).collect();
        starts.sort_unstable();
        starts.dedup();
        let peak = cards.iter().map(|(_, cards)| *cards).max().unwrap_or_default();
        let declared = declared.map(|ordered| ordered.min(peak));
        let usual = declared.or_else(|| (starts.len() >= LEAST).then(|| median(&cards))).unwrap_or(line);
        Self { cards, line, usual }
    }

    /// The most cards at once between two times.
    fn most(&self, start: DateTime<Utc>, end: DateTime<Utc>) -> Decimal {
        let first = self.cards.partition_point(|(time, _)| *time <= start).saturating_sub(1);
        let during = self.cards[first..].iter().take_while(|(time, _)| *time < end);
        during.map(|(_, cards)| *cards).max().unwrap_or_default()
    }
}

/// The most cards that run for more than half of the time in which any do.
fn median(cards: &[(DateTime<Utc>, Decimal)]) -> Decimal {
    let mut seconds: BTreeMap<Decimal, i64> = BTreeMap::new();
    for pair in cards.windows(2).filter(|pair| pair[0].1 > Decimal::ZERO) {
        *seconds.entry(pair[0].1).or_default() += (pair[1].0 - pair[0].0).num_seconds();
    }
    let all: i64 = seconds.values().sum();
    let mut so_far = 0;
    for (cards, seconds) in seconds.iter().rev() {
        so_far += seconds;
        if so_far * 2 > all {
            return *cards;
        }
    }
    Decimal::ZERO
}

fn subject<'a>(line: Line<'a>) -> Option<Subject<'a>> {
    let billed = line.category() == Category::Gpu && matches!(line.kind(), Kind::Usage | Kind::Subscription);
    let terms = line.terms().map(|terms| terms.as_str());
    let what = (line.file(), line.platform(), line.account(), line.resource()?, line.sku(), terms, line.currency());
    billed.then_some(what)
}
