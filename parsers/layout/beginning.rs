//! What a pattern begins with, looked for before the pattern is tried.

use regex::Regex;

/// The literal text that a pattern begins with, and the rest of it, held to where a text begins.
pub(super) struct Beginning {
    pub(super) literal: memchr::memmem::Finder<'static>,
    pub(super) rest: Regex,
}

impl Beginning {
    /// Up to the first character that means more than itself.
    pub(super) fn of(pattern: &str) -> Option<Self> {
        let mut literal = String::new();
        let mut rest = pattern;
        loop {
            let mut chars = rest.chars();
            let c = match chars.next() {
                Some('\\') => chars.next().filter(char::is_ascii_punctuation),
                Some('(' | ')' | '[' | ']' | '{' | '}' | '.' | '*' | '+' | '?' | '^' | '$' | '|') => None,
                c => c,
            };
            // A character that may be repeated or left out is no certain beginning.
            match c {
                Some(c) if !chars.as_str().starts_with(['*', '+', '?', '{']) => literal.push(c),
                _ => break,
            }
            rest = chars.as_str();
        }
        if literal.len() < 4 || pattern.contains('|') {
            return None;
        }
        let rest = Regex::new(&format!("^(?:{rest})")).ok()?;
        Some(Self { literal: memchr::memmem::Finder::new(&literal).into_owned(), rest })
    }
}
