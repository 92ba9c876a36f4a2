//! What a person at a terminal gets: progress that ends, and the report behind it.

use std::process::Command;

fn on_a_terminal(arguments: &[&str]) -> String {
    let output = Command::new("python3")
        .args(["tests/terminal.py", "60", env!("CARGO_BIN_EXE_kashi")])
        .args(arguments)
        .output()
        .expect("python3 runs programs on a terminal");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The line of progress is written from a thread of its own: it once waited for the program, and
/// the program for it.
#[test]
fn commands_end_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let hours = folder.path().join("hours.csv");
    for arguments in [
        &["audit", "fixtures/demo"][..],
        &["ledger", "fixtures/demo", "--totals"],
        &["ledger", "fixtures/demo", "--by", "card"],
        &["usage", "fixtures/usage/two-cards.csv", "-o", hours.to_str().unwrap()],
        &["audit", "fixtures/errors/letter-in-an-amount"],
    ] {
        let shown = on_a_terminal(arguments);
        let code = if shown.contains("error:") { "exit 2" } else { "exit 0" };
        assert!(shown.trim_end().ends_with(code), "{arguments:?}: {shown}");
    }
    assert!(on_a_terminal(&["audit", "fixtures/demo"]).contains("36,573.09"));
}
