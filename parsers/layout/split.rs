//! A row that charges for several things becomes several lines.

use super::convert::Converter;
use super::draft::Draft;
use super::plan::{PartPlan, Target};
use crate::ledger::money;
use crate::ledger::{Kind, Lines, MoneyColumn, TextColumn};
use crate::open::Record;

/// A hundredth at the ledger's scale: what is less is the rounding of parts.
const HUNDREDTH: i128 = 10i128.pow(money::SCALE - 2);

impl Converter<'_> {
    /// The lines of a row, one for each of its parts; `None` if a cell was refused.
    ///
    /// They come to the cost of the row: what its parts do not explain is a line of its own.
    pub(super) fn split(&mut self, record: &mut Record, mut row: Draft, lines: &mut Lines) -> Option<Vec<Draft>> {
        let before = self.refusals.len();
        self.fill(record, &mut row, lines);
        let mut parts = std::mem::take(&mut self.plan.parts);
        let mut drafts = Vec::new();
        let (mut inside, mut sum) = (false, 0i128);
        for part in &mut parts {
            let Some(line) = self.part(part, record, &row, lines) else { continue };
            if !part.adds {
                inside = true;
                sum = sum.saturating_add(line.money(MoneyColumn::Cost).unwrap_or_default());
            }
            drafts.push(line);
        }
        self.plan.parts = parts;
        match row.money(MoneyColumn::Cost).map(|cost| cost - sum).filter(|_| inside) {
            Some(0) => {}
            Some(rest) => drafts.push(self.rest(rest, &row, lines)),
            None if inside => {}
            None => drafts.insert(0, row),
        }
        if self.refusals.len() == before {
            drafts.iter_mut().for_each(|draft| self.complete(draft, lines));
        }
        (self.refusals.len() == before).then_some(drafts)
    }

    /// The line of a part; `None` if the row does not have it or it costs nothing.
    fn part(&mut self, part: &mut PartPlan, record: &Record, row: &Draft, lines: &mut Lines) -> Option<Draft> {
        let mut line = row.clone();
        for (column, _) in MoneyColumn::ALL {
            if column != MoneyColumn::Cards {
                line.set_money(column, None);
            }
        }
        if part.fields.iter().any(|f| f.target == Target::Text(TextColumn::Kind)) {
            line.set_text(TextColumn::Kind, None);
        }
        self.texts(&mut part.fields.texts, record, &mut line, lines);
        self.numbers(&mut part.fields.numbers, record, &mut line, lines);
        let cost = line.money(MoneyColumn::Cost)?;
        let metered = line.money(MoneyColumn::Quantity).is_some_and(|q| q != 0);
        (cost != 0 || metered).then_some(line)
    }

    /// What the parts of a row leave of its cost.
    fn rest(&mut self, rest: i128, row: &Draft, lines: &mut Lines) -> Draft {
        let mut line = row.clone();
        for (column, _) in MoneyColumn::ALL {
            line.set_money(column, None);
        }
        line.set_money(MoneyColumn::Cost, Some(rest));
        line.set_text(TextColumn::Card, None);
        if rest.abs() < HUNDREDTH {
            let kind = lines.code(Kind::Rounding.as_str());
            line.set_text(TextColumn::Kind, Some(kind));
        } else {
            self.uneven.push(row.row);
        }
        line
    }
}
