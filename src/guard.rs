//! Guards on what goes out: a bill's texts are strangers' texts.

use std::borrow::Cow;
use std::io::Write;

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

/// A text of several lines that cannot steer a terminal: [`printable`], but lines and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.as_bytes().iter().any(may_steer) || !text.chars().any(|c| steers(c) || turns(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !turns(*c)).map(|c| if steers(c) { ' ' } else { c }).collect())
}

/// Whether a character that steers may begin with this byte; most texts have none.
fn may_steer(b: &u8) -> bool {
    *b < b' ' && !matches!(*b, b'\n' | b'\t') || matches!(*b, 0x7f | 0xc2 | 0xd8 | 0xe2)
}

/// A terminal, or what may be one: everything that is written to it is made [`visible`].
pub struct Screen<W: Write> {
    out: W,
    /// The first bytes of a character whose others are still to come.
    begun: Vec<u8>,
}

impl<W: Write> Screen<W> {
    /// A screen before `out`.
    pub fn new(out: W) -> Self {
        Self { out, begun: Vec::new() }
    }

    fn guarded(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.out.write_all(visible(chunk.valid()).as_bytes())?;
            let rest = chunk.invalid();
            let cut = std::str::from_utf8(rest).is_err_and(|e| e.error_len().is_none());
            if cut && chunks.peek().is_none() {
                self.begun = rest.to_vec();
            } else if !rest.is_empty() {
                self.out.write_all("\u{fffd}".as_bytes())?;
            }
        }
        Ok(())
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.begun.is_empty() {
            if !bytes.iter().any(may_steer) {
                self.out.write_all(bytes)?;
                return Ok(bytes.len());
            }
            // The end of a character whose first bytes went straight through.
            let end = bytes.iter().take_while(|b| (0x80..0xc0).contains(*b)).count().min(3);
            self.out.write_all(&bytes[..end])?;
            self.guarded(&bytes[end..])?;
        } else {
            let joined = [std::mem::take(&mut self.begun).as_slice(), bytes].concat();
            self.guarded(&joined)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.write_all(&std::mem::take(&mut self.begun))?;
        self.out.flush()
    }
}

/// The marks by which a name can be shown other than it is.
fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
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
