//! Logs become the expected events, and what they tell of memory is counted into the hours.
//!
//! `fixtures/events/<case>/in/` holds the files; beside it `events.csv`, `hours.csv` and `said.txt`
//! are what the program makes of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::golden;

fn cases() -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir("fixtures/events").unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

#[test]
fn every_log_becomes_its_expected_events() {
    let cases = cases();
    assert!(cases.len() >= 5, "{} cases", cases.len());
    for case in &cases {
        let folder = tempfile::tempdir().unwrap();
        let events = folder.path().join("events.csv");
        let output = Command::new(env!("CARGO_BIN_EXE_kashi"))
            .args(["usage", "in", "--events"])
            .arg(&events)
            .current_dir(case)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{}: {said}", case.display());
        golden::check(&case.join("events.csv"), &std::fs::read_to_string(events).unwrap());
        golden::check(&case.join("hours.csv"), &String::from_utf8(output.stdout).unwrap());
        golden::check(&case.join("said.txt"), &said);
    }
}

#[test]
fn events_are_written_to_a_table_only() {
    let output = Command::new(env!("CARGO_BIN_EXE_kashi"))
        .args(["usage", "in", "--events", "events.xlsx"])
        .current_dir(Path::new("fixtures/events/runs"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("events.xlsx: events are written as .csv"), "{said}");
}

#[test]
fn a_log_in_the_place_of_the_output_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let log =
        "timestamp, index, utilization.gpu [%]\n2026/10/01 00:00:00.000, 0, 3 %\n2026/10/01 00:00:01.000, 0, 3 %\n";
    let at = |name: &str| folder.path().join(name);
    for name in ["a.csv", "b.csv"] {
        std::fs::write(at(name), log).unwrap();
    }
    let run = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_kashi")).args(args).current_dir(folder.path()).output().unwrap()
    };
    let output = run(&["usage", "--events", "a.csv", "b.csv"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("a.csv: is there already and is something else"), "{said}");
    assert_eq!(std::fs::read_to_string(at("a.csv")).unwrap(), log);
    // Nor is a log by hours, nor anything by the lines of a bill.
    for args in [
        ["usage", "-o", "a.csv", "b.csv"].as_slice(),
        &["ledger", "bill.csv", "-o", "a.csv"],
        &["ledger", "bill.csv", "--quarantine", "a.csv"],
    ] {
        std::fs::write(at("bill.csv"), "ts\n").unwrap();
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("a.csv: is there already"), "{args:?}: {said}");
        assert_eq!(std::fs::read_to_string(at("a.csv")).unwrap(), log);
    }
    for _ in 0..2 {
        assert!(run(&["usage", "b.csv", "-o", "hours.csv"]).status.success());
    }
    // A list of events is written again.
    for _ in 0..2 {
        assert!(run(&["usage", "b.csv", "--events", "events.csv"]).status.success());
    }
    std::fs::write(at("bill.csv"), "when,thing,money\n2026-10-01,disk,1\n").unwrap();
    let output = run(&["map", "bill.csv", "-o", "b.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("b.csv: is there already"));
    assert_eq!(std::fs::read_to_string(at("b.csv")).unwrap(), log);
}

#[test]
fn a_wrong_time_in_a_list_names_its_cell() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("runs.csv"), "resource,started,stopped\nins-1,yesterday,\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_kashi"))
        .args(["usage", "runs.csv"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("runs.csv, row 2, column \"started\": \"yesterday\"; expected a time"), "{said}");
}
