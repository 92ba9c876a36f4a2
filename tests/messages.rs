//! What the program says, in both languages: the sources and the Chinese catalogue hold the same.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kashi::text::catalogue;
use kashi::text::template::Template;

/// A text in a source file.
struct Literal {
    text: String,
    /// The code before it, without blanks.
    before: String,
    line: usize,
}

/// What stands before a text that people read.
const SAID: [&str; 6] = ["message!(", ".hint(", "expected:", "hint:Some(", ".error(", "context("];

/// Where sentences stand that are no messages: both languages side by side, or read by programs.
const OTHERWISE: [&str; 8] = [
    "src/text/",
    "src/report/",
    "src/commands/init.rs",
    "src/commands/platforms.rs",
    "parsers/layout/map/write.rs",
    "parsers/open/newlines.rs",
    "parsers/usage/cluster/query.rs",
    "parsers/usage/events/kind.rs",
];

/// What is read and not said: words of other programs, names of their commands, what serde is told.
const NAMES: [&str; 12] = [
    "invalid peer certificate",
    "not valid for name",
    "promtool query range",
    "promtool tsdb dump",
    "what a record is read into",
    "From a metrics cluster",
    "invalid type: map, expected a sequence",
    ", expected a sequence",
    ", expected a string",
    ", expected a boolean",
    "invalid basic string",
    "invalid date, expected `-`",
];

/// Where sentences stand that are in English only, up to now.
const ENGLISH: [&str; 3] = ["parsers/layout/map/", "src/commands/map", "src/commands/cards.rs"];

fn sources() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = ["parsers", "rules", "src"].map(PathBuf::from).into();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                None if path.is_dir() => folders.push(path),
                Some(ending) if ending == "rs" && !path.ends_with("build.rs") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// Every string literal of a source, in its order; comments and characters are passed over.
fn literals(source: &str) -> Vec<Literal> {
    let (mut found, mut code, mut at) = (Vec::new(), String::new(), 0);
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        let raw = ["r\"", "r#\""].into_iter().find(|start| rest.starts_with(start));
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(start) = raw.filter(|_| !code.ends_with(|c: char| c.is_alphanumeric() || c == '_')) {
            let end = if start == "r\"" { "\"" } else { "\"#" };
            at += start.len() + rest[start.len()..].find(end).unwrap() + end.len();
        } else if c == '"' {
            let length = length(&rest[1..]);
            let line = source[..at].matches('\n').count() + 1;
            found.push(Literal { text: unescaped(&rest[1..=length]), before: code.clone(), line });
            at += length + 2;
            code.push('_');
        } else if c == '\'' && character(rest).is_some() {
            at += character(rest).unwrap();
        } else {
            if !c.is_whitespace() {
                code.push(c);
            }
            at += c.len_utf8();
        }
        if code.len() > 400 {
            code = code.chars().skip(200).collect();
        }
    }
    found
}

/// The length of a text up to the quote that ends it.
fn length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => return at,
            c => escaped = c == '\\' && !escaped,
        }
    }
    panic!("a text without an end")
}

/// The length of a character such as `'x'` or `'\n'`; none for a lifetime.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let mut chars = inner.char_indices();
    let (_, first) = chars.next()?;
    if first == '\\' {
        return inner[2..].find('\'').map(|end| end + 4);
    }
    let (end, quote) = chars.next()?;
    (quote == '\'').then_some(end + 2)
}

fn unescaped(text: &str) -> String {
    let (mut out, mut chars) = (String::new(), text.chars().peekable());
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next().unwrap() {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                '\n' => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                other => out.push(other),
            },
            (c, false) => out.push(c),
        }
    }
    out
}

/// Three words in a row, as only a sentence has them.
fn is_sentence(text: &str) -> bool {
    let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
    let words: Vec<&str> = text.split(' ').map(|w| w.trim_matches([',', ':', ';', '.', '(', ')'])).collect();
    words.windows(3).any(|three| three.iter().all(is_word))
}

fn stands_in(file: &Path, places: &[&str]) -> bool {
    places.iter().any(|place| file.to_str().unwrap().starts_with(place))
}

/// The Chinese templates by the English ones, and those of libraries apart.
fn catalogue() -> (Vec<(String, String)>, BTreeSet<String>) {
    let read: toml::Table = catalogue::TEXT.parse().unwrap();
    let (mut pairs, mut foreign) = (Vec::new(), BTreeSet::new());
    for (section, entries) in read {
        for (english, chinese) in entries.as_table().unwrap() {
            pairs.push((english.clone(), chinese.as_str().unwrap().to_owned()));
            if section == "foreign" {
                foreign.insert(english.clone());
            }
        }
    }
    (pairs, foreign)
}

#[test]
fn every_message_has_its_chinese() {
    let (pairs, foreign) = catalogue();
    let known: BTreeSet<&str> = pairs.iter().map(|(english, _)| english.as_str()).collect();
    let (mut used, mut lacking) = (BTreeSet::new(), String::new());
    for file in sources() {
        for Literal { text, before, line } in literals(&std::fs::read_to_string(&file).unwrap()) {
            let plain = text.replace('{', "{{").replace('}', "}}");
            let is_template = before.ends_with("message!(");
            used.extend([text.clone(), plain.clone()]);
            let said = SAID.iter().any(|said| before.ends_with(said)) && text.contains(' ');
            let elsewhere = stands_in(&file, &OTHERWISE) || stands_in(&file, &ENGLISH);
            let sentence = is_sentence(&text) && !elsewhere && !NAMES.contains(&text.as_str());
            let is_known = known.contains(text.as_str()) || !is_template && known.contains(plain.as_str());
            if (said || sentence) && !is_known && !stands_in(&file, &["src/text/"]) {
                let _ = writeln!(lacking, "{}:{line}: {text:?}", file.display());
            }
        }
    }
    assert!(lacking.is_empty(), "src/text/messages.zh.toml lacks:\n{lacking}");
    let unused: Vec<_> = known.iter().filter(|k| !used.contains(**k) && !foreign.contains(**k)).collect();
    assert!(unused.is_empty(), "nobody says: {unused:#?}");
}

#[test]
fn both_templates_have_the_same_holes() {
    for (english, chinese) in catalogue().0 {
        let holes = |text: &str| Template::parse(text).holes().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(holes(&english), holes(&chinese), "{english}");
        // Where one value ends and the next begins could not be told.
        assert!(!english.contains("}{") || english.contains(":?}{"), "{english} has two holes with nothing between");
    }
}

#[test]
fn values_are_told_from_the_words_around_them() {
    let values = |template: &str, text: &'static str| {
        Template::parse(template).values(text).map(|all| all.into_iter().map(|v| v.text).collect::<Vec<_>>())
    };
    assert_eq!(
        values("no column {name:?} in {place}", "no column \"a \\\" in b\" in c"),
        Some(vec!["\"a \\\" in b\"", "c"])
    );
    assert_eq!(values("{}: {what}, {n}", "a: b: c, d, 5"), Some(vec!["a", "b: c", "d, 5"]));
    assert_eq!(values("has {n} columns", "has 5 rows"), None);
    assert_eq!(values("a {{{x}}}", "a {b}"), Some(vec!["b"]));
    assert_eq!(values("{a}{b:?}", "x\"y\""), Some(vec!["x", "\"y\""]));
}
