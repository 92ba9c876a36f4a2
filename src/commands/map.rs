//! `kashi map`: drafts a platform file for a bill that no layout claims.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use kashi_parsers::layout::map::{Answers, LAYOUT, Naming, Proposal, Vocabulary, platform_file, propose};
use kashi_parsers::layout::{Platforms, identify};
use kashi_parsers::message;
use kashi_parsers::open::{self, Table};

use crate::places::Place;
use crate::text::Lang;
use crate::{bills, places};

mod shown;

/// Arguments of `kashi map`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct MapArgs {
    /// A bill that no layout claims
    pub file: PathBuf,
    /// What you know better: cost="实付金额" names a column, currency==USD a constant, region= nothing in the file, kind:赠送==credit what a cell means
    #[arg(long, value_name = "SETTING")]
    pub set: Vec<String>,
    /// The name of the platform; the name of the file that is written without it
    #[arg(long, value_name = "NAME", visible_alias = "platform")]
    pub name: Option<String>,
    /// The platform file to write, such as our-cloud.toml; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write even where a needed answer is only guessed
    #[arg(long)]
    pub yes: bool,
    /// Platform files of your own
    #[arg(long, value_name = "FILE")]
    pub platform_file: Vec<PathBuf>,
}

/// Refused cells that are shown: a wrong column is refused in every row.
const MOST_REFUSALS: usize = 5;

const EXAMPLES: &str = "\
Examples:
  kashi map bill.csv                              show what is guessed of each column, and why
  kashi map bill.csv -o our-cloud.toml            write the platform file; asks on a terminal
  kashi map bill.csv --set cost=\"实付金额\" --set currency==CNY --set zone==+08:00 -o our-cloud.toml
  kashi map bill.csv --set \"kind:赠送==credit\" --set region= -o our-cloud.toml
  kashi audit bill.csv --platform-file our-cloud.toml

Settings are any ledger column (cost, start, resource, …), and zone, thousands (none, comma, point)
and dates (month-first, day-first). The file is written only when it claims the bill and reads
every row of it.";

/// Shows what is guessed of a bill's columns, asks what is doubtful, and writes the platform file.
///
/// # Errors
/// If the file is claimed already or is no table, if something needed is not known, or if the
/// platform file would not read the bill: then nothing is written.
pub fn run(args: &MapArgs, lang: Lang, out: &mut dyn Write, err: &mut dyn Write) -> Result<()> {
    if let Some(output) = args.output.as_deref().filter(|output| output.as_os_str() != "-") {
        super::can_be_written(output)?;
        super::not_an_input(output, std::iter::once(args.file.as_path()))?;
        super::not_another(output, |text| text.contains("[[layout]]"))?;
    }
    let platforms = super::platforms(&args.platform_file)?;
    let place = one(args)?;
    let tables = unclaimed(&place, &platforms)?;
    let name = name(args)?;
    let known = platforms.get(&name).map(|p| p.as_ref());
    let vocabulary = Vocabulary::learn(&platforms, &[]);
    let mut answers = Answers::default();
    for set in &args.set {
        answers.set(set).map_err(|e| anyhow!(e))?;
    }
    let mut proposal = propose(&tables, &vocabulary, &answers)?;
    if let Some(known) = known {
        proposal = told(proposal, known, &mut answers, |a| propose(&tables, &vocabulary, a))?;
    }
    let to_stdout = args.output.as_deref().is_some_and(|o| o.as_os_str() == "-");
    let report: &mut dyn Write = if to_stdout { err } else { out };
    shown::proposal(&tables[0], &proposal, lang, report)?;
    if args.output.is_some() && std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
        report.flush()?;
        let mut input = std::io::stdin().lock();
        let mut screen = std::io::stderr().lock();
        proposal =
            ask(proposal, &mut answers, lang, (&mut input, &mut screen), |a| Ok(propose(&tables, &vocabulary, a)?))?;
    }
    let naming = Naming { name: &name, file: &place.name, known };
    let text = platform_file(&proposal, &naming);
    let Some(output) = &args.output else { return shown::next(&proposal, &place, args.name.as_deref(), lang, report) };
    refuse_doubts(args, &place, &proposal)?;
    let read = verified(&place, &platforms, &name, &text)?;
    if to_stdout {
        out.write_all(text.as_bytes())?;
        return shown::read(&read, &place, None, lang, err);
    }
    crate::write_whole(output, text.as_bytes())?;
    shown::read(&read, &place, Some(output), lang, out)
}

/// The one file that is to be mapped.
fn one(args: &MapArgs) -> Result<Place> {
    if args.file.as_os_str() == "-" {
        bail!(message!("-: a bill is read several times while it is mapped; save it as a file first"));
    }
    if args.file.is_dir() {
        bail!(message!("{}: is a folder; name one bill in it", args.file.display()));
    }
    let mut found = places::files(&args.file)?;
    found.pop().ok_or_else(|| anyhow!(message!("{}: is not there; check the path", args.file.display())))
}

/// The tables of the file that no layout claims, the first that can be mapped in front.
fn unclaimed(place: &Place, platforms: &Platforms) -> Result<Vec<Table>> {
    let mut claimed = None;
    let mut tables = Vec::new();
    for table in open::open(&place.path, &place.name)? {
        match identify(&table, platforms) {
            Ok(claim) => claimed = Some((table.origin.clone(), claim.name())),
            Err(error) if error.kind() == kashi_parsers::error::Kind::Contested => return Err(error.into()),
            Err(_) => tables.push(table),
        }
    }
    let mapped = |table: &Table| propose(std::slice::from_ref(table), &Vocabulary::default(), &Answers::default());
    match (tables.iter().position(|t| mapped(t).is_ok()), claimed) {
        (Some(first), _) => Ok(tables.split_off(first)),
        (None, Some((origin, layout))) => {
            bail!(message!(
                "{origin}: {layout} reads this file already; there is nothing to map\n  help: put it into `kashi audit` or `kashi ledger` as it is"
            ))
        }
        (None, None) => {
            let table = tables
                .first()
                .ok_or_else(|| anyhow!(message!("{}: holds no table; check that it is the bill", place.name)))?;
            // The error says what is wrong with it.
            mapped(table)?;
            Ok(tables)
        }
    }
}

/// The platform's name: as given, or as the file to write is called.
fn name(args: &MapArgs) -> Result<String> {
    let stem = args.output.as_deref().filter(|o| o.as_os_str() != "-").and_then(|o| o.file_stem());
    let name = args.name.clone().or_else(|| stem.map(|s| s.to_string_lossy().into_owned()));
    let name = name.unwrap_or_else(|| "our-cloud".to_owned());
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(fits) {
        bail!(message!(
            "--name {name:?} is no name of a platform; expected small letters, digits and dashes, such as our-cloud"
        ));
    }
    Ok(name)
}

/// What kashi knows of the platform answers what the file does not say.
fn told(
    proposal: Proposal,
    known: &kashi_parsers::layout::Platform,
    answers: &mut Answers,
    again: impl Fn(&Answers) -> kashi_parsers::Result<Proposal>,
) -> Result<Proposal> {
    let mut sets = Vec::new();
    if proposal.doubts.iter().any(|d| d.about == "zone") {
        sets.push(format!("zone=={}", known.zone));
    }
    if let Some(currency) = known.currency.as_ref().filter(|_| proposal.doubts.iter().any(|d| d.about == "currency")) {
        sets.push(format!("currency=={currency}"));
    }
    if sets.is_empty() {
        return Ok(proposal);
    }
    for set in sets {
        answers.set(&set).map_err(|e| anyhow!(e))?;
    }
    Ok(again(answers)?)
}

/// Asks what is doubtful, one thing after the other, until nothing is or the user has no answer.
///
/// # Errors
/// If the terminal cannot be read, or an answer cannot be mapped.
pub fn ask(
    mut proposal: Proposal,
    answers: &mut Answers,
    lang: Lang,
    (input, screen): (&mut dyn BufRead, &mut dyn Write),
    again: impl Fn(&Answers) -> Result<Proposal>,
) -> Result<Proposal> {
    let mut asked: Vec<String> = Vec::new();
    while let Some(doubt) = proposal.doubts.iter().find(|d| !asked.contains(&d.about)) {
        asked.push(doubt.about.clone());
        shown::question(doubt, lang, screen)?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            break;
        }
        let line = line.trim();
        let set = match line.parse::<usize>() {
            Ok(number) => doubt.sets.get(number.wrapping_sub(1)).cloned(),
            Err(_) if line.is_empty() => doubt.sets.first().cloned(),
            Err(_) if line.contains('=') => Some(line.to_owned()),
            Err(_) => Some(format!("{}={line}", doubt.about)),
        };
        let Some(set) = set else { continue };
        let mut tried = answers.clone();
        match tried.set(&set).map_err(|e| anyhow!(e)).and_then(|()| again(&tried)) {
            Ok(next) => {
                *answers = tried;
                proposal = next;
            }
            Err(error) => {
                writeln!(screen, "  {error:#}")?;
                asked.pop();
            }
        }
    }
    Ok(proposal)
}

/// Nothing is written while something needed is only guessed.
fn refuse_doubts(args: &MapArgs, place: &Place, proposal: &Proposal) -> Result<()> {
    let needed: Vec<_> = proposal.doubts.iter().filter(|d| d.needed).collect();
    // A guess can be taken as it is; what is missing cannot.
    let missing = needed.iter().any(|d| proposal.guess(&d.about).is_none() && d.about != "dates");
    if needed.is_empty() || args.yes && !missing {
        return Ok(());
    }
    let mut text = format!("{}: nothing is written, since {} must be said first", place.name, things(needed.len()));
    for doubt in needed {
        text.push_str(&format!("\n  {}: {}", doubt.about, doubt.question));
        for set in doubt.sets.iter().take(3) {
            text.push_str(&format!("\n    --set {}", shown::argument(set)));
        }
    }
    bail!(message!("{text}\n  help: add the `--set` that is right; `kashi map --help` shows the ways to write one"));
}

fn things(n: usize) -> String {
    if n == 1 { "1 thing".to_owned() } else { format!("{n} things") }
}

/// Reads the bill through the platform file that would be written: it must be claimed by it, whole.
fn verified(place: &Place, platforms: &Platforms, name: &str, text: &str) -> Result<bills::Bills> {
    let mut with = platforms.clone();
    with.add(&format!("{name}.toml"), text)?;
    let failed = |what: &str| {
        let file = &place.name;
        anyhow!(message!(
            "{file}: nothing is written, since the mapping does not read this bill\n{what}\n  help: mend it with `--set`; `kashi map --help` shows the ways to write one"
        ))
    };
    // Refused cells are kept, so that the first of them can be shown.
    let read = bills::read(std::slice::from_ref(place), &with, &[], true).map_err(|e| failed(&format!("{e:#}")))?;
    let refusals: Vec<String> = read.bills.iter().flat_map(|b| &b.refusals).map(ToString::to_string).collect();
    if !refusals.is_empty() {
        let more = refusals.len().saturating_sub(MOST_REFUSALS);
        let more = if more > 0 { format!("\n… and {more} more") } else { String::new() };
        let first = refusals.into_iter().take(MOST_REFUSALS).collect::<Vec<_>>().join("\n");
        return Err(failed(&(first + &more)));
    }
    let ours = format!("{name}/{LAYOUT}");
    match read.bills.iter().find(|b| b.layout == ours) {
        Some(bill) if bill.lines > 0 => Ok(read),
        _ => Err(failed(&format!("{ours} claims no table of it with a line in it"))),
    }
}
