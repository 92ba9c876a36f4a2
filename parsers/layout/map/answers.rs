//! What the user says of a file: `--set` and answers on a terminal.

use std::collections::BTreeMap;

use super::super::header::Header;
use super::wants::wants;
use crate::ledger::marks::is_code;
use crate::ledger::time::Zone;
use crate::ledger::{Category, Kind, Terms};
use crate::message::Message;
use crate::nearest;

/// Ledger columns that are no column of the file by themselves but can be answered.
const FURTHER: [&str; 4] = ["category", "terms", "card", "card_hours"];
/// What holds for the whole file.
const SETTINGS: [&str; 3] = ["zone", "thousands", "dates"];

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These columns of the file, tried in order.
    Columns(Vec<String>),
    /// This value in every row.
    Constant(String),
    /// Nothing in the file.
    Nothing,
}

/// All that the user has said.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    ledger: BTreeMap<String, Answer>,
    /// Words of a closed vocabulary by ledger column and cell.
    words: BTreeMap<(String, String), String>,
}

impl Answers {
    /// Takes one `--set`.
    ///
    /// `cost=实付金额` names a column of the file (said twice, both are tried in order),
    /// `currency==USD` a constant, `region=` nothing, and `kind:赠送==credit` says what a cell means.
    ///
    /// # Errors
    /// With what was expected, if it is none of these or a word is not the ledger's.
    pub fn set(&mut self, text: &str) -> Result<(), Message> {
        let (left, right) = text.split_once('=').ok_or_else(|| {
            message!("--set {text:?} is no setting; expected cost=\"a column of the file\", currency==USD for a constant, or region= for none")
        })?;
        let left = left.trim();
        let (right, constant) = match right.strip_prefix('=') {
            Some(constant) => (unquoted(constant), true),
            None => (unquoted(right), false),
        };
        if let Some((ledger, cell)) = left.split_once(':') {
            return self.word(ledger.trim(), unquoted(cell), right, constant);
        }
        known(left)?;
        let answer = if constant {
            check(left, right)?;
            Answer::Constant(right.to_owned())
        } else if right.is_empty() {
            Answer::Nothing
        } else if SETTINGS.contains(&left) {
            return Err(message!("--set {text:?}: {left} is no column; write {left}=={right}"));
        } else {
            match self.ledger.remove(left) {
                Some(Answer::Columns(mut columns)) => {
                    columns.push(right.to_owned());
                    Answer::Columns(columns)
                }
                _ => Answer::Columns(vec![right.to_owned()]),
            }
        };
        self.ledger.insert(left.to_owned(), answer);
        Ok(())
    }

    fn word(&mut self, ledger: &str, cell: &str, word: &str, constant: bool) -> Result<(), Message> {
        if !constant || !["kind", "category", "terms"].contains(&ledger) {
            return Err(message!(
                "--set {ledger}:{cell}: what a cell means is written kind:{cell}==usage, for kind, category or terms"
            ));
        }
        check(ledger, word)?;
        self.words.insert((ledger.to_owned(), cell.to_owned()), word.to_owned());
        Ok(())
    }

    /// The answer for a ledger column or a setting.
    pub fn get(&self, ledger: &str) -> Option<&Answer> {
        self.ledger.get(ledger)
    }

    /// A constant that was given.
    pub fn constant(&self, ledger: &str) -> Option<&str> {
        match self.get(ledger) {
            Some(Answer::Constant(value)) => Some(value),
            _ => None,
        }
    }

    /// What a cell means, if the user has said.
    pub fn meaning(&self, ledger: &str, cell: &str) -> Option<&str> {
        self.words.get(&(ledger.to_owned(), cell.to_owned())).map(String::as_str)
    }

    /// The words that were given for a ledger column: cell and meaning.
    pub fn meanings<'s>(&'s self, ledger: &'s str) -> impl Iterator<Item = (&'s str, &'s str)> {
        self.words.iter().filter(move |((l, _), _)| l == ledger).map(|((_, cell), word)| (cell.as_str(), word.as_str()))
    }

    /// Checks that every column that was named is in the file.
    ///
    /// # Errors
    /// With the nearest name, if one is not.
    pub fn check(&self, names: &[String]) -> Result<(), Message> {
        let header = Header::new(names.to_vec());
        for (ledger, answer) in &self.ledger {
            let Answer::Columns(columns) = answer else { continue };
            for column in columns {
                if header.has(column) {
                    continue;
                }
                let near = nearest(column, names.iter().map(String::as_str));
                let help = near.map_or_else(
                    || message!("for a constant write {ledger}=={column}"),
                    |n| message!("did you mean \"{n}\"? For a constant write {ledger}=={column}"),
                );
                return Err(message!("--set {ledger}={column}: the file has no column \"{column}\"\n  help: {help}"));
            }
        }
        Ok(())
    }
}

/// Quotes that a shell passed on.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text)
}

fn names() -> impl Iterator<Item = &'static str> {
    wants().map(|w| w.ledger).chain(FURTHER).chain(SETTINGS)
}

fn known(ledger: &str) -> Result<(), Message> {
    if names().any(|n| n == ledger) {
        return Ok(());
    }
    let near = nearest(ledger, names());
    let all: Vec<&str> = names().collect();
    let help =
        near.map_or_else(|| message!("expected one of {}", all.join(", ")), |n| message!("did you mean \"{n}\"?"));
    Err(message!("--set: \"{ledger}\" is no ledger column\n  help: {help}"))
}

/// Whether a constant can stand in a ledger column.
fn check(ledger: &str, value: &str) -> Result<(), Message> {
    let words = |all: Vec<&str>| {
        let fits = all.contains(&value);
        if fits { Ok(()) } else { Err(message!("--set: {value:?} is no {ledger}; expected one of {}", all.join(", "))) }
    };
    match ledger {
        "kind" => words(Kind::ALL.iter().map(|w| w.as_str()).collect()),
        "category" => words(Category::ALL.iter().map(|w| w.as_str()).collect()),
        "terms" => words(Terms::ALL.iter().map(|w| w.as_str()).collect()),
        "thousands" => words(vec!["none", "comma", "point"]),
        "dates" => words(vec!["month-first", "day-first"]),
        "zone" if Zone::parse(value).is_none() => Err(message!(
            "--set: zone {value:?} is unknown; expected an offset such as +08:00 or a name such as Asia/Shanghai"
        )),
        "currency" if !is_code(value) => {
            Err(message!("--set: {value:?} is no currency; expected a code such as CNY or USD"))
        }
        "start" | "end" | "posted" | "cost" => {
            Err(message!("--set: {ledger} cannot be the same in every row; name a column: {ledger}=\"…\""))
        }
        _ if value.is_empty() => Err(message!("--set: {ledger}== needs a value; for nothing write {ledger}=")),
        _ => Ok(()),
    }
}
