//! What a user sees when no layout claims a table, or more than one does.

use super::headerless;
use super::identify::{Claim, Nearest};
use super::platforms::Platforms;
use super::schema::{Layout, Platform};
use crate::error::{Error, Kind};
use crate::ledger::money::blank;
use crate::message::Message;
use crate::open::{Record, Table};

/// What was seen of a table while looking for its layout.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Layouts with a required column in some row.
    pub(super) nearest: Vec<Nearest>,
    /// The filled cells of the row that has the most of them: most likely the header.
    widest: Vec<String>,
}

impl Seen {
    /// Takes a row into account.
    pub(super) fn row(&mut self, record: &Record) {
        let filled = record.iter().filter(|c| !c.is_empty()).count();
        if filled > self.widest.len() {
            let cells = record.iter().map(|c| String::from_utf8_lossy(c).trim_matches(blank).to_owned());
            self.widest = cells.filter(|c| !c.is_empty()).collect();
        }
    }
}

/// The error for a table without a claimant: the nearest layouts, and what differs on both sides.
pub(super) fn unclaimed(table: &Table, seen: &Seen, platforms: &Platforms) -> Error {
    let fail =
        |message: String, hint: Message| Error::new(Kind::Unclaimed, message).at(table.origin.clone()).hint(hint);
    if seen.widest.is_empty() {
        let hint = message!(
            "the platform may have had nothing to export for this month; leave the file out, or export it again"
        );
        return fail("is empty".to_owned(), hint);
    }
    let mut message = message!("no layout claims this file").to_string();
    if let Ok(Some(odd)) = headerless::nearly(table, platforms) {
        message.push_str(&format!("\n  {odd}"));
        return fail(message, message!("mend that row, remove it if it is no charge, or export the file again"));
    }
    let near = nearest(&seen.nearest);
    for near in &near {
        message.push_str(&differences(near));
    }
    if let Some(profile) = platforms.iter().find(|p| p.is_profile() && names(&table.origin.file, p)) {
        let known = message!("{}: profile only, how it bills is known and what it exports is not", profile.name);
        let columns = message!("its columns seem to be: {}", quoted(&seen.widest));
        message.push_str(&format!("\n  {known}\n  {columns}"));
        let map = format!("`kashi map {} --platform {}`", table.origin.file, profile.name);
        return fail(
            message,
            message!("map your bill with {map}, and name the file that it writes with `--platform-file`"),
        );
    }
    if near.is_empty() {
        message.push_str(&format!("\n  {}", message!("its columns seem to be: {}", quoted(&seen.widest))));
        let hint = message!(
            "`kashi platforms` lists what is known; map your bill with `kashi map`, whose platform file teaches kashi this layout (`--platform-file our-cloud.toml`), see CONTRIBUTING.md"
        );
        return fail(message, hint);
    }
    let hint = message!(
        "if the vendor renamed a column, add its new name as an alias in a platform file (`--platform-file`); if rows were cut off above, download the bill again; a bill of another kind is mapped with `kashi map`"
    );
    fail(message, hint)
}

/// Whether a file's name says which platform it is from.
fn names(file: &str, platform: &Platform) -> bool {
    file.to_lowercase().contains(&platform.name) || file.contains(&platform.title.zh)
}

/// The three layouts with the largest share of their required columns found, once each.
fn nearest(all: &[Nearest]) -> Vec<&Nearest> {
    let mut best: Vec<&Nearest> = all.iter().filter(|n| n.is_near()).collect();
    best.sort_by(|a, b| {
        let missing = |n: &Nearest| n.missing.len() + n.unwanted.len();
        // Compared as fractions, without dividing.
        (b.found * (a.found + missing(a))).cmp(&(a.found * (b.found + missing(b)))).then_with(|| a.name.cmp(&b.name))
    });
    let mut names: Vec<&str> = Vec::new();
    best.retain(|near| {
        let first = !names.contains(&near.name.as_str());
        names.push(&near.name);
        first
    });
    // A sibling that a column rules out says nothing where another only lacks one.
    if best.iter().any(|near| near.unwanted.is_empty()) {
        best.retain(|near| near.unwanted.is_empty() || near.missing.is_empty());
    }
    best.truncate(3);
    best
}

fn differences(near: &Nearest) -> String {
    let all = near.found + near.missing.len();
    let found = message!("{}: {} of {all} columns found", near.name, near.found);
    let lists = [
        (&near.missing, message!("not found: {}", quoted(&near.missing))),
        (&near.unwanted, message!("must not be there: {}", quoted(&near.unwanted))),
        (&near.unknown, message!("in the file but unknown to it: {}", quoted(&near.unknown))),
    ];
    let lists = lists.iter().filter(|(names, _)| !names.is_empty()).map(|(_, list)| format!("\n    {list}"));
    format!("\n  {found}{}", lists.collect::<String>())
}

/// The error for a table with several claimants: what each needs that the others do not.
pub(super) fn contested(table: &Table, claims: &[Claim]) -> Error {
    let names: Vec<String> = claims.iter().map(Claim::name).collect();
    let mut message = message!("{} layouts claim this file: {}", claims.len(), names.join(", ")).to_string();
    for claim in claims {
        let others = claims.iter().filter(|c| c.name() != claim.name());
        let only: Vec<String> = required(claim.layout())
            .filter(|name| others.clone().all(|o| !required(o.layout()).any(|n| super::fold(n) == super::fold(name))))
            .cloned()
            .collect();
        let more = if only.is_empty() { message!("nothing more").into() } else { quoted(&only) };
        message.push_str(&format!("\n  {}", message!("only {} needs: {}", claim.name(), more)));
    }
    Error::new(Kind::Contested, message)
        .at(table.origin.clone())
        .hint("give the layout that must not claim it a `without = [\"…\"]` naming a column that only the other has")
}

/// The columns that a layout needs, each once.
fn required(layout: &Layout) -> impl Iterator<Item = &String> {
    let names =
        layout.all_columns().flat_map(|(_, s)| s.each()).filter(|s| !s.optional).filter_map(|s| s.column.0.first());
    names.collect::<std::collections::BTreeSet<_>>().into_iter()
}

/// Names in quotes, the first dozen.
fn quoted(names: &[String]) -> String {
    const MOST: usize = 12;
    let text = names.iter().take(MOST).map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => text,
        more => message!("{} and {} more", text, more).into(),
    }
}
