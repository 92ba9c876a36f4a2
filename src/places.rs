//! Where the inputs are: files, folders, a workplace, standard input.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::config;
use crate::problems::Several;
use kashi_parsers::message;

/// A file to read, and the name it is shown by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The name in reports: relative, with `/`, the same on every machine.
    pub name: String,
    /// The path; `-` is standard input.
    pub path: PathBuf,
}

/// What was given on the command line, sorted out.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Bills.
    pub bills: Vec<Place>,
    /// Utilization exports.
    pub usage: Vec<Place>,
    /// Inventories.
    pub inventory: Vec<Place>,
    /// Balances.
    pub balance: Vec<Place>,
    /// The kashi.toml of a workplace.
    pub config: Option<Place>,
}

/// Sorts out the paths given for bills; a folder with a kashi.toml brings everything it holds.
///
/// # Errors
/// If a path does not exist or a folder holds nothing.
pub fn gather(paths: &[PathBuf]) -> Result<Places> {
    let mut places = Places::default();
    let mut problems = Vec::new();
    for path in paths {
        if path.join(config::FILE).is_file() {
            if places.config.is_some() {
                bail!(message!("{}: a second folder with a kashi.toml; audit one workplace at a time", path.display()));
            }
            places.config = Some(Place { name: config::FILE.to_owned(), path: path.join(config::FILE) });
            for (folder, into) in [
                ("bills", &mut places.bills),
                ("usage", &mut places.usage),
                ("inventory", &mut places.inventory),
                ("balance", &mut places.balance),
            ] {
                if path.join(folder).is_dir() {
                    walk(&path.join(folder), folder, into)?;
                }
            }
            if places.bills.is_empty() {
                bail!(message!(
                    "{}: holds a kashi.toml but no file in bills/; put the downloaded bills there",
                    path.display()
                ));
            }
        } else {
            match files(path) {
                Ok(found) => places.bills.extend(found),
                Err(problem) => problems.push(problem),
            }
        }
    }
    Several::none(problems)?;
    Ok(places)
}

/// The files that a path stands for.
///
/// # Errors
/// If it does not exist or is an empty folder.
pub fn files(path: &Path) -> Result<Vec<Place>> {
    if path == Path::new("-") {
        return Ok(vec![Place { name: "-".to_owned(), path: path.to_owned() }]);
    }
    let metadata = std::fs::metadata(path).with_context(|| {
        message!("{}: cannot be read; check the path, or quote it if it holds blanks", path.display())
    })?;
    let name = shown(path);
    if !metadata.is_dir() {
        return Ok(vec![Place { name, path: path.to_owned() }]);
    }
    let mut found = Vec::new();
    walk(path, &name, &mut found)?;
    if found.is_empty() {
        bail!(message!("{}: is a folder without a file in it; put the downloaded files there", path.display()));
    }
    Ok(found)
}

/// A path as reports show it: as given if relative, its last part if absolute.
fn shown(path: &Path) -> String {
    let shown =
        if path.is_absolute() { path.file_name().map(PathBuf::from).unwrap_or_default() } else { path.to_owned() };
    let parts: Vec<_> = shown
        .components()
        .filter(|c| !matches!(c, std::path::Component::CurDir))
        .map(|c| c.as_os_str().to_string_lossy().into_owned())
        .collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// Every file below a folder, in the order of the names, hidden ones left out.
fn walk(folder: &Path, name: &str, into: &mut Vec<Place>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| message!("{}: cannot be listed", folder.display()))?;
    let mut entries = entries
        .collect::<std::io::Result<Vec<_>>>()
        .with_context(|| message!("{}: cannot be listed", folder.display()))?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let file = entry.file_name().to_string_lossy().into_owned();
        if file.starts_with('.') || file.starts_with("~$") {
            continue;
        }
        let shown = if name == "." { file.clone() } else { format!("{name}/{file}") };
        if entry.path().is_dir() {
            walk(&entry.path(), &shown, into)?;
        } else {
            into.push(Place { name: shown, path: entry.path() });
        }
    }
    Ok(())
}
