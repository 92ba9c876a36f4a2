//! Which column fills which ledger column: one choice after the other, each aware of those before.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::{Answer, Answers};
use super::bench::{Bench, Candidate};
use super::wants::{Sort, want, wants};
use crate::ledger::time::Zone;

/// Under this a time is named by no more than being one.
const NAMED: i32 = 70;

/// What fills one ledger column.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The columns, tried in order; none for a constant.
    pub(super) picks: Vec<Candidate>,
    /// The same value in every row.
    pub(super) constant: Option<String>,
    /// The next best column that nothing else is filled from.
    pub(super) rival: Option<Candidate>,
    /// Whether the user said so.
    pub(super) given: bool,
}

/// Chooses.
#[derive(Debug)]
pub(super) struct Chooser<'a> {
    pub(super) bench: &'a Bench<'a>,
    pub(super) answers: &'a Answers,
    pub(super) chosen: BTreeMap<&'static str, Choice>,
    /// Columns that were not taken over, and why.
    pub(super) left: BTreeMap<usize, String>,
    /// What the user should know.
    pub(super) notes: Vec<String>,
}

impl<'a> Chooser<'a> {
    pub(super) fn new(bench: &'a Bench<'a>, answers: &'a Answers) -> Self {
        let mut chooser = Self { bench, answers, chosen: BTreeMap::new(), left: BTreeMap::new(), notes: Vec::new() };
        for want in wants() {
            chooser.answered(want.ledger);
        }
        chooser
    }

    /// The first column of a ledger column, if one was chosen.
    pub(super) fn column(&self, ledger: &str) -> Option<usize> {
        self.chosen.get(ledger)?.picks.first().map(|c| c.at)
    }

    /// Whether a ledger column is settled: chosen, or said to be nothing.
    pub(super) fn is_settled(&self, ledger: &str) -> bool {
        self.chosen.contains_key(ledger) || self.answers.get(ledger) == Some(&Answer::Nothing)
    }

    /// Whether a column fills some ledger column of a sort already.
    pub(super) fn is_used(&self, at: usize, sort: Sort) -> bool {
        let of_sort = |ledger: &str| want(ledger).is_some_and(|w| w.sort == sort);
        self.chosen.iter().any(|(ledger, choice)| of_sort(ledger) && choice.picks.iter().any(|c| c.at == at))
    }

    /// The candidates that nothing of the same sort is filled from.
    pub(super) fn free(&self, ledger: &'static str) -> Vec<Candidate> {
        let Some(want) = want(ledger) else { return Vec::new() };
        self.bench.candidates(want).into_iter().filter(|c| !self.is_used(c.at, want.sort)).collect()
    }

    /// Chooses the best candidate that is accepted.
    pub(super) fn pick(&mut self, ledger: &'static str, accept: impl Fn(&Candidate) -> bool) -> Option<usize> {
        if self.is_settled(ledger) {
            return self.column(ledger);
        }
        let best = self.free(ledger).into_iter().find(accept)?;
        Some(self.take(ledger, best))
    }

    /// Fills a ledger column from a candidate.
    pub(super) fn take(&mut self, ledger: &'static str, best: Candidate) -> usize {
        let at = best.at;
        self.chosen.insert(ledger, Choice { picks: vec![best], constant: None, rival: None, given: false });
        at
    }

    /// Fills a ledger column with a constant.
    pub(super) fn constant(&mut self, ledger: &'static str, value: &str, why: &str, sure: i32) {
        let said = Candidate { at: usize::MAX, score: sure, why: vec![why.to_owned()], proven: false };
        let choice = Choice { picks: vec![said], constant: Some(value.to_owned()), rival: None, given: false };
        self.chosen.insert(ledger, choice);
    }

    fn answered(&mut self, ledger: &'static str) {
        let said = |at: usize| Candidate { at, score: 1000, why: vec!["as you said".to_owned()], proven: true };
        let choice = match self.answers.get(ledger) {
            Some(Answer::Columns(columns)) => {
                let header = super::super::header::Header::new(self.bench.sample.names.clone());
                let places = columns.iter().filter_map(|c| header.find(std::slice::from_ref(c)));
                Choice { picks: places.map(said).collect(), constant: None, rival: None, given: true }
            }
            Some(Answer::Constant(value)) => {
                Choice { picks: vec![said(usize::MAX)], constant: Some(value.clone()), rival: None, given: true }
            }
            Some(Answer::Nothing) | None => return,
        };
        self.chosen.insert(ledger, choice);
    }

    /// Chooses the times: the best fit of all first, each column once.
    pub(super) fn times(&mut self) {
        const LEDGER: [&str; 4] = ["period", "start", "end", "posted"];
        let mut all: Vec<(&'static str, Candidate)> = Vec::new();
        for ledger in LEDGER.into_iter().filter(|l| !self.is_settled(l)) {
            all.extend(self.bench.of(ledger).into_iter().map(|c| (ledger, c)));
        }
        all.sort_by_key(|(_, c)| -c.score);
        for (ledger, candidate) in all {
            let at = candidate.at;
            let range = self.bench.shapes[at].times.as_ref().is_some_and(|t| t.range.is_some());
            if self.is_settled(ledger) || self.is_used(at, Sort::Time) && !range {
                continue;
            }
            // Beside a charged time, a time of no name (of the export, of a partition) is not when it was charged.
            if ledger == "posted" && candidate.score < NAMED && self.chosen.contains_key("start") {
                continue;
            }
            if ledger == "end" && self.column("start").is_some_and(|start| start != at && !self.follows(start, at)) {
                self.left.insert(at, format!("it lies before \"{}\" in some rows", self.name_of("start")));
                continue;
            }
            self.take(ledger, candidate);
        }
        self.untimely();
        self.inclusive();
    }

    /// Says what the ends of a bill's times may mean.
    fn inclusive(&mut self) {
        let end =
            self.column("end").and_then(|at| self.bench.shapes.get(at)?.times.as_ref().map(|t| (at, t.inclusive)));
        if let Some((at, true)) = end {
            let name = &self.bench.sample.names[at];
            self.notes.push(format!("\"{name}\" ends a second before the full hour or day: each charged time is a second short in the ledger, its quantity and cost are not"));
        }
    }

    /// An end without a start, or a range read on one side only, says nothing.
    fn untimely(&mut self) {
        let (Some(end), false) = (self.column("end"), self.chosen.get("end").is_some_and(|c| c.given)) else { return };
        let start = self.column("start");
        let is_range = |at: usize| self.bench.shapes[at].times.as_ref().is_some_and(|t| t.range.is_some());
        if start.is_none()
            || is_range(end) && start != Some(end)
            || start.is_some_and(|s| s != end && !self.follows(s, end))
        {
            self.chosen.remove("end");
        }
    }

    /// Whether a time is never before another in the same row.
    pub(super) fn follows(&self, start: usize, end: usize) -> bool {
        let (Some(a), Some(b)) = (&self.bench.shapes[start].times, &self.bench.shapes[end].times) else { return false };
        self.bench.sample.rows.iter().all(|row| {
            let cell = |at: usize| row.get(at).map(String::as_str).unwrap_or_default();
            match (a.read(cell(start), Zone::utc()), b.read(cell(end), Zone::utc())) {
                (Some(start), Some(end)) => start <= end,
                _ => true,
            }
        })
    }

    /// The name of the column that a ledger column is filled from.
    pub(super) fn name_of(&self, ledger: &str) -> &str {
        self.column(ledger).and_then(|at| self.bench.sample.names.get(at)).map_or("", String::as_str)
    }

    /// Finds for each choice the next best column, for the doubt that it leaves.
    pub(super) fn rivals(&mut self) {
        let ledgers: Vec<&'static str> = self.chosen.keys().copied().collect();
        for ledger in ledgers {
            let Some(first) = self.column(ledger).filter(|at| *at != usize::MAX) else { continue };
            let rival = self.free(ledger).into_iter().find(|c| !self.same_values(ledger, first, c.at));
            if let Some(choice) = self.chosen.get_mut(ledger) {
                choice.rival = rival;
            }
        }
    }

    /// Whether two columns say the same: in every row that has both, or, of words, one for one.
    fn same_values(&self, ledger: &str, a: usize, b: usize) -> bool {
        let rows = &self.bench.sample.rows;
        let both: BTreeSet<(&str, &str)> = rows
            .iter()
            .filter_map(|row| Some((row.get(a)?.as_str(), row.get(b)?.as_str())))
            .filter(|(a, b)| !a.is_empty() && !b.is_empty())
            .collect();
        if both.iter().all(|(a, b)| a == b) || self.bench.numbers.equal(a, b) {
            return true;
        }
        let is_text = want(ledger).is_some_and(|w| w.sort == Sort::Text) && ledger != "currency";
        let (left, right): (BTreeSet<&str>, BTreeSet<&str>) = both.iter().copied().unzip();
        is_text && left.len() == both.len() && right.len() == both.len()
    }

    /// A line needs the name of a product: what names the kind, or the kind itself.
    pub(super) fn named_at_least(&mut self) {
        if self.chosen.contains_key("sku") {
            return;
        }
        match self.column("kind").filter(|at| *at != usize::MAX) {
            Some(at) => {
                let why =
                    vec!["no column names a product; this one says at least what kind of charge it is".to_owned()];
                self.take("sku", Candidate { at, score: 66, why, proven: false });
            }
            None => self.constant("sku", "usage", "no column names a product", 50),
        }
    }

    /// Whether every time that is read carries its own zone.
    pub(super) fn is_zoned(&self) -> bool {
        let used = ["start", "end", "posted"].into_iter().filter_map(|l| self.column(l));
        let mut times = used.filter_map(|at| self.bench.shapes.get(at)?.times.as_ref());
        times.all(|t| t.zoned)
    }

    /// The zone of the times, and why.
    pub(super) fn zone(&self) -> (String, String) {
        let said = |zone: &str, why: &str| (zone.to_owned(), why.to_owned());
        if let Some(zone) = self.answers.constant("zone") {
            return said(zone, "as you said");
        }
        let zone = if self.bench.is_chinese() { "+08:00" } else { "UTC" };
        if ["start", "end", "posted"].iter().all(|l| self.column(l).is_none()) {
            return said(zone, "only months are read, which have none");
        }
        if self.is_zoned() {
            return said(zone, "every time that is read carries its own zone");
        }
        let why = if zone == "UTC" {
            "nothing says so; most exports in English print it"
        } else {
            "nothing says so; the header is Chinese"
        };
        said(zone, why)
    }
}
