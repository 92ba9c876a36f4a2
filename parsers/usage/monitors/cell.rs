//! A cell as people and monitors write a number: with a unit, a decimal comma, or not at all.

/// What a cell says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    /// Nothing: the series has no sample at that time.
    Absent,
    /// That the value is not known.
    Unknown,
    /// A number and the unit behind it, which may be empty.
    Number(f64, &'a str),
}

/// Reads a cell; a decimal comma is possible where the comma does not part the cells.
pub(super) fn read(cell: &str, comma: bool) -> Cell<'_> {
    let cell = cell.trim();
    if cell.is_empty() {
        return Cell::Absent;
    }
    let end = cell
        .char_indices()
        .find(|(at, c)| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+') || is_exponent(cell, *at)))
        .map_or(cell.len(), |(at, _)| at);
    let (digits, unit) = cell.split_at(end);
    match plain(digits, comma).parse::<f64>() {
        Ok(value) if value.is_finite() => Cell::Number(value, unit.trim()),
        _ => Cell::Unknown,
    }
}

/// Whether an `e` parts a number and its power of ten.
fn is_exponent(cell: &str, at: usize) -> bool {
    let bytes = cell.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let signed = bytes.get(at + 1).is_some_and(|b| matches!(b, b'+' | b'-')) && digit(at + 2);
    matches!(bytes.get(at), Some(b'e' | b'E')) && at > 0 && digit(at - 1) && (signed || digit(at + 1))
}

/// A number with a point for decimals and no marks between thousands.
fn plain(digits: &str, comma: bool) -> String {
    match (digits.rfind('.'), digits.rfind(',')) {
        (_, None) => digits.to_owned(),
        (Some(point), Some(last)) if point > last => digits.replace(',', ""),
        (Some(_), Some(_)) => digits.replace('.', "").replace(',', "."),
        (None, Some(last)) => {
            // `1,234` in a file that parts its cells by commas is a thousand and more.
            let thousands = !comma && digits.len() - last == 4 || digits.matches(',').count() > 1;
            digits.replace(',', if thousands { "" } else { "." })
        }
    }
}
