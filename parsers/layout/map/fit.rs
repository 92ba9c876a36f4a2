//! Whether the values of a column of times or of words are what its name says.

use super::bench::Candidate;
use super::lexicon::Word;
use super::names::Name;
use super::sample::Sample;
use super::shapes::Shape;
use super::times::Grain;
use super::wants::Want;
use super::words;

/// Fits a column to a ledger column of times; `false` if it is none.
pub(super) fn time(want: &Want, name: &Name, shape: &Shape, found: &mut Candidate) -> bool {
    let Some(times) = &shape.times else { return false };
    if times.range.is_some() && !matches!(want.ledger, "start" | "end") {
        return false;
    }
    let of_the_bill = name.has_anywhere(Word::Bill) && name.has_anywhere(Word::Period);
    found.score += match (want.ledger, times.grain) {
        ("period", Grain::Month) => 10,
        ("period", _) => -20,
        // The month of a bill is no charged time, though it begins and ends.
        ("start" | "end", _) if of_the_bill => -40,
        ("start" | "end", Grain::Month) if times.formats.iter().all(|f| !f.contains("%d") && f != "rfc3339") => -60,
        ("start", Grain::Month) => -8,
        ("start", Grain::Day) if found.score > 0 => 6,
        ("posted", Grain::Instant) if found.score > 0 => 6,
        ("posted", Grain::Month) => -30,
        _ => 0,
    };
    if want.ledger == "end" && times.range.is_some() {
        // The same column as the start, which has the better name.
        found.score = found.score.max(if name.has(Word::Time) || name.has(Word::Period) { 62 } else { 46 });
    }
    true
}

/// Fits a column to a ledger column of words; `false` if it is none.
pub(super) fn text(want: &Want, name: &Name, shape: &Shape, found: &mut Candidate, sample: &Sample) -> bool {
    if want.ledger == "currency" {
        return shape.currencies;
    }
    if !shape.is_text() || shape.currencies && want.ledger != "unit" {
        return false;
    }
    if shape.structured * 2 > shape.distinct && want.ledger != "tags" {
        return false;
    }
    // A column that most rows leave blank is not the first choice for anything.
    found.score -= ((shape.rows - shape.filled.min(shape.rows)) * 10 / shape.rows.max(1)) as i32;
    let few = shape.distinct <= shape.rows / 3 + 2;
    match want.ledger {
        "unit" => {
            if shape.numbers.is_some() {
                return false;
            }
            found.score += if shape.units * 2 >= shape.distinct { 8 } else { -10 };
        }
        "kind" => return kind(name, shape, found, sample),
        "resource" => return resource(name, shape, found),
        "sku" => return product(name, shape, found),
        // One tag is not the tags: its key would be lost.
        "tags" => return name.has(Word::Tags),
        "region" => found.score += if few { 3 } else { -10 },
        "account" => found.score += if shape.distinct <= 3 { 4 } else { 0 },
        _ => {}
    }
    true
}

/// A description names a resource only behind a label.
fn resource(name: &Name, shape: &Shape, found: &mut Candidate) -> bool {
    if name.has(Word::Description) {
        if shape.labelled.is_none() {
            return false;
        }
        found.score += 36;
        found.why.push("an id stands behind a label in it".to_owned());
    }
    found.score += if shape.ids * 2 > shape.distinct { 5 } else { 0 };
    true
}

/// A product is named in most rows, and in some detail.
fn product(name: &Name, shape: &Shape, found: &mut Candidate) -> bool {
    if shape.labelled.is_some() || shape.numbers.is_some() && !name.has(Word::Sku) {
        return false;
    }
    let holes = ((shape.rows - shape.filled.min(shape.rows)) * 20 / shape.rows.max(1)) as i32;
    let detail = (shape.distinct.min(24) / 2) as i32;
    // A column of cards says what was rented, whatever it is called.
    found.score += if shape.cards * 2 > shape.distinct && (shape.is_full() || name.has(Word::Gpu)) { 10 } else { 0 };
    found.score += detail - holes - if shape.ids * 2 > shape.distinct { 10 } else { 0 };
    true
}

/// A column of kinds is known by its words: most of them must mean a kind of charge.
fn kind(name: &Name, shape: &Shape, found: &mut Candidate, sample: &Sample) -> bool {
    const MOST_KINDS: usize = 60;
    const FEW_KINDS: usize = 12;
    if !shape.is_full() || shape.distinct > MOST_KINDS || shape.numbers.is_some() {
        return false;
    }
    let mut cells: Vec<&str> = sample.cells(found.at).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut kinds: Vec<_> = cells.iter().filter_map(|c| words::kind(c)).collect();
    let known = kinds.len();
    kinds.sort_unstable();
    kinds.dedup();
    // Three kinds and nothing else are no accident, whatever the column is called.
    let names = [Word::Description, Word::Sku].iter().any(|w| name.has(*w)) || cells.len() > FEW_KINDS;
    let unmistakable = known == cells.len() && kinds.len() >= 3 && !names;
    if known * 2 < cells.len() || found.score <= 0 && !unmistakable {
        return false;
    }
    if unmistakable {
        found.score = found.score.max(50);
    }
    found.score = found.score * 6 / 10 + (known * 30 / cells.len().max(1)) as i32 + (kinds.len() * 4).min(12) as i32;
    found.why.push(format!("{known} of its {} values are known kinds of charge", cells.len()));
    true
}
