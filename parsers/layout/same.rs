//! What a platform file says of two exports: whether they state the same money.

use regex::Regex;
use serde::Deserialize;

use super::schema::{Layout, Platform};
use crate::message::Message;

/// How two exports of one platform, account and month stand to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation<'a> {
    /// The first states what the second states better: the second is the ledger.
    Same(&'a Same),
    /// Each states money of its own.
    Other,
    /// Nobody has said.
    Unknown,
}

/// An export that states the same money and is preferred as the ledger.
///
/// Written as the layout's name, or as `{ layout = "…", sku = "^pod ", states = "part" }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Same {
    /// Its name within the platform; `*` is every export of the platform that a line names.
    pub layout: String,
    /// Only lines whose product matches this are the other export's money.
    pub sku: Option<String>,
    /// What the less preferred export states of that money.
    pub states: States,
}

/// What an export states of money that another one has in detail.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum States {
    /// All of it: the two must come to the same.
    #[default]
    All,
    /// A part of it: it must not come to more.
    Part,
    /// In other amounts (before tax, in another currency): the sums cannot be compared.
    Otherwise,
}

impl Same {
    /// Tells the lines that are the other export's money; `None` if all are.
    ///
    /// # Errors
    /// If the pattern is no regular expression; a platform file that is read is checked for it.
    pub fn lines(&self) -> Result<Option<Regex>, Message> {
        let compile = |text: &String| {
            Regex::new(text)
                .map_err(|_| message!("sku = {text:?} is no regular expression; expected one such as '^pod '"))
        };
        self.sku.as_ref().map(compile).transpose()
    }
}

/// How the exports of two bills stand to each other, from the first one's side.
pub fn relation<'a>(one: (&Platform, &'a Layout), other: (&Platform, &Layout)) -> Relation<'a> {
    let own = one.0.name == other.0.name;
    let names = |name: &str| if own { name == other.1.name } else { name == "*" };
    if let Some(same) = one.1.same_money_as.iter().find(|same| names(&same.layout)) {
        return Relation::Same(same);
    }
    let apart = |a: &Layout, b: &Layout| a.other_money_than.contains(&b.name);
    match own && (apart(one.1, other.1) || apart(other.1, one.1)) {
        true => Relation::Other,
        false => Relation::Unknown,
    }
}

/// Checks that what a layout says of its siblings can be followed.
pub(super) fn check(platform: &Platform, layout: &Layout) -> Result<(), Message> {
    let known = |name: &str| platform.layouts.iter().any(|sibling| sibling.name == name && name != layout.name);
    let named = layout.same_money_as.iter().map(|same| same.layout.as_str()).filter(|name| *name != "*");
    for (key, name) in named
        .map(|name| ("same_money_as", name))
        .chain(layout.other_money_than.iter().map(|name| ("other_money_than", name.as_str())))
    {
        if !known(name) {
            let siblings: Vec<&str> = platform.layouts.iter().map(|sibling| sibling.name.as_str()).collect();
            return Err(message!(
                "{key} names \"{name}\", which is no other layout of the platform; expected one of {}",
                siblings.join(", ")
            ));
        }
    }
    for same in &layout.same_money_as {
        same.lines()?;
        if leads_back(platform, &same.layout, layout, platform.layouts.len()) {
            return Err(message!(
                "same_money_as goes in a circle: \"{}\" prefers \"{}\" in turn; say it in one of the two, the one that is not the ledger",
                same.layout,
                layout.name
            ));
        }
    }
    Ok(())
}

fn leads_back(platform: &Platform, from: &str, to: &Layout, steps: usize) -> bool {
    let Some(layout) = platform.layouts.iter().find(|l| l.name == from) else { return false };
    let next = |same: &Same| same.layout == to.name || steps > 0 && leads_back(platform, &same.layout, to, steps - 1);
    layout.same_money_as.iter().any(next)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    layout: String,
    sku: Option<String>,
    #[serde(default)]
    states: States,
}

impl<'de> Deserialize<'de> for Same {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SameVisitor)
    }
}

/// Tells a bare name and a table apart without losing the position of an error.
struct SameVisitor;

impl<'de> serde::de::Visitor<'de> for SameVisitor {
    type Value = Same;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a layout's name, or { layout = \"…\", sku = \"…\", states = \"all\" | \"part\" | \"otherwise\" }")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Same, E> {
        Ok(Same { layout: name.to_owned(), sku: None, states: States::All })
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Same, A::Error> {
        let written = Written::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
        Ok(Same { layout: written.layout, sku: written.sku, states: written.states })
    }
}
