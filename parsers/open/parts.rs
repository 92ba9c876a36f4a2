//! What a workbook is made of, looked at before a library takes it apart.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::archive;
use super::{MOST_RATIO, MOST_UNPACKED};
use crate::error::{Error, Kind, Origin, Result};

/// What a file is, if it is a workbook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Book {
    /// The usual one.
    Xlsx,
    /// The one before it, which some consoles still write.
    Xls,
    /// One that must be saved as another, by its name.
    Other(&'static str),
}

/// The first bytes of XLS, which also Word and older tools write.
pub(super) const XLS: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// Tells workbooks from archives by the names of their parts.
pub(super) fn book(bytes: &[u8]) -> Option<Book> {
    if bytes.starts_with(&XLS) {
        return Some(Book::Xls);
    }
    if !archive::is_zip(bytes) {
        return None;
    }
    // The names in the directory: an archive of workbooks has theirs within its bytes as well.
    let names: Vec<Vec<u8>> = match ZipArchive::new(Cursor::new(bytes)) {
        Ok(zip) => zip.file_names_raw().map(<[u8]>::to_vec).collect(),
        // Cut off before its directory: what it begins with must do.
        Err(_) => vec![bytes[..bytes.len().min(4096)].to_vec()],
    };
    let any = |name: &str| names.iter().any(|n| memchr::memmem::find(n, name.as_bytes()).is_some());
    match () {
        () if any("xl/workbook.bin") => Some(Book::Other("XLSB")),
        () if any("[Content_Types].xml") || any("xl/workbook.") => Some(Book::Xlsx),
        () if names.iter().any(|n| n == b"content.xml") && any("META-INF/manifest.xml") => Some(Book::Other("ODS")),
        () => None,
    }
}

/// Refuses parts that unfold without measure, and a list of texts that says it has more than it can.
///
/// The sizes that a directory states may be lies, so that each part is unfolded once, into nothing.
pub(super) fn check(bytes: &[u8], name: &str) -> Result<()> {
    archive::few_members(bytes, name)?;
    // What is no archive has no parts: the reader says so.
    let Ok(mut zip) = ZipArchive::new(Cursor::new(bytes)) else { return Ok(()) };
    let mut left = archive::most(bytes.len() as u64);
    for index in 0..zip.len() {
        let Ok(part) = zip.by_index(index) else { continue };
        let is_list = part.name().is_ok_and(|name| name.to_ascii_lowercase().ends_with("sharedstrings.xml"));
        let mut begin = Vec::new();
        let mut part = part.take(left + 1);
        // A part that is broken is said to be when it is read.
        let _ = part.by_ref().take(4096).read_to_end(&mut begin);
        let rest = std::io::copy(&mut part, &mut std::io::sink()).unwrap_or(0);
        let unfolded = begin.len() as u64 + rest;
        if unfolded > left {
            return Err(too_large(name));
        }
        if is_list && listed(&begin).is_some_and(|texts| texts > unfolded) {
            return Err(too_many(name));
        }
        left -= unfolded;
    }
    Ok(())
}

/// The number of texts that the list of a workbook says it has.
fn listed(begin: &[u8]) -> Option<u64> {
    const KEY: &[u8] = b"uniqueCount";
    let after = &begin[memchr::memmem::find(begin, KEY)? + KEY.len()..];
    let digits: Vec<u8> =
        after.iter().copied().skip_while(|b| !b.is_ascii_digit()).take_while(u8::is_ascii_digit).collect();
    // More digits than a number has is more than any list has.
    Some(std::str::from_utf8(&digits).ok()?.parse().unwrap_or(u64::MAX))
}

fn too_large(name: &str) -> Error {
    let what = message!(
        "is a workbook that unpacks to more than {MOST_UNPACKED} bytes, or to more than {MOST_RATIO} times its size"
    );
    Error::new(Kind::Bound, what)
        .at(Origin::file(name))
        .hint("this protects against archive bombs; if the bill is genuine, save it as CSV UTF-8")
}

fn too_many(name: &str) -> Error {
    Error::new(Kind::Bound, "is a workbook that says it has more texts than it has bytes")
        .at(Origin::file(name))
        .hint("it is damaged or made to harm; open it in a spreadsheet and save it again")
}

/// A workbook of another kind, and what to do with it.
pub(super) fn other(kind: &str, name: &str) -> Error {
    Error::new(Kind::Format, message!("is a workbook of the kind {kind}, which is not read"))
        .at(Origin::file(name))
        .hint("open it in a spreadsheet and save it as XLSX or CSV UTF-8")
}
