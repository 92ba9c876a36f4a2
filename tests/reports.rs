//! Every form of a report, in both languages, held to the letter and against the laws.

use std::path::Path;
use std::process::Command;

use kashi::guard;
use kashi::report::places::places;
use kashi::report::{amount, csv, exact, html, json, markdown, text, v1, write_set};
use kashi::text::Lang;
use rust_decimal::Decimal;

use crate::golden;

pub(crate) mod sample;

use sample::{decimal, report};

const LANGS: [Lang; 2] = [Lang::En, Lang::Zh];

#[test]
fn every_form_is_as_expected() {
    for lang in LANGS {
        let folder = Path::new("tests/reports").join(lang.as_str());
        std::fs::create_dir_all(&folder).unwrap();
        let hold = |file: &str, actual: String| golden::check(&folder.join(file), &actual);
        hold("report.txt", text::render(&report(), lang, false));
        hold("report.json", json::render(&report(), lang).unwrap());
        hold("findings.csv", String::from_utf8(csv::render(&report(), lang).unwrap()).unwrap());
        hold("report.md", markdown::render(&report(), lang));
        hold("report.html", html::render(&report(), lang).unwrap());
    }
}

#[test]
fn the_set_is_the_same_bytes_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let read = || -> Vec<_> {
        let mut all: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
        all.sort();
        all.into_iter().map(|p| (p.clone(), std::fs::read(p).unwrap())).collect()
    };
    write_set(&report(), folder.path(), Lang::Zh).unwrap();
    let first = read();
    write_set(&report(), folder.path(), Lang::Zh).unwrap();
    assert_eq!(first, read());
    let names: Vec<_> = first.iter().map(|(p, _)| p.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["findings.csv", "report.html", "report.json", "report.md", "report.txt"]);
    assert!(first[0].1.starts_with(kashi::MARK), "Excel needs the mark to read Chinese");
}

#[test]
fn the_json_report_reads_back_and_is_exact() {
    for lang in LANGS {
        let text = json::render(&report(), lang).unwrap();
        let back: v1::Report = serde_json::from_str(&text).unwrap();
        assert_eq!(back, json::of(&report(), lang));
        for total in &back.totals {
            let sum: Decimal = total.by_category.values().map(|v| decimal(v)).sum();
            assert_eq!(sum, decimal(&total.cost));
        }
        assert!(back.findings.iter().all(|f| !f.evidence.is_empty()));
    }
}

#[test]
fn no_cell_of_the_findings_is_a_formula() {
    let bytes = csv::render(&report(), Lang::En).unwrap();
    let mut reader = ::csv::Reader::from_reader(&bytes[..]);
    let mut rows = 0;
    for record in reader.records() {
        rows += 1;
        for cell in &record.unwrap() {
            let harmless = cell.parse::<Decimal>().is_ok() || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(harmless, "{cell:?}");
        }
    }
    assert_eq!(rows, report().findings.len());
}

#[test]
fn formulas_are_told_from_numbers() {
    for (text, guarded) in [
        ("=1+1", "'=1+1"),
        ("-2+3", "'-2+3"),
        ("-12.50", "-12.50"),
        ("+8", "+8"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" =1", "' =1"),
        ("\t=1", "'\t=1"),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
        ("", ""),
    ] {
        assert_eq!(guard::formula(text), guarded);
    }
}

#[test]
fn a_hostile_name_harms_no_form() {
    for lang in LANGS {
        let page = html::render(&report(), lang).unwrap();
        assert!(!page.contains("<script"), "HTML is escaped");
        assert!(page.contains("&lt;script&gt;"));
        for text in [page, text::render(&report(), lang, false), markdown::render(&report(), lang)] {
            assert!(!text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'), "a control character");
            assert!(!text.contains("\nBcc:"));
        }
        assert!(!markdown::render(&report(), lang).contains("<script"), "Markdown shows HTML as text");
    }
}

#[test]
fn colour_only_if_asked() {
    assert!(!text::render(&report(), Lang::En, false).contains('\u{1b}'));
    assert!(text::render(&report(), Lang::En, true).contains("\u{1b}[1m"));
}

#[test]
fn amounts_are_rounded_once_half_to_even() {
    for (value, shown, full) in [
        ("0", "0.00", "0.00"),
        ("0.005", "0.00", "0.005"),
        ("0.015", "0.02", "0.015"),
        ("-0.001", "0.00", "-0.001"),
        ("-1234.565", "-1,234.56", "-1234.565"),
        ("999.995", "1,000.00", "999.995"),
        ("1234567.8900", "1,234,567.89", "1234567.89"),
        ("123", "123.00", "123.00"),
    ] {
        assert_eq!((amount(decimal(value)).as_str(), exact(decimal(value)).as_str()), (shown, full), "{value}");
    }
}

#[test]
fn rows_are_named_shortly() {
    let rows = |n: &[u32]| n.iter().map(|r| ("a.csv", None, *r)).collect::<Vec<_>>();
    assert_eq!(places(rows(&[17]).into_iter(), 9), (vec!["a.csv:17".to_owned()], 0));
    assert_eq!(places(rows(&[5, 3, 4, 9, 9]).into_iter(), 9), (vec!["a.csv:3-5, 9".to_owned()], 0));
    assert_eq!(places(rows(&[1, 3, 5, 6]).into_iter(), 2), (vec!["a.csv:1, 3".to_owned()], 2));
    assert_eq!(places(rows(&[0]).into_iter(), 9), (vec!["a.csv".to_owned()], 0));
    let two = [("a.xlsx", Some("S"), 2), ("b.csv", None, 7), ("a.xlsx", Some("S"), 3)];
    assert_eq!(places(two.into_iter(), 9).0, ["a.xlsx[S]:2-3", "b.csv:7"]);
}

#[test]
fn both_languages_have_every_word_and_placeholder() {
    let words = |lang: Lang| serde_json::to_value(lang.words()).unwrap().as_object().unwrap().clone();
    let (en, zh) = (words(Lang::En), words(Lang::Zh));
    let placeholders = |text: &str| {
        let mut all: Vec<String> = text.split('{').skip(1).map(|t| t.split('}').next().unwrap().to_owned()).collect();
        all.sort();
        all
    };
    for (name, word) in &en {
        let other = &zh[name];
        for (word, lang) in [(word, "en"), (other, "zh")] {
            let filled = word.as_str().map_or_else(|| word.as_array().unwrap().len() > 2, |w| !w.trim().is_empty());
            assert!(filled, "{name} is empty in {lang}");
        }
        if let (Some(word), Some(other)) = (word.as_str(), other.as_str()) {
            assert_eq!(placeholders(word), placeholders(other), "{name}");
            assert!(!word.chars().any(|c| c > '\u{2e80}'), "{name} is Chinese in English");
        }
    }
}

/// The tables of a Chinese report stand in columns, a character being two wide.
#[test]
fn columns_line_up_in_chinese() {
    let text = text::render(&report(), Lang::Zh, false);
    let start = text.find("按类别").unwrap();
    let table: Vec<&str> = text[start..].lines().skip(1).take(4).collect();
    let ends: Vec<usize> = table
        .iter()
        .map(|line| {
            unicode_width::UnicodeWidthStr::width(line.trim_end_matches(" %").rsplit_once("  ").map_or(*line, |_| line))
        })
        .collect();
    assert_eq!(ends[1], ends[2], "{table:#?}");
}

/// Looks at the pages as a browser does, where one is installed and `LOOK` names a folder.
#[test]
fn pictures() {
    let Some(folder) = std::env::var_os("LOOK") else { return };
    let folder = std::path::PathBuf::from(folder);
    for lang in LANGS {
        let page = folder.join(format!("{}.html", lang.as_str()));
        std::fs::write(&page, html::render(&report(), lang).unwrap()).unwrap();
        let picture = folder.join(format!("{}.png", lang.as_str()));
        let done = Command::new("chromium")
            .args(["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1100,2600"])
            .arg(format!("--screenshot={}", picture.display()))
            .arg(format!("file://{}", page.display()))
            .status();
        assert!(done.is_ok_and(|s| s.success()), "chromium could not take the picture");
    }
}
