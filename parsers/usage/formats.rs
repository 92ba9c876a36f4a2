//! The exports that kashi reads, in the order in which they are tried.

use std::io::{BufRead, Read};

use super::device::Devices;
use super::events::{list, scan};
use super::hour::UsageHour;
use super::log::Log;
use super::monitors::{
    alibaba, cloud_table, cloudwatch, grafana, lists, netdata, philly, promtool, supercloud, telegraf, tencent,
    tsdb_dump, wandb, zabbix,
};
use super::read::Options;
use super::{
    amd, apps, dmon, foreign, gpustat, hours, npu_smi, nvitop, pmon, pods, prometheus, rocm, scrape, smi, smi_xml,
};
use crate::error::{Error, Result};

/// By name: whether a file is one by its head, and what reads it. The first that claims a file
/// reads it, so that what is told by more of the head stands before what is told by less.
pub(super) const FORMATS: &[(&str, Is, Reads)] = &[
    ("kashi roll-up", hours::is, hours::read),
    ("series by container", pods::is, pods::read),
    ("log", scan::is_json, scan::read),
    ("W&B system metrics", wandb::is, wandb::read),
    ("Grafana CSV", grafana::is, grafana::read),
    ("promtool query range", promtool::is, promtool::read),
    ("promtool tsdb dump", tsdb_dump::is, tsdb_dump::read),
    ("Telegraf metrics", telegraf::is, telegraf::read),
    ("CloudWatch metric statistics", cloudwatch::is, cloudwatch::read),
    ("CloudWatch graph CSV", cloudwatch::is_graph, cloudwatch::read_graph),
    ("Alibaba CloudMonitor datapoints", alibaba::is, alibaba::read),
    ("Tencent Cloud Monitor data", tencent::is, tencent::read),
    ("Zabbix history", zabbix::is, zabbix::read),
    ("Philly cluster trace", philly::is, philly::read),
    ("MIT Supercloud trace", supercloud::is, supercloud::read),
    ("start and stop list", list::is, list::read),
    ("cloud monitor table", cloud_table::is, cloud_table::read),
    ("list of a cluster trace", lists::is, lists::read),
    ("Netdata data", netdata::is, netdata::read),
    ("gpustat --json", gpustat::is, gpustat::read),
    ("rocm-smi --json", rocm::is_json, rocm::read_json),
    ("amd-smi --json", amd::is_json, amd::read_json),
    ("nvitop collections", nvitop::is_json, nvitop::read_json),
    ("Prometheus query_range", prometheus::is, prometheus::read),
    ("nvidia-smi -q -x", smi_xml::is, smi_xml::read),
    ("nvidia-smi pmon", pmon::is, pmon::read),
    ("nvidia-smi dmon", dmon::is, dmon::read),
    ("nvidia-smi by process", apps::is, apps::read),
    ("rocm-smi --csv", rocm::is_csv, rocm::read_csv),
    ("amd-smi --csv", amd::is_csv, amd::read_csv),
    ("nvitop collections", nvitop::is_csv, nvitop::read_csv),
    ("npu-smi info", npu_smi::is, npu_smi::read),
    ("exporter scrapes", scrape::is, scrape::read),
    ("log", scan::is, scan::read),
    // What is left is refused with what to save instead, or taken for a log.
    (NOT_READ, foreign::is, foreign::refuse),
    ("nvidia-smi --query-gpu", |_| true, smi::read),
];

/// The names of the exports that are read, each once, in the order in which they are tried.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, ..) in FORMATS.iter().filter(|(name, ..)| *name != NOT_READ) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    names
}

/// What stands in [`FORMATS`] for exports that are refused.
const NOT_READ: &str = "not read";

type Is = fn(&Head) -> bool;
type Reads = fn(&mut dyn BufRead, &mut Input<'_>) -> Result<Log>;

/// A file on its way in.
pub(super) struct Input<'a> {
    /// Its name, as shown.
    pub(super) file: &'a str,
    /// What its cards are named after where it names no host.
    pub(super) label: &'a str,
    pub(super) head: &'a Head,
    pub(super) options: &'a Options,
    pub(super) devices: &'a mut Devices,
    /// Hours that are rolled up already, with their file.
    pub(super) rolled: &'a mut Vec<(String, UsageHour)>,
}

/// What a file begins with.
#[derive(Debug)]
pub(super) struct Head {
    /// Without byte-order mark; its last line may be cut.
    pub(super) text: String,
}

/// Bytes of a head.
const HEAD: u64 = 16 * 1024;

impl Head {
    /// Reads the head of a file, and gives back the file as a whole.
    pub(super) fn read<R: BufRead>(mut reader: R, file: &str) -> Result<(Self, impl BufRead)> {
        let mut bytes = Vec::new();
        reader.by_ref().take(HEAD).read_to_end(&mut bytes).map_err(|e| Error::io(file, &e))?;
        let text = String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned();
        Ok((Self { text }, std::io::Cursor::new(bytes).chain(reader)))
    }

    /// The first line, blank or not.
    pub(super) fn first(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }

    /// The lines that are not blank.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map(str::trim).filter(|l| !l.is_empty())
    }

    /// Whether it is JSON by its first character.
    pub(super) fn is_json(&self) -> bool {
        self.text.trim_start().starts_with(['{', '['])
    }
}
