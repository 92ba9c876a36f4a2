//! Bills of several layouts, of one platform and month: a summary and its details, or other money.

use std::collections::{BTreeMap, BTreeSet};

use kashi_parsers::error::Kind as Fault;
use kashi_parsers::layout::{Bill, Layout, Platform, Platforms, Reason, Relation, Same, States, relation};
use kashi_parsers::ledger::Ledger;
use kashi_parsers::{Error, Origin, message};
use rust_decimal::Decimal;

use super::account::{Account, alike, meet, meets, totals};
use super::agreement::{Agreement, Held, net};
use super::aside::{Aside, Sums, shown, sums};
use super::scope::Scope;

/// Sets aside the summaries whose details are given, and refuses exports that nobody can tell apart.
pub(super) fn settle(
    ledger: &Ledger,
    bills: &[Bill],
    scope: &Scope,
    platforms: &Platforms,
    aside: &mut Aside,
    agreements: &mut Vec<Agreement>,
) -> Vec<Error> {
    let exports = exports(ledger, bills, scope, platforms, aside);
    if exports.len() < 2 {
        return Vec::new();
    }
    let scene = Scene { ledger, bills, scope, exports };
    let errors = scene.unknown();
    if errors.is_empty() {
        let mut held = Vec::new();
        for summary in 0..scene.exports.len() {
            scene.settle(summary, aside, &mut held);
        }
        agreements.extend(net(held, aside));
    }
    errors
}

/// The bills of one layout in a scope.
struct Export<'a> {
    platform: &'a Platform,
    layout: &'a Layout,
    bills: Vec<usize>,
    /// Their lines that count.
    lines: Vec<usize>,
    accounts: BTreeSet<Account>,
    sums: Sums,
}

/// The exports of a scope that charge for something, in the order of their layouts' names.
fn exports<'a>(
    ledger: &Ledger,
    bills: &[Bill],
    scope: &Scope,
    platforms: &'a Platforms,
    aside: &Aside,
) -> Vec<Export<'a>> {
    let mut found: BTreeMap<&str, Export<'a>> = BTreeMap::new();
    for share in &scope.shares {
        let bill = &bills[share.bill];
        let Some((platform, layout)) = platforms.layout(&bill.layout) else { continue };
        let new = || Export {
            platform,
            layout,
            bills: Vec::new(),
            lines: Vec::new(),
            accounts: BTreeSet::new(),
            sums: Sums::new(),
        };
        let export = found.entry(&bill.layout).or_insert_with(new);
        let lines: Vec<usize> = share.lines.iter().copied().filter(|line| aside.counts(*line)).collect();
        if !lines.is_empty() {
            export.bills.push(share.bill);
            export.accounts.extend(share.accounts(ledger, scope));
            export.lines.extend(lines);
        }
    }
    let mut exports: Vec<Export<'a>> = found.into_values().collect();
    for export in &mut exports {
        export.sums = sums(ledger, export.lines.iter().copied());
    }
    // Money that is paid in is no charge: a list of payments stands beside any bill.
    exports.retain(|export| export.sums.values().any(|(lines, _)| *lines > 0));
    exports
}

struct Scene<'a> {
    ledger: &'a Ledger,
    bills: &'a [Bill],
    scope: &'a Scope,
    exports: Vec<Export<'a>>,
}

impl<'a> Scene<'a> {
    fn relation(&self, one: usize, other: usize) -> Relation<'a> {
        let of = |at: usize| (self.exports[at].platform, self.exports[at].layout);
        relation(of(one), of(other))
    }

    /// Pairs of exports that may be the same money, and of which nobody has said what they are.
    fn unknown(&self) -> Vec<Error> {
        let mut errors = Vec::new();
        for one in 0..self.exports.len() {
            for other in one + 1..self.exports.len() {
                let said = [self.relation(one, other), self.relation(other, one)];
                let (a, b) = (&self.exports[one], &self.exports[other]);
                if said.contains(&Relation::Other) {
                    continue;
                }
                if !meet(&a.accounts, &b.accounts) {
                    // Platforms name an account in more than one way: the same sum is the same money.
                    if totals(&a.sums).is_some_and(|sums| Some(sums) == totals(&b.sums)) {
                        let (one, other) = (self.origin(a), self.origin(b));
                        errors.push(alike((&self.scope.platform, &self.scope.period), &one, &other, &a.sums));
                    }
                } else if said == [Relation::Unknown; 2] {
                    errors.push(self.untold(a, b));
                }
            }
        }
        errors
    }

    fn origin(&self, export: &Export<'_>) -> Origin {
        self.bills[export.bills[0]].origin.clone()
    }

    fn untold(&self, a: &Export<'_>, b: &Export<'_>) -> Error {
        let Scope { platform, period, .. } = self.scope;
        let message = message!(
            "({}, {}) and {} ({}, {}) both charge for {platform} in {period}, and it is not known whether that is the same money",
            self.bills[b.bills[0]].layout,
            shown(&b.sums),
            self.origin(a),
            self.bills[a.bills[0]].layout,
            shown(&a.sums),
        );
        let hint = message!(
            "give one of the two; if they are of different accounts, say so in kashi.toml: [[account]] platform = \"{platform}\", id = \"…\", files = [\"{}\"]; what two exports are to each other stands in a platform file: same_money_as or other_money_than",
            self.origin(b).file
        );
        Error::new(Fault::Input, message).at(self.origin(b)).hint(hint)
    }

    /// The exports that state an export's money better, each with what the platform file says of it.
    fn details(&self, summary: usize) -> Vec<(usize, &'a Same)> {
        let better = |at: usize| -> Vec<(usize, &'a Same)> {
            let found = (0..self.exports.len()).filter(|other| *other != at);
            let same = |other| match self.relation(at, other) {
                Relation::Same(same) if meet(&self.exports[at].accounts, &self.exports[other].accounts) => {
                    Some((other, same))
                }
                _ => None,
            };
            found.filter_map(same).collect()
        };
        let all = better(summary);
        let best: Vec<_> = all.iter().copied().filter(|(at, _)| better(*at).is_empty()).collect();
        if best.is_empty() { all } else { best }
    }

    fn settle(&self, summary: usize, aside: &mut Aside, held: &mut Vec<Held>) {
        let mut groups: BTreeMap<(Option<&str>, States), Vec<usize>> = BTreeMap::new();
        for (detail, same) in self.details(summary) {
            groups.entry((same.sku.as_deref(), same.states)).or_default().push(detail);
        }
        for ((sku, states), details) in groups {
            let pattern = Same { layout: String::new(), sku: sku.map(str::to_owned), states }.lines();
            let Ok(pattern) = pattern else { continue };
            let own = &self.exports[summary];
            let accounts: BTreeSet<Account> =
                details.iter().flat_map(|d| &self.exports[*d].accounts).copied().collect();
            let of = |line: &usize| {
                let sku = pattern.as_ref().is_none_or(|p| p.is_match(self.ledger.line(*line).sku()));
                sku && meets(self.scope.account(self.ledger, *line), &accounts)
            };
            let lines: Vec<usize> = own.lines.iter().copied().filter(of).collect();
            if !lines.is_empty() {
                self.agree(summary, &lines, &details, states, aside, held);
            }
        }
    }

    /// Sets lines of a summary aside and states what their details must come to.
    fn agree(
        &self,
        summary: usize,
        lines: &[usize],
        details: &[usize],
        states: States,
        aside: &mut Aside,
        held: &mut Vec<Held>,
    ) {
        let accounts: BTreeSet<Account> = lines.iter().map(|line| self.scope.account(self.ledger, *line)).collect();
        let counted = details.iter().flat_map(|detail| &self.exports[*detail].lines).copied();
        let counted = counted.filter(|line| meets(self.scope.account(self.ledger, *line), &accounts));
        let spent = |line: &usize| states != States::Spent || !self.ledger.line(*line).cost().is_sign_negative();
        let counted = counted.filter(spent);
        let (stated, counted) = (sums(self.ledger, lines.iter().copied()), sums(self.ledger, counted));
        let of: Vec<usize> = details.iter().flat_map(|detail| &self.exports[*detail].bills).copied().collect();
        for line in lines {
            aside.put(self.ledger, *line, Reason::Detailed);
        }
        self.say(summary, lines, (&stated, &counted), &of, states, aside);
        let bill = self.exports[summary].bills[0];
        let apart = !stated.is_empty() && !counted.is_empty() && stated.keys().all(|c| !counted.contains_key(c));
        if apart {
            aside.note(
                bill,
                format!(
                    "states {} in {}, and its details are in another currency, {}: whether they come to the same is undetermined",
                    shown(&stated),
                    self.scope.period,
                    shown(&counted)
                ),
            );
        }
        if states == States::Otherwise || apart {
            return;
        }
        let currencies: BTreeSet<&String> = stated.keys().chain(counted.keys()).collect();
        for currency in currencies {
            let (stated, (lines, lines_total)) = (
                stated.get(currency).map(|(_, sum)| *sum).unwrap_or_default(),
                counted.get(currency).copied().unwrap_or_default(),
            );
            if states == States::Part {
                self.contradict(bill, (stated, lines_total), currency, aside);
                continue;
            }
            let agreement = Agreement {
                origin: self.origin(&self.exports[summary]),
                details: of.iter().map(|bill| self.bills[*bill].origin.clone()).collect(),
                platform: self.scope.platform.clone(),
                period: self.scope.period.clone(),
                currency: currency.clone(),
                stated,
                lines,
                lines_total,
            };
            held.push(Held { agreement, bill, details: of.clone(), accounts: accounts.clone() });
        }
    }

    /// Notes a part that comes to more than the whole, of which nothing can be claimed.
    fn contradict(&self, bill: usize, (stated, whole): (Decimal, Decimal), currency: &str, aside: &mut Aside) {
        if stated > whole {
            let (stated, whole) = (stated.normalize(), whole.normalize());
            aside.note(bill, format!(
                "contradicts its details: {stated} {currency} in {} is part of their money and more than the whole, {whole} {currency}; nothing is claimed of it",
                self.scope.period
            ));
        }
    }

    fn say(
        &self,
        summary: usize,
        lines: &[usize],
        (stated, counted): (&Sums, &Sums),
        details: &[usize],
        states: States,
        aside: &mut Aside,
    ) {
        let files: Vec<String> = details.iter().map(|bill| self.bills[*bill].origin.to_string()).collect();
        let how = match states {
            States::All => "the same money",
            States::Spent => "what was spent of the same money",
            States::Part => "part of the same money",
            States::Otherwise => "the same money in other amounts",
        };
        let set: BTreeSet<usize> = lines.iter().copied().collect();
        for bill in &self.exports[summary].bills {
            let n = set.range(self.bills[*bill].span()).count();
            if n > 0 {
                aside.note(
                    *bill,
                    format!(
                        "states {how} of {} as {}, which has more detail and counts: {n} lines were not added ({} here, {} there)",
                        self.scope.period,
                        files.join(" and "),
                        shown(stated),
                        shown(counted),
                    ),
                );
            }
        }
    }
}
