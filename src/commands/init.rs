//! `kashi init`: a workplace to put a month's downloads into.

use std::io::Write;

use anyhow::{Context, Result, bail};

use crate::cli::InitArgs;
use crate::config;
use crate::text::Lang;
use kashi_parsers::message;

const EN: &str = include_str!("kashi.en.toml");
const ZH: &str = include_str!("kashi.zh.toml");

/// Writes a commented kashi.toml and the folders it speaks of.
///
/// # Errors
/// If there is one already, or the folder cannot be written to.
pub fn run(args: &InitArgs, out: &mut dyn Write) -> Result<()> {
    let file = args.folder.join(config::FILE);
    if file.exists() {
        bail!(message!("{}: is there already; it is left as it is", file.display()));
    }
    for folder in ["bills", "usage", "inventory", "balance"] {
        let folder = args.folder.join(folder);
        std::fs::create_dir_all(&folder).with_context(|| message!("{}: cannot be made", folder.display()))?;
    }
    let text = match args.lang {
        Lang::En => EN,
        Lang::Zh => ZH,
    };
    crate::write_whole(&file, text.as_bytes())?;
    writeln!(out, "{}", file.display())?;
    Ok(())
}
