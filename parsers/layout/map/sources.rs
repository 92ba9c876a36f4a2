//! A choice becomes the source that a platform file writes.

use std::collections::{BTreeMap, BTreeSet};

use super::super::schema::{Names, Source, Via};
use super::choose::Chooser;
use super::lexicon::Word;
use super::shapes::Shape;
use super::times::Times;
use super::wants::{Sort, want};
use super::words;
use crate::ledger::Kind;

impl Chooser<'_> {
    /// A source that takes a column as it stands.
    pub(super) fn plain(&self, at: usize) -> Source {
        let name = self.bench.sample.names.get(at).cloned().unwrap_or_default();
        Source { column: Names(vec![name]), ..Source::default() }
    }

    /// The sources of a chosen ledger column.
    pub(super) fn sources(&self, ledger: &str) -> Vec<Source> {
        let Some(choice) = self.chosen.get(ledger) else { return Vec::new() };
        if let Some(value) = &choice.constant {
            let mut sources = if ledger == "kind" && !choice.given { self.kinds_in_products() } else { Vec::new() };
            sources.push(Source { value: Some(value.clone()), ..Source::default() });
            return sources;
        }
        let mut sources: Vec<Source> = choice.picks.iter().map(|c| self.source(ledger, c.at)).collect();
        if ledger == "currency" && !choice.given {
            sources.extend(choice.picks.first().and_then(|c| self.only_currency(c.at)));
        }
        sources
    }

    /// The one currency of a bill whose currency is blank in some rows.
    fn only_currency(&self, at: usize) -> Option<Source> {
        let shape = self.bench.shapes.get(at).filter(|s| s.filled < s.rows && s.distinct == 1)?;
        let value = self.bench.sample.cells(at).next().filter(|_| shape.filled > 0)?;
        Some(Source { value: Some(value.to_owned()), ..Source::default() })
    }

    fn source(&self, ledger: &str, at: usize) -> Source {
        let mut source = self.plain(at);
        let Some(shape) = self.bench.shapes.get(at) else { return source };
        match ledger {
            "period" | "start" | "end" | "posted" => self.timed(ledger, shape, &mut source),
            "resource" => source.pattern.clone_from(&shape.labelled),
            "cost" => source.negate = self.is_negated(),
            _ => {}
        }
        source.float = shape.float && want(ledger).is_some_and(|w| w.sort == Sort::Money);
        source
    }

    fn timed(&self, ledger: &str, shape: &Shape, source: &mut Source) {
        let Some(times) = &shape.times else { return };
        source.format = Names(self.formats(times));
        // Seconds are counted in no zone but this.
        source.zone = times.formats.iter().any(|f| f == "%s").then(|| "UTC".to_owned());
        source.pattern =
            times.range.as_ref().map(|(start, end)| if ledger == "end" { end.clone() } else { start.clone() });
    }

    /// The formats of a column, with day and month as the user says they stand.
    fn formats(&self, times: &Times) -> Vec<String> {
        let swap = |f: &String| match (times.ambiguous, self.answers.constant("dates")) {
            (Some(other), Some("day-first")) if f.starts_with("%m/%d/") => other.to_owned(),
            _ => f.clone(),
        };
        times.formats.iter().map(swap).collect()
    }

    /// The kind that each cell of the column of kinds means; `None` where nobody knows.
    pub(super) fn kinds(&self, cells: &[String]) -> Vec<(String, Option<String>)> {
        let meaning = |cell: &String| {
            let said = self.answers.meaning("kind", cell).map(str::to_owned);
            said.or_else(|| words::kind(cell).map(|k| k.as_str().to_owned()))
        };
        cells.iter().map(|cell| (cell.clone(), meaning(cell))).collect()
    }

    /// Kinds that products give away: taxes and refunds have no other name in some bills.
    fn kinds_in_products(&self) -> Vec<Source> {
        let Some(choice) = self.chosen.get("sku") else { return Vec::new() };
        let mut columns: Vec<usize> = choice.picks.iter().map(|c| c.at).filter(|at| *at != usize::MAX).collect();
        columns.extend(self.described().into_iter().filter(|at| !columns.contains(at)).collect::<Vec<_>>());
        let patterns = words::kinds_of_products();
        let found = |at: usize| {
            let fits =
                |cell: &str| words::kind(cell).is_some_and(|k| patterns.iter().any(|(_, word)| word == k.as_str()));
            self.bench.sample.cells(at).any(fits)
        };
        let columns = columns.into_iter().filter(|at| found(*at));
        columns.map(|at| Source { matches: patterns.clone(), ..self.plain(at) }).collect()
    }

    /// Columns of text that name or describe what was charged.
    fn described(&self) -> Vec<usize> {
        let is = |at: &usize| {
            let (name, shape) = (&self.bench.names[*at], &self.bench.shapes[*at]);
            let named = [Word::Product, Word::Sku, Word::Spec, Word::Description, Word::Gpu]
                .iter()
                .any(|w| name.has_anywhere(*w));
            let type_of_instance = name.has(Word::Instance) && name.has(Word::Type);
            let other =
                [Word::Tags, Word::Unit, Word::Price, Word::Factor, Word::Voucher, Word::Discount, Word::Account];
            (named || type_of_instance)
                && !other.iter().any(|w| name.has(*w))
                && shape.is_text()
                && shape.structured * 2 <= shape.distinct
                && self.bench.may_read(*at)
        };
        (0..self.bench.names.len()).filter(is).collect()
    }

    /// What was charged for, by trade words in the names of products.
    pub(super) fn categories(&self) -> Vec<Source> {
        const MOST: usize = 4;
        let mut columns: Vec<usize> = Vec::new();
        for ledger in ["sku", "resource", "kind"] {
            let picks = self.chosen.get(ledger).map(|c| c.picks.as_slice()).unwrap_or_default();
            // The name of a resource is the user's: only what describes it counts.
            let describes = |at: &usize| ledger != "resource" || self.bench.names[*at].has(Word::Description);
            columns.extend(picks.iter().map(|c| c.at).filter(|at| *at != usize::MAX && describes(at)));
            if ledger == "sku" {
                columns.extend(self.described());
            }
        }
        let mut seen = BTreeSet::new();
        let columns = columns.into_iter().filter(|at| seen.insert(*at));
        let sources = columns.filter_map(|at| {
            let matches = words::category_patterns(self.bench.sample.cells(at));
            (!matches.is_empty()).then(|| Source { matches, ..self.plain(at) })
        });
        sources.take(MOST).collect()
    }

    /// Cards, by name or by instance type.
    pub(super) fn cards(&self) -> Vec<Source> {
        let mut columns: Vec<usize> = self
            .chosen
            .get("sku")
            .map(|c| c.picks.iter().map(|c| c.at).filter(|at| *at != usize::MAX).collect())
            .unwrap_or_default();
        columns.extend(self.described().into_iter().filter(|at| !columns.contains(at)).collect::<Vec<_>>());
        let mut sources = Vec::new();
        for at in columns {
            let shape = &self.bench.shapes[at];
            for (found, via) in [(shape.instances, Via::Instance), (shape.cards, Via::Card)] {
                if found > 0 {
                    sources.push(Source { via: Some(via), ..self.plain(at) });
                }
            }
        }
        sources
    }

    /// The terms, by trade words in columns of ways to pay and of kinds.
    pub(super) fn terms(&self) -> Vec<Source> {
        const MOST_WORDS: usize = 24;
        let kind = self.column("kind");
        let mut sources: Vec<(usize, Source)> = Vec::new();
        for (at, shape) in self.bench.shapes.iter().enumerate() {
            let name = &self.bench.names[at];
            let is_way =
                name.has(Word::Type) || name.has(Word::Price) && (name.has(Word::Spec) || name.has(Word::Period));
            if Some(at) != kind && !is_way
                || !shape.is_text()
                || shape.distinct > MOST_WORDS
                || !self.bench.may_read(at)
            {
                continue;
            }
            let cells: BTreeSet<&str> = self.bench.sample.cells(at).collect();
            let is: BTreeMap<String, String> = cells
                .into_iter()
                .filter_map(|cell| Some((cell.to_owned(), words::terms(cell)?.as_str().to_owned())))
                .collect();
            let told: BTreeSet<&String> = is.values().collect();
            if !is.is_empty() {
                sources.push((told.len(), Source { is: is.clone(), ..self.plain(at) }));
            }
        }
        sources.sort_by_key(|(told, _)| std::cmp::Reverse(*told));
        sources.into_iter().map(|(_, source)| source).take(3).collect()
    }

    /// Whether charges are printed as negative amounts.
    fn is_negated(&self) -> bool {
        let (up, down) = self.signs(|kind| matches!(kind, Kind::Usage | Kind::Subscription));
        down >= 3 && down > up * 4
    }

    /// Whether what is given back is printed without a sign, as if it were charged.
    pub(super) fn is_unsigned(&self) -> bool {
        let (up, down) = self.signs(|kind| matches!(kind, Kind::Refund | Kind::Credit));
        if self.is_negated() { down > 0 && up == 0 } else { up > 0 && down == 0 }
    }

    /// Positive and negative amounts of the rows of some kinds.
    fn signs(&self, of: impl Fn(Kind) -> bool) -> (usize, usize) {
        let Some(numbers) = self.column("cost").and_then(|at| self.bench.shapes.get(at)?.numbers.as_ref()) else {
            return (0, 0);
        };
        let kind = self.column("kind");
        let (mut up, mut down) = (0, 0);
        for (row, number) in self.bench.sample.rows.iter().zip(numbers) {
            let cell = kind.and_then(|at| row.get(at)).map(String::as_str);
            let meant =
                cell.and_then(|c| self.answers.meaning("kind", c).and_then(Kind::from_word).or_else(|| words::kind(c)));
            let Some(number) = number.filter(|n| !n.is_zero()) else { continue };
            if of(if kind.is_none() { Kind::Usage } else { meant.unwrap_or(Kind::Usage) }) {
                up += usize::from(number.is_sign_positive());
                down += usize::from(number.is_sign_negative());
            }
        }
        (up, down)
    }
}
