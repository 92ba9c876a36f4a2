//! Which layout claims a table.

use std::sync::Arc;

use csv::ByteRecord;

use super::header::Header;
use super::platforms::Platforms;
use super::schema::{Layout, Platform};
use crate::error::{Error, Kind, Result};
use crate::open::Table;

/// Rows from the top in which a header may stand: titles and blank lines come before it.
const LOOK: usize = 40;

/// A layout's claim on a table.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The platform.
    pub platform: Arc<Platform>,
    /// The place of the layout in the platform's list.
    pub index: usize,
    /// The header.
    pub header: Header,
    /// The header's row.
    pub row: u32,
    /// What cuts the columns.
    pub delimiter: u8,
}

impl Claim {
    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.platform.layouts[self.index]
    }

    /// `platform/layout`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.platform.name, self.layout().name)
    }
}

/// A layout that nearly claims a table.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// `platform/layout`.
    pub name: String,
    /// Required columns that are there.
    pub found: usize,
    /// Required columns that are not, by their first name.
    pub missing: Vec<String>,
    /// Columns that are there and must not be.
    pub unwanted: Vec<String>,
}

/// Finds the one layout that claims a table.
///
/// # Errors
/// [`Kind::Unclaimed`] or [`Kind::Contested`], with the nearest layouts and what differs.
pub fn identify(table: &Table, platforms: &Platforms) -> Result<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    let mut nearest: Vec<Nearest> = Vec::new();
    let mut rows_seen = false;
    for &delimiter in table.delimiters() {
        let mut rows = table.rows(delimiter)?;
        let mut record = ByteRecord::new();
        for _ in 0..LOOK {
            let Some(row) = rows.next(&mut record)? else { break };
            rows_seen |= record.iter().any(|c| !c.is_empty());
            if record.len() < 2 {
                continue;
            }
            let header = Header::new(record.iter().map(|c| String::from_utf8_lossy(c).into_owned()).collect());
            for platform in platforms.iter() {
                for (index, layout) in platform.layouts.iter().enumerate() {
                    let near = compare(platform, layout, &header);
                    if near.missing.is_empty() && near.unwanted.is_empty() {
                        if !claims.iter().any(|c| c.platform.name == platform.name && c.index == index) {
                            claims.push(Claim {
                                platform: platform.clone(),
                                index,
                                header: header.clone(),
                                row,
                                delimiter,
                            });
                        }
                    } else if near.found > 0 {
                        nearest.push(near);
                    }
                }
            }
        }
    }
    match claims.len() {
        1 => claims.pop().ok_or_else(|| unclaimed(table, &nearest, rows_seen)),
        0 => Err(unclaimed(table, &nearest, rows_seen)),
        _ => Err(contested(table, &claims)),
    }
}

fn compare(platform: &Platform, layout: &Layout, header: &Header) -> Nearest {
    let mut near = Nearest {
        name: format!("{}/{}", platform.name, layout.name),
        found: 0,
        missing: Vec::new(),
        unwanted: layout.without.iter().filter(|name| header.has(name)).cloned().collect(),
    };
    for source in layout.columns.values().flat_map(|s| &s.0) {
        if source.optional || source.column.0.is_empty() {
            continue;
        }
        if header.find(&source.column.0).is_some() {
            near.found += 1;
        } else if !near.missing.contains(&source.column.0[0]) {
            near.missing.push(source.column.0[0].clone());
        }
    }
    near
}

fn unclaimed(table: &Table, nearest: &[Nearest], rows_seen: bool) -> Error {
    if !rows_seen {
        return Error::new(Kind::Unclaimed, "is empty").at(table.origin.clone()).hint(
            "the platform may have had nothing to export for this month; leave the file out, or export it again",
        );
    }
    let mut best: Vec<&Nearest> = nearest.iter().collect();
    best.sort_by(|a, b| {
        let missing = |n: &Nearest| n.missing.len() + n.unwanted.len();
        // By the share of required columns found, compared as fractions.
        (b.found * (a.found + missing(a))).cmp(&(a.found * (b.found + missing(b)))).then_with(|| a.name.cmp(&b.name))
    });
    let mut message = String::from("no layout claims this file");
    let mut seen: Vec<&str> = Vec::new();
    for near in best {
        if seen.contains(&near.name.as_str()) || near.found * 2 < near.found + near.missing.len() {
            continue;
        }
        seen.push(&near.name);
        message.push_str(&format!(
            "\n  {}: {} of {} columns found",
            near.name,
            near.found,
            near.found + near.missing.len()
        ));
        if !near.missing.is_empty() {
            message.push_str(&format!("; not found: {}", quoted(&near.missing)));
        }
        if !near.unwanted.is_empty() {
            message.push_str(&format!("; must not be there: {}", quoted(&near.unwanted)));
        }
        if seen.len() == 3 {
            break;
        }
    }
    let hint = if seen.is_empty() {
        "`kashi platforms` lists what is known; a platform file of your own (`--platform-file our-cloud.toml`) teaches kashi this layout, see CONTRIBUTING.md"
    } else {
        "if the vendor renamed a column, add its new name as an alias in a platform file (`--platform-file`); if rows were cut off above, download the bill again"
    };
    Error::new(Kind::Unclaimed, message).at(table.origin.clone()).hint(hint)
}

fn contested(table: &Table, claims: &[Claim]) -> Error {
    let mut message = format!("{} layouts claim this file: ", claims.len());
    let names: Vec<String> = claims.iter().map(Claim::name).collect();
    message.push_str(&names.join(", "));
    for claim in claims {
        let others = claims.iter().filter(|c| c.name() != claim.name());
        let only: Vec<String> = required(claim.layout())
            .filter(|name| others.clone().all(|o| !required(o.layout()).any(|n| super::fold(n) == super::fold(name))))
            .cloned()
            .collect();
        message.push_str(&format!(
            "\n  only {} needs: {}",
            claim.name(),
            if only.is_empty() { "nothing more".to_owned() } else { quoted(&only) }
        ));
    }
    Error::new(Kind::Contested, message)
        .at(table.origin.clone())
        .hint("give the layout that must not claim it a `without = [\"…\"]` naming a column that only the other has")
}

/// The columns that a layout needs, each once.
fn required(layout: &Layout) -> impl Iterator<Item = &String> {
    let names = layout.columns.values().flat_map(|s| &s.0).filter(|s| !s.optional).filter_map(|s| s.column.0.first());
    names.collect::<std::collections::BTreeSet<_>>().into_iter()
}

/// Names in quotes, the first dozen.
fn quoted(names: &[String]) -> String {
    const MOST: usize = 12;
    let mut text = names.iter().take(MOST).map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text.push_str(&format!(" and {} more", names.len() - MOST));
    }
    text
}
