//! What the values say where no header does: the columns of a bill in words that nobody knows.
//!
//! A name is worth more than a value, so this is asked last and only for what a ledger line cannot
//! do without; what it finds is doubtful, and the user is asked.

use super::bench::Candidate;
use super::choose::Chooser;
use super::identities::Identity;
use super::lexicon::Word;
use super::shapes::Shape;
use super::times::Grain;
use super::wants::Sort;

/// How well a column fits by its values alone: proposed, and asked.
const BY_VALUES: i32 = 50;

/// Words of ids that are no resource's.
const OTHER_IDS: [Word; 10] = [
    Word::Invoice,
    Word::Bill,
    Word::Transaction,
    Word::Line,
    Word::Account,
    Word::Payer,
    Word::Project,
    Word::Product,
    Word::Sku,
    Word::Owner,
];

impl Chooser<'_> {
    /// Chooses the amount and its factors by an identity that holds in the rows.
    pub(super) fn unnamed_amounts(&mut self) {
        if self.is_settled("cost") {
            return;
        }
        let products = self.bench.identities.iter().filter_map(|identity| match *identity {
            Identity::Product(a, b, c) if self.bench.shapes[c].is_full() => Some((a, b, c)),
            _ => None,
        });
        // Of several amounts the one with the most digits was not rounded from another.
        let Some((a, b, cost)) = products.max_by_key(|(_, _, c)| (self.bench.shapes[*c].distinct, usize::MAX - c))
        else {
            return;
        };
        let distinct = |at: usize| self.bench.shapes[at].distinct;
        // A price is the same for every hour of a product; what is metered changes.
        let (price, quantity) = if distinct(b) < distinct(a) { (b, a) } else { (a, b) };
        let name = |at: usize| self.bench.sample.names[at].as_str();
        let why =
            format!("\"{}\" × \"{}\" = \"{}\" in the rows; no name says so", name(price), name(quantity), name(cost));
        for (ledger, at) in [("cost", cost), ("quantity", quantity), ("price", price)] {
            if !self.is_settled(ledger) && !self.is_used(at, Sort::Money) {
                self.by_values(ledger, at, &why);
            }
        }
    }

    /// Chooses the time that is charged: a column of times, and one that never lies before it.
    pub(super) fn unnamed_times(&mut self) {
        if ["start", "posted"].iter().any(|ledger| self.is_settled(ledger)) {
            return;
        }
        let is_time = |at: &usize| {
            self.bench.may_read(*at)
                && !self.is_used(*at, Sort::Time)
                && self.bench.shapes[*at].times.as_ref().is_some_and(|t| t.grain != Grain::Month && t.range.is_none())
        };
        let times: Vec<usize> = (0..self.bench.shapes.len()).filter(is_time).collect();
        let pairs = times.iter().flat_map(|a| times.iter().map(move |b| (*a, *b)));
        let mut pairs = pairs.filter(|(a, b)| a != b && self.follows(*a, *b) && !self.follows(*b, *a));
        let why = "it holds times; no name says what happened then";
        match pairs.next() {
            Some((start, end)) => {
                self.by_values("start", start, why);
                if !self.is_settled("end") {
                    self.by_values("end", end, "it holds times that never lie before those of the start");
                }
            }
            None => {
                if let Some(at) = times.first() {
                    self.by_values("start", *at, why);
                }
            }
        }
    }

    /// Chooses product, resource, unit and currency.
    pub(super) fn unnamed_texts(&mut self) {
        self.by_shape("currency", "it holds currencies", |s| (s.currencies && s.distinct <= 4).then_some(0));
        self.by_shape("unit", "it holds units", |s| {
            (s.numbers.is_none() && s.units * 2 > s.distinct && s.filled * 2 > s.rows).then_some(s.units)
        });
        self.by_shape("sku", "it names cards", |s| {
            (s.is_text() && (s.cards + s.instances) * 2 > s.distinct).then_some(s.distinct)
        });
        self.by_shape("resource", "it holds ids", |s| {
            let ids = s.is_text() && s.ids * 2 > s.distinct && s.distinct > 1 && s.is_full();
            // An id of its own in each row is one of the row.
            (ids && s.distinct < s.rows).then_some(s.distinct)
        });
    }

    /// Fills a ledger column from the unread column of text whose values fit it best.
    fn by_shape(&mut self, ledger: &'static str, why: &str, fit: impl Fn(&Shape) -> Option<usize>) {
        if self.is_settled(ledger) {
            return;
        }
        let used = |at: usize| self.chosen.values().any(|choice| choice.picks.iter().any(|p| p.at == at));
        let other = |at: usize| ledger == "resource" && OTHER_IDS.iter().any(|w| self.bench.names[at].has(*w));
        let fits = self.bench.shapes.iter().enumerate().filter_map(|(at, shape)| Some((at, fit(shape)?)));
        let free = fits.filter(|(at, _)| self.bench.may_read(*at) && !used(*at) && !other(*at));
        if let Some((at, _)) = free.max_by_key(|(at, fit)| (*fit, usize::MAX - at)) {
            self.by_values(ledger, at, &format!("{why}; no name says so"));
        }
    }

    fn by_values(&mut self, ledger: &'static str, at: usize, why: &str) {
        let why = vec![why.to_owned(), self.bench.shapes[at].said()];
        self.take(ledger, Candidate { at, score: BY_VALUES, why, proven: false });
    }
}
