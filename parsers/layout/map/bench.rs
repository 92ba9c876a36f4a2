//! How well each column of the file would fill each ledger column.

use super::fit;
use super::identities::{Identity, Numbers};
use super::learned::{Lesson, Vocabulary};
use super::lexicon::Word;
use super::names::Name;
use super::sample::Sample;
use super::shapes::Shape;
use super::wants::{Sort, Want, want};

/// Below this a column is not proposed.
pub(super) const LEAST: i32 = 45;

/// What is known of a file before anything is chosen.
#[derive(Debug)]
pub(super) struct Bench<'a> {
    pub(super) sample: &'a Sample,
    pub(super) names: &'a [Name],
    pub(super) shapes: &'a [Shape],
    pub(super) numbers: Numbers<'a>,
    pub(super) identities: Vec<Identity>,
    vocabulary: &'a Vocabulary,
    /// Columns whose name stands twice: kashi does not guess which one counts.
    repeated: Vec<bool>,
}

/// A column that may fill a ledger column.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Its place in the file.
    pub(super) at: usize,
    /// How well it fits, around 100 at best.
    pub(super) score: i32,
    /// Why.
    pub(super) why: Vec<String>,
    /// Whether the values prove it, and not only the name.
    pub(super) proven: bool,
}

impl<'a> Bench<'a> {
    pub(super) fn new(sample: &'a Sample, names: &'a [Name], shapes: &'a [Shape], vocabulary: &'a Vocabulary) -> Self {
        let numbers = Numbers::new(shapes);
        let identities = numbers.identities();
        let folded: Vec<String> = sample.names.iter().map(|n| super::super::fold(n)).collect();
        let repeated = folded.iter().map(|n| folded.iter().filter(|m| *m == n).count() > 1).collect();
        Self { sample, names, shapes, numbers, identities, vocabulary, repeated }
    }

    /// The columns that may fill a ledger column, the best first.
    pub(super) fn candidates(&self, want: &Want) -> Vec<Candidate> {
        let columns = 0..self.sample.names.len();
        let mut all: Vec<Candidate> = columns.filter_map(|at| self.candidate(want, at)).collect();
        all.retain(|c| c.score >= LEAST);
        all.sort_by_key(|c| (-c.score, c.at));
        all
    }

    /// The same by the ledger column's name.
    pub(super) fn of(&self, ledger: &str) -> Vec<Candidate> {
        want(ledger).map(|want| self.candidates(want)).unwrap_or_default()
    }

    /// Whether the header is Chinese.
    pub(super) fn is_chinese(&self) -> bool {
        self.sample.names.iter().any(|n| n.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)))
    }

    /// Whether a column may be read at all.
    pub(super) fn may_read(&self, at: usize) -> bool {
        !self.repeated.get(at).copied().unwrap_or(true) && self.sample.names.get(at).is_some_and(|n| !n.is_empty())
    }

    fn candidate(&self, want: &Want, at: usize) -> Option<Candidate> {
        let (name, shape) = (self.names.get(at)?, self.shapes.get(at)?);
        if !self.may_read(at) || shape.filled == 0 {
            return None;
        }
        let (score, why) = self.named(want, name, at);
        let mut found = Candidate { at, score, why, proven: false };
        let fits = match want.sort {
            Sort::Money => self.money(want, name, shape, &mut found),
            Sort::Time => fit::time(want, name, shape, &mut found),
            Sort::Text => fit::text(want, name, shape, &mut found, self.sample),
        };
        found.why.push(shape.said());
        (fits && found.score > 0).then_some(found)
    }

    /// What a header says itself, and what the known layouts say of it.
    fn named(&self, want: &Want, name: &Name, at: usize) -> (i32, Vec<String>) {
        let is_number = self.shapes[at].numbers.is_some();
        let own = match want.ledger {
            // Some bills call the column of the cost by its currency alone.
            "cost" if name.is_currency && is_number => 78,
            // `units` of numbers are a quantity, `unit` of words its unit.
            "quantity" if name.words == [Word::Unit] && is_number => 70,
            _ => want.score(name),
        };
        let says = |why: &str| vec![why.to_owned()];
        let own_words = if own > 0 { says("its name says so") } else { Vec::new() };
        // What a header says itself is more than what another bill makes of it.
        if want.forbids(name) {
            return (own, own_words);
        }
        match self.vocabulary.lesson(&self.sample.names[at], want.ledger) {
            Lesson::Same(layout) => (own.max(88), says(&format!("{layout} names it the same"))),
            Lesson::Alike(layout) => (own.max(84), says(&format!("{layout} names it much the same"))),
            Lesson::Other | Lesson::Unused => (own - 2, own_words),
            Lesson::Nothing => (own, own_words),
        }
    }

    fn money(&self, want: &Want, name: &Name, shape: &Shape, found: &mut Candidate) -> bool {
        if shape.numbers.is_none() || shape.times.is_some() {
            return false;
        }
        if want.ledger == "cost" {
            // A line without a cost is refused: a column with holes is not it.
            if !shape.is_full() {
                return false;
            }
            found.score += if shape.mark.is_some() { 4 } else { i32::from(shape.fractions > 0) * 2 };
        }
        // A number of cards is no quantity, hours of cards are.
        if want.ledger == "quantity" && name.has(Word::Gpu) && !name.has(Word::Duration) {
            return false;
        }
        if want.ledger == "quantity" || want.ledger == "cards" {
            found.score -= if shape.mark.is_some() { 40 } else { 0 };
        }
        if want.ledger == "quantity" && self.has_unit(found.at) && !want.forbids(name) {
            found.score = found.score.max(86) + 4;
            found.why.push("a column beside it is its unit".to_owned());
        }
        if matches!(want.ledger, "cost" | "list_cost") && self.has_unit(found.at) {
            found.score -= 40;
        }
        if name.currency.is_some_and(|c| self.is_other_currency(c)) {
            found.score -= 30;
        }
        self.identity(want.ledger, found);
        true
    }

    /// Whether a column is called as this one with the word for unit behind it, and holds units.
    fn has_unit(&self, at: usize) -> bool {
        let name = super::super::fold(&self.sample.names[at]);
        let is_unit = |other: &str| {
            let rest = super::super::fold(other);
            rest.strip_prefix(&name)
                .is_some_and(|rest| matches!(rest.trim_matches([' ', '_', '-']), "单位" | "unit" | "units"))
        };
        let mut others = self.sample.names.iter().zip(self.shapes);
        others.any(|(other, shape)| is_unit(other) && shape.units > 0)
    }

    /// Whether the bill has a column of its currency that never says this one.
    fn is_other_currency(&self, code: &str) -> bool {
        let says = |at: &usize| self.shapes[*at].currencies && self.names[*at].has_anywhere(Word::Currency);
        let mut columns: Vec<usize> = (0..self.shapes.len()).filter(says).collect();
        if columns.iter().any(|at| self.names[*at].has_anywhere(Word::Bill)) {
            columns.retain(|at| self.names[*at].has_anywhere(Word::Bill));
        }
        !columns.is_empty() && columns.iter().all(|at| self.sample.cells(*at).all(|cell| cell != code))
    }

    /// What the identities of the file say of a column of numbers: the best of them counts.
    fn identity(&self, ledger: &str, found: &mut Candidate) {
        let said = self.identities.iter().filter_map(|identity| self.says(*identity, ledger, found.at));
        // A name that says nothing needs more than a product that may hold by chance.
        let said = said.filter(|(gain, _)| found.score > 0 || *gain >= 25);
        // The first of those that say as much.
        let best = said.reduce(|best, next| if next.0 > best.0 { next } else { best });
        if let Some((gain, why)) = best {
            found.score += gain;
            found.proven = true;
            found.why.push(why);
        }
    }

    /// How much an identity speaks for a column as the source of a ledger column.
    fn says(&self, identity: Identity, ledger: &str, at: usize) -> Option<(i32, String)> {
        let name = |at: usize| self.sample.names.get(at).map_or("", String::as_str);
        let (gain, why) = match identity {
            Identity::Product(a, b, c) => {
                let (price, quantity) = self.price_first(a, b);
                let gain = match ledger {
                    "price" | "list_price" if at == price => 8,
                    "quantity" if at == quantity => 10,
                    "cost" | "list_cost" if at == c => 6,
                    _ => return None,
                };
                (gain, format!("\"{}\" × \"{}\" = \"{}\" in the rows", name(price), name(quantity), name(c)))
            }
            Identity::Difference(a, b, c) => {
                let gain = match ledger {
                    "list_cost" if at == a => 10,
                    "discount" | "voucher" if at == b => 10,
                    "cost" if at == c => 3,
                    _ => return None,
                };
                (gain, format!("\"{}\" − \"{}\" = \"{}\" in the rows", name(a), name(b), name(c)))
            }
            Identity::Balance(a, b) => match ledger {
                "balance" if at == a => (40, format!("it changes from row to row by \"{}\"", name(b))),
                "cost" if at == b => (25, format!("\"{}\" changes by it from row to row", name(a))),
                _ => return None,
            },
        };
        Some((gain, why))
    }

    /// Which of two factors is the price: the one that is named more like a price.
    pub(super) fn price_first(&self, a: usize, b: usize) -> (usize, usize) {
        let like = |at: usize| {
            let of = |ledger: &str| want(ledger).map_or(0, |w| self.names.get(at).map_or(0, |n| w.score(n)));
            of("price").max(of("list_price")) - of("quantity")
        };
        if like(b) > like(a) { (b, a) } else { (a, b) }
    }
}
