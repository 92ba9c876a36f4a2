//! JSON text as events, without recursion and without ever making a number of a number.

use std::borrow::Cow;

use super::MOST_DEPTH;
use super::text::{end_of_string, number};
use crate::error::{Error, Kind, Origin, Result};

/// What holds other values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    Object,
    Array,
}

/// What stands next in the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event<'a> {
    Begin(Holder),
    End(Holder),
    Key(Cow<'a, str>),
    /// Text, a number as it is written, `true`, `false`, or nothing for `null`.
    Scalar(Cow<'a, str>),
}

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Between values at the top.
    Top,
    /// A value: after a colon, or after a comma in an array.
    Value,
    /// A value, or the end of an array just begun.
    ValueOrEnd,
    /// A key, or the end of an object just begun.
    KeyOrEnd,
    /// A comma or the end of what is open.
    CommaOrEnd,
}

/// Reads the events of a text from its start.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    next: Next,
    open: Vec<Holder>,
    origin: Origin,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, origin: Origin) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, at, next: Next::Top, open: Vec::new(), origin }
    }

    /// The next event; `None` at the end of the text, which must be between values.
    pub(super) fn event(&mut self) -> Result<Option<Event<'a>>> {
        loop {
            self.blanks();
            let Some(byte) = self.byte() else {
                return if self.next == Next::Top { Ok(None) } else { Err(self.cut_off()) };
            };
            match (self.next, byte) {
                (Next::CommaOrEnd, b',') => {
                    self.at += 1;
                    match self.open.last() {
                        Some(Holder::Object) => return self.key().map(Some),
                        _ => self.next = Next::Value,
                    }
                }
                (Next::CommaOrEnd | Next::KeyOrEnd, b'}') if self.open.last() == Some(&Holder::Object) => {
                    return Ok(Some(self.end(Holder::Object)));
                }
                (Next::CommaOrEnd | Next::ValueOrEnd, b']') if self.open.last() == Some(&Holder::Array) => {
                    return Ok(Some(self.end(Holder::Array)));
                }
                (Next::KeyOrEnd, _) => return self.key().map(Some),
                (Next::CommaOrEnd, _) => return Err(self.unexpected(self.missing())),
                (_, _) => return self.value(byte).map(Some),
            }
        }
    }

    /// Whether the array that has just begun holds no object and no other array.
    pub(super) fn holds_scalars(&self) -> bool {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => at = end_of_string(bytes, at + 1),
                b'{' | b'[' => return false,
                b']' => return true,
                _ => at += 1,
            }
        }
        true
    }

    /// Whether the array that has just begun ends at once.
    pub(super) fn is_empty(&mut self) -> bool {
        self.blanks();
        self.byte() == Some(b']')
    }

    /// Whether the array that has just begun begins with another.
    pub(super) fn begins_with_array(&mut self) -> bool {
        self.blanks();
        self.byte() == Some(b'[')
    }

    /// A failure at the place that has been read up to, in words of a person.
    pub(super) fn wrong(&self, message: impl std::fmt::Display) -> Error {
        self.wrong_at(self.at, message)
    }

    pub(super) fn wrong_at(&self, at: usize, message: impl std::fmt::Display) -> Error {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = 1 + memchr::memchr_iter(b'\n', before.as_bytes()).count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        Error::new(Kind::Format, message!("{message} (line {line}, character {column})"))
            .at(self.origin.clone())
            .hint("save the platform's answer again, whole and as it came")
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn end(&mut self, holder: Holder) -> Event<'a> {
        self.at += 1;
        self.open.pop();
        self.ended();
        Event::End(holder)
    }

    /// A value has been read.
    fn ended(&mut self) {
        self.next = if self.open.is_empty() { Next::Top } else { Next::CommaOrEnd };
    }

    fn key(&mut self) -> Result<Event<'a>> {
        self.blanks();
        if self.byte() != Some(b'"') {
            return Err(self.unexpected("the name of a field in double quotes"));
        }
        let key = self.string()?;
        self.blanks();
        if self.byte() != Some(b':') {
            return Err(self.unexpected("a colon after the name of a field"));
        }
        self.at += 1;
        self.next = Next::Value;
        Ok(Event::Key(key))
    }

    fn value(&mut self, byte: u8) -> Result<Event<'a>> {
        let holder = match byte {
            b'{' => Holder::Object,
            b'[' => Holder::Array,
            _ => {
                let scalar = self.scalar(byte)?;
                self.ended();
                return Ok(Event::Scalar(scalar));
            }
        };
        if self.open.len() == MOST_DEPTH {
            let message = message!("is JSON nested more than {MOST_DEPTH} levels deep");
            return Err(Error::new(Kind::Bound, message)
                .at(self.origin.clone())
                .hint("no bill is: check that this is the platform's answer"));
        }
        self.at += 1;
        self.open.push(holder);
        self.next = if holder == Holder::Object { Next::KeyOrEnd } else { Next::ValueOrEnd };
        Ok(Event::Begin(holder))
    }

    fn scalar(&mut self, byte: u8) -> Result<Cow<'a, str>> {
        if byte == b'"' {
            return self.string();
        }
        let rest = &self.text[self.at..];
        for (word, means) in [("null", ""), ("true", "true"), ("false", "false")] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(Cow::Borrowed(means));
            }
        }
        match number(rest.as_bytes()) {
            Some(length) => {
                self.at += length;
                Ok(Cow::Borrowed(&rest[..length]))
            }
            None => Err(self.unexpected("a value")),
        }
    }

    fn missing(&self) -> &'static str {
        match self.open.last() {
            Some(Holder::Object) => "a comma or the end of the object, }",
            _ => "a comma or the end of the list, ]",
        }
    }

    pub(super) fn cut_off(&self) -> Error {
        self.wrong_at(self.text.len(), "is broken JSON: it ends in the middle")
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> Error {
        let Some(found) = self.text[self.at..].chars().next() else { return self.cut_off() };
        let word: String = self.text[self.at..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '+'))
            .take(24)
            .collect();
        let found = if word.is_empty() { found.to_string() } else { word };
        self.wrong(message!("is broken JSON: expected {expected}, found {found:?}"))
    }
}
