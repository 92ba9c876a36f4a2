//! Exports that kashi does not read, told apart so that the error says what to save instead.

use std::io::BufRead;

use super::formats::{Head, Input};
use super::log::Log;
use crate::error::{Error, Kind, Origin, Result};

/// The query that gives a log with everything kashi asks of one. Old and new drivers know its names.
pub(super) const QUERY: &str = "nvidia-smi --query-gpu=timestamp,index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw,power.limit,temperature.gpu,clocks_throttle_reasons.active --format=csv -l 30 >> gpu.csv";

/// What kashi reads, for errors.
pub(super) const READS: &str = "it reads nvidia-smi --query-gpu logs, Prometheus query_range JSON of dcgm-exporter or nvidia_gpu_exporter, and its own roll-up";

/// Whether an export is of a kind that is known and not read.
pub(super) fn is(head: &Head) -> bool {
    refusal(head).is_some()
}

/// Refuses it.
pub(super) fn refuse(_: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (what, hint) = refusal(input.head).unwrap_or(("is no export that kashi knows", READS.to_owned()));
    Err(Error::new(Kind::Usage, what).at(Origin::file(input.file)).hint(hint))
}

/// What it is, and what to save instead; `None` if the text may be an export that is read.
fn refusal(head: &Head) -> Option<(&'static str, String)> {
    let first = head.lines().next()?;
    let any = |is: fn(&str) -> bool| head.lines().take(20).any(is);
    let log = || format!("log it with `{QUERY}`");
    let refusal = if first.starts_with("<?xml")
        || first.starts_with("<!DOCTYPE nvidia_smi")
        || first.starts_with("<nvidia_smi")
    {
        ("is what nvidia-smi -q -x prints: one moment, not a log of samples", log())
    } else if first.starts_with('<') {
        ("is a web page or another XML document, not an export", READS.to_owned())
    } else if is_monitor(first) && first.contains("pid") {
        ("is what nvidia-smi pmon prints, which is by process, not by card", log())
    } else if is_monitor(first) {
        ("is what nvidia-smi dmon prints, which names no card and no size of its memory", log())
    } else if first.starts_with("# HELP ") || first.starts_with("# TYPE ") || any(is_scrape) {
        (
            "is what an exporter answers to one scrape: one moment, not a log of samples",
            "ask the Prometheus that scrapes it: /api/v1/query_range?query=DCGM_FI_DEV_GPU_UTIL&start=…&end=…&step=60"
                .to_owned(),
        )
    } else if any(|l| l.starts_with("| npu-smi")) {
        (
            "is the table that npu-smi prints for people, not a log of samples",
            "export the series of npu-exporter from Prometheus".to_owned(),
        )
    } else if first.contains("==NVSMI LOG==") {
        ("is what nvidia-smi -q prints for people: one moment, not a log of samples", log())
    } else if any(|l| l.contains("process_name") && l.contains("pid") || l.contains("max_memory_usage")) {
        ("is a query by process (--query-compute-apps or --query-accounted-apps), not by card", log())
    } else {
        return None;
    };
    Some(refusal)
}

/// The first line of dmon and pmon: `# gpu    pwr …`, `#Date       Time        gpu …`.
fn is_monitor(line: &str) -> bool {
    let words = line.strip_prefix('#').unwrap_or_default().trim_start();
    words.starts_with("gpu ") || words.starts_with("Date ") || words.starts_with("Time ")
}

/// `DCGM_FI_DEV_GPU_UTIL{gpu="0",…} 0`
fn is_scrape(line: &str) -> bool {
    line.split_once('{').is_some_and(|(name, rest)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b':')
            && rest.contains("} ")
    })
}
