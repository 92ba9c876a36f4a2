//! kashi.toml: what the user states of the month, strictly read.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use kashi_parsers::catalogue;
use kashi_parsers::contract::{
    Account, Balance, Contract, Device, Ignore, Layer, Package, Price, Rate, Statement, Workload,
};
use kashi_parsers::layout::Given;
use kashi_parsers::ledger::Terms;
use kashi_parsers::ledger::marks::is_code;
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::{message, nearest};
use rust_decimal::Decimal;
use serde::Deserialize;

use crate::text::Lang;

mod broken;
mod sense;

/// The file that makes a folder a workplace.
pub const FILE: &str = "kashi.toml";
/// The most bytes that one may have; a bill that is named by mistake is not held as a whole.
const MOST: u64 = 4 << 20;

/// Everything a kashi.toml may say. Unknown keys are refused.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The file's name, as shown; empty where there is none.
    #[serde(skip)]
    pub name: String,
    /// The month to audit, `2026-10`; the month of the bills if absent.
    pub period: Option<String>,
    /// The zone of the report.
    pub zone: Option<String>,
    /// The zone of utilization logs that carry none.
    pub usage_zone: Option<String>,
    /// `en` or `zh`.
    pub lang: Option<Lang>,
    /// The currency that totals are also shown in, where `[[rate]]` allows.
    pub currency: Option<String>,
    /// Exit with 1 if a finding reaches this severity.
    pub fail_on: Option<String>,
    /// What bills do not say.
    pub account: Vec<Account>,
    /// What is paid for in advance, where a bill does not say for how long.
    pub package: Vec<Package>,
    /// What vendors say is owed.
    pub statement: Vec<Statement>,
    /// Contract and market prices.
    pub price: Vec<Price>,
    /// Exchange rates.
    pub rate: Vec<Rate>,
    /// Balances.
    pub balance: Vec<Balance>,
    /// What the cards are for.
    pub workload: Vec<Workload>,
    /// Budget layers.
    pub layer: Vec<Layer>,
    /// Which log is which card.
    pub device: Vec<Device>,
    /// Findings that are accepted.
    pub ignore: Vec<Ignore>,
    /// Parameters of rules, by rule.
    pub rules: BTreeMap<String, BTreeMap<String, toml::Value>>,
    /// How findings are sent.
    pub mail: Option<Mail>,
}

/// `[mail]`: how findings are sent; never the password itself.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mail {
    /// The sender.
    pub from: Option<String>,
    /// The recipients.
    pub to: Vec<String>,
    /// Recipients of a copy.
    pub cc: Vec<String>,
    /// The SMTP server.
    pub server: Option<String>,
    /// Its port.
    pub port: Option<u16>,
    /// `starttls`, `tls` or `none`.
    pub tls: Option<String>,
    /// The login's user.
    pub user: Option<String>,
    /// The environment variable that holds the password.
    pub password_env: Option<String>,
    /// The file that holds the password.
    pub password_file: Option<PathBuf>,
    /// A CA to trust besides the public ones, PEM.
    pub ca: Option<PathBuf>,
}

impl Config {
    /// Reads a kashi.toml.
    ///
    /// # Errors
    /// If it cannot be read, is not TOML, or says something that kashi does not know.
    pub fn read(path: &Path, name: &str) -> Result<Self> {
        if path.is_dir() {
            bail!(message!("{name}: is a folder, not a file; name the {FILE} in it"));
        }
        let mut bytes = Vec::new();
        let file = File::open(path)
            .with_context(|| message!("{name}: cannot be read, check that it is there and may be read"))?;
        file.take(MOST + 1)
            .read_to_end(&mut bytes)
            .with_context(|| message!("{name}: cannot be read, check that it is there and may be read"))?;
        Self::parse_bytes(bytes, name)
    }

    /// Reads the bytes of a kashi.toml.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn parse_bytes(bytes: Vec<u8>, name: &str) -> Result<Self> {
        if bytes.len() as u64 > MOST {
            bail!(message!("{name}: has more than {MOST} bytes, as no {FILE} has; give bills without --config"));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let known = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let row = known.iter().filter(|b| **b == b'\n').count() + 1;
            anyhow!(message!(
                "{name}, row {row}: is no text in UTF-8, as kashi.toml is expected to be; choose UTF-8 under \"save as\""
            ))
        })?;
        Self::parse(&text, name)
    }

    /// Reads the text of a kashi.toml.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        let mut config: Self = toml::from_str(text).map_err(|error| broken::refused(&error, text, name))?;
        name.clone_into(&mut config.name);
        config.check(name)?;
        Ok(config)
    }

    fn check(&self, name: &str) -> Result<()> {
        let accounts = self.account.iter().map(|account| ("[[account]] zone", &account.zone));
        for (key, zone) in [("zone", &self.zone), ("usage_zone", &self.usage_zone)].into_iter().chain(accounts) {
            if let Some(zone) = zone
                && Zone::parse(zone).is_none()
            {
                bail!(message!(
                    "{name}: {key} = {zone:?} is not a zone; expected an offset such as \"+08:00\" or a name such as \"Asia/Shanghai\""
                ));
            }
        }
        let accounts = self.account.iter().map(|account| ("[[account]] period", &account.period));
        for (key, period) in std::iter::once(("period", &self.period)).chain(accounts) {
            if let Some(period) = period
                && !is_month(period)
            {
                bail!(message!("{name}: {key} = {period:?} is not a month; expected one such as \"2026-10\""));
            }
        }
        let devices = self.device.iter().flat_map(|d| &d.files).map(|glob| ("device", "usage/node-1/*.csv", glob));
        let accounts = self.account.iter().flat_map(|a| &a.files).map(|glob| ("account", "bills/lab-*.csv", glob));
        for (table, such, glob) in devices.chain(accounts) {
            if let Err(error) = globset::Glob::new(glob) {
                bail!(message!(
                    "{name}: [[{table}]] files = {glob:?} is not a glob: {}; expected one such as {such:?}",
                    error.kind()
                ));
            }
        }
        self.check_prices(name)?;
        sense::check(self, name)?;
        for ignore in &self.ignore {
            if ignore.reason.trim().is_empty() {
                bail!(message!(
                    "{name}: [[ignore]] of \"{}\" has an empty reason; say why the finding is accepted, it is printed in every report",
                    ignore.rule
                ));
            }
        }
        Ok(())
    }

    /// A price or a card that nothing can be compared with would be passed over in silence.
    fn check_prices(&self, name: &str) -> Result<()> {
        for price in &self.price {
            if price.card.is_none() && price.sku.is_none() {
                bail!(message!(
                    "{name}: a [[price]] of {} names neither a card nor a sku; add card = \"RTX 4090\"",
                    price.unit
                ));
            }
            if price.price <= Decimal::ZERO {
                bail!(message!(
                    "{name}: [[price]] price = \"{}\" of {} is no price; expected more than 0",
                    price.price,
                    price.unit
                ));
            }
            if let Some((from, until)) = price.from.zip(price.until).filter(|(from, until)| from > until) {
                bail!(message!(
                    "{name}: [[price]] holds from {from} until {until}, which is before it; check the days"
                ));
            }
            let code = price.currency();
            if !is_code(code) || price.per().is_empty() {
                let expected = "expected one such as \"CNY/card-hour\", the currency as in ISO 4217";
                bail!(message!("{name}: [[price]] unit = {:?} is not a currency and a unit; {expected}", price.unit));
            }
            if let Some(terms) = price.terms.as_deref().filter(|terms| Terms::from_word(terms).is_none()) {
                let known: Vec<&str> = Terms::ALL.iter().map(|terms| terms.as_str()).collect();
                bail!(message!(
                    "{name}: [[price]] terms = {terms:?} is no word for terms; expected one of {}",
                    known.join(", ")
                ));
            }
        }
        self.check_packages(name)?;
        let named = self.price.iter().map(|p| ("price", &p.card));
        let named = named.chain(self.device.iter().map(|d| ("device", &d.card)));
        let named = named.chain(self.package.iter().map(|p| ("package", &p.card)));
        for (table, card) in named {
            if let Some(card) = card.as_deref().filter(|card| catalogue::card(card).is_none()) {
                let near = nearest(card, catalogue::cards().iter().map(|c| &*c.id));
                let near = near.map(|near| message!("did you mean {near:?}? ")).unwrap_or_default();
                bail!(message!(
                    "{name}: [[{table}]] card = {card:?} is no card that kashi knows; {near}`kashi cards` lists them, check its spelling"
                ));
            }
        }
        for workload in &self.workload {
            if let Some(layer) = workload.layer.as_deref().filter(|l| !self.layer.iter().any(|known| known.name == **l))
            {
                bail!(message!(
                    "{name}: [[workload]] {:?} is of the layer {layer:?}, which no [[layer]] describes; add one, or mend the name",
                    workload.name
                ));
            }
        }
        Ok(())
    }

    fn check_packages(&self, name: &str) -> Result<()> {
        for package in &self.package {
            let terms = &package.terms;
            if Terms::from_word(terms).is_none() {
                let known: Vec<&str> = Terms::ALL.iter().map(|terms| terms.as_str()).collect();
                let known = known.join(", ");
                bail!(message!("{name}: [[package]] terms = {terms:?} is no word for terms; expected one of {known}"));
            }
            if package.resource.is_none() && package.sku.is_none() {
                bail!(message!(
                    "{name}: a [[package]] of {} names neither a resource nor a sku; add resource = \"…\"",
                    package.platform
                ));
            }
            if let Some((from, until)) = package.from.zip(package.until).filter(|(from, until)| from > until) {
                bail!(message!(
                    "{name}: [[package]] runs from {from} until {until}, which is before it; check the days"
                ));
            }
        }
        Ok(())
    }

    /// What a bill does not say of itself.
    pub fn given(&self) -> Given<'_> {
        Given { accounts: &self.account, prices: &self.price, packages: &self.package }
    }

    /// What rules and readers see of it.
    pub fn contract(&self) -> Contract {
        Contract {
            accounts: self.account.clone(),
            statements: self.statement.clone(),
            prices: self.price.clone(),
            rates: self.rate.clone(),
            balances: self.balance.clone(),
            workloads: self.workload.clone(),
            layers: self.layer.clone(),
            devices: self.device.clone(),
            ignores: self.ignore.clone(),
        }
    }
}

/// Whether a text is a month such as `2026-10`.
pub fn is_month(text: &str) -> bool {
    text.len() == 7 && chrono::NaiveDate::parse_from_str(&format!("{text}-01"), "%Y-%m-%d").is_ok()
}
