//! Which column of a log holds what.

use crate::error::{Error, Kind, Origin, Result};

/// The columns of a log.
pub(super) struct Columns {
    pub(super) fields: Vec<Field>,
    pub(super) header: Vec<u8>,
    /// Whether a column says which card a sample is of.
    pub(super) names_card: bool,
}

impl Columns {
    /// The columns that a header names.
    pub(super) fn of_header(header: &str, file: &str, row: u32) -> Result<Self> {
        if let Some(other) = [';', '\t'].into_iter().find(|d| header.contains(*d) && !header.contains(',')) {
            return Err(Error::new(Kind::Usage, format!("has its cells parted by {other:?}, not by commas"))
                .at(Origin::file(file).at(row))
                .hint("save it as CSV with commas, as nvidia-smi writes it"));
        }
        Self::new(header.split(',').map(field).collect(), file, row)
    }

    /// Columns given in order.
    pub(super) fn new(fields: Vec<Field>, file: &str, row: u32) -> Result<Self> {
        if !fields.contains(&Field::Time) {
            return Err(Error::new(Kind::Usage, "has no column with the time of a sample, so no hour can be told")
                .at(Origin::file(file).at(row))
                .hint("log it with `nvidia-smi --query-gpu=timestamp,index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw --format=csv -l 30`"));
        }
        let useful = [Field::Util, Field::Memory, Field::Power];
        if !useful.iter().any(|f| fields.contains(f)) {
            return Err(Error::new(Kind::Usage, "has neither utilization, nor memory, nor power")
                .at(Origin::file(file).at(row))
                .hint("add utilization.gpu and memory.used to the query"));
        }
        let names_card = fields.iter().any(|f| CARD.contains(f));
        Ok(Self { fields, header: Vec::new(), names_card })
    }
}

/// Whether a line is a header of such a log.
pub(super) fn is_header(line: &str) -> bool {
    let known = line.split([',', '\t', ';']).filter(|c| !matches!(field(c), Field::Other)).count();
    known > 0 && !line.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Time,
    Uuid,
    Bus,
    Index,
    Name,
    Host,
    Util,
    Memory,
    MemoryTotal,
    MemoryFree,
    Power,
    PowerLimit,
    Temperature,
    Throttle,
    Other,
}

/// Names of the columns: nvidia-smi's own, and those that people make of them.
pub(super) fn field(name: &str) -> Field {
    let name = name.split('[').next().unwrap_or_default().trim().to_lowercase().replace([' ', '_', '-'], ".");
    match name.as_str() {
        "timestamp" | "time" | "datetime" | "date.time" => Field::Time,
        "uuid" | "gpu.uuid" => Field::Uuid,
        "pci.bus.id" | "gpu.bus.id" | "pci.bus" => Field::Bus,
        "index" | "index.gpu" | "gpu.index" | "gpu" | "gpu.id" => Field::Index,
        "name" | "gpu.name" => Field::Name,
        "host" | "hostname" => Field::Host,
        "utilization.gpu" | "gpu.utilization" | "gpu.util" | "gpu.usage" | "util" => Field::Util,
        "memory.used" | "gpu.memory.used" | "mem.used" => Field::Memory,
        "memory.total" | "gpu.memory.total" | "mem.total" => Field::MemoryTotal,
        "memory.free" | "gpu.memory.free" | "mem.free" => Field::MemoryFree,
        "power.draw" | "power.draw.instant" | "power.draw.average" => Field::Power,
        "power.limit" | "enforced.power.limit" => Field::PowerLimit,
        "temperature.gpu" | "gpu.temperature" | "temp" => Field::Temperature,
        "clocks.event.reasons.active" | "clocks.throttle.reasons.active" => Field::Throttle,
        _ => Field::Other,
    }
}

/// Columns that say which card a sample is of.
pub(super) const CARD: [Field; 3] = [Field::Uuid, Field::Bus, Field::Index];
