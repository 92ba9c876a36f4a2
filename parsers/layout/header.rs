//! Header names: folded so that width, case and padding do not matter.

use rustc_hash::FxHashMap;

use crate::ledger::money::blank;

/// A header as it is compared: trimmed, lower case, full-width forms made narrow.
pub fn fold(name: &str) -> String {
    let name = name.trim_matches(blank);
    // Every layout's every name is folded to find out which layout claims a table.
    if name.chars().all(is_folded) {
        return name.to_owned();
    }
    if name.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return name.to_ascii_lowercase();
    }
    name.chars()
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

/// The usual characters that are their own folded form; others may be too.
fn is_folded(c: char) -> bool {
    matches!(c, ' '..='@' | '['..='~' | '\u{4e00}'..='\u{9fff}')
}

/// The header row of a table.
#[derive(Clone, Debug)]
pub struct Header {
    /// The names as printed.
    pub names: Vec<String>,
    folded: Vec<String>,
    /// Folded name to the places where it stands.
    places: FxHashMap<String, Vec<usize>>,
}

impl Header {
    /// Takes a row for a header.
    pub fn new(names: Vec<String>) -> Self {
        let mut places: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        let folded: Vec<String> = names.iter().map(|name| fold(name)).collect();
        for (at, name) in folded.iter().enumerate() {
            places.entry(name.clone()).or_default().push(at);
        }
        Self { names, folded, places }
    }

    /// Where one of a column's names stands; the first alias that is there wins. A name with a `*`
    /// stands where any number has its place.
    pub fn find(&self, aliases: &[String]) -> Option<usize> {
        aliases.iter().find_map(|alias| self.place(&fold(alias)))
    }

    /// Where a folded name stands.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        match self.places.get(name) {
            Some(places) => places.first().copied(),
            None if name.contains('*') => self.folded.iter().position(|header| super::numbered::is(name, header)),
            None => None,
        }
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
