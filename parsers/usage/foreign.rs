//! Exports that kashi does not read, told apart so that the error says what to save instead.

use std::io::BufRead;

use super::formats::{Head, Input};
use super::log::Log;
use crate::error::{Error, Kind, Origin, Result};
use crate::message::Message;

/// The query that gives a log with everything kashi asks of one. Old and new drivers know its names.
pub(super) const QUERY: &str = "nvidia-smi --query-gpu=timestamp,index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw,power.limit,temperature.gpu,clocks_throttle_reasons.active --format=csv -l 30 >> gpu.csv";

/// What kashi reads, for errors.
pub(super) const READS: &str = "it reads what nvidia-smi (--query-gpu, dmon, pmon, -q -x), gpustat, nvitop, npu-smi, rocm-smi and amd-smi print, Prometheus query_range JSON and scrapes of their exporters, exports of W&B, Grafana, promtool, Telegraf, Netdata, Zabbix and the clouds' monitors, plain logs with out-of-memory and Xid lines, and its own roll-up";

/// Whether an export is of a kind that is known and not read.
pub(super) fn is(head: &Head) -> bool {
    refusal(head).is_some()
}

/// Refuses it.
pub(super) fn refuse(_: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (what, hint) = refusal(input.head).unwrap_or(("is no export that kashi knows", READS.into()));
    Err(Error::new(Kind::Usage, what).at(Origin::file(input.file)).hint(hint))
}

/// What it is, and what to save instead; `None` if the text may be an export that is read.
fn refusal(head: &Head) -> Option<(&'static str, Message)> {
    let first = head.lines().next()?;
    let log = || message!("log it with `{QUERY}`");
    let refusal = if first.starts_with('<') {
        ("is a web page or another XML document, not an export", READS.into())
    } else if first.contains("==NVSMI LOG==") {
        ("is what nvidia-smi -q prints for people: one moment, not a log of samples", log())
    } else {
        return None;
    };
    Some(refusal)
}
