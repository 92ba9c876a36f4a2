//! Zip and gzip, bounded.

use std::io::{Cursor, Read};

use super::{MOST_MEMBERS, MOST_RATIO, MOST_UNPACKED};
use crate::error::{Error, Kind, Origin, Result};

pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Unfolds a gzip file.
pub(super) fn gunzip(bytes: &[u8], name: &str) -> Result<Vec<u8>> {
    let packed = bytes.len() as u64;
    unfold(flate2::read::MultiGzDecoder::new(bytes), packed, name)
}

/// The members of a zip that may be bills, in the order of their names.
pub(super) fn unzip(bytes: Vec<u8>, name: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let broken = |e: zip::result::ZipError| {
        Error::new(Kind::Format, message!("is a broken zip archive: {e}"))
            .at(Origin::file(name))
            .hint("the download was probably cut off; download it again")
    };
    few_members(&bytes, name)?;
    // Members may share their packed bytes, so that all together are held to the ratio too.
    let most = most(bytes.len() as u64);
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    let mut members = Vec::new();
    let mut total = 0u64;
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).map_err(broken)?;
        let inner = member.name().map_err(broken)?.into_owned();
        if member.is_dir() || inner.starts_with("__MACOSX/") || inner.ends_with(".DS_Store") {
            continue;
        }
        let packed = member.compressed_size();
        let unfolded = unfold(&mut member, packed, &format!("{name}!{inner}"))?;
        total += unfolded.len() as u64;
        if total > most {
            return Err(too_large(name));
        }
        members.push((inner, unfolded));
    }
    if members.is_empty() {
        return Err(Error::new(Kind::Format, "is a zip archive without a file in it")
            .at(Origin::file(name))
            .hint("the export may not have been ready; download it again"));
    }
    members.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(members)
}

fn unfold(reader: impl Read, packed: u64, name: &str) -> Result<Vec<u8>> {
    let most = most(packed);
    let mut unfolded = Vec::new();
    reader.take(most + 1).read_to_end(&mut unfolded).map_err(|e| {
        Error::new(Kind::Format, message!("cannot be unpacked: {e}"))
            .at(Origin::file(name))
            .hint("the download was probably cut off; download it again")
    })?;
    if unfolded.len() as u64 > most {
        return Err(too_large(name));
    }
    Ok(unfolded)
}

/// Refuses an archive by the entries of its directory, before anything is made of them.
pub(super) fn few_members(bytes: &[u8], name: &str) -> Result<()> {
    let entries = memchr::memmem::find_iter(bytes, b"PK\x01\x02").take(MOST_MEMBERS + 1).count();
    if entries <= MOST_MEMBERS {
        return Ok(());
    }
    Err(Error::new(Kind::Bound, format!("is an archive of more than {MOST_MEMBERS} files"))
        .at(Origin::file(name))
        .hint("unpack it yourself and give kashi the folder"))
}

/// The most bytes that so many packed ones may unfold to.
pub(super) fn most(packed: u64) -> u64 {
    MOST_UNPACKED.min(packed.saturating_mul(MOST_RATIO).max(64 << 20))
}

fn too_large(name: &str) -> Error {
    Error::new(
        Kind::Bound,
        message!("unpacks to more than {MOST_UNPACKED} bytes, or to more than {MOST_RATIO} times its size"),
    )
    .at(Origin::file(name))
    .hint("this protects against archive bombs; if the bill is genuine, unpack it yourself and give kashi the CSV")
}
