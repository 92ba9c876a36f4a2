//! What the facts of a platform's policy may say.
//!
//! A rule reads a fact by its word. A word that it does not know would be taken for an unknown
//! fact without anybody noticing, so that a platform file with one is refused.

use rust_decimal::Decimal;

use super::schema::{Fact, Policy};
use crate::ledger::marks::is_code;
use crate::message::Message;

impl Policy {
    /// The facts by their keys, in the order in which people read them; `None` is unknown.
    pub fn facts(&self) -> [(&'static str, Option<&Fact>); 15] {
        [
            ("stopped_gpu_bills", self.stopped_gpu_bills.as_ref()),
            ("stopped_disk_bills", self.stopped_disk_bills.as_ref()),
            ("stopped_ip_bills", self.stopped_ip_bills.as_ref()),
            ("grain", self.grain.as_ref()),
            ("balance_refundable", self.balance_refundable.as_ref()),
            ("image_free_gb", self.image_free_gb.as_ref()),
            ("image_price", self.image_price.as_ref()),
            ("snapshot_free_gb", self.snapshot_free_gb.as_ref()),
            ("snapshot_price", self.snapshot_price.as_ref()),
            ("storage_free_gb", self.storage_free_gb.as_ref()),
            ("storage_price", self.storage_price.as_ref()),
            ("disk_free_gb", self.disk_free_gb.as_ref()),
            ("disk_price", self.disk_price.as_ref()),
            ("early_return", self.early_return.as_ref()),
            ("release_after_stopped_days", self.release_after_stopped_days.as_ref()),
        ]
    }

    /// Checks that every fact says something that a rule can read.
    ///
    /// # Errors
    /// With the key of the first that does not, and what was expected.
    pub(super) fn check(&self) -> Result<(), (&'static str, Message)> {
        for (key, fact) in self.facts() {
            let Some(fact) = fact else { continue };
            let value = fact.value.as_str();
            let (right, expected) = match key {
                "stopped_gpu_bills" => (["yes", "no", "option"].contains(&value), "yes, no or option"),
                "stopped_disk_bills" | "stopped_ip_bills" | "balance_refundable" => {
                    (["yes", "no"].contains(&value), "yes or no")
                }
                "grain" => (["second", "minute", "hour", "day"].contains(&value), "second, minute, hour or day"),
                "release_after_stopped_days" => (value.parse::<u32>().is_ok(), "a number of days"),
                "early_return" => (!value.is_empty(), "a sentence"),
                _ if key.ends_with("_free_gb") => (is_amount(value), "a number of GB"),
                _ => (is_price(value), "a price such as \"0.01 CNY/GB-day\" (or GB-hour, GB-month)"),
            };
            if !right {
                return Err((
                    key,
                    message!("{key} is {value:?}; expected {expected}; leave it out if it is not known"),
                ));
            }
            if fact.source.trim().is_empty() {
                return Err((key, message!("{key} names no source; expected where it is known from, and when")));
            }
        }
        Ok(())
    }
}

fn is_amount(text: &str) -> bool {
    text.parse::<Decimal>().is_ok_and(|amount| !amount.is_sign_negative())
}

/// `0.01 CNY/GB-day`, the form of contract prices.
fn is_price(text: &str) -> bool {
    let Some((price, unit)) = text.split_once(' ') else { return false };
    let Some((currency, per)) = unit.split_once('/') else { return false };
    is_amount(price) && is_code(currency) && ["gb-hour", "gb-day", "gb-month"].contains(&per.to_lowercase().as_str())
}
