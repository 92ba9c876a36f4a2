//! Hostile input stops at a bound, with an error, and within a stated peak of memory.
//!
//! Each input is given to the program itself, which may not write to more memory than the limit that
//! `docs/bounds.md` states for it: the kernel refuses more (`RLIMIT_DATA`), and the program would
//! end by a signal. The limits leave ample room over what was measured.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use flate2::Compression;

/// What came of a run.
struct Ended {
    code: Option<i32>,
    said: String,
}

/// Runs the program in a folder, with so many MiB of memory to write to; prints what it took.
fn within(most: u64, folder: &Path, arguments: &[&str]) -> Ended {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -d \"$0\" && exec \"$@\"", &(most << 10).to_string(), env!("CARGO_BIN_EXE_kashi")])
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(resident(child.id()));
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = text(&output.stdout) + &text(&output.stderr);
    println!("{peak} of {most} MiB: {}", said.lines().next().unwrap_or_default());
    Ended { code: output.status.code(), said }
}

/// The most MiB that a process has had in memory so far.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok()).map_or(0, |kb| kb >> 10)
}

/// Holds that a file is refused with these words, within so many MiB.
fn refused(most: u64, name: &str, bytes: &[u8], words: &str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), bytes).unwrap();
    refused_in(most, folder.path(), &["identify", name], words);
}

fn refused_in(most: u64, folder: &Path, arguments: &[&str], words: &str) {
    let Ended { code, said } = within(most, folder, arguments);
    assert_eq!(code, Some(2), "{arguments:?} within {most} MiB: {}", &said[..said.len().min(2000)]);
    assert!(said.contains(words), "{arguments:?}: no {words:?} in {}", &said[..said.len().min(2000)]);
    let tells = said.contains("help:") || said.contains("; expected ");
    assert!(tells && !said.contains("panicked"), "{said}");
    assert!(said.len() < 20_000, "{} bytes of an error", said.len());
}

/// Gzip of so many equal bytes.
fn packed(byte: u8, count: usize) -> Vec<u8> {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), Compression::best());
    let block = vec![byte; 1 << 20];
    (0..count >> 20).for_each(|_| gz.write_all(&block).unwrap());
    gz.finish().unwrap()
}

/// An archive of these files.
fn archive<'a>(files: impl IntoIterator<Item = (String, &'a [u8])>) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_level(Some(9));
    for (name, bytes) in files {
        zip.start_file(name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A workbook with these sheets and this list of texts.
fn workbook(sheets: &[&[u8]], texts: &[u8]) -> Vec<u8> {
    const RELATION: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let named = |at: usize| format!(r#"<sheet name="S{at}" sheetId="{}" r:id="r{at}"/>"#, at + 1);
    let target =
        |at: usize| format!(r#"<Relationship Id="r{at}" Type="{RELATION}/worksheet" Target="worksheets/s{at}.xml"/>"#);
    let each = |of: &dyn Fn(usize) -> String| (0..sheets.len()).map(of).collect::<String>();
    let book = format!(
        r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{RELATION}"><sheets>{}</sheets></workbook>"#,
        each(&named)
    );
    let relations = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}<Relationship Id="t" Type="{RELATION}/sharedStrings" Target="sharedStrings.xml"/></Relationships>"#,
        each(&target)
    );
    let root = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="b" Type="{RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
    );
    let types = br#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#;
    let mut files: Vec<(String, &[u8])> = vec![
        ("[Content_Types].xml".to_owned(), types),
        ("_rels/.rels".to_owned(), root.as_bytes()),
        ("xl/workbook.xml".to_owned(), book.as_bytes()),
        ("xl/_rels/workbook.xml.rels".to_owned(), relations.as_bytes()),
        ("xl/sharedStrings.xml".to_owned(), texts),
    ];
    files.extend(sheets.iter().enumerate().map(|(at, sheet)| (format!("xl/worksheets/s{at}.xml"), *sheet)));
    archive(files)
}

const SHEET: &str = r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">"#;
const TEXTS: &[u8] =
    br#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" uniqueCount="0"></sst>"#;

#[test]
fn bombs_of_archives_stop_at_their_ratio() {
    let bomb = packed(b'0', 128 << 20);
    refused(256, "bill.csv.gz", &bomb, "or to more than 400 times its size");
    let mut nested = flate2::write::GzEncoder::new(Vec::new(), Compression::fast());
    nested.write_all(&bomb).unwrap();
    refused(256, "bill.csv.gz", &nested.finish().unwrap(), "or to more than 400 times its size");
    let zeros = vec![b'0'; 4 << 20];
    refused(256, "bills.zip", &archive((0..64).map(|n| (format!("{n}.csv"), zeros.as_slice()))), "400 times its size");
    // Each archive holds the next.
    let mut inner = b"a,b\n1,2\n".to_vec();
    for depth in 0..12 {
        inner = archive([(format!("{depth}.zip"), inner.as_slice())]);
    }
    refused(128, "bills.zip", &inner, "is an archive within 4 others");
    let many = archive((0..10_001).map(|n| (format!("{n}.csv"), &b""[..])));
    refused(128, "bills.zip", &many, "is an archive of more than 10000 files");
}

#[test]
fn bombs_within_a_workbook_stop_before_they_are_read() {
    let many = br#"<sst uniqueCount="4000000000"><si><t>a</t></si></sst>"#;
    let sheet = format!(r#"{SHEET}<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>"#);
    refused(128, "bill.xlsx", &workbook(&[sheet.as_bytes()], many), "more texts than it has bytes");
    let long = vec![b' '; 256 << 20];
    refused(128, "bill.xlsx", &workbook(&[sheet.as_bytes()], &long), "400 times its size");
    refused(128, "bill.xlsx", &workbook(&[&long], TEXTS), "400 times its size");
}

/// Ten names, each ten times the one before: a thousand million texts, if anything were expanded.
fn laughs(root: &str) -> String {
    let mut document = format!("<?xml version=\"1.0\"?><!DOCTYPE {root} [<!ENTITY a0 \"ha\">");
    for n in 1..10 {
        document.push_str(&format!("<!ENTITY a{n} \"{}\">", format!("&a{};", n - 1).repeat(10)));
    }
    document + "]>"
}

#[test]
fn entities_are_never_expanded() {
    let rows = r#"<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>&a9;</t></is></c></row></sheetData>"#;
    let sheet = format!("{}{SHEET}{rows}</worksheet>", laughs("worksheet"));
    let texts = format!("{}<sst uniqueCount=\"1\"><si><t>&a9;</t></si></sst>", laughs("sst"));
    // Whatever is made of the name, it is no bill.
    refused(128, "bill.xlsx", &workbook(&[sheet.as_bytes()], texts.as_bytes()), "bill.xlsx");
    let folder = tempfile::tempdir().unwrap();
    let log = format!("{}<nvidia_smi_log><timestamp>&a9;</timestamp></nvidia_smi_log>", laughs("nvidia_smi_log"));
    std::fs::write(folder.path().join("smi.xml"), log).unwrap();
    refused_in(128, folder.path(), &["usage", "smi.xml", "-o", "hours.csv"], "declares entities of its own");
}

#[test]
fn a_sheet_as_wide_and_high_as_one_can_be_costs_what_is_filled() {
    let two = format!(
        r#"{SHEET}<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>"#
    );
    refused(128, "bill.xlsx", &workbook(&[two.as_bytes()], TEXTS), "no layout claims this file");
    // A row that is 16,384 cells wide, and a hundred thousand of one cell.
    let mut wide = format!(r#"{SHEET}<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>1</v></c></row>"#);
    (2..100_000).for_each(|row| wide.push_str(&format!(r#"<row r="{row}"><c r="A{row}"><v>1</v></c></row>"#)));
    wide.push_str("</sheetData></worksheet>");
    refused(256, "bill.xlsx", &workbook(&[wide.as_bytes()], TEXTS), "bytes of cells");
    let sheet = format!(r#"{SHEET}<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>"#);
    let sheets = vec![sheet.as_bytes(); 2000];
    refused(256, "bill.xlsx", &workbook(&sheets, TEXTS), "no layout claims this file");
}

/// A file that begins with a text, and is so long by a hole.
fn long(folder: &Path, name: &str, begin: &[u8], bytes: u64) -> PathBuf {
    let path = folder.join(name);
    let mut file = File::create(&path).unwrap();
    file.write_all(begin).unwrap();
    file.set_len(bytes).unwrap();
    path
}

#[test]
fn a_line_of_two_gigabytes_is_not_held() {
    let folder = tempfile::tempdir().unwrap();
    long(folder.path(), "bill.csv", "账单月份,费用\n2026-09,".as_bytes(), 2 << 30);
    refused_in(128, folder.path(), &["identify", "bill.csv"], "has a row of more than 16777216 bytes");
    refused_in(128, folder.path(), &["usage", "bill.csv", "-o", "hours.csv"], "has a line of more than");
    // What must be held as a whole is refused before it is read.
    long(folder.path(), "page.csv", b"<a>,b\n", 2 << 30);
    refused_in(64, folder.path(), &["identify", "page.csv"], "has more than 1073741824 bytes");
    long(folder.path(), "wide.csv", &[0xff, 0xfe, b'a', 0], 2 << 30);
    refused_in(64, folder.path(), &["identify", "wide.csv"], "has more than 1073741824 bytes");
    long(folder.path(), "list.json", b"[{\"a\":1},", 2 << 30);
    refused_in(64, folder.path(), &["identify", "list.json"], "JSON of more than");
}

#[test]
fn deep_and_wide_json_stops_at_its_bounds() {
    let deep = format!("[{}", "{\"a\":[".repeat(200_000));
    refused(64, "bill.json", deep.as_bytes(), "nested more than 128 levels deep");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gpus.json"), format!("{{\"gpus\":{}", "[".repeat(200_000))).unwrap();
    let ended = within(64, folder.path(), &["usage", "gpus.json", "-o", "hours.csv"]);
    assert_eq!(ended.code, Some(2), "{}", ended.said);
    let mut wide = String::from("[{");
    (0..100_001).for_each(|n| wide.push_str(&format!("\"f{n}\":1,")));
    wide.push_str("\"z\":1}]");
    refused(128, "bill.json", wide.as_bytes(), "more than 100000 different fields");
    // Fields that hold nothing are no columns, but they are held.
    let mut empty = String::from("[{");
    (0..500_000).for_each(|n| empty.push_str(&format!("\"f{n}\":{{}},")));
    empty.push_str("\"z\":1}]");
    refused(256, "bill.json", empty.as_bytes(), "different fields");
    // A long name over many short ones: each path is as long as all names on its way.
    let mut long = format!("{{\"{}\":{{", "x".repeat(1 << 20));
    (0..20_000).for_each(|n| long.push_str(&format!("\"f{n}\":1,")));
    long.push_str("\"z\":1},\"rows\":[{\"a\":1}]}");
    refused(128, "bill.json", long.as_bytes(), "field names are longer than a row may be");
}

#[test]
fn a_hundred_thousand_columns_are_no_bill() {
    let header: Vec<String> = (0..100_000).map(|n| format!("column {n}")).collect();
    let mut text = header.join(",");
    (0..50).for_each(|_| text.push_str(&format!("\n{}", vec!["1"; 100_000].join(","))));
    refused(256, "bill.csv", text.as_bytes(), "no layout claims this file");
    // Nor are they if one layout would know some of them.
    let known = std::fs::read_to_string("fixtures/tencent/l3-2026-09.csv").unwrap();
    let (header, rest) = known.split_once("\r\n").or_else(|| known.split_once('\n')).unwrap();
    let more = text.lines().next().unwrap();
    let rows = rest.lines().take(3).map(|row| format!("{row},{}", vec!["1"; 100_000].join(",")));
    let wide = format!("{header},{more}\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bill.csv"), wide).unwrap();
    let ended = within(512, folder.path(), &["ledger", "bill.csv", "-o", "ledger.csv"]);
    assert_eq!(ended.code, Some(0), "{}", &ended.said[..ended.said.len().min(2000)]);
    assert!(ended.said.len() < 20_000, "{} bytes are said", ended.said.len());
}

#[test]
fn a_bill_of_different_texts_costs_their_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let known = std::fs::read_to_string("fixtures/autodl/statement-2026-09.csv").unwrap();
    let mut csv = csv::Reader::from_reader(known.as_bytes());
    let header = csv.headers().unwrap().clone();
    let row = csv.records().next().unwrap().unwrap();
    let mut writer = csv::Writer::from_path(folder.path().join("bill.csv")).unwrap();
    writer.write_record(&header).unwrap();
    for n in 0..300_000 {
        // The longest cell, which is an id or a name, is another in each row.
        let longest = row.iter().map(str::len).max().unwrap();
        let cell = |cell: &str| if cell.len() == longest { format!("{cell}{n:032}") } else { cell.to_owned() };
        writer.write_record(row.iter().map(cell)).unwrap();
    }
    writer.flush().unwrap();
    let ended = within(512, folder.path(), &["ledger", "bill.csv", "--totals"]);
    assert_eq!(ended.code, Some(0), "{}", &ended.said[..ended.said.len().min(2000)]);
}

#[test]
fn a_platform_file_cannot_take_all_memory() {
    let folder = tempfile::tempdir().unwrap();
    let start = "name = \"x\"\ntitle = { en = \"x\", zh = \"x\" }\nzone = \"UTC\"\ncurrency = \"CNY\"\n";
    let layout = "[[layout]]\nname = \"x\"\ntitle = { en = \"x\", zh = \"x\" }\nmark = \"confirmed\"\nsource = \"x\"\n[layout.columns]\nstart = \"s\"\nkind = { value = \"usage\" }\nsku = \"s\"\n";
    std::fs::write(folder.path().join("bill.csv"), "a,b\n1,2\n").unwrap();
    for (columns, words) in [
        ("cost = { column = \"c\", pattern = '(((a{500}){500}){500})' }\n".to_owned(), "is no regular expression"),
        (format!("cost = {}\n", "[".repeat(100_000)), "is not a platform file"),
    ] {
        std::fs::write(folder.path().join("x.toml"), format!("{start}{layout}{columns}")).unwrap();
        refused_in(128, folder.path(), &["identify", "bill.csv", "--platform-file", "x.toml"], words);
    }
}
