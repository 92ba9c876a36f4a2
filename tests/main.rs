//! The one integration binary: every test of the workspace.
#![allow(
    missing_docs,
    clippy::type_complexity,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::print_stdout
)]

mod bounds;
mod called_totals;
mod catalogue;
mod cluster;
mod demo;
mod demo_month;
mod dice;
mod errors;
mod export;
mod fuzzed;
mod fuzzed_config;
mod golden;
mod inventory;
mod judged;
#[cfg(feature = "live")]
mod live;
mod mail;
mod map;
mod matrix;
mod mended;
mod messages;
mod month;
mod netting;
mod open;
mod open_json;
mod open_parquet;
mod own_reports;
mod pages;
mod parts;
mod platforms;
mod profiles;
mod properties;
mod readme;
mod reports;
mod split;
mod terminal;
mod usage;
mod usage_events;
mod usage_forms;
mod usage_steps;
mod verbs;
mod xls_damage;
