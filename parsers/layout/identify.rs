//! Which layout claims a table.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::header::{Header, fold};
use super::headerless;
use super::numbered;
use super::plan;
use super::platforms::Platforms;
use super::schema::{Layout, Platform, Source};
use super::unclaimed::{Seen, contested, unclaimed};
use crate::error::Result;
use crate::open::{Record, Table};

/// Rows from the top in which a header may stand: titles and blank lines come before it.
pub(super) const LOOK: usize = 40;

/// A layout's claim on a table.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The platform.
    pub platform: Arc<Platform>,
    /// The place of the layout in the platform's list.
    pub index: usize,
    /// The header.
    pub header: Header,
    /// The header's row; 0 if the layout gives the names that the file does not print.
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
    /// Columns of the file that the layout does not know: one of them may be a missing one renamed.
    pub unknown: Vec<String>,
}

/// Finds the one layout that claims a table.
///
/// # Errors
/// [`crate::error::Kind::Unclaimed`] or [`crate::error::Kind::Contested`], with the nearest layouts and what differs.
pub fn identify(table: &Table, platforms: &Platforms) -> Result<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    let mut seen = Seen::default();
    let wanted: Vec<Wanted<'_>> = platforms.iter().flat_map(Wanted::of_platform).collect();
    let names = WantedNames::of(&wanted);
    for &delimiter in table.delimiters() {
        let mut rows = table.rows(delimiter)?;
        let mut record = Record::new();
        for _ in 0..LOOK {
            let Some(row) = rows.next(&mut record)? else { break };
            seen.row(&record);
            let Some(header) = names.header(&record) else { continue };
            for wanted in &wanted {
                let Some(near) = wanted.compare(&header) else { continue };
                if near.claims() {
                    let Wanted { platform, index, .. } = *wanted;
                    if !claims.iter().any(|c| c.platform.name == platform.name && c.index == index) {
                        let (platform, header) = (platform.clone(), header.clone());
                        claims.push(Claim { platform, index, header, row, delimiter });
                    }
                } else if near.found > 0 {
                    seen.nearest.push(near);
                }
            }
        }
    }
    if claims.is_empty() {
        claims = headerless::claims(table, platforms)?;
    }
    match claims.len() {
        1 => claims.pop().ok_or_else(|| unclaimed(table, &seen, platforms)),
        0 => Err(unclaimed(table, &seen, platforms)),
        _ => Err(contested(table, &claims)),
    }
}

/// A layout with the names that it looks for, folded once for all rows that may be a header.
struct Wanted<'a> {
    platform: &'a Arc<Platform>,
    index: usize,
    /// Required columns: the first name as the layout has it, and all names folded.
    columns: Vec<(&'a String, Vec<String>)>,
}

impl<'a> Wanted<'a> {
    fn of_platform(platform: &'a Arc<Platform>) -> impl Iterator<Item = Self> {
        platform.layouts.iter().enumerate().map(move |(index, layout)| {
            let required = |source: &&Source| !source.optional && !source.column.0.is_empty();
            let sources = layout.all_columns().flat_map(|(_, s)| s.each()).filter(required);
            let columns = sources.map(|s| (&s.column.0[0], s.column.0.iter().map(|n| fold(n)).collect())).collect();
            Self { platform, index, columns }
        })
    }

    /// What the layout finds in a header; `None`, before anything is written down, if it finds none of its columns.
    fn compare(&self, header: &Header) -> Option<Nearest> {
        let stands = |names: &[String]| names.iter().any(|name| header.place(name).is_some());
        if !self.columns.is_empty() && !self.columns.iter().any(|(_, folded)| stands(folded)) {
            return None;
        }
        let layout = &self.platform.layouts[self.index];
        let mut near = Nearest {
            name: format!("{}/{}", self.platform.name, layout.name),
            found: 0,
            missing: Vec::new(),
            unwanted: layout.without.iter().filter(|name| header.has(name)).cloned().collect(),
            unknown: Vec::new(),
        };
        for (name, folded) in &self.columns {
            if stands(folded) {
                near.found += 1;
            } else if !near.missing.contains(name) {
                near.missing.push((*name).clone());
            }
        }
        if near.is_near() && !near.claims() {
            near.unknown = plan::unknown(layout, header);
        }
        Some(near)
    }
}

/// All names that any layout looks for: that a row has none of them, and so is no header, is told at once and not
/// layout by layout.
struct WantedNames<'a> {
    whole: FxHashSet<&'a str>,
    /// Names with a `*`, which stands for a number.
    numbered: Vec<&'a str>,
    /// A layout needs no column: every row may be its header.
    any: bool,
}

impl<'a> WantedNames<'a> {
    fn of(wanted: &'a [Wanted<'_>]) -> Self {
        let names = wanted.iter().flat_map(|wanted| &wanted.columns).flat_map(|(_, folded)| folded);
        let (numbered, whole): (Vec<&str>, Vec<&str>) = names.map(String::as_str).partition(|name| name.contains('*'));
        let any = wanted.iter().any(|wanted| wanted.columns.is_empty());
        Self { whole: whole.into_iter().collect(), numbered, any }
    }

    /// A row as a header, if it may be one.
    fn header(&self, row: &Record) -> Option<Header> {
        let is_wanted = |cell: &String| {
            let name = fold(cell);
            self.whole.contains(name.as_str()) || self.numbered.iter().any(|wanted| numbered::is(wanted, &name))
        };
        let cells: Vec<String> = row.iter().map(|c| String::from_utf8_lossy(c).into_owned()).collect();
        (cells.len() > 1 && (self.any || cells.iter().any(is_wanted))).then(|| Header::new(cells))
    }
}

impl Nearest {
    /// Whether the layout has all that it needs and nothing that rules it out.
    fn claims(&self) -> bool {
        self.missing.is_empty() && self.unwanted.is_empty()
    }

    /// Whether at least half of the required columns are there.
    pub(super) fn is_near(&self) -> bool {
        self.found >= self.missing.len()
    }
}
