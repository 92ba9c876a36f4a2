//! Numbers in eight bytes: nearly every amount fits, and a large bill is half the size.

use rust_decimal::Decimal;

/// Decimals of a mantissa of eight bytes: enough for nearly every amount that is printed.
pub(crate) const NARROW: u32 = 9;

/// 10^9: from a mantissa at [`NARROW`] to one at [`SCALE`].
const STEP: i64 = 1_000_000_000;

/// The most common case: up to nine digits, a point, up to nine digits; a mantissa at [`NARROW`].
#[inline]
pub(crate) fn short(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, bytes),
    };
    let (mut value, mut whole) = (0i64, 0);
    for &b in digits.iter().take(10) {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value * 10 + i64::from(digit);
        whole += 1;
    }
    if whole == 0 || whole == 10 {
        return None;
    }
    let fraction = match &digits[whole..] {
        [] => &[][..],
        [b'.', fraction @ ..] if !fraction.is_empty() && fraction.len() <= 9 => fraction,
        _ => return None,
    };
    for &b in fraction {
        let digit = b.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    value *= TENS[9 - fraction.len()];
    Some(if negative { -value } else { value })
}

/// Powers of ten.
const TENS: [i64; 10] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/// A mantissa at [`SCALE`] as one at [`NARROW`], if it is exact and fits.
pub(crate) fn narrow(mantissa: i128) -> Option<i64> {
    let step = i128::from(STEP);
    if let Ok(mantissa) = i64::try_from(mantissa) {
        // The common case, and without a division of sixteen bytes.
        return (mantissa % STEP == 0).then_some(mantissa / STEP);
    }
    let narrow = i64::try_from(mantissa / step).ok()?;
    (mantissa % step == 0 && narrow != i64::MIN).then_some(narrow)
}

/// A mantissa at [`NARROW`] as one at [`SCALE`].
#[inline]
pub(crate) fn widen(mantissa: i64) -> i128 {
    i128::from(mantissa) * i128::from(STEP)
}

/// A computed number as a mantissa at [`NARROW`]; `None` if it does not fit.
pub(crate) fn short_decimal(value: Decimal) -> Option<i64> {
    let up = NARROW.checked_sub(value.scale())?;
    i64::try_from(value.mantissa()).ok()?.checked_mul(TENS[up as usize]).filter(|m| *m != i64::MIN)
}

/// The mantissa at [`NARROW`] as a number to compute with, without trailing zeros.
pub(crate) fn short_to_decimal(mut mantissa: i64) -> Decimal {
    let mut scale = NARROW;
    if mantissa % 10_000 == 0 {
        (mantissa, scale) = (mantissa / 10_000, scale - 4);
    }
    while scale > 0 && mantissa % 10 == 0 {
        (mantissa, scale) = (mantissa / 10, scale - 1);
    }
    Decimal::new(mantissa, scale)
}
