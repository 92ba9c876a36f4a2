//! The proposal: what fills each ledger column, why, how surely, and what the user must be asked.

use super::super::schema::Source;
use super::answers::Answers;
use super::bench::Bench;
use super::choose::{Choice, Chooser};
use super::doubts::doubts;
use super::learned::Vocabulary;
use super::names::Name;
use super::sample::{self, Sample};
use super::shapes::Shape;
use super::wants::wants;
use crate::error::{Error, Kind, Result};
use crate::message::Message;
use crate::open::Table;

/// The most distinct cells of a column of kinds that are looked at.
const MOST_KINDS: usize = 200;

/// How sure a guess is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sure {
    /// It must be asked.
    Doubtful,
    /// Nothing speaks against it.
    Likely,
    /// Name and values agree, and no other column comes near.
    Sure,
    /// The user said so.
    Given,
}

impl Sure {
    /// For people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Doubtful => "doubtful",
            Self::Likely => "likely",
            Self::Sure => "sure",
            Self::Given => "given",
        }
    }

    fn of(choice: &Choice) -> Self {
        let Some(best) = choice.picks.first() else { return Self::Doubtful };
        if choice.given {
            return Self::Given;
        }
        let margin = choice.rival.as_ref().map_or(100, |r| best.score - r.score);
        let score = best.score + if best.proven { 10 } else { 0 };
        match (score, margin) {
            (84.., 6..) => Self::Sure,
            (64.., 3..) => Self::Likely,
            _ => Self::Doubtful,
        }
    }
}

/// What fills one ledger column.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The ledger column.
    pub ledger: &'static str,
    /// What it is filled from, as a platform file says it.
    pub sources: Vec<Source>,
    /// How sure that is.
    pub sure: Sure,
    /// Why.
    pub why: Vec<String>,
    /// The column that came next.
    pub rival: Option<String>,
}

impl Guess {
    /// The columns of the file that it reads.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().filter_map(|s| s.column.0.first()).map(String::as_str)
    }
}

/// Something that the user should say.
#[derive(Clone, Debug)]
pub struct Doubt {
    /// The ledger column or setting.
    pub about: String,
    /// What is not known.
    pub question: String,
    /// What may be given to `--set`, the best guess first.
    pub sets: Vec<String>,
    /// Whether the platform file would be wrong, or refuse rows, without an answer.
    pub needed: bool,
}

/// A mapping of a file's columns.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The file as it was seen.
    pub sample: Sample,
    /// What fills the ledger columns, in the order of the ledger.
    pub guesses: Vec<Guess>,
    /// The zone of the times.
    pub zone: String,
    /// Why that zone.
    pub zone_why: String,
    /// A named adapter for what the columns cannot say.
    pub adapter: Option<&'static str>,
    /// Columns that were considered and not taken over, with the reason.
    pub left: Vec<(String, String)>,
    /// What the user should say.
    pub doubts: Vec<Doubt>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Proposal {
    /// The guess for a ledger column.
    pub fn guess(&self, ledger: &str) -> Option<&Guess> {
        self.guesses.iter().find(|g| g.ledger == ledger)
    }

    /// The columns of the file that nothing reads.
    pub fn unread(&self) -> Vec<&str> {
        let read: Vec<&str> = self.guesses.iter().flat_map(Guess::columns).collect();
        self.sample.names.iter().map(String::as_str).filter(|n| !n.is_empty() && !read.contains(n)).collect()
    }
}

/// Proposes a mapping of the first table's columns; others with the same header, as in an archive
/// of several, say what else its words may be.
///
/// # Errors
/// If the table has no header or no rows, or an answer names a column that is not there.
pub fn propose(tables: &[Table], vocabulary: &Vocabulary, answers: &Answers) -> Result<Proposal> {
    let Some(table) = tables.first() else {
        return Err(Error::new(Kind::Format, "holds no table").hint("check that it is the bill"));
    };
    let mut sample = Sample::take(table)?;
    let wrong = |message: Message| Error::new(Kind::Input, message).at(table.origin.clone());
    answers.check(&sample.names).map_err(wrong)?;
    sample.group(answers.constant("thousands"));
    let names: Vec<Name> = sample.names.iter().map(|n| Name::read(n)).collect();
    let shapes: Vec<Shape> = (0..sample.names.len()).map(|at| Shape::of(&sample, at, &names[at])).collect();
    let bench = Bench::new(&sample, &names, &shapes, vocabulary);
    let mut chooser = Chooser::new(&bench, answers);
    chooser.times();
    chooser.unnamed_times();
    chooser.amounts();
    chooser.texts();
    chooser.unnamed_texts();
    chooser.named_at_least();
    chooser.rivals();
    let kinds = match chooser.column("kind").filter(|at| *at != usize::MAX) {
        Some(at) => chooser.kinds(&sample::distinct(tables, &sample, at, MOST_KINDS)?),
        None => Vec::new(),
    };
    let mut guesses = guesses(&chooser, &kinds);
    guesses.sort_by_key(|g| order(g.ledger));
    let (zone, zone_why) = chooser.zone();
    let doubts = doubts(&chooser, &guesses, &kinds, &zone);
    let adapter = chooser.is_unsigned().then_some("sign-by-kind");
    let left =
        chooser.left.iter().filter_map(|(at, why)| Some((sample.names.get(*at)?.clone(), why.clone()))).collect();
    let notes = chooser.notes.clone();
    Ok(Proposal { guesses, zone, zone_why, adapter, left, doubts, notes, sample: sample.clone() })
}

fn guesses(chooser: &Chooser<'_>, kinds: &[(String, Option<String>)]) -> Vec<Guess> {
    let mut guesses: Vec<Guess> = Vec::new();
    for (ledger, choice) in &chooser.chosen {
        let mut sources = chooser.sources(ledger);
        if *ledger == "kind" {
            for source in sources.iter_mut().filter(|s| !s.column.0.is_empty() && s.matches.is_empty()) {
                let known = kinds.iter().filter_map(|(cell, kind)| Some((cell.clone(), kind.clone()?)));
                source.is = known.collect();
                source.is.extend(chooser.answers.meanings("kind").map(|(c, w)| (c.to_owned(), w.to_owned())));
            }
        }
        let rival = choice.rival.as_ref().and_then(|r| chooser.bench.sample.names.get(r.at)).cloned();
        let why = choice.picks.first().map(|c| c.why.clone()).unwrap_or_default();
        guesses.push(Guess { ledger, sources, sure: Sure::of(choice), why, rival });
    }
    let further = [
        ("category", chooser.categories(), "trade words in what names the product"),
        ("terms", chooser.terms(), "trade words in the ways to pay"),
        ("card", chooser.cards(), "cards or instance types that kashi knows"),
    ];
    for (ledger, mut sources, why) in further {
        if let Some(value) = chooser.answers.constant(ledger) {
            sources = vec![Source { value: Some(value.to_owned()), ..Source::default() }];
        }
        if !sources.is_empty() && chooser.answers.get(ledger) != Some(&super::Answer::Nothing) {
            guesses.push(Guess { ledger, sources, sure: Sure::Likely, why: vec![why.to_owned()], rival: None });
        }
    }
    guesses
}

/// Money first, then when, what and whom.
fn order(ledger: &str) -> usize {
    const FURTHER: [&str; 3] = ["category", "terms", "card"];
    let at = wants().position(|w| w.ledger == ledger);
    at.or_else(|| FURTHER.iter().position(|f| *f == ledger).map(|p| wants().count() + p)).unwrap_or(usize::MAX)
}
