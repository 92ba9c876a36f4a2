//! kashi audits GPU-rental bills.
//!
//! The whole flow: [`places`] finds the inputs, [`bills`] reads the bills into the ledger and the
//! usage exports into hours, `kashi_rules` judges the case that they make, and the audit becomes
//! reports, a mail and clean data.

pub mod audit;
pub mod balances;
pub mod bills;
pub mod cli;
pub mod commands;
pub mod config;
pub mod converted;
pub mod copies;
pub mod export;
pub mod footings;
pub mod guard;
#[cfg(feature = "live")]
pub mod live;
pub mod mail;
pub mod month;
mod own;
pub mod places;
pub mod problems;
pub mod progress;
pub mod report;
pub mod scope;
mod taxes;
pub mod text;
mod views;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use kashi_parsers::message;

/// What every CSV file begins with, and nothing that goes to standard output.
///
/// Excel takes UTF-8 for what it is only behind this mark: in China it reads the bytes as GBK
/// without it. Readers of data (DuckDB, pandas, polars, Power BI, kashi itself) pass over it.
pub const MARK: &[u8] = b"\xef\xbb\xbf";

/// Writes a whole file or nothing: to a temporary name beside it, then renamed.
///
/// # Errors
/// If the folder cannot be written to.
pub fn write_whole(file: &Path, bytes: &[u8]) -> Result<()> {
    write_file(file, |out| Ok(out.write_all(bytes)?))
}

/// Writes a whole file or nothing, as [`write_whole`] does, without holding it in memory.
///
/// # Errors
/// If the folder cannot be written to, or `write` fails.
pub fn write_file(file: &Path, write: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let named = || message!("{}: cannot be written", file.display());
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temporary = named_for_all(folder).with_context(named)?;
    write(temporary.as_file_mut()).with_context(named)?;
    temporary.persist(file).with_context(named)?;
    Ok(())
}

/// A temporary file that others may read as far as the user's umask lets them, as any new file.
fn named_for_all(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}
