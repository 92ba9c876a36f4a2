//! Templates of sentences: words with holes, and the values that a text has in them.

/// A template such as `no column {name:?} in {place}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Words(String),
    Hole { name: String, quoted: bool },
}

/// The values of a text, by the names of the holes that they stand in.
pub type Values<'t> = Vec<Value<'t>>;

/// What stands in a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'t> {
    /// The text.
    pub text: &'t str,
    /// Whether it stands in quotes, so that it is someone else's words and not ours.
    pub quoted: bool,
}

impl Template {
    /// Reads a template as `format!` does; a hole without a name has its number.
    pub fn parse(text: &str) -> Self {
        let (mut pieces, mut words, mut unnamed) = (Vec::new(), String::new(), 0);
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            words.push_str(&rest[..at]);
            let (brace, after) = rest[at..].split_at(1);
            if let Some(doubled) = after.strip_prefix(brace) {
                words.push_str(brace);
                rest = doubled;
                continue;
            }
            let (hole, after) = after.split_once('}').unwrap_or((after, ""));
            let (name, format) = hole.split_once(':').unwrap_or((hole, ""));
            if !words.is_empty() {
                pieces.push(Piece::Words(std::mem::take(&mut words)));
            }
            let name = if name.is_empty() { unnamed.to_string() } else { name.to_owned() };
            unnamed += usize::from(hole.split(':').next() == Some(""));
            let within = matches!(pieces.last(), Some(Piece::Words(words)) if words.ends_with(['"', '`', '\'']));
            pieces.push(Piece::Hole { name, quoted: within || format.contains('?') });
            rest = after;
        }
        words.push_str(rest);
        if !words.is_empty() {
            pieces.push(Piece::Words(words));
        }
        Self(pieces)
    }

    /// The names of the holes, in their order.
    pub fn holes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Hole { name, .. } => Some(name.as_str()),
            Piece::Words(_) => None,
        })
    }

    /// How many letters the words have: the more, the surer a text that fits was made from them.
    pub fn letters(&self) -> usize {
        let words = self.0.iter().map(|piece| match piece {
            Piece::Words(words) => words.chars().filter(|c| c.is_alphabetic()).count(),
            Piece::Hole { .. } => 0,
        });
        words.sum()
    }

    /// Whether the words are of more than one line.
    pub fn has_lines(&self) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Words(words) if words.contains('\n')))
    }

    /// The values of a text that was made from this template, in the order of the holes.
    pub fn values<'t>(&self, text: &'t str) -> Option<Values<'t>> {
        let (mut values, mut tries) = (Vec::new(), MOST_TRIES);
        aligned(&self.0, text, &mut values, &mut tries).then_some(values)
    }

    /// The text with each hole filled; a blank keeps a Latin word from a Chinese one.
    pub fn fill(&self, mut value: impl FnMut(&str) -> String) -> String {
        self.0.iter().fold(String::new(), |mut text, piece| {
            let part = match piece {
                Piece::Words(words) => words.clone(),
                Piece::Hole { name, .. } => value(name),
            };
            if let (Some(before), Some(after)) = (text.chars().last(), part.chars().next())
                && (is_chinese(before) && after.is_ascii_alphanumeric()
                    || before.is_ascii_alphanumeric() && is_chinese(after))
            {
                text.push(' ');
            }
            text + &part
        })
    }
}

fn is_chinese(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

/// A text that fits in so many ways is nobody's sentence.
const MOST_TRIES: usize = 10_000;

/// Finds the words of a template in a text, each as far ahead as the rest still fits.
fn aligned<'t>(pieces: &[Piece], text: &'t str, values: &mut Values<'t>, tries: &mut usize) -> bool {
    let Some((piece, pieces)) = pieces.split_first() else { return text.is_empty() };
    let quoted = match piece {
        Piece::Words(words) => {
            return text.strip_prefix(words.as_str()).is_some_and(|rest| aligned(pieces, rest, values, tries));
        }
        Piece::Hole { quoted, .. } => *quoted,
    };
    let known = values.len();
    let mut end = if quoted { quote(text) } else { 0 };
    loop {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let next = match pieces.first() {
            None => Some(text.len()),
            Some(Piece::Words(words)) => text[end..].find(words.as_str()).map(|at| end + at),
            Some(Piece::Hole { .. }) => Some(end),
        };
        let Some(next) = next else { return false };
        values.push(Value { text: &text[..next], quoted });
        if aligned(pieces, &text[next..], values, tries) {
            return true;
        }
        values.truncate(known);
        match text[next..].chars().next() {
            Some(c) => end = next + c.len_utf8(),
            None => return false,
        }
    }
}

/// The length of the quoted text that a text begins with; 0 if it begins with none.
fn quote(text: &str) -> usize {
    let mut escaped = false;
    let Some(inner) = text.strip_prefix('"') else { return 0 };
    for (at, c) in inner.char_indices() {
        match c {
            '"' if !escaped => return at + 2,
            c => escaped = c == '\\' && !escaped,
        }
    }
    0
}
