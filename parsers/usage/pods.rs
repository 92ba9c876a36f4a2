//! Series in two files, as cluster traces publish them: a time, a value, a container.
//!
//! One file holds the duty cycle, the other the memory in use; the order of their columns differs,
//! and which is which stands in the file's name alone.

use std::io::BufRead;

use super::clock::epoch;
use super::formats::{Head, Input};
use super::log::Log;
use super::sample::Sample;
use crate::error::{Error, Kind, Origin, Result};

/// What the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Metric {
    Duty,
    MemoryBytes,
}

/// Whether a header is that of such a series.
pub(super) fn is(head: &Head) -> bool {
    let cells: Vec<&str> = head.first().split(',').map(str::trim).collect();
    cells.contains(&"value") && cells.iter().any(|c| is_time(c)) && cells.iter().any(|c| is_container(c))
}

fn is_time(name: &str) -> bool {
    matches!(name, "timestamp" | "timestamp_anon" | "time")
}

fn is_container(name: &str) -> bool {
    matches!(name, "container_ip" | "container" | "pod" | "pod_name" | "instance")
}

/// Reads a series. Containers' samples come interleaved by time.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (file, devices) = (input.file, &mut *input.devices);
    let origin = Origin::file(file);
    let metric = metric(file).or_else(|| by_size(&input.head.text)).ok_or_else(|| {
        Error::new(Kind::Usage, "does not say whether its values are a duty cycle or memory")
            .at(origin.clone())
            .hint("keep the name it was published under, with duty_cycle or memory_used_bytes in it")
    })?;
    let mut csv = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(reader);
    let broken = |e: csv::Error| Error::new(Kind::Usage, e.to_string()).at(origin.clone());
    let header = csv.headers().map_err(broken)?.clone();
    let place = |is: fn(&str) -> bool| header.iter().position(is).unwrap_or_default();
    let (time, value, container) = (place(is_time), place(|n| n == "value"), place(is_container));
    let mut log = Log::default();
    let mut record = csv::StringRecord::new();
    while csv.read_record(&mut record).map_err(broken)? {
        let cell = |at: usize| record.get(at).unwrap_or_default();
        let parsed = epoch(cell(time)).zip(cell(value).parse::<f32>().ok().filter(|v| v.is_finite()));
        let Some((at, value)) = parsed else {
            log.leave("line that is no sample");
            continue;
        };
        let device = devices.place(cell(container), file);
        let row = record.position().and_then(|at| u32::try_from(at.line()).ok()).unwrap_or(0);
        match metric {
            Metric::Duty => devices.push(device, at, row, Sample { util: value, ..Sample::default() }),
            Metric::MemoryBytes => {
                devices.peak(device, at, row, Sample { memory: value / (1024.0 * 1024.0), ..Sample::default() })
            }
        }
        log.samples += 1;
    }
    Ok(log)
}

fn metric(file: &str) -> Option<Metric> {
    let file = file.to_lowercase();
    if file.contains("duty") || file.contains("util") {
        Some(Metric::Duty)
    } else if file.contains("mem") {
        Some(Metric::MemoryBytes)
    } else {
        None
    }
}

/// What the values are by their size: a duty cycle ends at 100, and a byte or two in use is nothing.
fn by_size(head: &str) -> Option<Metric> {
    let mut lines = head.lines();
    let value = lines.next()?.split(',').position(|name| name.trim() == "value")?;
    let values = lines.filter_map(|line| line.split(',').nth(value)?.trim().parse::<f64>().ok());
    let most = values.fold(0.0, f64::max);
    if most > 1e6 { Some(Metric::MemoryBytes) } else { (most > 0.0 && most <= 100.0).then_some(Metric::Duty) }
}
