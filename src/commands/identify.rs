//! `kashi identify`: which layout claims a file, and why.

use std::io::Write;

use anyhow::Result;
use kashi_parsers::layout::Claim;
use kashi_parsers::layout::schema::Mark;
use kashi_parsers::open::Table;
use kashi_parsers::{Message, message};

use crate::cli::IdentifyArgs;
use crate::problems::Problems;
use crate::text::{Lang, catalogue};
use crate::{bills, places};

/// Prints the claim on every file; fails if a file has none or several.
///
/// # Errors
/// With the error of every file that cannot be read by exactly one layout.
pub fn run(args: &IdentifyArgs, lang: Lang, out: &mut dyn Write) -> Result<()> {
    let platforms = super::platforms(&args.platform_file)?;
    let mut problems = Vec::new();
    for path in &args.files {
        let mut found = Vec::new();
        if path.join(crate::config::FILE).is_file() {
            found.extend(places::gather(std::slice::from_ref(path))?.bills);
        } else {
            found.extend(places::files(path)?);
        }
        for place in found {
            match bills::claims(&place, &platforms) {
                Ok(claimed) => {
                    for (table, claim) in claimed {
                        let layout = claim.layout();
                        let title = super::platforms::title(&layout.title, lang);
                        writeln!(out, "{}: {} ({title})", catalogue::origin(&table.origin, lang), claim.name())?;
                        writeln!(out, "  {}", catalogue::message(&described(&table, &claim), lang))?;
                    }
                }
                Err(error) => problems.push(error),
            }
        }
    }
    Ok(Problems::none(problems)?)
}

/// Where the header stands, how the file is written, and how well the layout is known.
fn described(table: &Table, claim: &Claim) -> Message {
    let layout = claim.layout();
    let known = match layout.mark {
        Mark::Confirmed => message!("columns confirmed"),
        Mark::SecondHand => message!("columns known at second hand"),
        Mark::Inferred => message!("columns inferred"),
    };
    message!(
        "header in row {}, {} columns, {}, delimiter {:?}; {}: {}",
        claim.row,
        claim.header.names.len(),
        table.encoding,
        char::from(claim.delimiter),
        known,
        layout.source
    )
}
