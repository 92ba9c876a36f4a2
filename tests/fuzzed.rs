//! Bytes that the fuzz targets once broke on, and a few of every kind: what must hold of any bytes.

use std::path::Path;

#[path = "../fuzz/checks.rs"]
mod checks;

/// The targets, by the names of their folders.
const TARGETS: [(&str, fn(&[u8])); 8] = [
    ("bill", checks::bill),
    ("csv", checks::csv),
    ("dmon", checks::dmon),
    ("json", checks::json),
    ("platform", checks::platform),
    ("usage", checks::usage),
    ("xlsx", checks::xlsx),
    ("xml", checks::xml),
];

/// Files of a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|e| e.unwrap().path()).filter(|p| p.is_file()).collect();
    files.sort();
    files
}

#[test]
fn what_once_broke_a_reader_no_longer_does() {
    for (name, holds) in TARGETS {
        for file in files(&Path::new("fixtures/fuzz").join(name)) {
            println!("{}", file.display());
            holds(&std::fs::read(&file).unwrap());
        }
    }
}

/// The parts that the target for workbooks is given make one that is read.
#[test]
fn the_parts_of_a_workbook_make_one() {
    let sheet = br#"<worksheet><sheetData><row r="2"><c r="B2"><v>1.5</v></c></row></sheetData></worksheet>"#;
    let tables = kashi_parsers::open::open_bytes(checks::parts::workbook(sheet), "bill.xlsx").unwrap();
    assert_eq!(crate::open::rows(&tables[0], b','), [(2, vec![String::new(), "1.5".to_owned()])]);
}

/// The seeds of the targets: all that holds of any bytes holds of what people have.
#[test]
fn what_holds_of_any_bytes_holds_of_every_fixture() {
    let seeds: [(&str, &[&str]); 5] = [
        ("usage", &["usage", "events"]),
        ("csv", &["alibaba", "aws", "azure", "tencent"]),
        ("json", &["ucloud", "vast", "runpod", "autodl"]),
        ("xlsx", &["autodl", "tencent"]),
        ("bill", &["alibaba", "autodl", "aws", "huawei", "tencent", "oracle"]),
    ];
    let mut tried = 0;
    for (target, folders) in seeds {
        let (_, holds) = TARGETS.iter().find(|(name, _)| *name == target).unwrap();
        for file in folders.iter().flat_map(|folder| files(&Path::new("fixtures").join(folder))) {
            println!("{target} {}", file.display());
            holds(&std::fs::read(&file).unwrap());
            tried += 1;
        }
    }
    for file in files(Path::new("parsers/platforms")) {
        checks::platform(&std::fs::read(&file).unwrap());
        tried += 1;
    }
    assert!(tried > 100, "{tried}");
}
