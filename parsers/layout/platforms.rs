//! The platforms that kashi ships with, and those that a user adds.

use std::sync::{Arc, OnceLock};

use serde::Deserialize;

use super::schema::{Layout, Platform, Policy, Title};
use super::{plan, same};
use crate::error::{Error, Kind, Origin, Result, narrowed};
use crate::ledger::time::Zone;
use crate::message::Message;
use crate::{meant, nearest};

/// Name, text and the same as JSON.
static FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/platforms.rs"));

/// Every platform in force; none by default.
#[derive(Clone, Debug, Default)]
pub struct Platforms {
    platforms: Vec<Arc<Platform>>,
}

impl Platforms {
    /// The platforms in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Platform>> {
        self.platforms.iter()
    }

    /// A platform by its name.
    pub fn get(&self, name: &str) -> Option<&Arc<Platform>> {
        self.platforms.iter().find(|p| p.name == name)
    }

    /// A layout by its whole name, `platform/layout`, and its platform.
    pub fn layout(&self, name: &str) -> Option<(&Platform, &Layout)> {
        let (platform, layout) = name.rsplit_once('/')?;
        let platform = self.get(platform)?;
        Some((platform, platform.layouts.iter().find(|known| known.name == layout)?))
    }

    /// Adds a user's platform file. One with the name of a known platform adds to it: a mapping for
    /// a profile need hold nothing but its layouts, and the profile's billing facts stay.
    ///
    /// # Errors
    /// If the text is not a platform file; the message points into it.
    pub fn add(&mut self, file: &str, text: &str) -> Result<()> {
        let platform = self.read(file, text)?;
        check(file, text, &platform)?;
        self.put(platform);
        Ok(())
    }

    /// A platform file over what is known of its platform.
    fn read(&self, file: &str, text: &str) -> Result<Platform> {
        self.complete(file, parse(file, text)?)
    }

    /// What a file writes, over what is known of its platform.
    fn complete(&self, file: &str, written: PlatformFile) -> Result<Platform> {
        let known = self.get(&written.name);
        let name = written.name.clone();
        written.over(known.map(AsRef::as_ref)).map_err(|key| {
            let hint = match nearest(&name, self.iter().map(|p| p.name.as_str())) {
                Some(near) => message!("did you mean `name = \"{near}\"`? kashi knows that platform and would take over what the file leaves out"),
                None => message!("only a file for a platform that `kashi platforms` lists can leave it out; add `{key}`"),
            };
            let message = message!("says no `{key}`, and kashi knows no platform \"{name}\" to take it over from");
            Error::new(Kind::Platform, message).at(Origin::file(file)).hint(hint)
        })
    }

    fn put(&mut self, platform: Platform) {
        match self.platforms.binary_search_by(|p| p.name.cmp(&platform.name)) {
            Ok(at) => self.platforms[at] = Arc::new(platform),
            Err(at) => self.platforms.insert(at, Arc::new(platform)),
        }
    }
}

/// The platforms that kashi ships with.
///
/// # Errors
/// If a shipped file is wrong, which a test rules out.
pub fn shipped() -> Result<&'static Platforms> {
    static SHIPPED: OnceLock<Result<Platforms>> = OnceLock::new();
    SHIPPED
        .get_or_init(|| {
            let mut all = Platforms { platforms: Vec::new() };
            for &(file, text, json) in FILES {
                let platform = all.complete(file, embedded(file, text, json)?)?;
                all.put(platform);
            }
            Ok(all)
        })
        .as_ref()
        .map_err(Clone::clone)
}

/// A shipped file from its JSON: all of them as TOML would be a third of what a small bill takes. What is wrong
/// with one is found in its text, and said of it.
fn embedded(file: &str, text: &str, json: &str) -> Result<PlatformFile> {
    match serde_json::from_str(json) {
        Ok(written) => sound(file, text, written),
        Err(_) => parse(file, text),
    }
}

/// A platform file as it is written: of a platform that is known already it says only what is new.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlatformFile {
    name: String,
    title: Option<Title>,
    zone: Option<String>,
    currency: Option<String>,
    #[serde(default)]
    policy: Policy,
    #[serde(default, rename = "layout")]
    layouts: Vec<Layout>,
}

impl PlatformFile {
    /// The platform: what the file leaves out is taken over from the one that is known, and where
    /// both say something the file holds, fact by fact and layout by layout.
    ///
    /// # Errors
    /// With the key that a platform nobody knows must say and this file does not.
    fn over(self, known: Option<&Platform>) -> std::result::Result<Platform, &'static str> {
        let mut layouts = self.layouts;
        let others = known.iter().flat_map(|k| &k.layouts);
        let others: Vec<Layout> = others.filter(|l| layouts.iter().all(|own| own.name != l.name)).cloned().collect();
        layouts.extend(others);
        Ok(Platform {
            name: self.name,
            title: self.title.or_else(|| known.map(|k| k.title.clone())).ok_or("title")?,
            zone: self.zone.or_else(|| known.map(|k| k.zone.clone())).ok_or("zone")?,
            currency: self.currency.or_else(|| known.and_then(|k| k.currency.clone())),
            policy: known.map_or(self.policy.clone(), |k| self.policy.or(&k.policy)),
            layouts,
        })
    }
}

fn parse(file: &str, text: &str) -> Result<PlatformFile> {
    let written = toml::from_str(text).map_err(|e| {
        let message = message!("is not a platform file: {}", narrowed(e.to_string().trim_end()));
        let error = Error::new(Kind::Platform, message).at(Origin::file(file));
        match meant(e.message()) {
            Some(near) => error.hint(message!("did you mean `{near}`?")),
            None => error.hint("CONTRIBUTING.md shows what a platform file says, with an example"),
        }
    })?;
    sound(file, text, written)
}

/// A file whose zone is one and whose facts can be read.
fn sound(file: &str, text: &str, written: PlatformFile) -> Result<PlatformFile> {
    let wrong = |row: u32, message: Message| Error::new(Kind::Platform, message).at(Origin::file(file).at(row));
    if let Some(zone) = written.zone.as_deref().filter(|zone| Zone::parse(zone).is_none()) {
        let message = message!(
            "zone {zone:?} is no zone; expected an offset such as \"+08:00\" or a name such as \"Asia/Shanghai\""
        );
        return Err(wrong(row_of(text, "zone", zone), message));
    }
    if let Err((key, message)) = written.policy.check() {
        return Err(wrong(row_of(text, key, ""), message));
    }
    Ok(written)
}

/// Checks every pattern and word of a platform's layouts.
fn check(file: &str, text: &str, platform: &Platform) -> Result<()> {
    for layout in &platform.layouts {
        plan::check(platform, layout).and_then(|()| same::check(platform, layout)).map_err(|e| {
            let origin = Origin::file(file).at(row_of(text, "name", &layout.name));
            Error::new(Kind::Platform, message!("layout \"{}\": {e}", layout.name)).at(origin)
        })?;
    }
    Ok(())
}

/// Checks the platform files that kashi ships with, as a user's file is checked when it is read:
/// compiling every pattern of every platform on every start would take longer than a small audit.
///
/// # Errors
/// With the first thing that is wrong.
pub fn check_shipped() -> Result<()> {
    let all = shipped()?;
    for (file, text, _) in FILES {
        check(file, text, &all.read(file, text)?)?;
    }
    Ok(())
}

/// The row that gives a key this value; 0, the whole file, if it is written in another way.
fn row_of(text: &str, key: &str, value: &str) -> u32 {
    let says = |line: &str| {
        let rest = line.trim_start().strip_prefix(key).map(str::trim_start).and_then(|l| l.strip_prefix('='));
        rest.is_some_and(|rest| rest.trim_start().trim_start_matches(['"', '\'']).starts_with(value))
    };
    text.lines().position(says).and_then(|at| u32::try_from(at + 1).ok()).unwrap_or(0)
}
