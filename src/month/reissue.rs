//! Bills of one layout, platform and month: parts of it, the same export again, or a restatement.

use std::collections::{BTreeMap, BTreeSet};

use kashi_parsers::error::Kind as Fault;
use kashi_parsers::layout::{Bill, Reason};
use kashi_parsers::ledger::Ledger;
use kashi_parsers::{Error, message};

use super::account::Account;
use super::aside::{Aside, less, shown, signed, sums};
use super::compared::{Compared, Told, key, told_by};
use super::issued::issued;
use super::scope::{Scope, Share};
use super::twice;

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
        errors.extend(twice::named(ledger, bills, scope, &shares));
        for shares in by_account(ledger, scope, &shares) {
            errors.extend(Reissue { ledger, bills, scope, shares: &shares }.settle(aside));
        }
    }
    errors
}

/// Bills of several accounts never state each other's charges; a bill that names none may.
fn by_account(ledger: &Ledger, scope: &Scope, shares: &[&Share]) -> Vec<Vec<Share>> {
    let mut accounts: BTreeMap<Account, BTreeMap<usize, Share>> = BTreeMap::new();
    for share in shares {
        // Lines of one account follow each other.
        let account = |line: &usize| scope.account(ledger, *line);
        for lines in share.lines.chunk_by(|a, b| account(a) == account(b)) {
            let of = accounts.entry(lines.first().and_then(account)).or_default();
            let new = || Share { bill: share.bill, lines: Vec::new() };
            of.entry(share.bill).or_insert_with(new).lines.extend(lines);
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
    /// This side has lines that are in the other too.
    Again(usize),
    /// This side is newer.
    Restated(usize, &'static str),
    /// Nothing says.
    Open,
}

impl Reissue<'_> {
    fn settle(&self, aside: &mut Aside) -> Vec<Error> {
        let references: Vec<&Share> = self.shares.iter().collect();
        let columns = told_by(self.ledger, self.scope, &references);
        let mut errors = twice::grouped(self.ledger, self.bills, self.scope, self.shares);
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

    /// The pairs of bills that have a charge in common.
    fn pairs(&self, columns: &Told<'_>) -> BTreeSet<(usize, usize)> {
        let of = |(at, share): (usize, &Share)| -> Vec<(u64, usize)> {
            share.lines.iter().map(|line| (key(self.ledger, *line, columns), at)).collect()
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
            ([0, 0], newer) => Verdict::Again(newer.map_or_else(|| self.lesser(), |(newer, _)| 1 - newer)),
            ([0, _], _) => Verdict::Again(0),
            ([_, 0], _) => Verdict::Again(1),
            (_, Some((newer, why))) if !c.changed.is_empty() || c.covers(newer) => {
                match c.is_thinned(self.of.ledger, 1 - newer) {
                    // An export of some products would wipe the others.
                    true => Verdict::Open,
                    false => Verdict::Restated(newer, why),
                }
            }
            // Each has charges of its own, and what both have is the same: days that two files share.
            _ if c.changed.is_empty() => Verdict::Again(1),
            _ => Verdict::Open,
        }
    }

    /// Of two that say the same, the one that does not count: the second, unless only it names an account.
    fn lesser(&self) -> usize {
        let named = |side: usize| {
            let lines = self.compared.lines(side);
            lines.iter().any(|line| self.of.scope.account(self.of.ledger, *line).is_some())
        };
        usize::from(named(0) || !named(1))
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
        let last = self.compared.last;
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
        let lines: BTreeSet<usize> = self.compared.matched.iter().map(|lines| lines[side]).collect();
        for line in &lines {
            aside.put(self.of.ledger, *line, Reason::Repeated);
        }
        let whole = lines.len() == self.of.bills[self.bills[side]].lines;
        let which =
            if whole { format!("all of its lines ({})", lines.len()) } else { format!("{} of its lines", lines.len()) };
        aside.note(
            self.bills[side],
            format!(
                "{which} of {}, {}, are in {} too and were not counted again",
                self.of.scope.period,
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
            format!(
                "{} lines of {} are stated anew in {}, which counts{rest}",
                lines.len(),
                self.of.scope.period,
                self.shown(newer)
            ),
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
        let named = self.of.shares.iter().flat_map(|share| share.lines.first());
        let thinned = self.newer().is_some_and(|(newer, _)| c.is_thinned(self.of.ledger, 1 - newer));
        let hint = match named.copied().all(|line| self.of.ledger.line(line).account().is_some()) {
            _ if thinned => message!(
                "the newer export may be of some products only, since it lacks many lines of the older one: export the whole month anew and give only that"
            ),
            true => message!("give only the newer export; two parts of one month have no charges in common"),
            false => message!(
                "give only the newer export; if these are bills of different accounts, say so in kashi.toml: [[account]] platform = \"{platform}\", id = \"…\", files = [\"{}\"]",
                self.file(1)
            ),
        };
        Error::new(Fault::Input, message).at(self.of.bills[self.bills[1]].origin.clone()).hint(hint)
    }
}
