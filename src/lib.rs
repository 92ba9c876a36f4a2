//! kashi audits GPU-rental bills.
//!
//! The whole flow: [`places`] finds the inputs, [`bills`] reads the bills into the ledger and the
//! usage exports into hours, `kashi_rules` judges the case that they make, and the audit becomes
//! reports, a mail and clean data.

pub mod bills;
pub mod cli;
pub mod commands;
pub mod config;
pub mod export;
pub mod guard;
pub mod places;
pub mod text;

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a whole file or nothing: to a temporary name beside it, then renamed.
///
/// # Errors
/// If the folder cannot be written to.
pub fn write_whole(file: &Path, bytes: &[u8]) -> Result<()> {
    let named = || format!("{}: cannot be written", file.display());
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temporary = tempfile::NamedTempFile::new_in(folder).with_context(named)?;
    temporary.write_all(bytes).with_context(named)?;
    temporary.persist(file).with_context(named)?;
    Ok(())
}
