//! What a platform file says of rows that make several lines, and of the document around them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::schema::{Layout, Names, Sources};

impl Layout {
    /// Every ledger column and its sources, of the row and of its parts.
    pub(super) fn all_columns(&self) -> impl Iterator<Item = (&String, &Sources)> {
        self.columns.iter().chain(self.parts.iter().flat_map(|part| &part.columns))
    }
}

/// A part of a row: a line of its own, with the row's texts and times and its own amounts.
///
/// A column name with a `*` makes one part for each number that the header has in its place. A row
/// whose parts do not come to its cost has one line more: the rest.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its cost comes on top of the row's own line and is not contained in it, as a credit does.
    #[serde(default)]
    pub adds: bool,
    /// Where its ledger columns come from; `cost` must be one.
    pub columns: BTreeMap<String, Sources>,
}

/// Dotted paths in a JSON document, each with its aliases.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Says {
    /// The total of all records: checked against the lines.
    pub total: Names,
    /// How many records there are on all pages.
    pub records: Names,
    /// Filled where another page follows.
    pub more: Names,
}
