//! Words of a text, and the names of cards made of them.

use rustc_hash::FxHashMap;

use super::card::Form;
use super::count::count_in;

/// Words of one name at most: `NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition` has nine.
const LONGEST: usize = 10;
/// Words that say who made a card and nothing else.
const MAKERS: [&str; 6] = ["NVIDIA", "GEFORCE", "TESLA", "AMD", "INSTINCT", "HUAWEI"];
/// Names that mean something else too: a machine family, a disk, a level, a database size.
const WEAK: [&str; 4] = ["A2", "P4", "L4", "M60"];
/// Words of a disk, whose sizes are named like cards at Azure (`P40 LRS Disk`).
const DISKS: [&str; 7] = ["LRS", "ZRS", "GRS", "DISK", "DISKS", "SSD", "HDD"];

/// A run of letters and digits, folded.
#[derive(Debug)]
pub(super) struct Word {
    /// Upper case; an amount of memory is written `80G`.
    text: String,
    /// Whether only blanks, dashes, slashes or brackets part it from the word before.
    joined: bool,
}

/// Splits a text into folded words. A point inside a word belongs to it, so that the name of an
/// instance type stays one word and no card is found in it.
pub(super) fn words(text: &str) -> Vec<Word> {
    let bytes = text.as_bytes();
    let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let mut words: Vec<Word> = Vec::new();
    let (mut at, mut joined) = (0, true);
    while at < bytes.len() {
        if !is_letter(at) {
            joined &= b" \t-_/()".contains(&bytes[at]);
            at += 1;
            continue;
        }
        let start = at;
        while is_letter(at) || (bytes.get(at) == Some(&b'.') && is_letter(at + 1)) {
            at += 1;
        }
        push(&mut words, &text[start..at].to_ascii_uppercase(), joined);
        joined = true;
    }
    words
}

/// Adds a word, reading `80 GB` as one and leaving the count of `8xA100` and `A100x8` out.
fn push(words: &mut Vec<Word>, word: &str, joined: bool) {
    if let ("G" | "GB" | "GIB", true, Some(last)) = (word, joined, words.last_mut())
        && digits(&last.text)
    {
        last.text.push('G');
        return;
    }
    let text = match memory(word) {
        Some(gb) => format!("{gb}G"),
        None => uncounted(word).to_owned(),
    };
    words.push(Word { text, joined });
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The GB of a word such as `80GB`.
fn memory(word: &str) -> Option<u32> {
    let number = ["GIB", "GB", "G"].iter().find_map(|unit| word.strip_suffix(unit))?;
    if digits(number) { number.parse().ok() } else { None }
}

fn uncounted(word: &str) -> &str {
    if let Some((count, rest)) = word.split_once('X')
        && digits(count)
        && count.len() <= 2
        && rest.len() >= 2
    {
        return rest;
    }
    match word.rsplit_once('X') {
        Some((rest, count)) if digits(count) && count.len() <= 2 && rest.len() >= 2 => rest,
        _ => word,
    }
}

/// The key of a name: its words in one, without the maker.
pub(super) fn key(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).filter(|word| !MAKERS.contains(word)).collect()
}

/// Finds the longest run of joined words that is a key, and the word it begins with.
pub(super) fn longest<'k>(
    words: &[Word],
    text: &str,
    keys: &'k FxHashMap<String, Vec<usize>>,
) -> Option<(usize, &'k [usize])> {
    let mut best: Option<(usize, usize, &[usize])> = None;
    for first in 0..words.len() {
        let mut key = String::new();
        for (n, word) in words[first..].iter().take(LONGEST).enumerate() {
            if n > 0 && !word.joined {
                break;
            }
            if !MAKERS.contains(&word.text.as_str()) {
                key.push_str(&word.text);
            }
            if let Some(found) = keys.get(&key)
                && best.is_none_or(|(length, ..)| key.len() > length)
                && stands(&key, n + 1, words, text)
            {
                best = Some((key.len(), first, found));
            }
        }
    }
    best.map(|(_, first, found)| (first, found))
}

/// Whether a key of `length` words means a card here, and not a disk, a number or a size.
fn stands(key: &str, length: usize, words: &[Word], text: &str) -> bool {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.text.as_str()));
    if key.len() <= 3 && has(&DISKS) && !has(&MAKERS) {
        return false;
    }
    if !WEAK.contains(&key) && !digits(key) {
        return true;
    }
    length == words.len()
        || has(&MAKERS)
        || has(&["GPU", "GPUS", "RTX", "VGPU", "24G", "48G", "32G"])
        || text.contains(['卡', '颗'])
        || count_in(text).is_some()
}

/// The amounts of memory that a text names, those from word `first` on before the others.
pub(super) fn memories(words: &[Word], first: usize) -> Vec<u32> {
    let (before, after) = words.split_at(first.min(words.len()));
    after.iter().chain(before).filter_map(|word| memory(&word.text)).collect()
}

/// The board that a text names.
pub(super) fn form(words: &[Word]) -> Option<Form> {
    words.iter().find_map(|word| match word.text.as_str() {
        "SXM" | "SXM2" | "SXM3" | "SXM4" | "SXM5" | "SXM6" | "NVLINK" => Some(Form::Sxm),
        "PCIE" | "PCI" => Some(Form::Pcie),
        "NVL" => Some(Form::Nvl),
        _ => None,
    })
}
