//! Exact sums over the ledger.

use std::collections::BTreeMap;

use polars::prelude::*;
use rust_decimal::Decimal;
use rustc_hash::FxHashMap;

use super::block::{Block, Mantissa};
use super::money::to_decimal;
use super::{Category, Kind, Ledger, MoneyColumn, TextColumn};
use crate::error::{Error, Result};

/// The sum of the lines of one currency and category.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Total {
    /// ISO 4217 code.
    pub currency: String,
    /// What was charged for.
    pub category: Category,
    /// Number of lines.
    pub lines: usize,
    /// Exact sum of `cost`.
    pub cost: Decimal,
}

/// The sum of the lines that have the same texts in some columns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    /// ISO 4217 code: currencies never meet.
    pub currency: String,
    /// The texts, in the order in which the columns were named; `None` where a line has none.
    pub keys: Vec<Option<String>>,
    /// Number of lines.
    pub lines: usize,
    /// Exact sum of `card_hours`; `None` if no line has any.
    pub card_hours: Option<Decimal>,
    /// Exact sum of `cost`.
    pub cost: Decimal,
}

impl Ledger {
    /// Exact sums by currency and category, top-ups left out, sorted.
    ///
    /// # Errors
    /// If a sum leaves the 28 digits of the arithmetic type.
    pub fn totals(&self) -> Result<Vec<Total>> {
        let code = |block: &Block, column, at| block.text(column, at).unwrap_or(u32::MAX);
        let lines = self.each(|block, at| {
            let key = [TextColumn::Currency, TextColumn::Category, TextColumn::Kind].map(|c| code(block, c, at));
            (key, block.money(MoneyColumn::Cost, at).map_or(0, Mantissa::wide))
        });
        let mut sums: FxHashMap<[u32; 3], (usize, i128)> = FxHashMap::default();
        for (key, cost) in lines {
            let sum = sums.entry(key).or_default();
            sum.0 += 1;
            sum.1 = sum.1.checked_add(cost).ok_or_else(too_large)?;
        }
        let word = |code: u32| self.word(code).unwrap_or_default();
        let mut by_category: BTreeMap<(u32, u32), (usize, i128)> = BTreeMap::new();
        for ([currency, category, kind], (lines, cost)) in sums {
            if word(kind) != Kind::TopUp.as_str() {
                let sum = by_category.entry((currency, category)).or_default();
                sum.0 += lines;
                sum.1 = sum.1.checked_add(cost).ok_or_else(too_large)?;
            }
        }
        let mut totals = Vec::with_capacity(by_category.len());
        for ((currency, category), (lines, mantissa)) in by_category {
            totals.push(Total {
                currency: word(currency).to_owned(),
                category: Category::from_word(word(category)).unwrap_or(Category::Other),
                lines,
                cost: to_decimal(mantissa).ok_or_else(too_large)?,
            });
        }
        totals.sort();
        Ok(totals)
    }

    /// What was paid in advance, by currency: the number of top-ups and the exact sum of `paid`.
    ///
    /// # Errors
    /// If a sum leaves the 28 digits of the arithmetic type.
    pub fn top_ups(&self) -> Result<Vec<(&str, usize, Decimal)>> {
        let word = |code: Option<u32>| code.and_then(|code| self.word(code)).unwrap_or_default();
        let paid = self.each(|block, at| {
            let [currency, kind] = [TextColumn::Currency, TextColumn::Kind].map(|column| block.text(column, at));
            (currency, kind, block.money(MoneyColumn::Paid, at).map_or(0, Mantissa::wide))
        });
        let mut sums: BTreeMap<&str, (usize, i128)> = BTreeMap::new();
        for (currency, _, paid) in paid.filter(|(_, kind, _)| word(*kind) == Kind::TopUp.as_str()) {
            let sum = sums.entry(word(currency)).or_default();
            *sum = (sum.0 + 1, sum.1.checked_add(paid).ok_or_else(too_large)?);
        }
        let exact = |(currency, (lines, paid))| Ok((currency, lines, to_decimal(paid).ok_or_else(too_large)?));
        sums.into_iter().map(exact).collect()
    }

    /// Exact sums by currency and any text columns, top-ups left out, sorted.
    ///
    /// # Errors
    /// If a sum leaves the digits that the columns hold.
    pub fn totals_by(&self, columns: &[TextColumn]) -> Result<Vec<Group>> {
        // polars adds decimals without a check: what could leave 38 digits must not reach it.
        for column in [MoneyColumn::Cost, MoneyColumn::CardHours] {
            self.each(|block, at| block.money(column, at).map_or(0, Mantissa::wide))
                .try_fold(0i128, |sum, m| sum.checked_add(m.checked_abs()?))
                .filter(|sum| *sum < 10i128.pow(38))
                .ok_or_else(too_large)?;
        }
        self.grouped(columns).map_err(|e| Error::new(crate::error::Kind::Bound, message!("cannot be added up: {e}")))
    }

    fn grouped(&self, columns: &[TextColumn]) -> PolarsResult<Vec<Group>> {
        let name = |column: &TextColumn| TextColumn::ALL[*column as usize].1;
        let keys: Vec<&str> = std::iter::once("currency").chain(columns.iter().map(name)).collect();
        // A group is told by its place, so that a column may be asked for twice or be the currency.
        let by: Vec<Expr> = keys.iter().enumerate().map(|(at, key)| col(*key).alias(format!("key{at}"))).collect();
        let mut wanted = keys.clone();
        wanted.extend(["kind", "card_hours", "cost"]);
        let sums = self
            .select(&wanted)?
            .lazy()
            .filter(col("kind").cast(DataType::String).neq(lit(Kind::TopUp.as_str())))
            .group_by(by)
            .agg([
                len().alias("lines"),
                col("card_hours").count().alias("metered"),
                col("card_hours").sum(),
                col("cost").sum(),
            ])
            .collect()?;
        let mut texts = Vec::with_capacity(keys.len());
        for at in 0..keys.len() {
            texts.push(sums.column(&format!("key{at}"))?.cast(&DataType::String)?);
        }
        let (lines, metered) = (sums.column("lines")?.u32()?, sums.column("metered")?.u32()?);
        let amount = |name: &str, at: usize| -> PolarsResult<Decimal> {
            let mantissa = sums.column(name)?.decimal()?.physical().get(at).unwrap_or(0);
            to_decimal(mantissa).ok_or_else(|| polars_err!(ComputeError: "a sum leaves 28 digits"))
        };
        let mut groups = Vec::with_capacity(sums.height());
        for at in 0..sums.height() {
            let mut keys = Vec::with_capacity(texts.len());
            for text in &texts {
                keys.push(text.str()?.get(at).map(str::to_owned));
            }
            let currency = keys.remove(0).unwrap_or_default();
            let card_hours = metered.get(at).is_some_and(|n| n > 0).then(|| amount("card_hours", at)).transpose()?;
            let lines = lines.get(at).unwrap_or_default() as usize;
            groups.push(Group { currency, keys, lines, card_hours, cost: amount("cost", at)? });
        }
        groups.sort();
        Ok(groups)
    }
}

fn too_large() -> Error {
    Error::new(crate::error::Kind::Bound, "a total leaves the 28 digits that amounts are computed with")
        .hint("audit the bills of fewer months at once, and look for an amount that is no amount")
}
