//! The one integration binary: every test of the workspace.
#![allow(
    missing_docs,
    clippy::type_complexity,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::print_stdout
)]

mod catalogue;
mod demo;
mod demo_month;
mod errors;
mod export;
mod golden;
mod inventory;
mod judged;
mod mail;
mod matrix;
mod netting;
mod open;
mod pages;
mod platforms;
mod readme;
mod reports;
mod usage;
mod usage_events;
