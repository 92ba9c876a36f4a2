//! Reports of kashi's own that lie among the bills, told by what they hold.

use std::fs::File;
use std::io::Read as _;

use kashi_parsers::error::{Error, Kind, Origin};

use crate::MARK;
use crate::places::Place;
use crate::report::csv;
use crate::text::Lang;

/// Bytes that are looked at: the head of the longest report is in them.
const HEAD: u64 = 4096;

/// What is said of a file that is no bill: if kashi wrote it, that, else the error as it is.
pub(crate) fn said(place: &Place, error: Error) -> Error {
    let read = || {
        let mut head = Vec::new();
        File::open(&place.path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
        Some(head)
    };
    if !matches!(error.kind(), Kind::Unclaimed | Kind::Contested | Kind::Format)
        || !read().is_some_and(|h| is_report(&h))
    {
        return error;
    }
    Error::new(Kind::Unclaimed, "is a report that kashi wrote itself, and no bill")
        .at(Origin::file(&*place.name))
        .hint("move it away, or give the folder of the bills alone; `--out` takes a folder of its own for the reports")
}

/// Whether a file begins as one of the reports does, in either language.
fn is_report(head: &[u8]) -> bool {
    let head = String::from_utf8_lossy(head.strip_prefix(MARK).unwrap_or(head));
    let in_language = |lang: Lang| {
        let w = lang.words();
        let titled = |text: &str| text.strip_prefix(w.title).is_some_and(|rest| rest.starts_with(' '));
        let first = head.lines().next().unwrap_or_default();
        // The second line names the report by sixteen digits.
        let id = head.lines().skip(1).find(|line| !line.is_empty()).and_then(|line| line.strip_prefix(w.report));
        let id = id.map(|id| id.trim_start_matches([' ', '`']).chars().take_while(char::is_ascii_hexdigit).count());
        let named = id == Some(16);
        named && titled(first.strip_prefix("# ").unwrap_or(first))
            || head
                .split_once("<title>")
                .is_some_and(|(before, title)| before.starts_with("<!DOCTYPE") && titled(title))
            || first == csv::header(w).join(",")
    };
    in_language(Lang::En) || in_language(Lang::Zh) || is_json(&head)
}

/// Whether a document begins with the keys of a report, in their order.
fn is_json(head: &str) -> bool {
    let mut rest = head;
    ["{", "\"version\"", "\"id\"", "\"period\"", "\"zone\"", "\"lang\"", "\"inputs\""].iter().all(|key| {
        let stands = |(before, after)| if is_between(before) { Some(after) } else { None };
        rest.split_once(key).and_then(stands).map(|after| rest = after).is_some()
    })
}

/// Whether nothing stands between two keys but one short value.
fn is_between(text: &str) -> bool {
    text.len() < 80 && !text.contains(['{', '['])
}
