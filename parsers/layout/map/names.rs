//! A header as a sequence of trade words; what stands in brackets or before a slash or a point is
//! read apart.

use super::super::fold;
use super::lexicon::{CURRENCIES, Word, meaning};

/// Words longest of which is tried first in a row of English ones.
const LONGEST_PHRASE: usize = 4;

/// A header, read.
#[derive(Clone, Debug, Default)]
pub(super) struct Name {
    /// The words of its last part.
    pub(super) words: Vec<Word>,
    /// The words of the parts before it.
    pub(super) before: Vec<Word>,
    /// The words in brackets.
    pub(super) aside: Vec<Word>,
    /// How much of the last part is no known word: one a word in English, one for two characters in Chinese.
    pub(super) unknown: usize,
    /// Currency that the header states: `(元)`, `USD`.
    pub(super) currency: Option<&'static str>,
    /// Whether the header is nothing but that currency.
    pub(super) is_currency: bool,
}

impl Name {
    /// Reads a header.
    pub(super) fn read(header: &str) -> Self {
        let (plain, aside) = brackets(&split_case(header));
        let mut name = Self { currency: currency(&aside.join(" ")).or_else(|| currency(&plain)), ..Self::default() };
        name.is_currency =
            name.currency.is_some() && currency_words(&plain) == 1 && plain.split_whitespace().count() == 1;
        name.aside = aside.iter().flat_map(|a| words(a).0).collect();
        let parts: Vec<&str> = plain.split(['/', '.', ':']).map(str::trim).filter(|p| !p.is_empty()).collect();
        if let Some((last, before)) = parts.split_last() {
            let (found, unknown) = words(last);
            name.words = found;
            name.unknown = if name.is_currency { 0 } else { unknown };
            name.before = before.iter().flat_map(|part| words(part).0).collect();
        }
        name
    }

    /// Whether a word stands in its last part.
    pub(super) fn has(&self, word: Word) -> bool {
        self.words.contains(&word)
    }

    /// Whether a word stands anywhere in it.
    pub(super) fn has_anywhere(&self, word: Word) -> bool {
        self.has(word) || self.before.contains(&word) || self.aside.contains(&word)
    }
}

/// `UsageStartDate`, `usage_start_date` and `usage-start-date` as words, folded.
fn split_case(header: &str) -> String {
    let chars: Vec<char> = header.chars().collect();
    let mut text = String::with_capacity(header.len() + 8);
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|b| chars.get(b));
        let next = chars.get(at + 1);
        let begins = c.is_ascii_uppercase()
            && before.is_some_and(|b| {
                b.is_ascii_lowercase()
                    || b.is_ascii_digit()
                    || b.is_ascii_uppercase() && next.is_some_and(char::is_ascii_lowercase)
            });
        if begins {
            text.push(' ');
        }
        text.push(if matches!(c, '_' | '-') { ' ' } else { *c });
    }
    fold(&text)
}

/// The text without what stands in brackets, and that.
fn brackets(text: &str) -> (String, Vec<String>) {
    let (mut plain, mut aside) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(open) = rest.find(['(', '[']) {
        let Some(close) = rest[open..].find([')', ']']) else { break };
        plain.push_str(&rest[..open]);
        aside.push(rest[open + 1..open + close].to_owned());
        rest = &rest[open + close + 1..];
    }
    plain.push_str(rest);
    (plain, aside)
}

/// The words of a folded text, and how much of it is none.
fn words(text: &str) -> (Vec<Word>, usize) {
    let (mut found, mut unknown) = (Vec::new(), 0);
    let mut english: Vec<&str> = Vec::new();
    let is_english = |c: char| c.is_ascii_alphanumeric();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if is_english(c) {
            let end = rest.find(|c: char| !is_english(c)).unwrap_or(rest.len());
            english.push(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        if c.is_alphabetic() {
            unknown += phrases(&mut english, &mut found);
            let end = rest.find(|c: char| !c.is_alphabetic() || is_english(c)).unwrap_or(rest.len());
            unknown += chinese(&rest[..end], &mut found);
            rest = &rest[end..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
    }
    unknown += phrases(&mut english, &mut found);
    (found, unknown)
}

/// Takes the words of a row of English ones, the longest phrases first; the number of unknown ones.
fn phrases(english: &mut Vec<&str>, found: &mut Vec<Word>) -> usize {
    let mut unknown = 0;
    let mut at = 0;
    while at < english.len() {
        let longest = (1..=LONGEST_PHRASE.min(english.len() - at)).rev();
        let known = longest.into_iter().find_map(|n| Some((n, meaning(&english[at..at + n].join(" "))?)));
        match known {
            Some((n, word)) => {
                found.push(word);
                at += n;
            }
            None => {
                match glued(english[at]) {
                    Some(words) => found.extend(words),
                    // `costInUsd`: the currency is read on its own.
                    None if currency(english[at]).is_some() => {}
                    None => unknown += usize::from(!english[at].bytes().all(|b| b.is_ascii_digit())),
                }
                at += 1;
            }
        }
    }
    english.clear();
    unknown
}

/// The words of `starttime` or `unitprice`, if it is made of known ones throughout.
fn glued(text: &str) -> Option<Vec<Word>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let ends = (2..=text.len()).rev().filter(|end| *end > 2 || &text[..2] == "id");
    ends.into_iter().find_map(|end| {
        let first = meaning(text.get(..end)?)?;
        let mut words = vec![first];
        words.extend(glued(&text[end..])?);
        Some(words)
    })
}

/// Takes the words of a Chinese text, the longest first; half the number of characters that are in none.
fn chinese(text: &str, found: &mut Vec<Word>) -> usize {
    let chars: Vec<char> = text.chars().collect();
    let (mut at, mut unknown) = (0, 0usize);
    while at < chars.len() {
        let longest = (1..=LONGEST_PHRASE.min(chars.len() - at)).rev();
        let known =
            longest.into_iter().find_map(|n| Some((n, meaning(&chars[at..at + n].iter().collect::<String>())?)));
        match known {
            Some((n, word)) => {
                found.push(word);
                at += n;
            }
            None => {
                unknown += 1;
                at += 1;
            }
        }
    }
    unknown.div_ceil(2)
}

fn currency(text: &str) -> Option<&'static str> {
    let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | ',' | '.' | ':'));
    words.find_map(|word| CURRENCIES.iter().find(|(_, texts)| texts.contains(&word)).map(|(code, _)| *code))
}

fn currency_words(text: &str) -> usize {
    text.split_whitespace().filter(|word| currency(word).is_some()).count()
}
