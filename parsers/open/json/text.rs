//! Strings and numbers of JSON.

use std::borrow::Cow;

use super::scan::Scanner;
use crate::error::Result;

impl<'a> Scanner<'a> {
    /// A string that begins here.
    pub(super) fn string(&mut self) -> Result<Cow<'a, str>> {
        let begin = self.at + 1;
        let bytes = self.text.as_bytes();
        let Some(stop) = bytes[begin..].iter().position(|b| matches!(b, b'"' | b'\\') || *b < 0x20) else {
            return Err(self.cut_off());
        };
        self.at = begin + stop;
        if bytes[self.at] == b'"' {
            self.at += 1;
            return Ok(Cow::Borrowed(&self.text[begin..begin + stop]));
        }
        let mut text = self.text[begin..self.at].to_owned();
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                Some(b'\\') => text.push(self.escaped()?),
                Some(byte) if byte < 0x20 => return Err(self.unexpected("the text to go on or to end with a quote")),
                Some(_) => {
                    let plain = bytes[self.at..].iter().position(|b| matches!(b, b'"' | b'\\') || *b < 0x20);
                    let end = plain.map_or(bytes.len(), |n| self.at + n);
                    text.push_str(&self.text[self.at..end]);
                    self.at = end;
                }
                None => return Err(self.cut_off()),
            }
        }
    }

    fn escaped(&mut self) -> Result<char> {
        let begin = self.at;
        let byte = self.text.as_bytes().get(begin + 1).copied();
        self.at = begin + 2;
        let simple = match byte {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(begin),
            None => return Err(self.cut_off()),
            Some(_) => return Err(self.wrong_at(begin, "is broken JSON: a backslash is followed by no known escape")),
        };
        Ok(simple)
    }

    /// `\u4e2d`, or two of them for a character beyond the first 65,536.
    fn unicode(&mut self, begin: usize) -> Result<char> {
        let first = self.four();
        let code = match first {
            Some(high @ 0xd800..=0xdbff) if self.text[self.at..].starts_with("\\u") => {
                self.at += 2;
                let low = self.four().filter(|low| (0xdc00..=0xdfff).contains(low));
                low.map(|low| 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
            }
            other => other,
        };
        let wrong = || self.wrong_at(begin, "is broken JSON: an escape \\u that stands for no character");
        code.and_then(char::from_u32).ok_or_else(wrong)
    }

    fn four(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    }
}

/// Where the first value of a text ends, by its brackets alone.
pub(super) fn end_of_first(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

/// The place behind a string that begins at `at`, its opening quote passed.
pub(super) fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(stop) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        if bytes[at + stop] == b'"' {
            return at + stop + 1;
        }
        at += stop + 2;
    }
    bytes.len()
}

/// The length of a number as JSON writes it.
pub(super) fn number(bytes: &[u8]) -> Option<usize> {
    let digits = |from: usize| bytes.get(from..).map_or(0, |b| b.iter().take_while(|b| b.is_ascii_digit()).count());
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || whole > 1 && bytes[at] == b'0' {
        return None;
    }
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
        let exponent = digits(at + 1 + sign);
        if exponent == 0 {
            return None;
        }
        at += 1 + sign + exponent;
    }
    // `12abc` is no number with something behind it.
    (!bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'.')).then_some(at)
}
