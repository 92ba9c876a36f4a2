//! `kashi identify`: which layout claims a file, and why.

use std::io::Write;

use anyhow::Result;
use kashi_parsers::layout::schema::Mark;

use crate::cli::IdentifyArgs;
use crate::{bills, places};

/// Prints the claim on every file; fails if a file has none or several.
///
/// # Errors
/// With the error of every file that cannot be read by exactly one layout.
pub fn run(args: &IdentifyArgs, out: &mut dyn Write) -> Result<()> {
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
                        let known = match layout.mark {
                            Mark::Confirmed => "columns confirmed",
                            Mark::SecondHand => "columns known at second hand",
                            Mark::Inferred => "columns inferred",
                        };
                        writeln!(out, "{}: {} ({})", table.origin, claim.name(), layout.title.en)?;
                        let header = match claim.row {
                            0 => "no header".to_owned(),
                            row => format!("header in row {row}"),
                        };
                        writeln!(
                            out,
                            "  {header}, {} columns, {}, delimiter {:?}; {known}: {}",
                            claim.header.names.len(),
                            table.encoding,
                            char::from(claim.delimiter),
                            layout.source
                        )?;
                    }
                }
                Err(error) => problems.push(error.to_string()),
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { anyhow::bail!(problems.join("\n")) }
}
