//! The columns of words: what was charged, of whom, where, in what.

use super::bench::{Candidate, LEAST};
use super::choose::Chooser;
use super::lexicon::Word;

impl Chooser<'_> {
    /// Chooses kind, product, resource, account and the like.
    pub(super) fn texts(&mut self) {
        self.kind();
        self.with_more("sku", 2);
        self.with_more("resource", 2);
        for ledger in ["account", "account_name", "project", "resource_name", "region", "invoice", "tags"] {
            self.apart(ledger);
        }
        self.unit();
        self.currency();
    }

    fn kind(&mut self) {
        if self.chosen.contains_key("kind") {
            return;
        }
        if self.is_settled("kind") {
            return self.constant("kind", "usage", "as you said, no column says what kind of charge a row is", 90);
        }
        // A column of kinds may also be the only one that names what was charged.
        match self.bench.of("kind").into_iter().next() {
            Some(best) => {
                self.take("kind", best);
            }
            None => self.constant("kind", "usage", "no column says what kind of charge a row is", 70),
        }
    }

    /// A column, and those that fill the rows that it leaves blank.
    fn with_more(&mut self, ledger: &'static str, most: usize) {
        if self.is_settled(ledger) {
            return;
        }
        let mut all = self.bench.of(ledger).into_iter();
        let Some(best) = all.next() else { return };
        let mut blank = self.blanks(best.at, None);
        let mut picks = vec![best];
        for next in all {
            if picks.len() > most || !blank.iter().any(|b| *b) {
                break;
            }
            let left = self.blanks(next.at, Some(&blank));
            if left != blank && next.score >= 55 {
                blank = left;
                picks.push(next);
            }
        }
        self.chosen.insert(ledger, super::choose::Choice { picks, constant: None, rival: None, given: false });
    }

    /// In which rows a column is blank, of those given.
    fn blanks(&self, at: usize, of: Option<&[bool]>) -> Vec<bool> {
        let rows = self.bench.sample.rows.iter().enumerate();
        rows.map(|(row, cells)| of.is_none_or(|of| of[row]) && cells.get(at).is_none_or(String::is_empty)).collect()
    }

    /// A column that none of its siblings is filled from: an account is not its own project.
    fn apart(&mut self, ledger: &'static str) {
        if self.is_settled(ledger) {
            return;
        }
        let taken = |c: &Candidate| self.chosen.values().any(|choice| choice.picks.iter().any(|p| p.at == c.at));
        let found = self.bench.of(ledger).into_iter().find(|c| !taken(c));
        if let Some(found) = found {
            self.take(ledger, found);
        }
    }

    /// The unit of the quantity that was chosen: it shares its words, and stands beside it.
    fn unit(&mut self) {
        let Some(quantity) = self.column("quantity").filter(|at| *at != usize::MAX) else { return };
        if self.is_settled("unit") {
            return;
        }
        let mut all = self.bench.of("unit");
        for candidate in &mut all {
            self.paired(quantity, candidate);
        }
        all.sort_by_key(|c| (-c.score, c.at));
        match all.into_iter().next().filter(|c| c.score >= LEAST) {
            Some(best) => {
                self.take("unit", best);
            }
            None => self.unit_of_header(quantity),
        }
    }

    /// How much a column of units belongs to the quantity that was chosen.
    fn paired(&self, quantity: usize, candidate: &mut Candidate) {
        let (name, other) = (&self.bench.names[quantity], &self.bench.names[candidate.at]);
        let is_mark = |w: &&Word| !matches!(w, Word::Quantity | Word::Amount | Word::Filler);
        let marks: Vec<&Word> = name.words.iter().filter(is_mark).collect();
        let shared = name.words.iter().filter(|w| other.has_anywhere(**w)).count();
        candidate.score += 6 * shared.min(2) as i32;
        if candidate.at == quantity + 1 {
            candidate.score += 10;
            candidate.why.push(format!("it stands behind \"{}\"", self.bench.sample.names[quantity]));
        }
        // Where there are several, the unit is called as the quantity is: priced, consumed, a duration.
        if !marks.is_empty() {
            candidate.score += if marks.iter().all(|w| other.has_anywhere(**w)) { 30 } else { -10 };
        }
        // `小时` in the column of a price is the unit of the price.
        if other.has(Word::Price) && !name.has(Word::Price) {
            candidate.score -= 20;
        }
    }

    /// `GPU Hours` and `时长(小时)` say their unit themselves.
    fn unit_of_header(&mut self, quantity: usize) {
        const UNITS: [(&str, &str); 6] = [
            ("小时", "hour"),
            ("hour", "hour"),
            ("分钟", "minute"),
            ("minute", "minute"),
            ("秒", "second"),
            ("second", "second"),
        ];
        let (name, printed) = (&self.bench.names[quantity], &self.bench.sample.names[quantity]);
        let header = printed.to_lowercase();
        if name.has(Word::Gpu) && name.has(Word::Duration) || header.contains("卡时") {
            let why = format!("\"{printed}\" are hours of cards");
            self.constant("unit", "card_hour", &why, 88);
        } else if let Some((word, unit)) = UNITS.into_iter().find(|(word, _)| header.contains(word)) {
            let why = format!("\"{printed}\" says {word}");
            self.constant("unit", unit, &why, 88);
        }
    }

    /// A column of currencies, or the mark that the header or the amounts carry.
    fn currency(&mut self) {
        if self.is_settled("currency") {
            return;
        }
        if let Some(best) = self.bench.of("currency").into_iter().next() {
            self.take("currency", best);
            return;
        }
        let Some(cost) = self.column("cost").filter(|at| *at != usize::MAX) else { return };
        let (name, shape) = (&self.bench.names[cost], &self.bench.shapes[cost]);
        if let Some(code) = name.currency {
            self.constant("currency", code, &format!("the header \"{}\" says so", self.bench.sample.names[cost]), 90);
        } else if let Some(code) = shape.mark {
            self.constant("currency", code, "the amounts are marked with it", 88);
        } else if let Some(code) = self.bench.names.iter().find_map(|n| n.currency) {
            self.constant("currency", code, "another column of the header says so", 75);
        } else if self.bench.is_chinese() {
            self.constant("currency", "CNY", "nothing says so; the header is Chinese", 50);
        }
    }
}
