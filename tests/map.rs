//! `kashi map` on layouts that it has not seen: each shipped one in turn, and those of nobody.

mod leave_one_out;
mod samples;
mod strangers;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kashi::commands;
use kashi::text::Lang;
use kashi_parsers::layout::map::{Answers, Vocabulary, propose, trade_words};
use kashi_parsers::layout::{Platforms, fold};

use crate::golden;

fn sorted(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

/// Runs a case's command in a copy of its folder; exit code, all output, and what was written.
fn run(case: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(case.join("bill.csv"), folder.path().join("bill.csv")).unwrap();
    let arguments = std::fs::read_to_string(case.join("cmd.txt")).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_kashi"))
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    let mut text = format!("exit {}\n", output.status.code().unwrap());
    text.push_str(&String::from_utf8(output.stderr).unwrap());
    text.push_str(&String::from_utf8(output.stdout).unwrap());
    for written in sorted(folder.path()) {
        if written.extension().is_some_and(|e| e == "toml") {
            let name = written.file_name().unwrap().to_string_lossy();
            let _ = write!(text, "--- {name}\n{}", std::fs::read_to_string(&written).unwrap());
            let ledger = std::process::Command::new(env!("CARGO_BIN_EXE_kashi"))
                .args(["ledger", "bill.csv", "--platform-file", &*name])
                .current_dir(folder.path())
                .output()
                .unwrap();
            let _ = write!(text, "--- ledger\n{}", String::from_utf8(ledger.stdout).unwrap());
        }
    }
    text
}

#[test]
fn bills_of_nobody_are_mapped_and_read() {
    for case in sorted("fixtures/map").iter().filter(|p| p.join("cmd.txt").is_file()) {
        golden::check(&case.join("expected.txt"), &run(case));
    }
}

/// Words that are whole headers of shipped layouts, by the number of platforms that have them.
fn words_that_are_headers(platforms: &Platforms) -> BTreeMap<&'static str, usize> {
    let words: Vec<&'static str> = trade_words().collect();
    let mut all: BTreeMap<&'static str, usize> = BTreeMap::new();
    for platform in platforms.iter().filter(|p| p.name != "ledger") {
        let sources = platform.layouts.iter().flat_map(|l| l.columns.values()).flat_map(|s| &s.0);
        let headers: Vec<String> = sources.flat_map(|s| &s.column.0).map(|n| fold(n)).collect();
        for word in words.iter().filter(|w| headers.iter().any(|h| h == *w)) {
            *all.entry(word).or_default() += 1;
        }
    }
    all
}

#[test]
fn the_vocabulary_is_of_trade_words() {
    for word in trade_words() {
        let chinese = word.chars().filter(|c| !c.is_ascii()).count();
        let english = word.split_whitespace().filter(|w| w.is_ascii()).count();
        assert!(chinese <= 4 && english <= 4, "{word:?} is long for a trade word: is it the header of one vendor?");
        assert!(!word.contains(['/', '.', '_', '(', ':']), "{word:?} is written as one vendor writes a header");
    }
    let platforms = commands::platforms(&[]).unwrap();
    let mut text = String::from(
        "Trade words that are also a whole header of a shipped layout, and how many platforms have it.\n\
         Each must be a word that any bill may use.\n\n",
    );
    for (word, count) in words_that_are_headers(&platforms) {
        let _ = writeln!(text, "{word} {count}");
    }
    golden::check(Path::new("fixtures/map/words-that-are-headers.txt"), &text);
}

#[test]
fn a_terminal_is_asked_what_is_doubtful() {
    let vocabulary = Vocabulary::default();
    let path = Path::new("fixtures/map/asks-for-currency/bill.csv");
    let table = kashi_parsers::open::open(path, "bill.csv").unwrap().remove(0);
    let mut answers = Answers::default();
    let first = propose(std::slice::from_ref(&table), &vocabulary, &answers).unwrap();
    // A wrong answer is asked again; a number, a setting and Enter are taken.
    let mut input = std::io::Cursor::new("currency==dollars\ncurrency==USD\n2\n\n\n");
    let mut screen = Vec::new();
    let again = |a: &Answers| Ok(propose(std::slice::from_ref(&table), &vocabulary, a)?);
    let last = commands::map::ask(first, &mut answers, Lang::En, (&mut input, &mut screen), again).unwrap();
    assert!(last.doubts.iter().all(|d| !d.needed), "{:?}", last.doubts);
    golden::check(&path.with_file_name("terminal.txt"), &String::from_utf8(screen).unwrap());
    assert_eq!(answers.constant("currency"), Some("USD"));
    assert_eq!(answers.constant("dates"), Some("day-first"));
}
