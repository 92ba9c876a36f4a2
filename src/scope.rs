//! What the inputs must agree on before they are audited: the month and the platforms.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use kashi_parsers::layout::Platforms;
use kashi_parsers::{message, nearest};

use crate::bills::Bills;
use crate::config::Config;

/// Refuses a month that no line is of: its report would show another month's money.
///
/// # Errors
/// If no line is of the month; the message names those that are.
pub fn check_period(read: &Bills, period: &str) -> Result<()> {
    let months: BTreeSet<&str> = read.ledger.lines().map(|line| line.period()).collect();
    if months.contains(period) {
        return Ok(());
    }
    let held = months.into_iter().collect::<Vec<_>>().join(", ");
    bail!(message!(
        "no line of the bills is of {period}; they are of {held}: give the bills of {period} too, or say another month"
    ))
}

/// Refuses a platform in kashi.toml that nobody knows: what is said of it would be passed over.
///
/// # Errors
/// If an entry names a platform that neither a platform file nor a bill has.
pub fn check_platforms(read: &Bills, config: &Config, platforms: &Platforms) -> Result<()> {
    let prices = config.price.iter().filter_map(|p| p.platform.as_deref()).map(|name| ("price", name));
    let accounts = config.account.iter().map(|a| ("account", a.platform.as_str()));
    let packages = config.package.iter().map(|p| ("package", p.platform.as_str()));
    let balances = config.balance.iter().map(|b| ("balance", b.platform.as_str()));
    let devices = config.device.iter().filter_map(|d| d.platform.as_deref()).map(|name| ("device", name));
    let named = prices.chain(accounts).chain(packages).chain(balances).chain(devices);
    let named: Vec<_> = named.filter(|(_, name)| platforms.get(name).is_none()).collect();
    if named.is_empty() {
        // The bills, which may be of platforms without a file of their own, need not be asked.
        return Ok(());
    }
    let mut known: BTreeSet<&str> = platforms.iter().map(|platform| platform.name.as_str()).collect();
    known.extend(read.ledger.lines().map(|line| line.platform()));
    if let Some((table, name)) = named.into_iter().find(|(_, name)| !known.contains(name)) {
        let near = nearest(name, known.iter().copied());
        let near = near.map(|near| message!("did you mean {near:?}? ")).unwrap_or_default();
        bail!(message!(
            "{}: [[{table}]] platform = {name:?} is none that kashi knows; {near}`kashi platforms` lists them, check its spelling",
            config.name
        ));
    }
    Ok(())
}
