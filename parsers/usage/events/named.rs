//! How a line names a card.

use super::super::monitors::card::uuid;

/// How a line names a card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Named {
    /// By its own id.
    Uuid(String),
    /// By its place on the machine's bus, folded.
    Bus(String),
    /// By its number, as the program that wrote the line counts the cards that it sees.
    Index(String),
    /// Not at all.
    #[default]
    Nothing,
}

impl Named {
    /// The card that a line names.
    pub(super) fn of(line: &str) -> Self {
        if let Some(id) = uuid(line) {
            return Self::Uuid(id.to_owned());
        }
        if let Some(bus) = bus(line) {
            return Self::Bus(bus);
        }
        // `GPU 0 has a total capacity of …`, `(GPU 0; 79.15 GiB total capacity; …`
        line.match_indices("GPU ")
            .find_map(|(at, word)| {
                let rest = &line[at + word.len()..];
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let behind = rest[end..].starts_with([';', ' ', ':', ',', '.', ')']) || end == rest.len();
                ((1..=2).contains(&end) && behind).then(|| Self::Index(rest[..end].to_owned()))
            })
            .unwrap_or_default()
    }

    /// The name for people, where nothing better is known.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Uuid(text) | Self::Bus(text) | Self::Index(text) => Some(text.clone()),
            Self::Nothing => None,
        }
    }
}

/// The bus address within a text, folded: `00000000:65:00.0`, `PCI:0000:65:00`, `0000:65:00.0` are one.
pub(super) fn bus(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let hex =
        |from: usize, len: usize| bytes.get(from..from + len).is_some_and(|b| b.iter().all(u8::is_ascii_hexdigit));
    // The colon between domain and bus, with two hex digits on either side of the next one.
    let at = (4..bytes.len()).find(|&at| {
        bytes[at] == b':'
            && hex(at - 4, 4)
            && hex(at + 1, 2)
            && bytes.get(at + 3) == Some(&b':')
            && hex(at + 4, 2)
            && bytes.get(at + 6).is_none_or(|b| !b.is_ascii_alphanumeric())
    })?;
    Some(text.get(at - 4..at + 6)?.to_ascii_lowercase())
}
