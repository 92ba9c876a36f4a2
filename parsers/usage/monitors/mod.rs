//! Exports of monitoring systems: each format in a file of its own, told apart by a file's first bytes.
//!
//! What a format does not carry stays unknown. The head of each file says how its layout is known:
//! confirmed (a sample or the program's own source), second-hand, or inferred.

pub(super) mod alibaba;
pub(super) mod card;
mod cell;
pub(super) mod cloud_table;
pub(super) mod cloudwatch;
mod feed;
pub(super) mod grafana;
mod json;
mod labels;
pub(super) mod lines;
pub(super) mod lists;
mod measure;
pub(super) mod netdata;
pub(super) mod philly;
pub(super) mod promtool;
mod series;
pub(super) mod supercloud;
pub(super) mod telegraf;
pub(super) mod tencent;
pub(super) mod tsdb_dump;
pub(super) mod wandb;
mod wide;
pub(super) mod zabbix;
