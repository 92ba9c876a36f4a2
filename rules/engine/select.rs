//! Which rules run, with which parameters, and which of their findings the user accepts.

use std::collections::BTreeMap;

use kashi_parsers::contract::Ignore;
use kashi_parsers::{Message, message, nearest};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::case::Case;
use super::finding::{Finding, Status, Undetermined, Verdict};
use super::net::{self, Net};
use super::rule::{Rule, rules};

/// What the user chooses.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Names or codes; all rules if empty.
    pub select: Vec<String>,
    /// Parameters by rule, as text.
    pub parameters: BTreeMap<String, BTreeMap<String, String>>,
}

/// A rule's parameters: the user's, else the page's.
#[derive(Clone, Debug)]
pub struct Params {
    values: BTreeMap<String, String>,
    /// How many findings each `[[ignore]]` matched, `None` where its rule did not run; only for
    /// rules of the group `housekeeping`, which run after all others.
    pub ignored: Vec<Option<usize>>,
}

impl Params {
    /// A parameter as a number; its page guarantees that it is there and is one.
    pub fn decimal(&self, name: &str) -> Decimal {
        self.values.get(name).and_then(|v| v.parse().ok()).unwrap_or_default()
    }

    /// A parameter to choose by.
    pub fn number(&self, name: &str) -> f64 {
        self.decimal(name).to_f64().unwrap_or_default()
    }

    /// A parameter that counts.
    pub fn count(&self, name: &str) -> i64 {
        self.decimal(name).to_i64().unwrap_or_default()
    }
}

/// A rule that did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its name.
    pub rule: &'static str,
    /// The input it lacks: `usage`, `inventory`, `balance`, `contract`.
    pub lacks: String,
}

/// What the rules say of a case.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What stands, the largest amount first.
    pub findings: Vec<Finding>,
    /// What the user accepts.
    pub ignored: Vec<Finding>,
    /// What could not be said.
    pub undetermined: Vec<Undetermined>,
    /// Rules that did not run.
    pub skipped: Vec<Skipped>,
    /// What can be saved, each money counted once, by currency.
    pub net: Vec<Net>,
}

/// Applies the rules to a case.
///
/// # Errors
/// If the selection names a rule or parameter that does not exist, or a value that is no number.
pub fn run(case: &Case, selection: &Selection) -> Result<Outcome, Message> {
    let all = rules()?;
    check(all, selection, &case.contract.ignores)?;
    let chosen = |rule: &&Rule| selection.select.is_empty() || selection.select.iter().any(|s| named(rule, s));
    let mut outcome = Outcome::default();
    let mut hits = vec![None; case.contract.ignores.len()];
    let (last, first): (Vec<&Rule>, Vec<&Rule>) = all.iter().filter(chosen).partition(|r| r.group == "housekeeping");
    for rule in first.into_iter().chain(last) {
        if let Some(lacks) = rule.page.needs.iter().find(|need| !has(case, need)) {
            outcome.skipped.push(Skipped { rule: rule.name, lacks: lacks.clone() });
            continue;
        }
        let params = params(rule, selection, &hits);
        let verdict = (rule.check)(case, &params);
        for (hit, ignore) in hits.iter_mut().zip(&case.contract.ignores) {
            if named(rule, &ignore.rule) {
                hit.get_or_insert(0);
            }
        }
        take(rule, verdict, case, &mut hits, &mut outcome);
    }
    outcome.findings.sort_by(order);
    outcome.net = net::net(case, &mut outcome.findings);
    Ok(outcome)
}

/// The largest amount first; then the more severe, then by name and id.
fn order(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    let amount = |f: &Finding| f.amount.as_ref().map(|a| a.value).unwrap_or_default();
    amount(b)
        .cmp(&amount(a))
        .then_with(|| b.severity.cmp(&a.severity))
        .then_with(|| a.rule.cmp(b.rule))
        .then_with(|| a.resource.cmp(&b.resource))
        .then_with(|| a.id().cmp(&b.id()))
}

fn take(rule: &'static Rule, verdict: Verdict, case: &Case, hits: &mut [Option<usize>], outcome: &mut Outcome) {
    for mut finding in verdict.findings {
        finding.rule = rule.name;
        finding.settle(&rule.page);
        match case.contract.ignores.iter().position(|i| matches(rule, i, &finding, case)) {
            Some(at) => {
                *hits[at].get_or_insert(0) += 1;
                let ignore = &case.contract.ignores[at];
                finding.status = Status::Ignored { reason: ignore.reason.clone(), until: ignore.until };
                outcome.ignored.push(finding);
            }
            None => outcome.findings.push(finding),
        }
    }
    for mut undetermined in verdict.undetermined {
        undetermined.rule = rule.name;
        outcome.undetermined.push(undetermined);
    }
}

fn matches(rule: &Rule, ignore: &Ignore, finding: &Finding, case: &Case) -> bool {
    named(rule, &ignore.rule)
        && ignore.resource.as_ref().is_none_or(|r| finding.resource.as_ref() == Some(r))
        && ignore.until.is_none_or(|until| until >= case.last_day())
}

fn named(rule: &Rule, word: &str) -> bool {
    rule.name == word || rule.page.code.eq_ignore_ascii_case(word)
}

fn has(case: &Case, need: &str) -> bool {
    match need {
        "usage" => !case.usage.is_empty(),
        "inventory" => !case.inventory.is_empty(),
        _ => true,
    }
}

fn params(rule: &Rule, selection: &Selection, hits: &[Option<usize>]) -> Params {
    let mut values: BTreeMap<String, String> =
        rule.page.parameters.iter().map(|p| (p.name.clone(), p.default.clone())).collect();
    for (name, given) in &selection.parameters {
        if named(rule, name) {
            values.extend(given.iter().map(|(k, v)| (k.clone(), v.clone())));
        }
    }
    Params { values, ignored: if rule.group == "housekeeping" { hits.to_vec() } else { Vec::new() } }
}

fn check(all: &'static [Rule], selection: &Selection, ignores: &[Ignore]) -> Result<(), Message> {
    let find = |word: &str| all.iter().find(|r| named(r, word));
    let unknown = |word: &str, at: &str| {
        let near = nearest(word, all.iter().map(|r| r.name));
        message!(
            "{at} names the rule \"{word}\", which does not exist{}",
            near.map(|n| message!("; did you mean \"{n}\"?")).unwrap_or_else(|| message!("; `kashi rules` lists them"))
        )
    };
    for word in &selection.select {
        find(word).ok_or_else(|| unknown(word, "--select"))?;
    }
    for ignore in ignores {
        find(&ignore.rule).ok_or_else(|| unknown(&ignore.rule, "[[ignore]]"))?;
    }
    for (word, given) in &selection.parameters {
        let rule = find(word).ok_or_else(|| unknown(word, "[rules]"))?;
        for (name, value) in given {
            if !rule.page.parameters.iter().any(|p| p.name == *name) {
                let known: Vec<&str> = rule.page.parameters.iter().map(|p| p.name.as_str()).collect();
                return Err(message!(
                    "[rules.{word}] has no parameter \"{name}\"; expected one of {}",
                    known.join(", ")
                ));
            }
            if value.parse::<Decimal>().is_err() {
                return Err(message!("[rules.{word}] {name} = {value:?} is not a number; expected one such as \"5\""));
            }
        }
    }
    Ok(())
}
