//! `kashi map`: guesses how the columns of an unknown bill become ledger columns.
//!
//! A [`Sample`] is taken of the table; `names` reads its header, `shapes` its values and
//! `identities` what holds between its columns; [`propose`] chooses, says why and how surely,
//! and [`write`] makes a platform file of it. Nothing is random and nothing is looked up outside
//! the file, the user's answers and the known layouts.

mod amounts;
mod answers;
mod bench;
mod choose;
mod doubts;
mod fit;
mod identities;
mod learned;
mod lexicon;
mod names;
mod propose;
mod sample;
mod shapes;
mod sources;
mod texts;
mod times;
mod unnamed;
mod wants;
mod words;
mod write;

pub use answers::{Answer, Answers};
pub use learned::Vocabulary;
pub use lexicon::trade_words;
pub use propose::{Doubt, Guess, Proposal, Sure, propose};
pub use sample::Sample;
pub use write::{LAYOUT, Naming, platform_file};
