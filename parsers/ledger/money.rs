//! Exact numbers: amounts, prices and quantities at one scale.

use rust_decimal::Decimal;

use super::marks::{Currencies, strip};

/// Decimals behind the point that every amount, price and quantity of a ledger carries.
///
/// Vendors print up to 18 (Oracle's cost reports); a nineteenth is refused, never rounded.
pub const SCALE: u32 = 18;
/// Precision of the ledger's decimal columns.
pub const PRECISION: usize = 38;

/// 10^18: one whole unit as a mantissa.
const ONE: i128 = 1_000_000_000_000_000_000;
/// Whole part that a cell may reach (10^15): far above any bill, far below where sums of
/// 10^5 such lines could leave 38 digits.
const WHOLE: i128 = 1_000_000_000_000_000;

/// Why a text is not an exact number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotExact {
    /// It is not a number.
    Malformed,
    /// It has more than 18 decimals.
    TooFine,
    /// Its whole part is over 10^15, or its digits exceed 28.
    TooLarge,
}

impl NotExact {
    /// What would have been accepted, for a refusal.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Malformed => "a number such as 1234.56, -0.5, (1.00) or 5e-06",
            Self::TooFine => "a number with at most 18 decimals",
            Self::TooLarge => "a number below 10^15 with at most 28 digits",
        }
    }
}

/// How a layout writes its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Separators {
    /// `1234.56`; a comma is an error.
    #[default]
    None,
    /// `1,234.56`.
    Comma,
    /// `1.234,56`.
    Point,
}

/// Reads a number as a mantissa at [`SCALE`].
///
/// Currency marks (`¥ ￥ $ 元 CNY RMB USD`), surrounding blanks and tabs, `(1.00)` and a
/// trailing minus are understood; digit groups only where the layout says so, and then only
/// in well-formed groups of three. A mark is passed over: who knows the currency asks [`marked`].
pub fn parse(text: &str, separators: Separators) -> Result<i128, NotExact> {
    marked(text, separators).map(|(mantissa, _)| mantissa)
}

/// Reads a number as [`parse`] does, and says which currencies its marks can mean.
///
/// # Errors
/// As [`parse`].
pub fn marked(text: &str, separators: Separators) -> Result<(i128, Currencies), NotExact> {
    // Where a point groups digits, `1.234` is no plain number.
    if separators != Separators::Point
        && let Some(mantissa) = plain(text.as_bytes())
    {
        return Ok((mantissa, Currencies::ANY));
    }
    let mut currencies = Currencies::ANY;
    loose(text, separators, &mut currencies).map(|mantissa| (mantissa, currencies))
}

/// Reads a number of binary floating point, whose digits beyond [`SCALE`] are rounded, half to even.
///
/// # Errors
/// If it is no number or too large, as [`parse`] says.
pub fn rounded(text: &str) -> Result<i128, NotExact> {
    let text = text.trim_matches(blank);
    let (negative, body) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (digits, exponent) = match body.find(['e', 'E']) {
        Some(at) => (&body[..at], body[at + 1..].parse::<i32>().map_err(|_| NotExact::Malformed)?),
        None => (body, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
        return Err(NotExact::Malformed);
    }
    let all = [whole, fraction].concat();
    // Digits behind the ledger's last decimal.
    let beyond = i64::try_from(fraction.len()).unwrap_or(i64::MAX) - i64::from(exponent) - i64::from(SCALE);
    let Some(cut) = usize::try_from(beyond).ok().filter(|beyond| *beyond > 0) else {
        return parse(text, Separators::None);
    };
    let (kept, dropped) = all.split_at(all.len().saturating_sub(cut));
    // Fewer digits than are cut begin with zeros that are not written.
    let dropped = format!("{dropped:0>width$}", width = cut.min(64));
    let kept = kept.trim_start_matches('0');
    if kept.len() > 28 {
        return Err(NotExact::TooLarge);
    }
    let value: i128 = if kept.is_empty() { 0 } else { kept.parse().map_err(|_| NotExact::Malformed)? };
    let half = dropped.bytes().next().is_some_and(|b| b == b'5') && dropped.bytes().skip(1).all(|b| b == b'0');
    let up = if half { value % 2 == 1 } else { dropped.as_bytes().first().is_some_and(|b| *b >= b'5') };
    let value = value + i128::from(up);
    Ok(if negative { -value } else { value })
}

/// The common case in one pass: an optional minus, up to 15 digits, a point, up to 18 digits.
#[inline]
pub(crate) fn plain(bytes: &[u8]) -> Option<i128> {
    let (negative, digits) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, bytes),
    };
    let mut whole: u64 = 0;
    let mut i = 0;
    while i < digits.len() && digits[i].is_ascii_digit() {
        if i == 15 {
            return None;
        }
        whole = whole * 10 + u64::from(digits[i] - b'0');
        i += 1;
    }
    if i == 0 {
        return None;
    }
    let mut fraction: u64 = 0;
    let mut places = 0;
    if i < digits.len() {
        if digits[i] != b'.' || i + 1 == digits.len() {
            return None;
        }
        for &b in &digits[i + 1..] {
            if !b.is_ascii_digit() || places == 18 {
                return None;
            }
            fraction = fraction * 10 + u64::from(b - b'0');
            places += 1;
        }
        fraction *= 10u64.pow(18 - places);
    }
    let mantissa = i128::from(whole) * ONE + i128::from(fraction);
    // More than 28 significant digits would not fit the arithmetic type; the slow path says so.
    if whole >= 10_000_000_000 && places > 13 {
        return None;
    }
    Some(if negative { -mantissa } else { mantissa })
}

fn loose(text: &str, separators: Separators, currencies: &mut Currencies) -> Result<i128, NotExact> {
    let mut body = text.trim_matches(blank);
    let mut negative = false;
    if let Some(inner) = body.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        negative = true;
        body = inner.trim_matches(blank);
        // `(-1.00)` may mean either sign.
        if body.contains(['-', '−', '+']) {
            return Err(NotExact::Malformed);
        }
    }
    body = strip(body, currencies);
    if let Some(rest) = body.strip_prefix(['-', '−']) {
        negative = !negative;
        body = strip(rest, currencies);
    } else if let Some(rest) = body.strip_prefix('+') {
        body = strip(rest, currencies);
    } else if let Some(rest) = body.strip_suffix('-') {
        negative = !negative;
        body = strip(rest, currencies);
    }
    let (digits, exponent) = match body.find(['e', 'E']) {
        Some(at) => (&body[..at], body[at + 1..].parse::<i32>().map_err(|_| NotExact::Malformed)?),
        None => (body, 0),
    };
    let digits = ungrouped(digits, separators).ok_or(NotExact::Malformed)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    if whole.is_empty() && fraction.is_empty() || exponent.unsigned_abs() > 40 {
        return Err(NotExact::Malformed);
    }
    if !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
        return Err(NotExact::Malformed);
    }
    let mantissa = scaled(whole, fraction, exponent)?;
    Ok(if negative { -mantissa } else { mantissa })
}

/// `whole.fraction × 10^exponent` at [`SCALE`], or why not.
fn scaled(whole: &str, fraction: &str, exponent: i32) -> Result<i128, NotExact> {
    let all: String = [whole, fraction].concat();
    let trimmed = all.trim_end_matches('0');
    // The power of ten of the last digit that is not zero.
    let last = exponent - fraction.len() as i32 + (all.len() - trimmed.len()) as i32;
    let significant = trimmed.trim_start_matches('0');
    if significant.is_empty() {
        return Ok(0);
    }
    if last < -(SCALE as i32) {
        return Err(NotExact::TooFine);
    }
    if significant.len() > 28 {
        return Err(NotExact::TooLarge);
    }
    let value: i128 = significant.parse().map_err(|_| NotExact::Malformed)?;
    let up = u32::try_from(last + SCALE as i32).map_err(|_| NotExact::TooFine)?;
    let mantissa = 10i128
        .checked_pow(up)
        .and_then(|p| value.checked_mul(p))
        .filter(|m| m / ONE < WHOLE)
        .ok_or(NotExact::TooLarge)?;
    // 28 digits at most between the first and the last that count, so that it fits the
    // 96 bits of the arithmetic type.
    if to_decimal(mantissa).is_none() {
        return Err(NotExact::TooLarge);
    }
    Ok(mantissa)
}

/// Removes well-formed digit groups and makes the decimal mark a point.
fn ungrouped(digits: &str, separators: Separators) -> Option<String> {
    let (group, point) = match separators {
        Separators::None => return (!digits.contains(',')).then(|| digits.to_owned()),
        Separators::Comma => (',', '.'),
        Separators::Point => ('.', ','),
    };
    let digits = digits.replace('，', ",");
    let (whole, fraction) = match digits.split_once(point) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits.as_str(), None),
    };
    let mut groups = whole.split(group);
    let first = groups.next()?;
    let mut joined = first.to_owned();
    let mut grouped = false;
    for part in groups {
        if part.len() != 3 {
            return None;
        }
        grouped = true;
        joined.push_str(part);
    }
    if grouped && (first.is_empty() || first.len() > 3) {
        return None;
    }
    if let Some(fraction) = fraction {
        joined.push('.');
        joined.push_str(fraction);
    }
    Some(joined)
}

/// Blanks that vendors pad cells with.
pub(crate) fn blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{a0}' || c == '\u{3000}' || c == '\u{feff}'
}

/// Whether a cell holds nothing but such blanks.
#[inline]
pub(crate) fn is_blank(cell: &[u8]) -> bool {
    match cell.first() {
        None => true,
        // What no blank begins with is seen at once.
        Some(b) if b.is_ascii_graphic() || (0xe4..=0xe9).contains(b) => false,
        Some(_) => std::str::from_utf8(cell).is_ok_and(|text| text.trim_matches(blank).is_empty()),
    }
}

/// The mantissa at [`SCALE`] as a number to compute with, without trailing zeros.
///
/// `None` only for a mantissa beyond the 28 digits that [`parse`] admits.
pub fn to_decimal(mantissa: i128) -> Option<Decimal> {
    let (mut mantissa, mut scale) = (mantissa, SCALE);
    // Most amounts have at most 8 decimals: drop ten at once, then one by one.
    if scale >= 10 && mantissa % 10_000_000_000 == 0 {
        mantissa /= 10_000_000_000;
        scale -= 10;
    }
    while scale > 0 && mantissa % 10 == 0 {
        mantissa /= 10;
        scale -= 1;
    }
    Decimal::try_from_i128_with_scale(mantissa, scale).ok()
}

/// A computed number as a mantissa at [`SCALE`]; `None` if it has more decimals or is too large.
pub fn from_decimal(value: Decimal) -> Option<i128> {
    let value = value.normalize();
    let up = SCALE.checked_sub(value.scale())?;
    value.mantissa().checked_mul(10i128.checked_pow(up)?).filter(|m| (m / ONE).abs() < WHOLE)
}
