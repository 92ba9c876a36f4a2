//! How a platform file writes names and sources: one, or a list of them.

use serde::Deserialize;

use super::schema::Source;

/// One source, or several tried in order.
#[derive(Clone, Debug)]
pub struct Sources(pub Vec<Source>);

impl Sources {
    /// The sources, and those that are added to one or multiply it.
    pub(super) fn each(&self) -> impl Iterator<Item = &Source> {
        self.0.iter().flat_map(|source| std::iter::once(source).chain(&source.add).chain(&source.times))
    }
}

/// One name or a list of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match OneOrMany::deserialize(deserializer)? {
            OneOrMany::One(name) => vec![name],
            OneOrMany::Many(names) => names,
        }))
    }
}

impl<'de> Deserialize<'de> for Sources {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SourcesVisitor)
    }
}

/// Tells a column's bare name, one source and a list apart without losing the position of an
/// error, as an untagged enum would.
struct SourcesVisitor;

impl<'de> serde::de::Visitor<'de> for SourcesVisitor {
    type Value = Sources;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a column's name, a source such as { column = \"…\" }, or a list of sources")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Sources, E> {
        Ok(Sources(vec![Source { column: Names(vec![name.to_owned()]), ..Source::default() }]))
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Sources, A::Error> {
        Source::deserialize(serde::de::value::MapAccessDeserializer::new(map)).map(|s| Sources(vec![s]))
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Sources, A::Error> {
        let mut sources = Vec::new();
        while let Some(source) = seq.next_element::<Source>()? {
            sources.push(source);
        }
        Ok(Sources(sources))
    }
}
