//! Exports of monitoring systems: each format in a file of its own, told apart by a file's first bytes.
//!
//! What a format does not carry stays unknown. The head of each file says how its layout is known:
//! confirmed (a sample or the program's own source), second-hand, or inferred.

mod alibaba;
mod card;
mod cell;
mod cloud_table;
mod cloudwatch;
mod feed;
mod grafana;
mod json;
mod labels;
mod lines;
mod lists;
mod measure;
mod netdata;
mod openmetrics;
mod philly;
mod promtool;
mod series;
mod supercloud;
mod telegraf;
mod tencent;
mod wandb;
mod wide;
mod zabbix;

use std::io::BufRead;

use super::device::Devices;
use super::log::Log;
use crate::error::Result;
use crate::ledger::time::Zone;

/// A file on its way into samples.
pub(super) struct Export<'a> {
    /// The text, decoded.
    pub(super) reader: &'a mut dyn BufRead,
    /// The file, as shown.
    pub(super) file: &'a str,
    /// What the file is called where it names no host.
    pub(super) label: &'a str,
    /// The zone of times that carry none.
    pub(super) zone: Zone,
    /// Where the samples go.
    pub(super) devices: &'a mut Devices,
}

/// A format: its name, whether the first bytes of a file are its own, and how it is read.
pub(super) type Format = (&'static str, fn(&str) -> bool, fn(&mut Export<'_>) -> Result<Log>);

/// Every format, the surest first.
pub(super) const FORMATS: [Format; 15] = [
    ("W&B system metrics", wandb::is, wandb::read),
    ("Grafana CSV", grafana::is, grafana::read),
    ("promtool query range", promtool::is, promtool::read),
    ("OpenMetrics dump", openmetrics::is, openmetrics::read),
    ("Telegraf metrics", telegraf::is, telegraf::read),
    ("CloudWatch metric statistics", cloudwatch::is, cloudwatch::read),
    ("CloudWatch graph CSV", cloudwatch::is_graph, cloudwatch::read_graph),
    ("Alibaba CloudMonitor datapoints", alibaba::is, alibaba::read),
    ("Tencent Cloud Monitor data", tencent::is, tencent::read),
    ("Zabbix history", zabbix::is, zabbix::read),
    ("Philly cluster trace", philly::is, philly::read),
    ("MIT Supercloud trace", supercloud::is, supercloud::read),
    ("cloud monitor table", cloud_table::is, cloud_table::read),
    ("list of a cluster trace", lists::is, lists::read),
    ("Netdata data", netdata::is, netdata::read),
];

/// The format that claims a file by its first bytes.
pub(super) fn of(head: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|(_, is, _)| is(head))
}
