//! Bills of one layout, platform and month: parts of it, the same export again, or a restatement.

use std::collections::{BTreeMap, BTreeSet};

use kashi_parsers::error::Kind as Fault;
use kashi_parsers::layout::{Bill, Reason};
use kashi_parsers::ledger::{Ledger, TextColumn};
use kashi_parsers::{Error, message};
use rust_decimal::Decimal;

use super::aside::{Aside, less, shown, signed, sums};
use super::compared::{Compared, charge, told_by};
use super::issued::issued;
use super::scope::{Account, Scope, Share};

/// Rows that a note names.
const ROWS: usize = 5;

/// Sets aside what bills of one layout state again.
pub(super) fn settle(ledger: &Ledger, bills: &[Bill], scope: &Scope, aside: &mut Aside) -> Vec<Error> {
    let mut by_layout: BTreeMap<&str, Vec<&Share>> = BTreeMap::new();
    for share in &scope.shares {
        by_layout.entry(&bills[share.bill].layout).or_default().push(share);
    }
    let mut errors = Vec::new();
    for shares in by_layout.into_values().filter(|shares| shares.len() > 1) {
        for shares in by_account(ledger, &shares) {
            errors.extend(Reissue { ledger, bills, scope, shares: &shares }.settle(aside));
        }
    }
    errors
}

/// Bills of several accounts never state each other's charges; a bill that names none may.
fn by_account(ledger: &Ledger, shares: &[&Share]) -> Vec<Vec<Share>> {
    let mut accounts: BTreeMap<Account, BTreeMap<usize, Share>> = BTreeMap::new();
    for share in shares {
        for line in &share.lines {
            let of = accounts.entry(ledger.code(TextColumn::Account, *line)).or_default();
            let new = || Share { bill: share.bill, lines: Vec::new() };
            of.entry(share.bill).or_insert_with(new).lines.push(*line);
        }
    }
    if accounts.contains_key(&None) {
        return vec![shares.iter().map(|share| (*share).clone()).collect()];
    }
    // In the order of the shares, which is that of the bills' names.
    let ordered = |mut of: BTreeMap<usize, Share>| shares.iter().filter_map(|s| of.remove(&s.bill)).collect();
    accounts.into_values().map(ordered).filter(|shares: &Vec<Share>| shares.len() > 1).collect()
}

struct Reissue<'a> {
    ledger: &'a Ledger,
    bills: &'a [Bill],
    scope: &'a Scope,
    shares: &'a [Share],
}

/// What two bills are to each other.
enum Verdict {
    /// Parts of a month, with so many charges that look alike.
    Parts(usize),
    /// The lines of this side are all in the other.
    Again(usize),
    /// This side is newer.
    Restated(usize, &'static str),
    /// Nothing says.
    Open,
}

impl Reissue<'_> {
    fn settle(&self, aside: &mut Aside) -> Vec<Error> {
        let references: Vec<&Share> = self.shares.iter().collect();
        let columns = told_by(self.ledger, &references);
        let mut errors = self.grouped_otherwise();
        for (a, b) in self.pairs(&columns) {
            let alive = [a, b].map(|at| {
                let lines = self.shares[at].lines.iter().copied();
                lines.filter(|line| aside.counts(*line)).collect::<Vec<usize>>()
            });
            let compared = Compared::new(self.ledger, [&alive[0], &alive[1]], &columns);
            let pair = Pair { of: self, bills: [self.shares[a].bill, self.shares[b].bill], compared };
            errors.extend(pair.settle(aside));
        }
        errors
    }

    /// Bills of which one names resources and the other none, and which come to the same: one export,
    /// grouped in two ways. Sums of binary floats differ in their last digits.
    fn grouped_otherwise(&self) -> Vec<Error> {
        let named = |share: &Share| share.lines.iter().any(|l| self.ledger.code(TextColumn::Resource, *l).is_some());
        let (named, unnamed): (Vec<&Share>, Vec<&Share>) = self.shares.iter().partition(|share| named(share));
        if named.is_empty() || unnamed.is_empty() {
            return Vec::new();
        }
        let sum = |share: &Share| -> Vec<(String, Decimal)> {
            let sums = sums(self.ledger, share.lines.iter().copied());
            sums.into_iter().map(|(currency, (_, sum))| (currency, sum.round_dp(6))).collect()
        };
        let mut errors = Vec::new();
        for one in &named {
            for other in unnamed.iter().filter(|other| sum(one) == sum(other)) {
                let [one, other] = [one, other].map(|share| &self.bills[share.bill].origin);
                let message = message!(
                    "comes to the same as {one} for {} in {}, which names resources and it does not: one export, grouped in two ways",
                    self.scope.platform,
                    self.scope.period
                );
                errors.push(
                    Error::new(Fault::Input, message).at(other.clone()).hint("give the one that names resources"),
                );
            }
        }
        errors
    }

    /// The pairs of bills that have a charge in common.
    fn pairs(&self, columns: &[TextColumn]) -> BTreeSet<(usize, usize)> {
        let of = |(at, share): (usize, &Share)| -> Vec<(u64, usize)> {
            share.lines.iter().map(|line| (charge(self.ledger, *line, columns).key, at)).collect()
        };
        let mut keys: Vec<(u64, usize)> = self.shares.iter().enumerate().flat_map(of).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut pairs = BTreeSet::new();
        for same in keys.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            for (at, (_, one)) in same.iter().enumerate() {
                pairs.extend(same[at + 1..].iter().map(|(_, other)| (*one, *other)));
            }
        }
        pairs
    }
}

struct Pair<'a> {
    of: &'a Reissue<'a>,
    bills: [usize; 2],
    compared: Compared,
}

impl Pair<'_> {
    fn settle(&self, aside: &mut Aside) -> Option<Error> {
        match self.verdict() {
            Verdict::Parts(0) => {}
            Verdict::Parts(alike) => aside.note(
                self.bills[1],
                format!(
                    "is added to {}: {alike} of its charges are named like charges there, too few to be the same bill again",
                    self.file(0)
                ),
            ),
            Verdict::Again(side) => self.repeated(side, aside),
            Verdict::Restated(newer, why) => self.restated(newer, why, aside),
            Verdict::Open => return Some(self.open()),
        }
        None
    }

    /// Few charges that look alike are chance (a layout may not tell all of them apart); where half of
    /// them or more do, it is the same money; in between nobody can know.
    fn verdict(&self) -> Verdict {
        let c = &self.compared;
        let smaller = c.distinct[0].min(c.distinct[1]);
        if c.shared * 10 < smaller || c.shared == 0 {
            return Verdict::Parts(c.shared);
        }
        if c.shared * 2 < smaller {
            return Verdict::Open;
        }
        match (c.own, self.newer()) {
            ([0, 0], newer) => Verdict::Again(newer.map_or(1, |(newer, _)| 1 - newer)),
            ([0, _], _) => Verdict::Again(0),
            ([_, 0], _) => Verdict::Again(1),
            (_, Some((newer, why))) => Verdict::Restated(newer, why),
            (_, None) => Verdict::Open,
        }
    }

    /// Which of the two is newer, and how that is known.
    fn newer(&self) -> Option<(usize, &'static str)> {
        let stamps = [0, 1].map(|side| issued(self.file(side)));
        if let [Some(a), Some(b)] = stamps
            && a != b
        {
            return Some((usize::from(b > a), "by the time of export in its name"));
        }
        // A bill that knows of later charges was exported later, if it lacks none of the other's.
        let last = [0, 1]
            .map(|side| self.compared.lines(side).into_iter().filter_map(|l| self.of.ledger.line(l).posted()).max());
        let newer = usize::from(last[1] > last[0]);
        let known = last[0].is_some() && last[1].is_some() && last[0] != last[1];
        (known && self.compared.alone[1 - newer] == 0).then_some((newer, "it has later charges and lacks none"))
    }

    fn file(&self, side: usize) -> &str {
        &self.of.bills[self.bills[side]].origin.file
    }

    fn shown(&self, side: usize) -> String {
        self.of.bills[self.bills[side]].origin.to_string()
    }

    fn repeated(&self, side: usize, aside: &mut Aside) {
        let lines = self.compared.lines(side);
        for line in &lines {
            aside.put(self.of.ledger, *line, Reason::Repeated);
        }
        let whole = lines.len() == self.of.bills[self.bills[side]].lines;
        let which =
            if whole { format!("all of its lines ({})", lines.len()) } else { format!("{} of its lines", lines.len()) };
        aside.note(
            self.bills[side],
            format!(
                "{which}, {}, are in {} too and were not counted again",
                shown(&sums(self.of.ledger, lines)),
                self.shown(1 - side)
            ),
        );
    }

    fn restated(&self, newer: usize, why: &str, aside: &mut Aside) {
        let older = 1 - newer;
        let lines = self.compared.lines(older);
        for line in &lines {
            aside.put(self.of.ledger, *line, Reason::Restated);
        }
        let left = self.of.bills[self.bills[older]].lines - lines.len();
        let rest = if left > 0 { format!(" ({left} other lines of it count)") } else { String::new() };
        aside.note(
            self.bills[older],
            format!("{} lines are stated anew in {}, which counts{rest}", lines.len(), self.shown(newer)),
        );
        aside.note(
            self.bills[newer],
            format!("restates {}; it is newer ({why}) and counts: {}", self.shown(older), self.difference(older)),
        );
    }

    /// What the other side changes, by row and by currency.
    fn difference(&self, older: usize) -> String {
        let (c, newer) = (&self.compared, 1 - older);
        let rows = c.changed.iter().take(ROWS).map(|pair| {
            let pair = [pair.0, pair.1].map(|line| self.of.ledger.line(line));
            let (was, is) = (pair[older], pair[newer]);
            format!(
                "row {} {} is {} {} (row {})",
                was.row(),
                was.cost().normalize(),
                is.cost().normalize(),
                is.currency(),
                is.row()
            )
        });
        let mut said: Vec<String> = rows.collect();
        if c.changed.len() > ROWS {
            said.push(format!("and {} more", c.changed.len() - ROWS));
        }
        let changed = if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
        let sums = [0, 1].map(|side| sums(self.of.ledger, c.lines(side)));
        format!(
            "{} charges with other amounts{changed}, {} no longer there, {} new; in all {}",
            c.changed.len(),
            c.alone[older],
            c.alone[newer],
            signed(&less(&sums[newer], &sums[older]))
        )
    }

    fn open(&self) -> Error {
        let platform = &self.of.scope.platform;
        let c = &self.compared;
        let message = message!(
            "states {} charges of {platform} in {} that {} states too, and it is not known whether it replaces it: {}",
            c.shared,
            self.of.scope.period,
            self.shown(0),
            self.difference(0)
        );
        let hint = message!(
            "give only the newer export; if these are bills of different accounts, say so in kashi.toml: [[account]] platform = \"{platform}\", id = \"…\", files = [\"{}\"]",
            self.file(1)
        );
        Error::new(Fault::Input, message).at(self.of.bills[self.bills[1]].origin.clone()).hint(hint)
    }
}
