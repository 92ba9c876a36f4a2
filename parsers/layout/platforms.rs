//! The platforms that kashi ships with, and those that a user adds.

use std::sync::{Arc, OnceLock};

use super::plan;
use super::schema::{Platform, Policy};
use crate::error::{Error, Kind, Origin, Result};
use crate::ledger::time::Zone;

static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/platforms.rs"));

/// Every platform in force.
#[derive(Clone, Debug)]
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

    /// Adds a user's platform file; one of the same name gains its layouts and policy.
    ///
    /// # Errors
    /// If the text is not a platform file; the message points into it.
    pub fn add(&mut self, file: &str, text: &str) -> Result<()> {
        let platform = parse(file, text)?;
        match self.platforms.iter_mut().find(|p| p.name == platform.name) {
            Some(known) => {
                let mut joined = platform;
                joined.layouts.extend(
                    known
                        .layouts
                        .iter()
                        .filter(|l| joined.layouts.iter().all(|j| j.name != l.name))
                        .cloned()
                        .collect::<Vec<_>>(),
                );
                *known = Arc::new(joined);
            }
            None => self.platforms.push(Arc::new(platform)),
        }
        self.platforms.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(())
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
            for (file, text) in FILES {
                all.add(file, text)?;
            }
            Ok(all)
        })
        .as_ref()
        .map_err(Clone::clone)
}

/// How a shipped platform bills.
pub fn policy(platform: &str) -> Option<&'static Policy> {
    shipped().ok()?.get(platform).map(|p| &p.policy)
}

fn parse(file: &str, text: &str) -> Result<Platform> {
    let wrong = |message: String| Error::new(Kind::Platform, message).at(Origin::file(file));
    let platform: Platform =
        toml::from_str(text).map_err(|e| wrong(format!("is not a platform file: {e}").trim_end().to_owned()))?;
    if Zone::parse(&platform.zone).is_none() {
        return Err(wrong(format!(
            "zone {:?} is neither an offset such as \"+08:00\" nor a zone such as \"Asia/Shanghai\"",
            platform.zone
        )));
    }
    for layout in &platform.layouts {
        plan::check(&platform, layout).map_err(|e| wrong(format!("layout \"{}\": {e}", layout.name)))?;
    }
    Ok(platform)
}
