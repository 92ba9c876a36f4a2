//! The same bill downloaded twice: told by its bytes, counted once.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;

use anyhow::{Context, Result};
use kashi_parsers::layout::Bill;
use kashi_parsers::message;
use sha2::{Digest, Sha256};

use crate::places::Place;

/// Bills of which none is a copy of another, and the copies that were left out.
#[derive(Debug)]
pub struct Distinct {
    /// The bills to read.
    pub places: Vec<Place>,
    /// SHA-256 in hexadecimal, by name: of all of them, or of those that had to be compared.
    pub hashes: BTreeMap<String, String>,
    /// The name of each copy, and of the bill that it copies.
    copies: Vec<(String, String)>,
}

impl Distinct {
    /// Leaves out the copies and gives the hash of every bill, as a report states it.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn hashed(bills: &[Place]) -> Result<Self> {
        Self::of(bills, |_| true)
    }

    /// Leaves out the copies; only files of one size are read for it.
    ///
    /// # Errors
    /// As [`Distinct::hashed`].
    pub fn told_apart(bills: &[Place]) -> Result<Self> {
        let mut sizes: BTreeMap<u64, usize> = BTreeMap::new();
        for size in bills.iter().filter_map(size) {
            *sizes.entry(size).or_default() += 1;
        }
        Self::of(bills, |place| size(place).is_some_and(|size| sizes.get(&size).is_some_and(|count| *count > 1)))
    }

    fn of(bills: &[Place], compared: impl Fn(&Place) -> bool) -> Result<Self> {
        let mut distinct = Self { places: Vec::new(), hashes: BTreeMap::new(), copies: Vec::new() };
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for place in bills {
            if place.path.as_os_str() != "-" && compared(place) {
                // What cannot be read is named by its reader, with all others.
                let Ok(hash) = hash(place) else {
                    distinct.places.push(place.clone());
                    continue;
                };
                if let Some(original) = seen.get(&hash) {
                    distinct.copies.push((place.name.clone(), original.clone()));
                    continue;
                }
                seen.insert(hash.clone(), place.name.clone());
                distinct.hashes.insert(place.name.clone(), hash);
            }
            distinct.places.push(place.clone());
        }
        Ok(distinct)
    }

    /// Says of each bill which copies of it were left out; of an archive, at its first member.
    pub fn note(&self, bills: &mut [Bill]) {
        for (copy, original) in &self.copies {
            let of = |bill: &&mut Bill| bill.origin.file.split('!').next() == Some(original.as_str());
            if let Some(bill) = bills.iter_mut().find(of) {
                bill.notes.push(format!("{copy} holds the same bytes and was not counted again"));
            }
        }
    }
}

/// Bytes of a file; `None` for standard input and for what cannot be looked at, which its reader names.
fn size(place: &Place) -> Option<u64> {
    std::fs::metadata(&place.path).ok().filter(std::fs::Metadata::is_file).map(|about| about.len())
}

fn hash(place: &Place) -> Result<String> {
    let unreadable = || message!("{}: cannot be read", place.name);
    let mut file = File::open(&place.path).with_context(unreadable)?;
    let mut hash = Sha256::new();
    if file.metadata()?.is_file() {
        let mut buffer = vec![0; 1 << 18];
        loop {
            match file.read(&mut buffer).with_context(unreadable)? {
                0 => break,
                got => hash.update(&buffer[..got]),
            }
        }
    }
    Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
}
