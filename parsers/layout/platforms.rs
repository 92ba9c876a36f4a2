//! The platforms that kashi ships with, and those that a user adds.

use std::sync::{Arc, OnceLock};

use super::plan;
use super::schema::{Platform, Policy};
use crate::error::{Error, Kind, Origin, Result};
use crate::ledger::time::Zone;

static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/platforms.rs"));

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

    /// Adds a user's platform file; one of the same name gains its layouts and policy.
    ///
    /// # Errors
    /// If the text is not a platform file; the message points into it.
    pub fn add(&mut self, file: &str, text: &str) -> Result<()> {
        let platform = parse(file, text)?;
        check(file, text, &platform)?;
        self.join(platform);
        Ok(())
    }

    fn join(&mut self, platform: Platform) {
        match self.platforms.iter_mut().find(|p| p.name == platform.name) {
            Some(known) => {
                let mut joined = platform;
                joined.policy = joined.policy.or(&known.policy);
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
                all.join(parse(file, text)?);
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
    let wrong = |row: u32, message: String| Error::new(Kind::Platform, message).at(Origin::file(file).at(row));
    let platform: Platform = toml::from_str(text).map_err(|e| {
        let error = wrong(0, format!("is not a platform file: {e}").trim_end().to_owned());
        match meant(e.message()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint("CONTRIBUTING.md shows what a platform file says, with an example"),
        }
    })?;
    if Zone::parse(&platform.zone).is_none() {
        let expected = "no zone; expected an offset such as \"+08:00\" or a name such as \"Asia/Shanghai\"";
        return Err(wrong(row_of(text, "zone", &platform.zone), format!("zone {:?} is {expected}", platform.zone)));
    }
    Ok(platform)
}

/// Checks every pattern and word of a platform's layouts.
fn check(file: &str, text: &str, platform: &Platform) -> Result<()> {
    for layout in &platform.layouts {
        plan::check(platform, layout).map_err(|e| {
            let origin = Origin::file(file).at(row_of(text, "name", &layout.name));
            Error::new(Kind::Platform, format!("layout \"{}\": {e}", layout.name)).at(origin)
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
    for (file, text) in FILES {
        check(file, text, &parse(file, text)?)?;
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

/// The known key nearest to an unknown one, from serde's list of what it expected.
fn meant(message: &str) -> Option<&str> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let found = quoted.next().filter(|_| message.starts_with("unknown "))?;
    let near = quoted.map(|known| (strsim::damerau_levenshtein(known, found), known)).min()?;
    (near.0 <= 2).then_some(near.1)
}
