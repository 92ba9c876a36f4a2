//! The commands: each takes its arguments apart, calls the pipeline and prints.

pub mod audit;
pub mod cards;
pub mod cluster;
mod events;
pub mod identify;
pub mod init;
pub mod language;
pub mod ledger;
pub mod mail;
pub mod map;
pub mod platforms;
pub mod rules;
pub mod usage;

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use kashi_parsers::layout::{Platforms, shipped};
use kashi_parsers::message;

use crate::config::Config;
use crate::places::Places;

/// The shipped platforms and the user's own.
///
/// # Errors
/// If a file cannot be read or is not a platform file.
pub fn platforms(files: &[PathBuf]) -> Result<Platforms> {
    let mut all = shipped()?.clone();
    for file in files {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file).with_context(|| message!("{name}: cannot be read"))?;
        all.add(&name, &text)?;
    }
    Ok(all)
}

/// Writes every refused cell of bills as CSV.
///
/// # Errors
/// If the file cannot be written.
pub fn quarantine(file: &std::path::Path, bills: &[kashi_parsers::layout::Bill]) -> Result<()> {
    let mut writer = csv::Writer::from_writer(crate::MARK.to_vec());
    writer.write_record(["file", "sheet", "row", "column", "value", "expected"])?;
    for refusal in bills.iter().flat_map(|b| &b.refusals) {
        writer.write_record([
            &*refusal.origin.file,
            refusal.origin.sheet.as_deref().unwrap_or_default(),
            &refusal.origin.row.to_string(),
            &refusal.column,
            &crate::guard::formula(&crate::guard::visible(&refusal.value)),
            refusal.expected.as_str(),
        ])?;
    }
    crate::write_whole(file, &writer.into_inner()?)
}

/// The kashi.toml that is named, else the one of the workplace, else none.
///
/// # Errors
/// As [`Config::read`].
fn config(named: Option<&Path>, places: &Places) -> Result<Config> {
    match (named, &places.config) {
        (Some(path), _) => Config::read(path, &path.display().to_string()),
        (None, Some(place)) => Config::read(&place.path, &place.name),
        (None, None) => Ok(Config::default()),
    }
}

/// Refuses what cannot become a file, before anything is read for it.
///
/// # Errors
/// If the file's folder is not there, or the path is a folder.
fn can_be_written(file: &Path) -> Result<()> {
    if file.is_dir() {
        anyhow::bail!(message!("{}: is a folder; name a file in it", file.display()));
    }
    match file.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => anyhow::bail!(message!(
            "{}: cannot be written, there is no folder {}; make it first, or name another",
            file.display(),
            folder.display()
        )),
        None => Ok(()),
    }
}

/// Refuses two outputs in one file, where the later would write over the earlier.
///
/// # Errors
/// If both are named and are the same file.
fn are_apart(one: Option<&Path>, other: Option<&Path>) -> Result<()> {
    let full = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        folder.canonicalize().ok().map(|folder| folder.join(path.file_name().unwrap_or_default()))
    };
    match one.zip(other) {
        Some((one, other)) if one == other || full(one).is_some_and(|one| Some(one) == full(other)) => {
            anyhow::bail!(message!(
                "{}: two outputs would be written into this file; give each a name of its own",
                one.display()
            ))
        }
        _ => Ok(()),
    }
}

/// Refuses to write over a file that is there and is nothing that was written so before: a name may
/// have slipped into the place of the output's.
///
/// # Errors
/// If the file is there and its beginning is not one of its kind.
fn not_another(written: &Path, is: impl FnOnce(&str) -> bool) -> Result<()> {
    let Some(file) = written.is_file().then(|| std::fs::File::open(written).ok()).flatten() else { return Ok(()) };
    let mut begin = Vec::new();
    file.take(1 << 16).read_to_end(&mut begin)?;
    if begin.is_empty() || is(String::from_utf8_lossy(&begin).trim_start_matches('\u{feff}')) {
        return Ok(());
    }
    anyhow::bail!(message!(
        "{}: is there already and is something else than what would be written; name another file, or remove it",
        written.display()
    ))
}

/// The same of tables: a name that ends in .csv may be that of a bill or of a log.
fn not_another_table(written: &Path) -> Result<()> {
    const OURS: [&str; 2] = ["file,sheet,row,", "device,resource,platform,"];
    match written.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) {
        true => not_another(written, |text| OURS.iter().any(|begin| text.starts_with(begin))),
        false => Ok(()),
    }
}

/// Refuses to write over a file that is read.
///
/// # Errors
/// If the file to write is one of them.
fn not_an_input<'a>(written: &Path, mut read: impl Iterator<Item = &'a Path>) -> Result<()> {
    let Ok(there) = written.canonicalize() else { return Ok(()) };
    if read.any(|path| path.canonicalize().is_ok_and(|path| path == there)) {
        anyhow::bail!(message!(
            "{}: is a file that is read, and would be overwritten; name the file to write otherwise",
            written.display()
        ));
    }
    Ok(())
}
