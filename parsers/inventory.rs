//! What exists on the platforms: images, snapshots, disks, instances.

use std::path::Path;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;

use crate::error::{Error, Kind, Origin, Refusal, Result};
use crate::layout::{fold, shipped};
use crate::ledger::marks::Currencies;
use crate::ledger::money::{self, Separators, blank};
use crate::ledger::time::Zone;
use crate::open::{Record, Table, open};

/// One thing that exists, from an inventory CSV
/// (`platform, account, kind, resource, size_gb, created_at, last_used_at, source, released_at, state`).
#[derive(Clone, Debug)]
pub struct Asset {
    /// The row it was read from.
    pub origin: Origin,
    /// The platform's name.
    pub platform: String,
    /// The account's id.
    pub account: Option<String>,
    /// `image`, `snapshot`, `disk` or `instance`.
    pub kind: AssetKind,
    /// The platform's id.
    pub resource: String,
    /// Size in GB.
    pub size_gb: Option<Decimal>,
    /// When it was made.
    pub created_at: Option<DateTime<Utc>>,
    /// When it last served.
    pub last_used_at: Option<DateTime<Utc>>,
    /// What it was made from, or the instance it belongs to.
    pub source: Option<String>,
    /// When it was released.
    pub released_at: Option<DateTime<Utc>>,
    /// `running`, `stopped` …, as the platform says.
    pub state: Option<String>,
}

/// What an asset is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetKind {
    /// A machine or container image.
    Image,
    /// A snapshot.
    Snapshot,
    /// A disk or volume.
    Disk,
    /// An instance.
    Instance,
}

impl AssetKind {
    /// The spelling in an inventory.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Snapshot => "snapshot",
            Self::Disk => "disk",
            Self::Instance => "instance",
        }
    }

    fn from_word(text: &str) -> Option<Self> {
        [Self::Image, Self::Snapshot, Self::Disk, Self::Instance]
            .into_iter()
            .find(|k| k.as_str().eq_ignore_ascii_case(text))
    }
}

const COLUMNS: [&str; 10] = [
    "platform",
    "account",
    "kind",
    "resource",
    "size_gb",
    "created_at",
    "last_used_at",
    "source",
    "released_at",
    "state",
];
const REQUIRED: [&str; 3] = ["platform", "kind", "resource"];

/// Reads an inventory file; `name` is what the user called it.
///
/// # Errors
/// If it cannot be opened, holds no inventory, or has cells that cannot be taken; all are listed.
pub fn read(path: &Path, name: &str) -> Result<Vec<Asset>> {
    let mut assets = Vec::new();
    for table in open(path, name)? {
        assets.extend(table_assets(&table)?);
    }
    if assets.is_empty() {
        let what = message!("holds no row below its header: it says of nothing that it exists");
        let hint = message!("leave the file out, or give a row for each image, snapshot, disk and instance");
        return Err(Error::new(Kind::Input, what).at(Origin::file(name)).hint(hint));
    }
    Ok(assets)
}

/// Reads an inventory from text, as the examples of rule pages are.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &str, file: &str) -> Result<Vec<Asset>> {
    table_assets(&Table::from_text(file, text))
}

fn table_assets(table: &Table) -> Result<Vec<Asset>> {
    let (delimiter, header) = header(table)?;
    let mut refusals = unknown(&header);
    let mut assets = Vec::new();
    let mut rows = table.rows(delimiter)?;
    let mut record = Record::new();
    while let Some(row) = rows.next(&mut record)? {
        if row <= header.origin.row || record.iter().all(money::is_blank) {
            continue;
        }
        let cells = Cells { header: &header, record: &record, origin: table.origin.at(row) };
        match asset(&cells) {
            Ok(asset) => assets.push(asset),
            Err(refused) => refusals.extend(refused),
        }
    }
    if refusals.is_empty() { Ok(assets) } else { Err(Error::cells(refusals)) }
}

/// The header: its row and the names as printed.
struct Header {
    origin: Origin,
    names: Vec<String>,
}

/// The first row with the required columns, under whichever delimiter shows them.
fn header(table: &Table) -> Result<(u8, Header)> {
    let mut first = String::new();
    for &delimiter in table.delimiters() {
        let mut rows = table.rows(delimiter)?;
        let mut record = Record::new();
        if let Some(row) = rows.next(&mut record)? {
            let names: Vec<String> =
                record.iter().map(|c| String::from_utf8_lossy(c).trim_matches(blank).to_owned()).collect();
            if REQUIRED.iter().all(|r| names.iter().any(|n| fold(n) == *r)) {
                return Ok((delimiter, Header { origin: table.origin.at(row), names }));
            }
            if first.is_empty() {
                first = names.join(", ");
            }
        }
    }
    let found = if first.is_empty() { message!("it is empty") } else { message!("its first row reads \"{first}\"") };
    Err(Error::new(Kind::Input, message!("is not an inventory: {found}")).at(table.origin.clone()).hint(message!(
        "the first row names the columns: {}; the columns {} are required",
        COLUMNS.join(", "),
        REQUIRED.join(", ")
    )))
}

/// Columns that an inventory does not have, and those that stand twice.
fn unknown(header: &Header) -> Vec<Refusal> {
    let wrong = |(at, name): (usize, &String)| {
        let folded = fold(name);
        let twice = header.names.iter().take(at).any(|n| fold(n) == folded);
        let expected = match (COLUMNS.contains(&folded.as_str()), twice) {
            (true, false) => return None,
            (true, true) => "each column once".into(),
            (false, _) => message!("one of the columns {}", COLUMNS.join(", ")),
        };
        Some(Refusal {
            origin: header.origin.clone(),
            column: String::new(),
            value: name.clone(),
            expected,
            hint: None,
        })
    };
    header.names.iter().enumerate().filter_map(wrong).collect()
}

/// One row under its header.
struct Cells<'a> {
    header: &'a Header,
    record: &'a Record,
    origin: Origin,
}

impl Cells<'_> {
    fn text(&self, column: &str) -> Option<String> {
        let at = self.header.names.iter().position(|n| fold(n) == column)?;
        let cell = String::from_utf8_lossy(self.record.get(at)?).trim_matches(blank).to_owned();
        (!matches!(cell.as_str(), "" | "-" | "--" | "NULL" | "null" | "N/A")).then_some(cell)
    }

    fn refuse(&self, column: &str, expected: &'static str) -> Refusal {
        Refusal {
            origin: self.origin.clone(),
            column: column.to_owned(),
            value: self.text(column).unwrap_or_default(),
            expected: expected.into(),
            hint: None,
        }
    }

    fn needed(&self, column: &str, expected: &'static str, refused: &mut Vec<Refusal>) -> String {
        self.text(column).unwrap_or_else(|| {
            refused.push(self.refuse(column, expected));
            String::new()
        })
    }

    fn time(&self, column: &str, zone: Zone, refused: &mut Vec<Refusal>) -> Option<DateTime<Utc>> {
        let read = time(&self.text(column)?, zone);
        if read.is_none() {
            refused.push(
                self.refuse(column, "a date or time that exists, such as 2026-10-31 or 2026-10-31T18:05:09+08:00"),
            );
        }
        read
    }

    fn size(&self, refused: &mut Vec<Refusal>) -> Option<Decimal> {
        // A size with the mark of a currency is an amount that slipped into the column.
        let size = money::marked(&self.text("size_gb")?, Separators::None).ok().filter(|(_, m)| *m == Currencies::ANY);
        let size = size.and_then(|(mantissa, _)| money::to_decimal(mantissa)).filter(|s| !s.is_sign_negative());
        if size.is_none() {
            refused.push(self.refuse("size_gb", "a number of GB, such as 40 or 12.5"));
        }
        size
    }
}

fn asset(cells: &Cells<'_>) -> std::result::Result<Asset, Vec<Refusal>> {
    let mut refused = Vec::new();
    if cells.record.len() != cells.header.names.len() {
        let expected = message!("{} cells, as in the header", cells.header.names.len());
        let value = format!("{} cells", cells.record.len());
        return Err(vec![Refusal { origin: cells.origin.clone(), column: String::new(), value, expected, hint: None }]);
    }
    let platform = cells.needed("platform", "a platform's name, such as autodl", &mut refused);
    let resource = cells.needed("resource", "the platform's id of it", &mut refused);
    let kind = cells.text("kind").and_then(|k| AssetKind::from_word(&k));
    let zone = zone_of(&platform);
    let (size_gb, created_at) = (cells.size(&mut refused), cells.time("created_at", zone, &mut refused));
    let (last_used_at, released_at) =
        (cells.time("last_used_at", zone, &mut refused), cells.time("released_at", zone, &mut refused));
    let Some(kind) = kind else {
        refused.push(cells.refuse("kind", "image, snapshot, disk or instance"));
        return Err(refused);
    };
    if !refused.is_empty() {
        return Err(refused);
    }
    Ok(Asset {
        origin: cells.origin.clone(),
        platform,
        account: cells.text("account"),
        kind,
        resource,
        size_gb,
        created_at,
        last_used_at,
        source: cells.text("source"),
        released_at,
        state: cells.text("state"),
    })
}

/// A platform's own clock, so that a bare date means the day that its console shows.
fn zone_of(platform: &str) -> Zone {
    let known = shipped().ok().and_then(|all| all.get(platform)).and_then(|p| Zone::parse(&p.zone));
    known.unwrap_or_else(Zone::utc)
}

fn time(text: &str, zone: Zone) -> Option<DateTime<Utc>> {
    if let Ok(zoned) = DateTime::parse_from_rfc3339(text) {
        return Some(zoned.to_utc());
    }
    let local = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S")
        .or_else(|_| NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S"))
        .or_else(|_| NaiveDate::parse_from_str(text, "%Y-%m-%d").map(|day| day.and_time(NaiveTime::MIN)));
    zone.to_utc(local.ok()?)
}
