//! Header names: folded so that width, case and padding do not matter.

use rustc_hash::FxHashMap;

use crate::ledger::money::blank;

/// A header as it is compared: trimmed, lower case, full-width forms made narrow.
pub fn fold(name: &str) -> String {
    name.trim_matches(blank)
        .chars()
        .filter(|c| !matches!(c, '\u{feff}' | '\u{200b}' | '\t' | '\r' | '\n'))
        .map(|c| match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            '\u{3000}' | '\u{a0}' => ' ',
            '￥' => '¥',
            other => other,
        })
        .flat_map(char::to_lowercase)
        .collect()
}

/// The header row of a table.
#[derive(Clone, Debug)]
pub struct Header {
    /// The names as printed.
    pub names: Vec<String>,
    /// Folded name to the places where it stands.
    places: FxHashMap<String, Vec<usize>>,
}

impl Header {
    /// Takes a row for a header.
    pub fn new(names: Vec<String>) -> Self {
        let mut places: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (at, name) in names.iter().enumerate() {
            places.entry(fold(name)).or_default().push(at);
        }
        Self { names, places }
    }

    /// Where one of a column's names stands; the first alias that is there wins. A name with a `*`
    /// stands where any number has its place.
    pub fn find(&self, aliases: &[String]) -> Option<usize> {
        let any = |alias: &str| self.names.iter().position(|name| super::numbered::is(alias, &fold(name)));
        aliases.iter().find_map(|alias| match self.places.get(&fold(alias)) {
            Some(places) => places.first().copied(),
            None if alias.contains('*') => any(alias),
            None => None,
        })
    }

    /// Whether one of a column's names stands there more than once.
    pub fn repeats(&self, aliases: &[String]) -> bool {
        aliases.iter().any(|alias| self.places.get(&fold(alias)).is_some_and(|p| p.len() > 1))
    }

    /// Whether a name is there.
    pub fn has(&self, name: &str) -> bool {
        self.places.contains_key(&fold(name))
    }
}
