//! What the user says of bills beforehand.

use std::sync::Arc;

use globset::Glob;

use super::identify::Claim;
use super::schema::Platform;
use crate::contract::{Account, Package, Price};
use crate::ledger::time::Zone;

/// What the user says of bills beforehand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// Accounts of kashi.toml.
    pub accounts: &'a [Account],
    /// Prices of kashi.toml, for exports that state quantities alone.
    pub prices: &'a [Price],
    /// Packages of kashi.toml.
    pub packages: &'a [Package],
}

impl<'a, const N: usize> From<&'a [Account; N]> for Given<'a> {
    fn from(accounts: &'a [Account; N]) -> Self {
        Self { accounts, ..Self::default() }
    }
}

/// What kashi.toml says of one bill: each by the entry that names its file, or by one for all files.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// The account, for a bill that names none.
    pub(super) account: Option<String>,
    /// Whether several accounts are named and none for this file.
    pub(super) several: bool,
    /// The currency, for a bill that names none.
    pub(super) currency: Option<String>,
    /// The month, for a bill that names none.
    pub(super) period: Option<String>,
    /// The packages of its platform.
    pub(super) packages: Vec<Package>,
    /// The zone that its times are in.
    zone: Option<String>,
    /// The zone that its platform closes its months in, whichever the times are printed in.
    pub(super) months: Option<Zone>,
    /// The entry to write, for what is missing.
    pub(super) entry: String,
}

impl Given<'_> {
    /// What is said of a bill of a platform.
    pub(super) fn of(&self, platform: &str, file: &str) -> Told {
        let of_platform: Vec<&Account> = self.accounts.iter().filter(|a| a.platform == platform).collect();
        let own: Vec<&Account> = of_platform.iter().copied().filter(|a| names(a, file)).collect();
        let all: Vec<&Account> = of_platform.iter().copied().filter(|a| a.files.is_empty()).collect();
        let said = |of: fn(&Account) -> Option<&String>| {
            own.iter().copied().find_map(of).or_else(|| all.iter().copied().find_map(of)).cloned()
        };
        let named = |accounts: &[&Account]| {
            let mut ids: Vec<String> = accounts.iter().filter_map(|a| a.id.clone()).collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let ids = if named(&own).is_empty() { named(&all) } else { named(&own) };
        Told {
            several: ids.len() > 1,
            account: if ids.len() == 1 { ids.into_iter().next() } else { None },
            currency: said(|a| a.currency.as_ref()),
            period: said(|a| a.period.as_ref()),
            packages: self.packages.iter().filter(|p| p.platform == platform).cloned().collect(),
            zone: said(|a| a.zone.as_ref()),
            months: None,
            entry: format!("[[account]] platform = \"{platform}\", files = [\"{file}\"]"),
        }
    }
}

impl Told {
    /// The platform with the zone that is said of the bill.
    pub(super) fn zoned(&self, claim: &Claim) -> Arc<Platform> {
        match &self.zone {
            Some(zone) => Arc::new(Platform { zone: zone.clone(), ..claim.platform.as_ref().clone() }),
            None => claim.platform.clone(),
        }
    }
}

/// Whether an entry names a bill: its whole name, that of the archive it is in, or the last part of either.
fn names(account: &Account, file: &str) -> bool {
    let archive = file.split('!').next().unwrap_or(file);
    let last = |name: &'_ str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let called = [file.to_owned(), archive.to_owned(), last(file), last(archive)];
    let globs = account.files.iter().filter_map(|glob| Glob::new(glob.trim_start_matches("./")).ok());
    globs.map(|glob| glob.compile_matcher()).any(|glob| called.iter().any(|name| glob.is_match(name)))
}
