//! Cases beyond the pages' own: `fixtures/rules/<rule>/<case>/` holds bills, inventory,
//! utilization and kashi.toml, `expected.txt` what that rule says of them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::golden;

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(of).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    all.sort();
    all
}

/// The audit of a case by one rule, as its JSON report.
fn audit(case: &Path, rule: &str) -> Value {
    let mut bills: Vec<_> = std::fs::read_dir(case).unwrap().map(|e| e.unwrap().file_name()).collect();
    bills.retain(|name| name.to_string_lossy().starts_with("bill"));
    bills.sort();
    let mut command = Command::new(env!("CARGO_BIN_EXE_kashi"));
    command.current_dir(case).arg("audit").args(bills).args(["--format", "json", "--select", rule]);
    for (file, flag) in [("inventory.csv", "--inventory"), ("usage.csv", "--usage"), ("kashi.toml", "--config")] {
        if case.join(file).exists() {
            command.args([flag, file]);
        }
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}: {}", case.display(), String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}

/// One line a finding, one line a thing left open.
fn said(report: &Value) -> String {
    let mut all = String::new();
    for finding in report["findings"].as_array().unwrap() {
        let amount = &finding["amount"];
        let rows: Vec<String> = finding["evidence"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| format!("{}:{}", text(&e["file"]), e["row"]))
            .collect();
        let _ = writeln!(
            all,
            "{} {} | {} {} {} | {} | {}",
            text(&finding["severity"]),
            text(&finding["resource"]),
            text(&amount["value"]),
            text(&amount["currency"]),
            text(&amount["kind"]),
            rows.join(" "),
            text(&finding["sentence"]),
        );
    }
    for open in report["undetermined"].as_array().unwrap() {
        let _ = writeln!(all, "undetermined | {}", text(&open["reason"]));
    }
    if all.is_empty() { "silent\n".to_owned() } else { all }
}

#[test]
fn every_rule_says_what_is_expected_of_it() {
    let root = Path::new("fixtures/rules");
    for folder in folders(root) {
        let rule = folder.file_name().unwrap().to_string_lossy().into_owned();
        for case in folders(&folder) {
            golden::check(&case.join("expected.txt"), &said(&audit(&case, &rule)));
        }
    }
}
