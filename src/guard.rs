//! Guards on what goes out: a bill's texts are strangers' texts.

use std::borrow::Cow;

/// A text that no spreadsheet takes for a formula: one that begins like one gains an apostrophe.
///
/// Numbers stay as they are, negative ones too. Excel looks past leading blanks, and takes the
/// full-width signs for the plain ones.
pub fn formula(text: &str) -> Cow<'_, str> {
    let begin = text.trim_start_matches([' ', '\u{a0}', '\u{3000}', '\u{feff}']);
    let dangerous = begin.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n']);
    if dangerous && text.parse::<rust_decimal::Decimal>().is_err() {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
}

/// A text in one line that cannot steer a terminal or turn the direction of writing.
///
/// Control characters become blanks, the marks that reverse what follows are left out.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c.is_control() || turns(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !turns(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect())
}

/// The marks by which a name can be shown other than it is.
fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

/// A text in one line that Markdown shows as it is, in a cell of a table too.
pub fn markdown(text: &str) -> String {
    let text = printable(text);
    let chars: Vec<char> = text.chars().collect();
    let mut safe = String::with_capacity(text.len());
    for (at, &c) in chars.iter().enumerate() {
        if c == '<' {
            // Not every reader of Markdown heeds a backslash here, and what follows may be a script.
            safe.push_str("&lt;");
            continue;
        }
        let inside = |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(|n| n.is_alphanumeric());
        // An underscore inside a word is shown as it is; ids are full of them.
        let marks = match c {
            '_' => !(inside(at.checked_sub(1)) && inside(Some(at + 1))),
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' => true,
            '#' | '+' | '-' | '=' | '>' => at == 0,
            _ => false,
        };
        if marks {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}
