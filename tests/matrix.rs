//! Every rule on every fixture: `tests/matrix.txt` shows each finding, so a false alarm is seen.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::golden;

/// Folders of `fixtures/` whose files are no bills of a month.
const OTHERS: [&str; 11] =
    ["cards", "demo", "errors", "events", "inventory", "map", "mended", "month", "profiles", "rules", "usage"];

fn sorted(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

fn audit(paths: &[&Path]) -> Value {
    let output =
        Command::new(env!("CARGO_BIN_EXE_kashi")).args(["audit", "--format", "json"]).args(paths).output().unwrap();
    assert!(output.status.success(), "{paths:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}

fn write(all: &mut String, name: &str, report: &Value) {
    let _ = writeln!(all, "{name}");
    for finding in report["findings"].as_array().unwrap() {
        let amount = &finding["amount"];
        let _ = writeln!(
            all,
            "  {} {} {} {} {} {}",
            text(&finding["rule"]),
            text(&finding["resource"]),
            text(&amount["value"]),
            text(&amount["currency"]),
            text(&amount["kind"]),
            text(&finding["evidence"][0]["file"]).to_owned() + ":" + &finding["evidence"][0]["row"].to_string(),
        );
    }
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    for undetermined in report["undetermined"].as_array().unwrap() {
        *open.entry(text(&undetermined["rule"])).or_default() += 1;
    }
    for (rule, n) in open {
        let _ = writeln!(all, "  ({n} undetermined: {rule})");
    }
}

#[test]
fn every_rule_meets_every_fixture() {
    let mut all = String::new();
    for folder in sorted("fixtures") {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !folder.is_dir() || OTHERS.contains(&name.as_str()) {
            continue;
        }
        for file in sorted(&folder) {
            let shown = file.to_string_lossy().into_owned();
            if !shown.ends_with(".ledger.csv") && !shown.ends_with(".toml") {
                let config = file.with_extension("toml");
                let paths = [file.as_path(), Path::new("--config"), config.as_path()];
                write(&mut all, &shown, &audit(if config.exists() { &paths } else { &paths[..1] }));
            }
        }
    }
    if Path::new("fixtures/demo/kashi.toml").exists() {
        write(&mut all, "fixtures/demo", &audit(&[Path::new("fixtures/demo")]));
    }
    golden::check(Path::new("tests/matrix.txt"), &all);
}
