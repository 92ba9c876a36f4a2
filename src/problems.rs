//! Several failures said as one, so that a user mends them all before the next run.

use std::fmt::Display;

/// The only failure as it is, or all of them, one below the other.
pub fn together<E: Display + Into<anyhow::Error>>(mut problems: Vec<E>) -> anyhow::Error {
    if problems.len() == 1
        && let Some(only) = problems.pop()
    {
        return only.into();
    }
    let all: Vec<String> = problems.iter().map(|problem| format!("{problem:#}")).collect();
    anyhow::anyhow!(all.join("\n"))
}
