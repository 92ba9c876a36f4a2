//! A series as Prometheus writes it: `name{label="value", …}`.

use std::collections::BTreeMap;

/// Reads a series at the begin of a text; its name is the label `__name__`. Returns what follows,
/// `None` if the text begins with no series.
pub(super) fn series(text: &str) -> Option<(BTreeMap<String, String>, &str)> {
    let mut labels = BTreeMap::new();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    if !name.is_empty() {
        labels.insert("__name__".to_owned(), name.to_owned());
    }
    let Some(inner) = rest.strip_prefix('{') else {
        return (!name.is_empty()).then_some((labels, rest));
    };
    rest = inner;
    loop {
        rest = rest.trim_start_matches([' ', ',']);
        if let Some(after) = rest.strip_prefix('}') {
            return Some((labels, after));
        }
        let (key, after) = rest.split_once('=')?;
        let (value, after) = quoted(after.trim_start())?;
        labels.insert(key.trim().trim_matches('"').to_owned(), value);
        rest = after;
    }
}

/// The text in quotes that a text begins with, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.strip_prefix('"')?.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 2..])),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}
