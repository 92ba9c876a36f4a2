//! How well each column of the file would fill each ledger column.

use super::identities::{Identity, Numbers};
use super::learned::{Lesson, Vocabulary};
use super::names::{Name, Word};
use super::sample::Sample;
use super::shapes::Shape;
use super::times::Grain;
use super::wants::{Sort, Want, want};
use super::words;

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
        let mut score = want.score(name);
        let mut why = Vec::new();
        if want.ledger == "cost" && name.is_currency && shape.numbers.is_some() {
            score = 78;
        }
        // `units` of numbers are a quantity, `unit` of words its unit.
        if want.ledger == "quantity" && name.words == [Word::Unit] && shape.numbers.is_some() {
            score = 70;
        }
        if score > 0 {
            why.push("its name says so".to_owned());
        }
        let lesson = self.vocabulary.lesson(&self.sample.names[at], want.ledger);
        match lesson {
            // What a header says itself is more than what another bill makes of it.
            _ if want.forbids(name) => {}
            Lesson::Same(layout) => {
                score = score.max(88);
                why = vec![format!("{layout} names it the same")];
            }
            Lesson::Alike(layout) => {
                score = score.max(84);
                why = vec![format!("{layout} names it much the same")];
            }
            Lesson::Other => score -= 2,
            Lesson::Unused => score -= 2,
            Lesson::Nothing => {}
        }
        let mut found = Candidate { at, score, why, proven: false };
        let fits = match want.sort {
            Sort::Money => self.money(want, name, shape, &mut found),
            Sort::Time => time(want, name, shape, &mut found),
            Sort::Text => text(want, name, shape, &mut found, self.sample),
        };
        found.why.push(shape.said());
        (fits && found.score > 0).then_some(found)
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
            rest.strip_prefix(&name).is_some_and(|rest| matches!(rest.trim_matches([' ', '_', '-']), "单位" | "unit" | "units"))
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

    /// What the identities of the file say of a column of numbers.
    fn identity(&self, ledger: &str, found: &mut Candidate) {
        let (mut best, mut said) = (0, String::new());
        let name = |at: usize| self.sample.names.get(at).map_or("", String::as_str);
        for identity in &self.identities {
            let (gain, why) = match (*identity, ledger) {
                (Identity::Product(a, b, c), _) => {
                    let (price, quantity) = self.price_first(a, b);
                    let text = || format!("\"{}\" × \"{}\" = \"{}\" in the rows", name(price), name(quantity), name(c));
                    match ledger {
                        "price" | "list_price" if found.at == price => (8, text()),
                        "quantity" if found.at == quantity => (10, text()),
                        "cost" | "list_cost" if found.at == c => (6, text()),
                        _ => continue,
                    }
                }
                (Identity::Difference(a, b, c), "list_cost" | "discount" | "voucher" | "cost") => {
                    let role = if found.at == a { "list_cost" } else if found.at == b { "off" } else { "cost" };
                    let fits = ledger == role || role == "off" && matches!(ledger, "discount" | "voucher");
                    if !fits || ![a, b, c].contains(&found.at) {
                        continue;
                    }
                    let gain = if ledger == "cost" { 3 } else { 10 };
                    (gain, format!("\"{}\" − \"{}\" = \"{}\" in the rows", name(a), name(b), name(c)))
                }
                (Identity::Balance(a, b), "balance") if found.at == a => {
                    (40, format!("it changes from row to row by \"{}\"", name(b)))
                }
                (Identity::Balance(a, b), "cost") if found.at == b => {
                    (25, format!("\"{}\" changes by it from row to row", name(a)))
                }
                _ => continue,
            };
            if gain > best && (found.score > 0 || gain >= 25) {
                (best, said) = (gain, why);
            }
        }
        if best > 0 {
            found.score += best;
            found.proven = true;
            found.why.push(said);
        }
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

fn time(want: &Want, name: &Name, shape: &Shape, found: &mut Candidate) -> bool {
    let Some(times) = &shape.times else { return false };
    if times.range.is_some() && !matches!(want.ledger, "start" | "end") {
        return false;
    }
    let of_the_bill = name.has_anywhere(Word::Bill) && name.has_anywhere(Word::Period);
    found.score += match (want.ledger, times.grain) {
        ("period", Grain::Month) => 10,
        ("period", _) => -20,
        // The month of a bill is no charged time, though it begins and ends.
        ("start" | "end", _) if of_the_bill => -40,
        ("start" | "end", Grain::Month) if times.formats.iter().all(|f| !f.contains("%d") && f != "rfc3339") => -60,
        ("start", Grain::Month) => -8,
        ("start", Grain::Day) if found.score > 0 => 6,
        ("posted", Grain::Instant) if found.score > 0 => 6,
        ("posted", Grain::Month) => -30,
        _ => 0,
    };
    if want.ledger == "end" && times.range.is_some() {
        // The same column as the start, which has the better name.
        found.score = found.score.max(if name.has(Word::Time) || name.has(Word::Period) { 62 } else { 46 });
    }
    true
}

fn text(want: &Want, name: &Name, shape: &Shape, found: &mut Candidate, sample: &Sample) -> bool {
    if want.ledger == "currency" {
        return shape.currencies;
    }
    if !shape.is_text() || shape.currencies && want.ledger != "unit" {
        return false;
    }
    if shape.structured * 2 > shape.distinct && want.ledger != "tags" {
        return false;
    }
    // A column that most rows leave blank is not the first choice for anything.
    found.score -= ((shape.rows - shape.filled.min(shape.rows)) * 10 / shape.rows.max(1)) as i32;
    let few = shape.distinct <= shape.rows / 3 + 2;
    match want.ledger {
        "unit" => {
            if shape.numbers.is_some() {
                return false;
            }
            found.score += if shape.units * 2 >= shape.distinct { 8 } else { -10 };
        }
        "kind" => return kind(name, shape, found, sample),
        "resource" => {
            if name.has(Word::Description) {
                let Some(_) = &shape.labelled else { return false };
                found.score += 36;
                found.why.push("an id stands behind a label in it".to_owned());
            }
            found.score += if shape.ids * 2 > shape.distinct { 5 } else { 0 };
        }
        "sku" => {
            if shape.labelled.is_some() || shape.numbers.is_some() && !name.has(Word::Sku) {
                return false;
            }
            let holes = ((shape.rows - shape.filled.min(shape.rows)) * 20 / shape.rows.max(1)) as i32;
            let detail = (shape.distinct.min(24) / 2) as i32;
            found.score += if name.has(Word::Gpu) && shape.cards * 2 > shape.distinct { 10 } else { 0 };
            found.score += detail - holes - if shape.ids * 2 > shape.distinct { 10 } else { 0 };
        }
        // One tag is not the tags: its key would be lost.
        "tags" => return name.has(Word::Tags),
        "region" => found.score += if few { 3 } else { -10 },
        "account" => found.score += if shape.distinct <= 3 { 4 } else { 0 },
        _ => {}
    }
    true
}

/// A column of kinds is known by its words: most of them must mean a kind of charge.
fn kind(name: &Name, shape: &Shape, found: &mut Candidate, sample: &Sample) -> bool {
    const MOST_KINDS: usize = 60;
    const FEW_KINDS: usize = 12;
    if !shape.is_full() || shape.distinct > MOST_KINDS || shape.numbers.is_some() {
        return false;
    }
    let mut cells: Vec<&str> = sample.cells(found.at).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut kinds: Vec<_> = cells.iter().filter_map(|c| words::kind(c)).collect();
    let known = kinds.len();
    kinds.sort_unstable();
    kinds.dedup();
    // Three kinds and nothing else are no accident, whatever the column is called.
    let names = [Word::Description, Word::Sku].iter().any(|w| name.has(*w)) || cells.len() > FEW_KINDS;
    let unmistakable = known == cells.len() && kinds.len() >= 3 && !names;
    if known * 2 < cells.len() || found.score <= 0 && !unmistakable {
        return false;
    }
    if unmistakable {
        found.score = found.score.max(50);
    }
    found.score = found.score * 6 / 10 + (known * 30 / cells.len().max(1)) as i32 + (kinds.len() * 4).min(12) as i32;
    found.why.push(format!("{known} of its {} values are known kinds of charge", cells.len()));
    true
}
