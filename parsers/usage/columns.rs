//! Which column of a log holds what.

use super::foreign::QUERY;
use crate::error::{Error, Kind, Origin, Result};

/// The columns of a log.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) all: Vec<Column>,
    /// The header as it stands in the log.
    pub(super) header: Vec<u8>,
    /// What parts the cells, where it is not the comma or cells are quoted.
    pub(super) dressed: Option<u8>,
    /// Whether a column says which card a sample is of.
    pub(super) names_card: bool,
}

/// A column, and what its numbers are multiplied by to be percent, MiB or watt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) field: Field,
    pub(super) scale: f32,
}

impl Columns {
    /// The columns that a header names; `None` if the line is no header.
    pub(super) fn of_header(line: &str, file: &str, row: u32) -> Option<Result<Self>> {
        let separator = [b',', b';', b'\t'].into_iter().max_by_key(|s| line.bytes().filter(|b| b == s).count())?;
        let all: Vec<Column> = line.split(char::from(separator)).map(column).collect();
        let digit = line.trim_start_matches(['"', ' ']).starts_with(|c: char| c.is_ascii_digit());
        if digit || all.iter().all(|c| c.field == Field::Other) {
            return None;
        }
        let columns = Self::new(all, file, row).map(|columns| Self {
            header: line.as_bytes().to_vec(),
            dressed: (separator != b',' || line.contains('"')).then_some(separator),
            ..columns
        });
        Some(columns)
    }

    /// Columns that the user names, in order.
    pub(super) fn given(fields: &[String], file: &str) -> Result<Self> {
        Self::new(fields.iter().map(|f| column(f)).collect(), file, 0).map_err(|error| match error.kind() {
            Kind::Usage => error.hint(message!("the fields given are {}; name them as in the query that made the log: timestamp,index,uuid,name,utilization.gpu,memory.used,memory.total,power.draw", fields.join(","))),
            _ => error,
        })
    }

    fn new(all: Vec<Column>, file: &str, row: u32) -> Result<Self> {
        let has = |fields: &[Field]| all.iter().any(|c| fields.contains(&c.field));
        if !has(&[Field::Time]) {
            return Err(Error::new(Kind::Usage, "has no column with the time of a sample, so no hour can be told")
                .at(Origin::file(file).at(row))
                .hint(message!("log it with `{QUERY}`")));
        }
        if !has(&[Field::Util, Field::Memory, Field::Power]) {
            return Err(Error::new(Kind::Usage, "has neither utilization, nor memory, nor power")
                .at(Origin::file(file).at(row))
                .hint("add utilization.gpu and memory.used to the query"));
        }
        let names_card = has(&CARD);
        Ok(Self { all, header: Vec::new(), dressed: None, names_card })
    }

    /// Whether a column holds this.
    pub(super) fn has(&self, field: Field) -> bool {
        self.all.iter().any(|c| c.field == field)
    }
}

/// What a column is for.
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
    MemoryReserved,
    Power,
    PowerLimit,
    Temperature,
    /// The mask of reasons why the clocks are held down.
    Throttle,
    /// Whether the power limit holds them down.
    Capped,
    /// Whether heat or the power supply holds them down.
    Slowed,
    Other,
}

impl Field {
    /// Whether it is a text that tells the card, or of it.
    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Uuid | Self::Bus | Self::Index | Self::Name | Self::Host)
    }

    /// Whether it is a figure of the card more than of the moment.
    pub(super) fn is_constant(self) -> bool {
        matches!(self, Self::MemoryTotal | Self::PowerLimit)
    }

    /// Its place among the figures of a sample; `None` if it is no figure.
    pub(super) fn slot(self) -> Option<usize> {
        Some(match self {
            Self::Util => 0,
            Self::Memory => 1,
            Self::MemoryTotal => 2,
            Self::MemoryFree => 3,
            Self::MemoryReserved => 4,
            Self::Power => 5,
            Self::PowerLimit => 6,
            Self::Temperature => 7,
            _ => return None,
        })
    }
}

/// Columns that say which card a sample is of.
const CARD: [Field; 3] = [Field::Uuid, Field::Bus, Field::Index];

/// A header's cell: the field, and the unit in brackets or at the end of the name.
pub(super) fn column(cell: &str) -> Column {
    let cell = cell.trim().trim_matches('"').to_lowercase();
    let (name, unit) = cell.split_once(['[', '(']).unwrap_or((&cell, ""));
    let name = name.trim().replace([' ', '_', '-', '/'], ".");
    let mut unit = unit.trim_end_matches([']', ')', ' ']);
    let mut field = named(&name);
    if let Some((front, end)) = name.rsplit_once('.').filter(|(_, end)| field == Field::Other && scale(end).is_some()) {
        (field, unit) = (named(front), end);
    }
    let percent = matches!(unit, "%" | "pct" | "percent");
    let sized = matches!(field, Field::Memory | Field::MemoryTotal | Field::MemoryFree);
    // The share of memory in use is not what is in use.
    if sized && percent {
        field = Field::Other;
    }
    Column { field, scale: scale(unit).unwrap_or(1.0) }
}

/// What a unit makes of a number; `None` if it is none that is known.
fn scale(unit: &str) -> Option<f32> {
    Some(match unit {
        "%" | "pct" | "percent" | "mib" | "mb" | "w" | "watt" | "watts" | "c" => 1.0,
        "ratio" => 100.0,
        "gib" | "gb" => 1024.0,
        "kib" | "kb" => 1.0 / 1024.0,
        "b" | "bytes" => 1.0 / (1024.0 * 1024.0),
        "mw" => 0.001,
        _ => return None,
    })
}

/// Names of the columns: nvidia-smi's own, and those that people make of them.
fn named(name: &str) -> Field {
    let short = name.strip_prefix("gpu.").unwrap_or(name);
    match short {
        "timestamp" | "time" | "datetime" | "date.time" => Field::Time,
        "uuid" => Field::Uuid,
        "pci.bus.id" | "bus.id" => Field::Bus,
        "index" | "index.gpu" | "gpu" | "id" | "idx" => Field::Index,
        "name" | "product.name" => Field::Name,
        "host" | "hostname" => Field::Host,
        "utilization.gpu" | "utilization" | "util" | "usage" => Field::Util,
        "memory.used" | "mem.used" | "used.memory" => Field::Memory,
        "memory.total" | "mem.total" | "total.memory" => Field::MemoryTotal,
        "memory.free" | "mem.free" | "free.memory" => Field::MemoryFree,
        "memory.reserved" => Field::MemoryReserved,
        "power.draw" | "power.draw.instant" | "power.draw.average" | "power" | "power.usage" => Field::Power,
        "power.limit" | "enforced.power.limit" => Field::PowerLimit,
        "temperature.gpu" | "temperature" | "temp" => Field::Temperature,
        _ => throttle(short),
    }
}

fn throttle(name: &str) -> Field {
    let reason = name.strip_prefix("clocks.event.reasons.").or_else(|| name.strip_prefix("clocks.throttle.reasons."));
    match reason {
        Some("active") => Field::Throttle,
        Some("sw.power.cap") => Field::Capped,
        Some("hw.slowdown" | "hw.thermal.slowdown" | "hw.power.brake.slowdown" | "sw.thermal.slowdown") => {
            Field::Slowed
        }
        _ => Field::Other,
    }
}
