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
