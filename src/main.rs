//! The `kashi` program: parse, run, map to an exit code.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use kashi::cli::{Cli, Command};
use kashi::commands;
use kashi::commands::language::language;
use kashi::guard::Screen;
use kashi::text::{Lang, catalogue};
use kashi_parsers::open::CAUGHT;

/// Audited; findings at or over `--fail-on`; could not audit.
const AUDITED: u8 = 0;
const COULD_NOT: u8 = 2;

fn main() -> ExitCode {
    quiet();
    let cli = Cli::parse();
    let mut out = io::BufWriter::new(io::stdout().lock());
    // Not locked: the line that shows progress writes to it from a thread of its own.
    let mut err = Screen::new(io::stderr());
    let lang = language(&cli);
    let result = run(&cli, lang, &mut out, &mut err).and_then(|code| {
        out.flush()?;
        Ok(code)
    });
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) if is_broken_pipe(&error) => ExitCode::from(AUDITED),
        Err(error) => {
            let _ = out.flush();
            let _ = writeln!(err, "{}{}", lang.words().error, catalogue::failure(&error, lang));
            ExitCode::from(COULD_NOT)
        }
    }
}

fn run(cli: &Cli, lang: Lang, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    // The report guards its own words, and has colours of its own.
    if let Command::Audit(args) = &cli.command {
        return commands::audit::run(args, out, err);
    }
    let out = &mut Screen::new(out);
    match &cli.command {
        Command::Audit(_) => {}
        Command::Ledger(args) => commands::ledger::run(args, lang, out, err)?,
        Command::Usage(args) => commands::usage::run(args, lang, out, err)?,
        Command::Identify(args) => commands::identify::run(args, lang, out)?,
        Command::Map(args) => commands::map::run(args, lang, out, err)?,
        Command::Platforms(args) => commands::platforms::run(args, out)?,
        Command::Cards(args) => commands::cards::run(args, out)?,
        Command::Rules(args) => commands::rules::run(args, out)?,
        Command::Explain(args) => commands::rules::explain(args, out)?,
        Command::Mail(args) => commands::mail::run(args, lang, err)?,
        Command::Init(args) => commands::init::run(args, out)?,
    }
    out.flush()?;
    Ok(AUDITED)
}

/// Says nothing of a panic of the libraries that take workbooks and Parquet apart: it is caught where a
/// damaged file is read, and what the user reads is the error that becomes of it.
fn quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !panic.location().is_some_and(|at| CAUGHT.iter().any(|library| at.file().contains(library))) {
            usual(panic);
        }
    }));
}

/// A reader that stopped reading (`kashi … | head`) is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|e| e.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
