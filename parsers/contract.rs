//! What bills and exports do not say: prices agreed, rates, workloads, which log is which card.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Deserialize;

mod values;

use values::{budget, cards, day, day_option, exact, exact_option};

/// Everything that kashi.toml states about the month besides settings.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// Accounts: what a bill does not say of itself.
    pub accounts: Vec<Account>,
    /// What the vendor says is owed.
    pub statements: Vec<Statement>,
    /// Contract and market prices.
    pub prices: Vec<Price>,
    /// Exchange rates, the only place where currencies meet.
    pub rates: Vec<Rate>,
    /// Balances as read off the platform.
    pub balances: Vec<Balance>,
    /// What the cards are for.
    pub workloads: Vec<Workload>,
    /// Budget layers.
    pub layers: Vec<Layer>,
    /// Which utilization log belongs to which billed resource.
    pub devices: Vec<Device>,
    /// Findings that the user accepts.
    pub ignores: Vec<Ignore>,
}

/// `[[account]]`: what a bill does not say.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// The platform's name.
    pub platform: String,
    /// The account's id.
    pub id: Option<String>,
    /// Globs of the bills that this is said of, where they name no account; all of the platform if empty.
    #[serde(default)]
    pub files: Vec<String>,
    /// ISO 4217, where the bill has no currency.
    pub currency: Option<String>,
    /// The zone of the bill's times, where it is not that of the platform.
    pub zone: Option<String>,
    /// The month, `2026-10`, where the bill names none.
    pub period: Option<String>,
    /// Whether the platform returns what is left of the balance.
    pub refundable: Option<bool>,
}

/// `[[package]]`: what is paid for in advance, where the bill does not say for how long.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// The platform's name.
    pub platform: String,
    /// The resource that it pays for.
    pub resource: Option<String>,
    /// The product as the bill names it.
    pub sku: Option<String>,
    /// Terms as in the ledger.
    pub terms: String,
    /// First day.
    #[serde(default, deserialize_with = "day_option")]
    pub from: Option<NaiveDate>,
    /// Last day.
    #[serde(default, deserialize_with = "day_option")]
    pub until: Option<NaiveDate>,
    /// Catalogue id or alias of the card.
    pub card: Option<String>,
    /// Number of cards.
    pub cards: Option<u32>,
}

/// `[[statement]]`: the total that a bill must foot to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The bill's file, as given on the command line or relative to kashi.toml.
    pub file: String,
    /// The amount owed.
    #[serde(deserialize_with = "exact")]
    pub total: Decimal,
    /// ISO 4217.
    pub currency: String,
}

/// `[[price]]`: a contract or market price.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// The platform; any if absent.
    pub platform: Option<String>,
    /// Catalogue id or alias of the card.
    pub card: Option<String>,
    /// The product as the bill names it.
    pub sku: Option<String>,
    /// Terms as in the ledger; on demand if absent.
    pub terms: Option<String>,
    /// The price of one unit.
    #[serde(deserialize_with = "exact")]
    pub price: Decimal,
    /// `CNY/card-hour`, `CNY/card-month`, `USD/GB-month` …
    pub unit: String,
    /// First day on which it holds.
    #[serde(default, deserialize_with = "day_option")]
    pub from: Option<NaiveDate>,
    /// Last day on which it holds.
    #[serde(default, deserialize_with = "day_option")]
    pub until: Option<NaiveDate>,
    /// Where the price is from.
    pub source: Option<String>,
}

impl Price {
    /// The currency part of `unit`.
    pub fn currency(&self) -> &str {
        self.unit.split('/').next().unwrap_or_default()
    }

    /// The part of `unit` after the currency: `card-hour`, `card-month`, `GB-month` …
    pub fn per(&self) -> &str {
        self.unit.split_once('/').map_or("", |(_, per)| per)
    }

    /// Whether the price holds on a day.
    pub fn holds(&self, day: NaiveDate) -> bool {
        self.from.is_none_or(|from| from <= day) && self.until.is_none_or(|until| day <= until)
    }
}

/// `[[rate]]`: one unit of `from` in units of `to` on a date.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// ISO 4217.
    pub from: String,
    /// ISO 4217.
    pub to: String,
    /// The day of the rate.
    #[serde(deserialize_with = "day")]
    pub date: NaiveDate,
    /// The rate.
    #[serde(deserialize_with = "exact")]
    pub rate: Decimal,
}

/// `[[balance]]`: money lying on a platform.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Balance {
    /// The platform's name.
    pub platform: String,
    /// The account's id.
    pub account: Option<String>,
    /// The amount.
    #[serde(deserialize_with = "exact")]
    pub amount: Decimal,
    /// ISO 4217.
    pub currency: String,
    /// The day on which it was read.
    #[serde(default, deserialize_with = "day_option")]
    pub date: Option<NaiveDate>,
    /// Whether the platform returns it; its policy decides if absent.
    pub refundable: Option<bool>,
}

/// `[[workload]]`: what cards are for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// Its name.
    pub name: String,
    /// `serve`, `batch`, `finetune` or `train`.
    pub kind: WorkloadKind,
    /// Parameters of the model, in billions, as text: `"7"`.
    #[serde(default, deserialize_with = "exact_option")]
    pub params: Option<Decimal>,
    /// `fp16`, `bf16`, `fp8`, `int8` or `int4`.
    pub precision: Option<String>,
    /// For fine-tuning: `full`, `lora` or `qlora`.
    pub method: Option<String>,
    /// Average context in tokens.
    pub context: Option<u64>,
    /// Requests a day.
    pub requests_per_day: Option<u64>,
    /// Tokens a month (train, finetune) or a request (serve, batch).
    pub tokens: Option<u64>,
    /// Whether an interruption hurts users.
    pub online: Option<bool>,
    /// The budget layer.
    pub layer: Option<String>,
    /// The billed resource that it runs on.
    pub resource: Option<String>,
}

/// The kinds of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkloadKind {
    /// Online inference.
    Serve,
    /// Offline inference.
    Batch,
    /// Fine-tuning.
    Finetune,
    /// Training from scratch.
    Train,
}

/// `[[layer]]`: a part of the budget.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Its name.
    pub name: String,
    /// Whether it serves users.
    pub online: Option<bool>,
    /// Its monthly budget, `"6000.00 CNY"`.
    #[serde(default, deserialize_with = "budget")]
    pub budget: Option<Money>,
}

/// An amount and its currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Money {
    /// The amount.
    pub amount: Decimal,
    /// ISO 4217.
    pub currency: String,
}

/// `[[device]]`: ties utilization logs to a billed resource.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// The billed resource.
    pub resource: String,
    /// Its platform.
    pub platform: Option<String>,
    /// Catalogue id or alias of the card ordered.
    pub card: Option<String>,
    /// Number of cards ordered.
    #[serde(default, deserialize_with = "cards")]
    pub cards: Option<u32>,
    /// Globs of usage files, relative to kashi.toml.
    #[serde(default)]
    pub files: Vec<String>,
    /// Labels that a series must carry.
    #[serde(default)]
    pub labels: std::collections::BTreeMap<String, String>,
}

/// `[[ignore]]`: a finding that the user accepts, with the reason.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ignore {
    /// Name or code of the rule.
    pub rule: String,
    /// Only for this resource.
    pub resource: Option<String>,
    /// Why; required.
    pub reason: String,
    /// Last day on which it holds.
    #[serde(default, deserialize_with = "day_option")]
    pub until: Option<NaiveDate>,
}
