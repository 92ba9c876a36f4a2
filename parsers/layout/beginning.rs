//! What a pattern begins with, so that most cells need no regular expression.

use regex::Regex;

/// The literal text that a pattern begins with, and the pattern held to where a text begins.
pub(super) struct Beginning {
    pub(super) literal: memchr::memmem::Finder<'static>,
    pub(super) anchored: Regex,
}

impl Beginning {
    /// Up to the first character that means more than itself.
    pub(super) fn of(pattern: &str) -> Option<Self> {
        let mut literal = String::new();
        let mut chars = pattern.chars().peekable();
        while let Some(c) = chars.next() {
            let c = match c {
                '\\' => match chars.next() {
                    Some(escaped) if escaped.is_ascii_punctuation() => escaped,
                    _ => break,
                },
                '(' | ')' | '[' | ']' | '{' | '}' | '.' | '*' | '+' | '?' | '^' | '$' | '|' => break,
                c => c,
            };
            // A character that may be repeated or left out is no certain beginning.
            if matches!(chars.peek(), Some('*' | '+' | '?' | '{')) {
                break;
            }
            literal.push(c);
        }
        if literal.len() < 4 || pattern.contains('|') {
            return None;
        }
        let anchored = Regex::new(&format!("^(?:{pattern})")).ok()?;
        Some(Self { literal: memchr::memmem::Finder::new(&literal).into_owned(), anchored })
    }
}
