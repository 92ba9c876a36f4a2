//! What a line of a log tells of a card.

use std::sync::LazyLock;

use regex::Regex;

use super::EventKind;
use super::named::Named;

/// What a line tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::usage) struct Told {
    pub(super) kind: EventKind,
    pub(super) code: Option<u32>,
    pub(super) named: Named,
    /// What the kernel ended, so that its lines about one death are one event.
    pub(super) pid: Option<u32>,
    /// Where in the line the telling words begin.
    pub(super) at: usize,
}

/// Words without which no line tells anything; one pass over a line decides.
static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        "(?i-u:out[ _]of[ _]memory|outofmemory|cudaErrorMemoryAllocation|RESOURCE_EXHAUSTED|OOM when|oom-kill:|Xid \\(|fallen off the bus|the device handle for|GPU is lost|throttl|thermal slowdown|hw slowdown|power brake)",
    )
    .ok()
});

/// What a line tells; `None` for the many that tell nothing.
pub(in crate::usage) fn told(line: &str) -> Option<Told> {
    let at = WORDS.as_ref()?.find(line)?.start();
    let rest = &line[at..];
    let lower = rest.to_ascii_lowercase();
    let plain = |kind| Told { kind, code: None, named: Named::of(line), pid: None, at };
    if lower.starts_with("xid (") {
        let (place, after) = rest.split_once("): ")?;
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let named = super::named::bus(place).map_or(Named::Nothing, Named::Bus);
        return Some(Told { code: Some(after[..digits].parse().ok()?), named, ..plain(EventKind::Xid) });
    }
    if ["fallen off the bus", "the device handle for", "gpu is lost"].iter().any(|w| lower.starts_with(w)) {
        return Some(plain(EventKind::Lost));
    }
    if ["throttl", "thermal slowdown", "hw slowdown", "power brake"].iter().any(|w| lower.starts_with(w)) {
        return is_throttled(line).then(|| plain(EventKind::Throttled));
    }
    if lower.starts_with("oom-kill:") || is_killed(&lower) {
        return Some(Told { named: Named::Nothing, pid: pid(rest), ..plain(EventKind::Killed) });
    }
    is_card_memory(line, &lower).then(|| plain(EventKind::OutOfMemory))
}

/// `Out of memory: Killed process 4711 (python)`; older kernels write `Kill`.
fn is_killed(lower: &str) -> bool {
    lower.starts_with("out of memory: kill")
}

/// The process that the kernel ended.
fn pid(text: &str) -> Option<u32> {
    let after = text.split_once("process ").or_else(|| text.split_once("pid="))?.1;
    after[..after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len())].parse().ok()
}

/// Whether it was the card's memory that ran out: machines run out of their own, too.
fn is_card_memory(line: &str, lower: &str) -> bool {
    const CARDS: [&str; 9] = ["cuda", "hip", "hiperroroutofmemory", "gpu", "npu", "vram", "xla", "nccl", "torch"];
    let line = line.to_ascii_lowercase();
    let mut words =
        line.split(|c: char| !c.is_ascii_alphanumeric()).map(|w| w.trim_end_matches(|c: char| c.is_ascii_digit()));
    // TensorFlow says so of an attempt that it makes up for.
    if line.contains("not a failure") {
        return false;
    }
    lower.starts_with("cudaerrormemory")
        || lower.starts_with("oom when")
        || lower.starts_with("resource_exhausted") && line.contains("memory")
        || !lower.starts_with("resource_exhausted")
            && words.any(|word| CARDS.contains(&word) || word.starts_with("cuda"))
}

/// Whether a card's clocks are held down: not a processor's, not a service that turns requests away,
/// and not a report that says it is not so.
fn is_throttled(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|w| line.contains(w));
    has(&["gpu", "nvrm", "nvidia", "xid", "clocks_", "hw slowdown", "hw thermal", "hw power brake"])
        && has(&["thermal", "power", "clock", "temperature", "slowdown"])
        && !has(&["cpu", "request", "rate limit", "not active", "none", "disabled", "throttling exception"])
}
