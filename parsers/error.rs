//! What can go wrong while reading, said so that a person can act on it.

use std::fmt;
use std::sync::Arc;

use crate::message::Message;

/// The place a value was read from, as a person sees it in a spreadsheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The file as the user named it, with `!member` for a file inside an archive.
    pub file: Arc<str>,
    /// The sheet, where the file is a workbook.
    pub sheet: Option<Arc<str>>,
    /// The row, 1-based, counting title and blank rows as a spreadsheet does; 0 means the whole file.
    pub row: u32,
}

impl Origin {
    /// Names a whole file.
    pub fn file(file: impl Into<Arc<str>>) -> Self {
        Self { file: file.into(), sheet: None, row: 0 }
    }

    /// The same file and sheet at another row.
    pub fn at(&self, row: u32) -> Self {
        Self { row, ..self.clone() }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(sheet) = &self.sheet {
            write!(f, ", sheet \"{sheet}\"")?;
        }
        if self.row > 0 {
            write!(f, ", row {}", self.row)?;
        }
        Ok(())
    }
}

/// A cell (or a whole row, when `column` is empty) that could not be taken as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where it stands.
    pub origin: Origin,
    /// The header of the column; empty when the row as a whole is at fault.
    pub column: String,
    /// The text that was found.
    pub value: String,
    /// What would have been accepted.
    pub expected: Message,
    /// What the user can do about it.
    pub hint: Option<Message>,
}

impl Refusal {
    /// The value in quotes, shortened so that one bad cell cannot fill the screen.
    pub fn shown(&self) -> String {
        shown(&self.value)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.origin)?;
        if self.column.is_empty() {
            write!(f, ": {}", shown(&self.value))?;
        } else {
            write!(f, ", column \"{}\": {}", self.column, shown(&self.value))?;
        }
        write!(f, "; expected {}", self.expected)?;
        if let Some(hint) = &self.hint {
            write!(f, "\n  help: {hint}")?;
        }
        Ok(())
    }
}

fn shown(value: &str) -> String {
    const MOST: usize = 120;
    if value.is_empty() {
        return "no value".to_owned();
    }
    let mut text: String = value.chars().take(MOST).collect();
    if value.chars().nth(MOST).is_some() {
        text.push('…');
    }
    format!("{text:?}")
}

/// The kinds of failure, for callers that must tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A file could not be read at all.
    Io,
    /// A file is not what its name or content claims (a broken zip, HTML in an .xlsx).
    Format,
    /// One or more cells were refused; `Error::refusals` lists every one.
    Cells,
    /// No layout claims a file.
    Unclaimed,
    /// More than one layout claims a file.
    Contested,
    /// A platform file is wrong.
    Platform,
    /// A contract, balance or inventory file is wrong.
    Input,
    /// A utilization export cannot be used as it is.
    Usage,
    /// A limit was passed that protects against hostile input.
    Bound,
}

/// A failure to read something, with its place and what to do about it.
#[derive(Clone, Debug)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    kind: Kind,
    origin: Option<Origin>,
    message: Message,
    hint: Option<Message>,
    refusals: Vec<Refusal>,
}

/// What the readers of this crate return.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A failure of a kind, said in one sentence without a full stop.
    pub fn new(kind: Kind, message: impl Into<Message>) -> Self {
        Self(Box::new(Inner { kind, origin: None, message: message.into(), hint: None, refusals: Vec::new() }))
    }

    /// A failure of the operating system on a file.
    pub fn io(file: impl Into<Arc<str>>, source: &std::io::Error) -> Self {
        Self::new(Kind::Io, format!("cannot be read: {source}")).at(Origin::file(file))
    }

    /// The list of all refused cells of the input.
    pub fn cells(refusals: Vec<Refusal>) -> Self {
        let n = refusals.len();
        let what = if n == 1 { message!("1 value was refused") } else { message!("{n} values were refused") };
        let mut error = Self::new(Kind::Cells, what);
        error.0.refusals = refusals;
        error
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, origin: Origin) -> Self {
        self.0.origin = Some(origin);
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Message>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The kind of failure.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// What happened.
    pub fn message(&self) -> &Message {
        &self.0.message
    }

    /// What to do about it, if that is known.
    pub fn help(&self) -> Option<&Message> {
        self.0.hint.as_ref()
    }

    /// Where it happened, if it happened at one place.
    pub fn origin(&self) -> Option<&Origin> {
        self.0.origin.as_ref()
    }

    /// Every refused cell, in the order of the input.
    pub fn refusals(&self) -> &[Refusal] {
        &self.0.refusals
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(origin) = &self.0.origin {
            write!(f, "{origin}: ")?;
        }
        f.write_str(self.0.message.as_str())?;
        for refusal in &self.0.refusals {
            write!(f, "\n{refusal}")?;
        }
        if let Some(hint) = &self.0.hint {
            write!(f, "\n  help: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// A text whose lines are cut where no screen shows them any more: parsers print the line at fault
/// as it stands, and a hostile one has no end.
pub fn narrowed(text: &str) -> String {
    const MOST: usize = 240;
    let cut = |line: &str| match line.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    };
    text.lines().map(cut).collect::<Vec<_>>().join("\n")
}
