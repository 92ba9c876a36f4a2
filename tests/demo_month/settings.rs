//! What the bills and the logs do not say.

use super::alibaba::{self, Bill};
use super::autodl::{self, Statement};

/// The company's kashi.toml.
pub(super) fn kashi_toml(bill: &Bill, statement: &Statement) -> String {
    let cards = alibaba::CARDS;
    let devices: String = [
        (autodl::EXPERIMENTS, "autodl-experiments.csv"),
        (autodl::FORGOTTEN, "autodl-8c2d5e7f1a-b3c4d5e6.csv"),
        (autodl::KEPT, "autodl-d4e5f60718-29a0b1c2.csv"),
    ]
    .iter()
    .map(|(resource, file)| {
        format!("\n[[device]]\nplatform = \"autodl\"\nresource = \"{resource}\"\ncard = \"RTX 4090\"\ncards = 1\nfiles = [\"usage/{file}\"]\n")
    })
    .collect();
    format!(
        r#"# October 2026 of a team of five that runs a knowledge base on a fine-tuned 7B model.
# Written by tests/demo_month.rs; change it there.
period = "2026-10"
zone = "Asia/Shanghai"
usage_zone = "+08:00"

# AutoDL's terms, as the team reads them: what is paid in is used up there.
[[account]]
platform = "autodl"
refundable = false

# What each vendor says is owed for the month.
[[statement]]
file = "{bill_file}"
total = "{bill_total}"
currency = "CNY"

[[statement]]
file = "{statement_file}"
total = "{spent}"
currency = "CNY"

# What the cards are for.
[[workload]]
name = "knowledge base"
kind = "serve"
params = "7"
precision = "int4"
context = 4096
requests_per_day = 10000
tokens = 500
online = true
resource = "{cards}"

[[workload]]
name = "fine-tuning of the answers"
kind = "finetune"
method = "qlora"
params = "7"
precision = "int4"
tokens = 5000000
resource = "{cards}"

# Offers and market prices of autumn 2026, indicative.
[[price]]
card = "RTX 4090"
terms = "monthly"
price = "3000.00"
unit = "CNY/card-month"
source = "offer of a rental platform, 2026-09"
{market}
# Which log is which instance.
[[device]]
platform = "alibaba"
resource = "{cards}"
card = "A100 80G"
cards = 4
files = ["usage/kb-a100-01.csv"]
{devices}
# The image that the service goes back to if the September one fails.
[[ignore]]
rule = "stale-image"
resource = "m-2ze4kb0golden3t6u1z"
reason = "fallback of the live service until version 2026.09 has run for a quarter"
until = 2026-12-31
"#,
        bill_file = alibaba::FILE,
        bill_total = bill.total,
        statement_file = autodl::FILE,
        spent = statement.spent,
        market = market(),
    )
}

/// CNY a card-hour on demand: the middle of what practitioners report. The service runs day and
/// night, so for the RTX 4090 only the monthly offer is of use.
fn market() -> String {
    let prices = [("T4", "9.00"), ("RTX A6000", "5.00"), ("L40S", "10.00"), ("A100 80G", "12.00"), ("H100", "45.00")];
    prices
        .iter()
        .map(|(card, price)| {
            format!("\n[[price]]\ncard = \"{card}\"\nterms = \"on_demand\"\nprice = \"{price}\"\nunit = \"CNY/card-hour\"\nsource = \"market, middle of the range\"\n")
        })
        .collect()
}
