//! What the inputs must agree on before they are audited: the month and the currencies.

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

/// Refuses a currency of totals that a bill's currency cannot be turned into.
///
/// # Errors
/// If kashi.toml asks for totals in one currency and has no rate for another that the bills hold.
pub fn check_currencies(read: &Bills, config: &Config) -> Result<()> {
    let Some(wanted) = &config.currency else { return Ok(()) };
    let rated = |held: &str| {
        let pair = |from: &str, to: &str| config.rate.iter().any(|r| r.from == from && r.to == to);
        held == wanted || pair(held, wanted) || pair(wanted, held)
    };
    let held: BTreeSet<&str> = read.ledger.lines().map(|line| line.currency()).collect();
    if let Some(other) = held.into_iter().find(|held| !rated(held)) {
        bail!(message!(
            "the bills hold {other}, and kashi.toml asks for totals in {wanted} without a rate between them; \
             add [[rate]] with from = \"{other}\", to = \"{wanted}\", a date and the rate, or leave out currency"
        ));
    }
    Ok(())
}

/// Refuses a platform in kashi.toml that nobody knows: what is said of it would be passed over.
///
/// # Errors
/// If an entry names a platform that neither a platform file nor a bill has.
pub fn check_platforms(read: &Bills, config: &Config, platforms: &Platforms) -> Result<()> {
    let prices = config.price.iter().filter_map(|p| p.platform.as_deref()).map(|name| ("price", name));
    let accounts = config.account.iter().map(|a| ("account", a.platform.as_str()));
    let balances = config.balance.iter().map(|b| ("balance", b.platform.as_str()));
    let named: Vec<_> = prices.chain(accounts).chain(balances).filter(|(_, n)| platforms.get(n).is_none()).collect();
    if named.is_empty() {
        // The bills, which may be of platforms without a file of their own, need not be asked.
        return Ok(());
    }
    let mut known: BTreeSet<&str> = platforms.iter().map(|platform| platform.name.as_str()).collect();
    known.extend(read.ledger.lines().map(|line| line.platform()));
    if let Some((table, name)) = named.into_iter().find(|(_, name)| !known.contains(name)) {
        let near = nearest(name, known.iter().copied());
        let near = near.map(|near| format!("did you mean {near:?}? ")).unwrap_or_default();
        bail!(message!(
            "kashi.toml: [[{table}]] platform = {name:?} is none that kashi knows; {near}`kashi platforms` lists them, check its spelling"
        ));
    }
    Ok(())
}
