//! Bills of providers that kashi has no layout of, with what each column means worked out by hand.
//!
//! The answers were written, and the figure taken, before anybody looked at what the map makes of
//! them; its words are not to be tuned to these files.

use std::fmt::Write as _;
use std::path::Path;

use kashi::commands;
use kashi_parsers::layout::map::{Answers, Proposal, Vocabulary, propose};
use kashi_parsers::open;

use super::leave_one_out::{Score, Verdict, verdict};
use super::sorted;
use crate::golden;

/// `ledger column / another that will do: column | another that will do`.
fn answers(file: &Path) -> Vec<(Vec<String>, Vec<String>)> {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    let parts = |text: &str, by: &str| text.split(by).map(|p| p.trim().to_owned()).collect();
    lines.map(|l| l.split_once(": ").unwrap()).map(|(l, c)| (parts(l, " / "), parts(c, " | "))).collect()
}

/// The best that any of the ledger columns got.
fn best(proposal: &Proposal, ledgers: &[String], expected: &[String]) -> (Verdict, String) {
    let all = ledgers.iter().map(|ledger| verdict(proposal, ledger, expected));
    let all: Vec<_> = all.collect();
    all.iter().find(|(verdict, _)| verdict.is_right()).unwrap_or(&all[0]).clone()
}

#[test]
fn bills_of_unknown_providers_are_mapped() {
    let vocabulary = Vocabulary::learn(&commands::platforms(&[]).unwrap(), &[]);
    let (mut text, mut score) = (String::new(), Score::default());
    for file in sorted("fixtures/map/unseen").iter().filter(|f| f.extension().is_some_and(|e| e == "csv")) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let tables = open::open(file, &name).unwrap();
        let proposal = propose(&tables, &vocabulary, &Answers::default()).unwrap();
        let (mut here, mut rows) = (Score::default(), String::new());
        for (ledgers, expected) in answers(&file.with_extension("answers.txt")) {
            let (verdict, found) = best(&proposal, &ledgers, &expected);
            here.add(verdict);
            score.add(verdict);
            let shown = format!("{verdict:?}").to_lowercase();
            let _ =
                writeln!(rows, "  {shown:8} {}: {found}; expected {}", ledgers.join(" / "), expected.join(" | "));
        }
        let _ = write!(text, "{name}: {}\n{rows}", here.line());
    }
    let head = format!("Bills of providers that kashi has no layout of.\n\ncolumns: {}\n\n", score.line());
    golden::check(Path::new("fixtures/map/unseen.txt"), &(head + &text));
}
