//! Reports that kashi wrote, lying among the bills, are told from bills by what they hold.

use std::process::Command;

fn kashi(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kashi")).args(arguments).output().unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every file that an audit writes is a report, whatever its name and language; the ledger is a bill.
#[test]
fn reports_among_bills_are_named() {
    let bill = "fixtures/autodl/statement-2026-09.csv";
    for lang in ["en", "zh"] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        kashi(&["audit", bill, "--lang", lang, "--out", out.to_str().unwrap()]);
        let mut reports = 0;
        for entry in std::fs::read_dir(&out).unwrap() {
            let path = entry.unwrap().path();
            let renamed = folder.path().join("renamed");
            std::fs::copy(&path, &renamed).unwrap();
            let said = kashi(&["ledger", renamed.to_str().unwrap(), "--totals"]);
            if path.file_stem().unwrap() == "ledger" {
                assert!(said.contains("ledger/ledger, 33 rows, 32 lines"), "{}: {said}", path.display());
                continue;
            }
            reports += 1;
            let expected = "error: renamed: is a report that kashi wrote itself, and no bill\n";
            assert!(said.starts_with(expected), "{}: {said}", path.display());
        }
        assert_eq!(reports, 5, "{lang}");
        // With colours, as a terminal shows it, or as one line.
        for format in ["md", "html", "json", "csv", "text"] {
            let file = folder.path().join("one");
            let output = Command::new(env!("CARGO_BIN_EXE_kashi"))
                .args(["audit", bill, "--lang", lang, "--format", format])
                .output()
                .unwrap();
            std::fs::write(&file, output.stdout).unwrap();
            let said = kashi(&["ledger", file.to_str().unwrap()]);
            assert!(said.contains("is a report that kashi wrote itself"), "{format}: {said}");
        }
    }
}

/// A bill with a like column, and text of another title, are no reports.
#[test]
fn others_are_not_taken_for_reports() {
    let folder = tempfile::tempdir().unwrap();
    for text in [
        "id,rule,amount\n1,2,3\n",
        "{\"version\": 1, \"id\": \"x\", \"rows\": [{\"inputs\": 1}]}",
        "GPU rental audit of ours\nreport\n",
    ] {
        let file = folder.path().join("bill.csv");
        std::fs::write(&file, text).unwrap();
        let said = kashi(&["ledger", file.to_str().unwrap()]);
        assert!(said.starts_with("error: ") && !said.contains("a report"), "{text}: {said}");
    }
}
