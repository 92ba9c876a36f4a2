//! In which language a command speaks.

use std::path::{Path, PathBuf};

use crate::cli::{Cli, Command};
use crate::config::FILE;
use crate::text::Lang;

/// `--lang`, else `lang` of the kashi.toml that the command reads, else English.
///
/// Read apart from the rest of kashi.toml, so that what is wrong in it is said in its language too.
pub fn language(cli: &Cli) -> Lang {
    cli.lang.or_else(|| settings(&cli.command).and_then(|file| written(&file))).unwrap_or_default()
}

/// The kashi.toml of a command.
fn settings(command: &Command) -> Option<PathBuf> {
    let (given, places): (Option<&Path>, &[PathBuf]) = match command {
        Command::Audit(args) => (args.config.as_deref(), &args.bills),
        Command::Ledger(args) => (args.config.as_deref(), &args.bills),
        Command::Identify(args) => (None, &args.files),
        Command::Mail(args) => (args.config.as_deref().or(Some(Path::new(FILE))), &[]),
        _ => (None, &[]),
    };
    given.map(Path::to_owned).or_else(|| places.iter().map(|place| place.join(FILE)).find(|file| file.is_file()))
}

fn written(file: &Path) -> Option<Lang> {
    let text = std::fs::read_to_string(file).ok()?;
    let words: toml::Table = text.parse().ok()?;
    words.get("lang")?.clone().try_into().ok()
}
