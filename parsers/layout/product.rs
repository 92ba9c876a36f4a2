//! Numbers that a bill states in factors: a price for each, and how many there are.

use super::amount::Amount;
use super::convert::Converter;
use super::plan::Step;
use crate::ledger::money::{self, NotExact};
use crate::ledger::narrow;
use crate::open::Record;

impl Converter<'_> {
    /// A number times its factors; nothing if one of them has no value.
    pub(super) fn multiplied(&mut self, number: Amount, step: &Step, record: &Record, row: u32) -> Amount {
        let mut product = match number {
            Amount::Short(mantissa) => narrow::widen(mantissa),
            Amount::Is(mantissa) => mantissa,
            other => return other,
        };
        for factor in &step.times {
            let other = match self.amount(factor, record, row) {
                Amount::Short(mantissa) => narrow::widen(mantissa),
                Amount::Is(mantissa) => mantissa,
                other => return other,
            };
            product = match multiply(product, other) {
                Ok((exact, 0)) => exact,
                // The product of binary numbers is one: what is beyond the last decimal is noise.
                Ok((rounded, _)) if step.float => {
                    self.rounded.push(row);
                    rounded
                }
                Ok(_) => return self.inexact(step, "", NotExact::TooFine, row),
                Err(why) => return self.inexact(step, "", why, row),
            };
        }
        Amount::Is(product)
    }
}

/// The product of two mantissas at the ledger's scale, rounded half away from zero, and what was
/// left out by that.
fn multiply(one: i128, other: i128) -> Result<(i128, i128), NotExact> {
    let ((one, from_one), (other, from_other)) = (shortest(one), shortest(other));
    let product = one.checked_mul(other).ok_or(NotExact::TooLarge)?;
    let decimals = from_one + from_other;
    let (product, rest) = match decimals.checked_sub(money::SCALE) {
        Some(beyond) => {
            let unit = 10i128.checked_pow(beyond).ok_or(NotExact::TooFine)?;
            let (whole, rest) = (product / unit, product % unit);
            let up = if rest.unsigned_abs() >= unit.unsigned_abs().div_ceil(2) { rest.signum() } else { 0 };
            (whole + up, rest)
        }
        None => {
            let unit = 10i128.pow(money::SCALE - decimals);
            (product.checked_mul(unit).ok_or(NotExact::TooLarge)?, 0)
        }
    };
    money::to_decimal(product).ok_or(NotExact::TooLarge)?;
    Ok((product, rest))
}

/// A mantissa without the zeros at its end, and its decimals.
fn shortest(mut mantissa: i128) -> (i128, u32) {
    let mut decimals = money::SCALE;
    while decimals > 0 && mantissa % 10 == 0 {
        mantissa /= 10;
        decimals -= 1;
    }
    (mantissa, decimals)
}
