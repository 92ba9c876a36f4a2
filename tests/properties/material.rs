//! Tables of every layout to make others of.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use kashi::config::Config;
use kashi::places::Place;
use kashi_parsers::layout::{self, Bill, Claim, schema};
use kashi_parsers::ledger::{Ledger, Line, Lines, MoneyColumn, TextColumn, TimeColumn};
use kashi_parsers::open::{Said, Table, open_bytes};
use kashi_parsers::{Error, Result};

use crate::open::rows;

/// The table of a fixture that a layout claims.
pub(super) struct Material {
    /// `platform/layout`.
    pub(super) name: String,
    /// The file, whose name may state the month.
    pub(super) file: String,
    /// The rows above the header.
    pub(super) above: Vec<Vec<String>>,
    pub(super) header: Vec<String>,
    pub(super) body: Vec<Vec<String>>,
    /// What the JSON document says beside its records.
    document: Arc<[Said]>,
    config: Config,
    pub(super) claim: Claim,
}

/// A bill that has been read.
pub(super) struct Read {
    pub(super) bill: Bill,
    pub(super) ledger: Ledger,
}

impl Material {
    /// One of every layout that ships: its fixture with the most rows.
    pub(super) fn all() -> &'static [Material] {
        static ALL: OnceLock<Vec<Material>> = OnceLock::new();
        ALL.get_or_init(|| {
            let mut all: BTreeMap<String, Material> = BTreeMap::new();
            for file in fixtures() {
                for found in of(&file) {
                    let known = all.get(&found.name).map_or(0, |known| known.body.len());
                    if found.body.len() > known {
                        all.insert(found.name.clone(), found);
                    }
                }
            }
            let layouts: usize = layout::shipped().unwrap().iter().map(|p| p.layouts.len()).sum();
            // The ledger's own export is no platform's.
            assert!(all.len() + 1 >= layouts, "{} of {layouts} layouts have a fixture", all.len());
            all.into_values().collect()
        })
    }

    /// The layout.
    pub(super) fn layout(&self) -> &schema::Layout {
        self.claim.layout()
    }

    /// Whether a line depends on the lines around it, so that rows may not be moved.
    ///
    /// AutoDL's statement is a running balance: when an instance began, and for how many hours a line
    /// charges, follows from the settlement before it.
    pub(super) fn depends_on_order(&self) -> bool {
        self.layout().adapter.as_deref() == Some("autodl-statement")
    }

    /// A table with this header and these rows, below the rows that stand above it.
    pub(super) fn table(&self, header: &[String], body: &[Vec<String>]) -> Table {
        self.table_of(&text(&self.above, header, body, b','))
    }

    /// A table of a text.
    pub(super) fn table_of(&self, text: &str) -> Table {
        let mut table = Table::from_text(&self.file, text);
        table.document = self.document.clone();
        table
    }

    /// Some rows of the body.
    pub(super) fn rows(&self, picked: &[usize]) -> Vec<Vec<String>> {
        picked.iter().map(|at| self.body[at % self.body.len()].clone()).collect()
    }

    /// What a table is read as.
    pub(super) fn read(&self, table: &Table) -> Result<Read> {
        self.read_as(table, &layout::identify(table, layout::shipped()?)?)
    }

    /// What a table is read as by a layout.
    pub(super) fn read_as(&self, table: &Table, claim: &Claim) -> Result<Read> {
        let mut lines = Lines::new();
        let bill = layout::read(table, claim, self.config.given(), &mut lines)?;
        Ok(Read { bill, ledger: Ledger::new(lines) })
    }

    /// What the bytes of a file are read as.
    pub(super) fn read_bytes(&self, bytes: Vec<u8>, name: &str) -> Result<Read> {
        let mut tables = open_bytes(bytes, name)?;
        assert_eq!(tables.len(), 1, "{}: tables", self.name);
        let mut table = tables.remove(0);
        table.document = self.document.clone();
        self.read(&table)
    }

    /// What these rows are read as; that they are read at all is not in question.
    pub(super) fn plain(&self, body: &[Vec<String>]) -> Read {
        self.read(&self.table(&self.header, body)).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }

    /// The place and the source of a ledger column that a cell states as it stands.
    pub(super) fn stated(&self, column: &str) -> Option<(usize, &schema::Source)> {
        let layout = self.layout();
        let [source] = layout.columns.get(column)?.0.as_slice() else { return None };
        let worked = !source.is.is_empty()
            || !source.matches.is_empty()
            || source.pattern.is_some()
            || source.document.is_some()
            || source.when.is_some()
            || source.via.is_some()
            || source.divide.is_some()
            || source.negate
            || source.every
            || !source.add.is_empty();
        let whole = layout.parts.is_empty() && layout.adapter.is_none() && !layout.priced;
        let place = self.claim.header.find(&source.column.0)?;
        (whole && !worked).then_some((place, source))
    }
}

/// Rows as CSV.
pub(super) fn text(above: &[Vec<String>], header: &[String], body: &[Vec<String>], delimiter: u8) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).delimiter(delimiter).from_writer(Vec::new());
    for row in above.iter().map(Vec::as_slice).chain([header]).chain(body.iter().map(Vec::as_slice)) {
        writer.write_record(row).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// The lines of a ledger without where they stand, sorted.
pub(super) fn lines(ledger: &Ledger) -> Vec<String> {
    let mut lines: Vec<String> = ledger.lines().map(shown).collect();
    lines.sort();
    lines
}

/// Every column of a line but where it stands.
pub(super) fn shown(line: Line<'_>) -> String {
    let texts = TextColumn::ALL.iter().filter(|(c, _)| !matches!(c, TextColumn::File | TextColumn::Sheet));
    let texts = texts.filter_map(|(c, name)| line.text(*c).map(|text| format!("{name}={text}")));
    let numbers = MoneyColumn::ALL.iter().filter_map(|(c, name)| line.money(*c).map(|n| format!("{name}={n}")));
    let times = TimeColumn::ALL.iter().filter_map(|(c, name)| line.time(*c).map(|t| format!("{name}={t}")));
    texts.chain(numbers).chain(times).collect::<Vec<_>>().join(" ")
}

/// The bills of all platforms.
fn fixtures() -> Vec<PathBuf> {
    let platforms = layout::shipped().unwrap();
    let mut files = Vec::new();
    for platform in platforms.iter() {
        let Ok(entries) = std::fs::read_dir(Path::new("fixtures").join(&platform.name)) else { continue };
        let entries = entries.map(|e| e.unwrap().path());
        files.extend(entries.filter(|p| p.is_file() && !p.to_string_lossy().ends_with(".ledger.csv")));
    }
    files.retain(|file| file.extension().is_some_and(|e| e != "toml"));
    files.sort();
    files
}

/// The tables of a fixture that a layout claims.
fn of(file: &Path) -> Vec<Material> {
    let platforms = layout::shipped().unwrap();
    let place = Place { name: file.display().to_string(), path: file.to_owned() };
    let beside = file.with_extension("toml");
    let config = if beside.exists() { Config::read(&beside, "kashi.toml").unwrap() } else { Config::default() };
    let claims = kashi::bills::claims(&place, platforms).unwrap_or_else(|e: Error| panic!("{e}"));
    let material = |(table, claim): (Table, Claim)| {
        let (mut above, mut body) = (Vec::new(), Vec::new());
        for (row, cells) in rows(&table, claim.delimiter) {
            match row.cmp(&claim.row) {
                std::cmp::Ordering::Less => above.push(cells),
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Greater => body.push(cells),
            }
        }
        Material {
            name: claim.name(),
            file: table.origin.file.to_string(),
            above,
            header: claim.header.names.clone(),
            body,
            document: table.document.clone(),
            config: config.clone(),
            claim,
        }
    };
    claims.into_iter().map(material).collect()
}
