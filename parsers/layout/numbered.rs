//! Columns that stand once for each element of a list: `items.*.amount` is `items.0.amount`,
//! `items.1.amount` and so on, as a flattened JSON record has them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::fold;
use super::header::Header;
use super::schema::{Part, Source};
use crate::message::Message;

/// Whether a folded name of a layout means a folded header.
pub(super) fn is(name: &str, header: &str) -> bool {
    name == header || number(name, header).is_some()
}

/// A source, once for each number that its columns have in a header, in the order of the numbers.
pub(super) fn sources<'a>(source: &'a Source, header: &Header) -> Vec<Cow<'a, Source>> {
    if !names(source).any(|name| name.contains('*')) {
        return vec![Cow::Borrowed(source)];
    }
    numbers(std::iter::once(source), header).into_iter().map(|n| Cow::Owned(with(source, n))).collect()
}

/// A part, once for each number that its columns have in a header.
pub(super) fn parts(part: &Part, header: &Header) -> Vec<Part> {
    let all = || part.columns.values().flat_map(|s| &s.0);
    if !all().flat_map(names).any(|name| name.contains('*')) {
        return vec![part.clone()];
    }
    let numbers = numbers(all(), header);
    let of = |n: usize| {
        let mut part = part.clone();
        part.columns.values_mut().flat_map(|s| &mut s.0).for_each(|source| *source = with(source, n));
        part
    };
    numbers.into_iter().map(of).collect()
}

/// A name has one number at most, and a source's names have it together.
pub(super) fn check(source: &Source) -> Result<(), Message> {
    match names(source).find(|name| name.matches('*').count() > 1) {
        Some(name) => Err(message!("{name:?} has more than one *, which stands for a number")),
        None => Ok(()),
    }
}

fn names(source: &Source) -> impl Iterator<Item = &String> {
    source.column.0.iter().chain(source.when.iter().map(|(column, _)| column))
}

fn numbers<'a>(sources: impl Iterator<Item = &'a Source>, header: &Header) -> BTreeSet<usize> {
    let patterns: Vec<String> = sources.flat_map(names).filter(|n| n.contains('*')).map(|n| fold(n)).collect();
    let headers = header.names.iter().map(|name| fold(name));
    headers.flat_map(|h| patterns.iter().filter_map(|p| number(p, &h)).collect::<Vec<_>>()).collect()
}

/// The number that a folded header has where a folded pattern has its `*`.
fn number(pattern: &str, header: &str) -> Option<usize> {
    let (before, after) = pattern.split_once('*')?;
    let digits = header.strip_prefix(before)?.strip_suffix(after)?;
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
}

fn with(source: &Source, number: usize) -> Source {
    let number = number.to_string();
    let mut source = source.clone();
    source.column.0.iter_mut().for_each(|name| *name = name.replace('*', &number));
    if let Some((column, _)) = &mut source.when {
        *column = column.replace('*', &number);
    }
    source
}
