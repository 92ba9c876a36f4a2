//! The error gallery: what a user sees when something is wrong, held to the letter.
//!
//! `fixtures/errors/<case>/` holds the input, `cmd.txt` the arguments, `expected.txt` the exit
//! code and everything that is printed, `expected.zh.txt` the same with `--lang zh`. The program runs
//! in the folder of the case.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::golden;

fn cases() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("fixtures/errors").unwrap();
    let mut all: Vec<_> = entries.map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    all.sort();
    all
}

/// The exit code and all output of one case in a language.
fn run(case: &Path, lang: &str) -> String {
    let arguments = std::fs::read_to_string(case.join("cmd.txt")).unwrap();
    let lang: &[&str] = if lang == "en" { &[] } else { &["--lang", lang] };
    let output = Command::new(env!("CARGO_BIN_EXE_kashi"))
        .args(lang)
        .args(arguments.split_whitespace())
        .current_dir(case)
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    let mut text =
        format!("exit {}\n", output.status.code().map_or_else(|| "by a signal".to_owned(), |c| c.to_string()));
    text.push_str(&String::from_utf8(output.stderr).unwrap());
    if !output.stdout.is_empty() {
        let _ = write!(text, "--- standard output\n{}", String::from_utf8(output.stdout).unwrap());
    }
    text
}

/// Whether a case ends with an error, or, where it asks for that, with 1 for a finding.
fn fails(case: &Path, actual: &str) -> bool {
    let asked = std::fs::read_to_string(case.join("cmd.txt")).unwrap().contains("--fail-on critical");
    actual.starts_with("exit 2\n") && actual.contains("\nerror: ") || asked && actual.starts_with("exit 1\n")
}

/// What a message says to get the user on: the accepted form, or the next step.
const STEPS: [&str; 15] = [
    "help:",
    "expected",
    "heck ",
    "put ",
    "say ",
    "did you mean",
    "name the",
    "names the",
    "tip:",
    "add ",
    "keep ",
    "give each",
    "make it first",
    "is written as",
    "Usage:",
];

#[test]
fn every_error_is_as_expected() {
    let cases = cases();
    assert!(cases.len() >= 25, "the gallery has {} cases", cases.len());
    let mut wrong = String::new();
    for case in &cases {
        let actual = run(case, "en");
        let name = case.file_name().unwrap().to_string_lossy();
        if actual.contains("panicked") || !fails(case, &actual) {
            let _ = writeln!(wrong, "{name} does not end with an error: {actual}");
        }
        if !STEPS.iter().any(|step| actual.contains(step)) {
            let _ = writeln!(wrong, "{name} does not say what to do: {actual}");
        }
        golden::check(&case.join("expected.txt"), &actual);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The first three English words in a row that stand in no quotes; lists of names have commas.
///
/// What `kashi map` shows of a bill is not looked at: it is in English.
fn english(text: &str) -> Option<String> {
    let mut text = text.split("--- standard output").next().unwrap_or_default().to_owned();
    for quote in ['"', '`', '\''] {
        let parts: Vec<&str> = text.split(quote).collect();
        text = parts.iter().step_by(2).copied().collect::<Vec<_>>().join("“”");
    }
    // A command of another program.
    let text = text.replace("promtool query", "“”");
    let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
    let words: Vec<&str> = text.split([' ', '\n']).collect();
    words.windows(3).find(|three| three.iter().all(is_word)).map(|three| three.join(" "))
}

#[test]
fn every_error_is_said_in_chinese() {
    let mut wrong = String::new();
    for case in &cases() {
        let actual = run(case, "zh");
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let usage = actual.contains("Usage: kashi");
        if !usage && !actual.contains("\n错误：") && !actual.starts_with("exit 1") {
            let _ = writeln!(wrong, "{name} is no error in Chinese: {actual}");
        }
        if let Some(words) = english(&actual).filter(|_| !usage) {
            let _ = writeln!(wrong, "{name} says {words:?}: {actual}");
        }
        golden::check(&case.join("expected.zh.txt"), &actual);
    }
    assert!(wrong.is_empty(), "{wrong}");
}
