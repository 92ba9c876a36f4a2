//! Money paid in advance that will not come back.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use kashi_parsers::Origin;
use kashi_parsers::contract::Balance;
use kashi_parsers::ledger::{Kind, Line, MoneyColumn};
use rust_decimal::Decimal;

use crate::shown::{fact, figure, money};
use crate::{AmountKind, Case, Finding, Params, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let (months, topped_months) = (params.decimal("months"), params.decimal("topped_months"));
    let mut verdict = Verdict::default();
    for purse in stated(case).into_iter().chain(billed(case)) {
        if purse.balance <= Decimal::ZERO {
            continue;
        }
        let Some(burn) = purse.burn(case) else {
            verdict.undetermined(None, "burn", &purse.values());
            continue;
        };
        let topped = purse.topped(case);
        let beyond = purse.balance - months * burn;
        let grows = purse.balance > topped_months * burn && topped > burn;
        match purse.refundable(case) {
            _ if beyond <= Decimal::ZERO && !grows => {}
            None => verdict.undetermined(None, "refundable", &purse.values()),
            Some(true) => {}
            Some(false) if beyond > Decimal::ZERO => {
                let sentence = if burn > Decimal::ZERO { "balance" } else { "unused" };
                let finding = purse.finding(case, sentence, burn).value("months", months.normalize());
                let finding = finding.value("amount", money(beyond, purse.currency));
                verdict.find(finding.amount(beyond, purse.currency, AmountKind::AtRisk));
            }
            Some(false) => {
                let finding = purse.finding(case, "topped", burn);
                verdict.find(finding.value("topped", money(topped, purse.currency)));
            }
        }
    }
    verdict
}

/// A balance and whose it is.
struct Purse<'a> {
    platform: &'a str,
    account: Option<&'a str>,
    currency: &'a str,
    balance: Decimal,
    refundable: Option<bool>,
    place: Origin,
}

/// Platform, account, currency.
type Owner<'a> = (&'a str, Option<&'a str>, &'a str);

/// Balances that the user states, the latest of each account.
fn stated(case: &Case) -> Vec<Purse<'_>> {
    let mut latest: BTreeMap<Owner<'_>, &Balance> = BTreeMap::new();
    for balance in &case.contract.balances {
        let known = latest.entry((&balance.platform, balance.account.as_deref(), &balance.currency)).or_insert(balance);
        if balance.date > known.date {
            *known = balance;
        }
    }
    let purse = |((platform, account, currency), balance): (_, &Balance)| Purse {
        platform,
        account,
        currency,
        balance: balance.amount,
        refundable: balance.refundable,
        place: Origin::file("kashi.toml"),
    };
    latest.into_iter().map(purse).collect()
}

/// The last balance that each account's bill prints, unless the user states one.
fn billed(case: &Case) -> Vec<Purse<'_>> {
    let mut latest: BTreeMap<Owner<'_>, (DateTime<Utc>, Decimal, Line<'_>)> = BTreeMap::new();
    for line in case.ledger.lines() {
        let Some(balance) = line.money(MoneyColumn::Balance) else { continue };
        let Some(time) = line.posted().or(line.end()).or(line.start()) else { continue };
        let key = (line.platform(), line.account(), line.currency());
        let known = latest.entry(key).or_insert((time, balance, line));
        // Of charges in one second, the last is the one that leaves the least.
        if time > known.0 || (time == known.0 && balance < known.1) {
            *known = (time, balance, line);
        }
    }
    let is_stated = |platform: &str, account: Option<&str>| {
        let same = |b: &&Balance| b.platform == platform && b.account.as_deref().is_none_or(|a| Some(a) == account);
        case.contract.balances.iter().any(|b| same(&b))
    };
    let rest = latest.into_iter().filter(|((platform, account, _), _)| !is_stated(platform, *account));
    rest.map(|((platform, account, currency), (_, balance, line))| Purse {
        platform,
        account,
        currency,
        balance,
        refundable: None,
        place: line.origin(),
    })
    .collect()
}

impl<'a> Purse<'a> {
    fn lines<'c>(&'c self, case: &'c Case) -> impl Iterator<Item = Line<'c>> {
        case.ledger.lines().filter(|l| {
            l.platform() == self.platform
                && self.account.is_none_or(|a| l.account().is_none_or(|b| a == b))
                && l.currency() == self.currency
        })
    }

    /// What is spent in a month: the mean of the months at hand; `None` without a bill.
    fn burn(&self, case: &Case) -> Option<Decimal> {
        let months: BTreeSet<&str> = self.lines(case).map(|l| l.period()).collect();
        let spent: Decimal = self.lines(case).filter(|l| l.is_charge()).map(|l| l.cost()).sum();
        spent.max(Decimal::ZERO).checked_div(Decimal::from(months.len()))
    }

    fn top_ups<'c>(&'c self, case: &'c Case) -> impl Iterator<Item = Line<'c>> {
        self.lines(case).filter(|l| l.kind() == Kind::TopUp && l.period() == case.period)
    }

    fn topped(&self, case: &Case) -> Decimal {
        self.top_ups(case).filter_map(|l| l.money(MoneyColumn::Paid)).sum()
    }

    fn refundable(&self, case: &Case) -> Option<bool> {
        let own = |id: &Option<String>| id.as_deref().is_none_or(|id| self.account.is_none_or(|a| a == id));
        let accounts = case.contract.accounts.iter().filter(|a| a.platform == self.platform && own(&a.id));
        let policy = match fact(case, self.platform, |p| &p.balance_refundable) {
            Some("yes") => Some(true),
            Some("no") => Some(false),
            _ => None,
        };
        self.refundable.or(accounts.filter_map(|a| a.refundable).next()).or(policy)
    }

    fn values(&self) -> [(&'static str, String); 2] {
        [("platform", self.platform.to_owned()), ("balance", money(self.balance, self.currency))]
    }

    fn finding(&self, case: &Case, sentence: &'static str, burn: Decimal) -> Finding {
        let lasts = self.balance.checked_div(burn).map(figure).unwrap_or_default();
        Finding::new(self.platform, sentence, self.place.clone())
            .account(self.account)
            .evidence(self.top_ups(case).map(|l| l.origin()))
            .value("platform", self.platform)
            .value("balance", money(self.balance, self.currency))
            .value("burn", money(burn, self.currency))
            .value("lasts", lasts)
    }
}
