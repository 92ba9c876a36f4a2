//! Every rule's page is true: its examples are run, its words are whole, its headings are there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kashi::config::Config;
use kashi_parsers::inventory;
use kashi_parsers::layout::{self, shipped};
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::ledger::{Ledger, Lines};
use kashi_parsers::open::Table;
use kashi_parsers::usage::read_hours_csv;
use kashi_rules::{Case, Example, Footing, Inputs, Language, Outcome, Rule, Selection, rules, run};

use crate::golden;

const HEADINGS: [&str; 6] =
    ["What it finds", "Why it costs you", "How the amount is worked out", "Example", "When it is right", "What to do"];
const ZH_HEADINGS: [&str; 6] = ["找什么", "为什么费钱", "金额怎么算", "例子", "什么时候没问题", "怎么办"];

fn page(rule: &Rule, zh: bool) -> PathBuf {
    Path::new("rules").join(rule.group).join(format!("{}{}.md", rule.name, if zh { ".zh" } else { "" }))
}

/// The text of a block of a case, empty if the page has none.
fn block<'a>(examples: &'a [Example], case: &str, role: &str) -> Option<&'a str> {
    examples.iter().find(|e| e.case == case && e.role == role).map(|e| e.text.as_str())
}

/// The case that the blocks of an example make.
fn case(examples: &[Example], case: &str) -> Case {
    let config = Config::parse(block(examples, case, "config").unwrap_or_default(), "kashi.toml").unwrap();
    let mut lines = Lines::new();
    let table = Table::from_text("bill.csv", block(examples, case, "bill").unwrap());
    let claim = layout::identify(&table, shipped().unwrap()).unwrap();
    let bill = layout::read(&table, &claim, config.given(), &mut lines).unwrap();
    assert!(bill.refusals.is_empty(), "{:?}", bill.refusals);
    let read = kashi::bills::Bills {
        ledger: Ledger::new(lines),
        bills: vec![bill],
        agreements: Vec::new(),
        aside: Vec::new(),
    };
    let footings: Vec<Footing> = kashi::footings::footings(&read, &config.statement).unwrap();
    let usage = block(examples, case, "usage").map(|t| read_hours_csv(t, "usage.csv").unwrap()).unwrap_or_default();
    let inventory =
        block(examples, case, "inventory").map(|t| inventory::parse(t, "inventory.csv").unwrap()).unwrap_or_default();
    let period = config.period.clone().or_else(|| kashi::audit::period(&read)).unwrap();
    let zone = config.zone.as_deref().map_or_else(Zone::utc, |z| Zone::parse(z).unwrap());
    let (contract, platforms) = (config.contract(), shipped().unwrap().clone());
    Case::new(Inputs { ledger: read.ledger, usage, contract, inventory, footings, platforms, period, zone }).unwrap()
}

/// What one rule says, a line a finding.
fn said(rule: &Rule, outcome: &Outcome) -> String {
    let mut text = String::new();
    for finding in outcome.findings.iter().filter(|f| f.rule == rule.name) {
        let money = finding.amount.as_ref().map_or("no amount".to_owned(), |a| {
            format!("{} {} {}", kashi::report::amount(a.value), a.currency, a.kind.as_str())
        });
        let rows: Vec<String> = finding.evidence.iter().map(|o| format!("{}:{}", o.file, o.row)).collect();
        let subject = finding.resource.as_deref().unwrap_or(&finding.platform);
        let sentence = rule.page.sentence(finding.sentence, &finding.values, Language::En);
        let _ = writeln!(text, "{} {subject} | {money} | {} | {sentence}", rule.name, rows.join(" "));
    }
    text
}

fn judged(rule: &Rule, examples: &[Example], of: &str) -> Outcome {
    let config = Config::parse(block(examples, of, "config").unwrap_or_default(), "kashi.toml").unwrap();
    let parameters = config
        .rules
        .iter()
        .map(|(rule, given)| {
            let text = |v: &toml::Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
            (rule.clone(), given.iter().map(|(k, v)| (k.clone(), text(v))).collect())
        })
        .collect();
    let case = case(examples, of);
    let outcome = run(&case, &Selection { parameters, ..Selection::default() }).unwrap();
    for finding in &outcome.findings {
        let page = &kashi_rules::rule(finding.rule).unwrap().page;
        for language in [Language::En, Language::Zh] {
            for text in [
                page.sentence(finding.sentence, &finding.values, language),
                page.action(finding.sentence, &finding.values, language),
            ] {
                assert!(!text.is_empty() && !text.contains('{'), "{} of {}: {text:?}", finding.rule, rule.name);
            }
        }
    }
    for open in &outcome.undetermined {
        let page = &kashi_rules::rule(open.rule).unwrap().page;
        for language in [Language::En, Language::Zh] {
            let text = page.reason(open.reason, &open.values, language);
            assert!(!text.is_empty() && !text.contains('{'), "{}: {text:?}", open.rule);
        }
    }
    let paid: rust_decimal::Decimal = case.charges().map(|l| l.cost().max(rust_decimal::Decimal::ZERO)).sum();
    let saved: rust_decimal::Decimal = outcome.findings.iter().filter(|f| !f.claims.is_empty()).map(|f| f.net).sum();
    assert!(saved <= paid, "{}: {saved} saved of {paid} paid", rule.name);
    outcome
}

#[test]
fn every_page_fires_and_stays_silent_as_it_says() {
    for rule in rules().unwrap() {
        let examples = rule.page.examples();
        let silent = judged(rule, &examples, "silent");
        assert_eq!(said(rule, &silent), "", "{} is not silent", rule.name);
        if rule.page.amount.is_none() && block(&examples, "fires", "bill").is_none() {
            // A rule that only counts what it cannot say: its example shows that it does.
            assert!(silent.undetermined.iter().any(|u| u.rule == rule.name), "{} says nothing", rule.name);
            continue;
        }
        let fires = judged(rule, &examples, "fires");
        let text = said(rule, &fires);
        assert!(!text.is_empty(), "{} does not fire on its own page", rule.name);
        let path = page(rule, false);
        let whole = std::fs::read_to_string(&path).unwrap();
        let mark = "```text fires expected\n";
        let start = whole.find(mark).unwrap_or_else(|| panic!("{}: no {mark}", path.display())) + mark.len();
        let end = start + whole[start..].find("```").unwrap();
        golden::check(&path, &format!("{}{text}{}", &whole[..start], &whole[end..]));
    }
}

#[test]
fn every_page_has_its_headings_in_both_languages() {
    for rule in rules().unwrap() {
        for (zh, headings) in [(false, HEADINGS), (true, ZH_HEADINGS)] {
            let text = std::fs::read_to_string(page(rule, zh)).unwrap();
            let mut fenced = false;
            let found: Vec<&str> = text
                .lines()
                .filter(|l| {
                    fenced ^= l.starts_with("```");
                    !fenced
                })
                .filter_map(|l| l.strip_prefix("## "))
                .collect();
            assert_eq!(found, headings, "{}", page(rule, zh).display());
            assert!(text.contains(&format!("\n# {}\n", rule.name)), "{}: title", page(rule, zh).display());
        }
    }
}

#[test]
fn names_and_codes_are_told_apart() {
    let mut codes = BTreeSet::new();
    for rule in rules().unwrap() {
        assert!(codes.insert(rule.page.code.clone()), "{} twice", rule.page.code);
        assert!(rule.page.code.starts_with('K') && rule.page.code.len() == 4, "{}", rule.page.code);
        assert!(
            rule.page
                .parameters
                .iter()
                .all(|p| !p.source.is_empty() && p.default.parse::<rust_decimal::Decimal>().is_ok()),
            "{}",
            rule.name
        );
        assert!(
            rule.page
                .needs
                .iter()
                .all(|n| ["ledger", "usage", "inventory", "balance", "contract"].contains(&n.as_str())),
            "{}",
            rule.name
        );
    }
}

/// What no example shows is whole too: some code of the group fills each placeholder.
#[test]
fn every_placeholder_is_filled_by_the_code() {
    for rule in rules().unwrap() {
        let mut code = String::new();
        for file in std::fs::read_dir(Path::new("rules").join(rule.group)).unwrap().map(|e| e.unwrap().path()) {
            if file.extension().is_some_and(|e| e == "rs") {
                code.push_str(&std::fs::read_to_string(file).unwrap());
            }
        }
        for zh in [false, true] {
            let text = std::fs::read_to_string(page(rule, zh)).unwrap();
            for name in placeholders(text.split("+++").nth(1).unwrap()) {
                let filled = name == "resource" || code.contains(&format!("\"{name}\""));
                assert!(filled, "{}: nothing fills {{{name}}}", page(rule, zh).display());
            }
        }
    }
}

/// The `{names}` in a text.
fn placeholders(text: &str) -> BTreeSet<&str> {
    let is_name = |s: &&str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).filter(is_name).collect()
}
