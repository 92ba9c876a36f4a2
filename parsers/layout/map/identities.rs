//! What holds between columns: price × quantity = amount, list − discount = cost, a running balance.

use rust_decimal::Decimal;

use super::shapes::Shape;

/// Rows that are computed with.
const MOST_ROWS: usize = 400;
/// Columns of numbers that are combined.
const MOST_COLUMNS: usize = 24;
/// Share of the rows, in percent, in which an identity must hold.
const HOLDS: usize = 95;
/// Rows that must tell something: one row holds by chance.
const TELLING: usize = 3;

/// An identity that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// The first times the second is the third, as far as it is printed.
    Product(usize, usize, usize),
    /// The first less the second is the third.
    Difference(usize, usize, usize),
    /// The first changes from row to row by the second.
    Balance(usize, usize),
}

/// The numbers of the columns that can be computed with.
#[derive(Clone, Debug)]
pub(super) struct Numbers<'a> {
    columns: Vec<(usize, &'a [Option<Decimal>])>,
}

impl<'a> Numbers<'a> {
    /// Takes the columns of numbers that vary, or that at least are not nought throughout.
    pub(super) fn new(shapes: &'a [Shape]) -> Self {
        let numbers = shapes.iter().enumerate().filter(|(_, s)| s.times.is_none());
        let columns = numbers
            .filter_map(|(at, shape)| Some((at, shape.numbers.as_deref()?)))
            .filter(|(_, numbers)| numbers.iter().flatten().any(|n| !n.is_zero()))
            .map(|(at, numbers)| (at, &numbers[..numbers.len().min(MOST_ROWS)]));
        Self { columns: columns.take(MOST_COLUMNS).collect() }
    }

    /// A column's numbers.
    pub(super) fn column(&self, at: usize) -> Option<&'a [Option<Decimal>]> {
        self.columns.iter().find(|(a, _)| *a == at).map(|(_, numbers)| *numbers)
    }

    /// Whether two columns have the same values.
    pub(super) fn equal(&self, a: usize, b: usize) -> bool {
        self.column(a).zip(self.column(b)).is_some_and(|(a, b)| a == b)
    }

    /// Every identity that holds.
    pub(super) fn identities(&self) -> Vec<Identity> {
        let mut all = Vec::new();
        for (i, &(a, xs)) in self.columns.iter().enumerate() {
            for &(b, ys) in &self.columns[i + 1..] {
                for &(c, zs) in self.columns.iter().filter(|(c, _)| *c != a && *c != b) {
                    if product(xs, ys, zs).holds() {
                        all.push(Identity::Product(a, b, c));
                    }
                }
            }
            for &(b, ys) in self.columns.iter().filter(|(b, _)| *b != a) {
                for &(c, zs) in self.columns.iter().filter(|(c, _)| *c != a && *c != b) {
                    if difference(xs, &[ys], zs).holds() {
                        all.push(Identity::Difference(a, b, c));
                    }
                }
                if balance(xs, ys).holds() {
                    all.push(Identity::Balance(a, b));
                }
            }
        }
        all
    }

    /// How well price × quantity = amount holds.
    pub(super) fn product(&self, price: usize, quantity: usize, amount: usize) -> Tally {
        match (self.column(price), self.column(quantity), self.column(amount)) {
            (Some(p), Some(q), Some(a)) => product(p, q, a),
            _ => Tally::default(),
        }
    }

    /// How well list − discounts = cost holds; a column that is nought throughout takes nothing off.
    pub(super) fn difference(&self, list: usize, off: &[usize], cost: usize) -> Tally {
        let off: Vec<_> = off.iter().filter_map(|at| self.column(*at)).collect();
        match (self.column(list), self.column(cost)) {
            (Some(list), Some(cost)) => difference(list, &off, cost),
            _ => Tally::default(),
        }
    }

    /// Rows in which the first is below the second, of those in which both are positive.
    pub(super) fn below(&self, a: usize, b: usize) -> (usize, usize) {
        let (Some(a), Some(b)) = (self.column(a), self.column(b)) else { return (0, 0) };
        let both = a
            .iter()
            .zip(b)
            .filter_map(|(a, b)| Some(((*a)?, (*b)?)))
            .filter(|(_, b)| b.is_sign_positive() && !b.is_zero());
        both.fold((0, 0), |(below, all), (a, b)| (below + usize::from(a < b), all + 1))
    }
}

/// In how many rows an identity could be tried, holds, and says anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) tried: usize,
    pub(super) held: usize,
    pub(super) telling: usize,
}

impl Tally {
    /// Whether it holds, and not only where it must.
    pub(super) fn holds(self) -> bool {
        self.agrees() && self.telling >= TELLING.min(self.tried)
    }

    /// Whether it holds wherever it could be tried.
    pub(super) fn agrees(self) -> bool {
        self.tried > 0 && self.held * 100 >= self.tried * HOLDS
    }

    fn add(&mut self, held: bool, telling: bool) -> bool {
        self.tried += 1;
        self.held += usize::from(held);
        self.telling += usize::from(held && telling);
        // Once it cannot hold any more the rest need not be computed.
        self.tried < 20 || self.held * 100 >= self.tried * 60
    }
}

fn product(p: &[Option<Decimal>], q: &[Option<Decimal>], a: &[Option<Decimal>]) -> Tally {
    let (mut tally, last) = (Tally::default(), last_digit(a));
    for ((p, q), a) in p.iter().zip(q).zip(a) {
        let (Some(p), Some(q), Some(a)) = (p, q, a) else { continue };
        // Nothing follows from a row that charges nothing.
        if a.is_zero() && (p.is_zero() || q.is_zero()) {
            continue;
        }
        let held = p.checked_mul(*q).is_some_and(|exact| rounds_to(exact, *a, last));
        if !tally.add(held, *q != Decimal::ONE && *p != Decimal::ONE) {
            break;
        }
    }
    tally
}

fn difference(list: &[Option<Decimal>], off: &[&[Option<Decimal>]], cost: &[Option<Decimal>]) -> Tally {
    let (mut tally, last) = (Tally::default(), last_digit(cost));
    for (row, (list, cost)) in list.iter().zip(cost).enumerate() {
        let (Some(list), Some(cost)) = (list, cost) else { continue };
        let mut each = off.iter().filter_map(|column| column.get(row).copied().flatten());
        let Some(off) = each.try_fold(Decimal::ZERO, |sum, n| sum.checked_add(n)) else { continue };
        let held = list.checked_sub(off).is_some_and(|rest| rounds_to(rest, *cost, last));
        if !tally.add(held, !off.is_zero() && !cost.is_zero()) {
            break;
        }
    }
    tally
}

/// From row to row, in either order of time.
fn balance(balance: &[Option<Decimal>], amount: &[Option<Decimal>]) -> Tally {
    let mut best = Tally::default();
    for newest_first in [true, false] {
        let mut tally = Tally::default();
        for at in 1..balance.len().min(amount.len()) {
            let moved = if newest_first { amount[at - 1] } else { amount[at] };
            let (Some(one), Some(other), Some(moved)) = (balance[at - 1], balance[at], moved) else { continue };
            if !tally.add((one - other).abs() == moved.abs(), !moved.is_zero()) {
                break;
            }
        }
        if tally.held > best.held || best.tried == 0 {
            best = tally;
        }
    }
    best
}

/// The last digit that a column prints, at most the second: what its rounding can come to.
fn last_digit(column: &[Option<Decimal>]) -> Decimal {
    let digits = column.iter().flatten().map(|n| n.normalize().scale()).max().unwrap_or_default();
    Decimal::try_new(1, digits.max(2)).unwrap_or_default()
}

/// Whether a computed number is the printed one: to the last digit printed, or to the millionth
/// part of numbers that were floats once.
fn rounds_to(exact: Decimal, printed: Decimal, last_digit: Decimal) -> bool {
    const MILLIONTH: Decimal = Decimal::from_parts(1, 0, 0, false, 6);
    let float = printed.abs().checked_mul(MILLIONTH).unwrap_or_default();
    (exact - printed).abs() <= last_digit.max(float)
}
