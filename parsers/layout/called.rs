//! Rows that have the name of a total in some cell: a total, a charge of that name, or not to be known.
//!
//! A total that is taken for a charge counts the bill twice; a charge that is taken for a total is
//! lost. The words alone do not tell them apart: a resource may be named "total", and an export may
//! print the month before "合计". So what the rows above have, and what they come to, is looked at;
//! where that does not settle it, the row is refused and named.

use super::above::{has, said};
use super::cell::utf8;
use super::draft::Drafts;
use super::plan::Target;
use super::reader::Reader;
use super::total::Amount;
use super::total_words::is_name;
use crate::error::Refusal;
use crate::ledger::{MoneyColumn, TextColumn, TimeColumn, money};
use crate::open::Record;

/// What a row with the name of a total is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Called {
    Total,
    Charge,
    Unclear,
}

/// What speaks for a charge and what for a total.
struct Signs {
    /// It says what was charged: a resource, a product, a kind of charge, a price for one.
    own: bool,
    /// It says which resource it was, or what one costs.
    certain: bool,
    /// It says from when to when.
    timed: bool,
    /// It says some time.
    dated: bool,
    /// A cell is blank that all rows above have.
    lacks: bool,
    /// Its amount is what rows above come to.
    equal: bool,
    /// The layout says that the word is a total's, and nothing is called by it.
    decided: bool,
    /// The layout says so, or it stands where totals have it.
    listed: bool,
    /// The word names an account, as it does in every row of that account.
    account: bool,
    /// The word is one that a resource may be called by.
    name: bool,
}

impl Signs {
    fn called(&self, amount: Option<i128>) -> Called {
        let says = self.own || self.timed;
        let whole = !self.lacks && says;
        match amount {
            // A row that lacks nothing and says what was charged is not lost for a word.
            _ if self.decided && (self.lacks || !self.own) => Called::Total,
            _ if self.account && (self.own || !self.lacks) => Called::Charge,
            None if whole => Called::Charge,
            None if self.listed || self.lacks => Called::Total,
            None => Called::Unclear,
            Some(_) if self.equal && (self.lacks || !says) => Called::Total,
            // All that a charge has, and by chance or not the sum of the others.
            Some(_) if self.equal => Called::Unclear,
            Some(_) if self.own && !self.certain && self.lacks && !self.dated => Called::Total,
            Some(_) if self.own && self.name && whole => Called::Charge,
            Some(_) if self.own => Called::Unclear,
            // A total of another sum, which is a finding.
            Some(_) if self.lacks && !self.timed || self.listed && !self.dated => Called::Total,
            // Nothing is nothing, as a charge and as a total.
            Some(0) => Called::Total,
            Some(_) => Called::Unclear,
        }
    }
}

impl Reader<'_> {
    /// What a full row is that has the name of a total in a cell: the first that is filled, or another.
    ///
    /// In a part of a bill the rows above are not known, so that the bill must be read as a whole.
    pub(super) fn called(
        &mut self,
        (at, first): (usize, bool),
        amount: Option<&Amount>,
        record: &Record,
        row: u32,
        drafts: &Drafts<'_>,
    ) -> Called {
        if self.words.are_none() {
            return Called::Charge;
        }
        let certain = self.names(record);
        let product = [TextColumn::ResourceName, TextColumn::Sku].map(Target::Text);
        let (own, cell) = (certain || self.fills(record, &product), record.get(at).unwrap_or_default());
        let time = |column| self.fills(record, &[Target::Time(column)]);
        let [start, end, posted] = [TimeColumn::Start, TimeColumn::End, TimeColumn::Posted].map(time);
        let dated = start || end || posted || self.fills(record, &[Target::Text(TextColumn::Period)]);
        let account = self.is_read(at, &[TextColumn::Account, TextColumn::AccountName, TextColumn::Project]);
        let (listed, exact) = (self.words.lists(cell), self.words.is(cell));
        if first && exact && !own && !dated && !account {
            return Called::Total;
        }
        if self.part {
            self.undecided = true;
            return Called::Charge;
        }
        self.above.catch_up(&self.converter.plan, drafts);
        let signs = Signs {
            own,
            certain,
            timed: start && end,
            dated: dated && !listed,
            lacks: self.above.lacks(&self.converter.plan, record),
            equal: amount.is_some_and(|amount| self.above.comes_to(amount)),
            decided: listed && !is_name(cell),
            listed: listed || first && exact,
            account,
            name: is_name(cell),
        };
        let called = signs.called(amount.map(|amount| amount.mantissa));
        if called == Called::Unclear {
            self.neither(at, amount, record, row);
        }
        called
    }

    /// Whether a row says which resource was charged, how, or what one costs.
    fn names(&self, record: &Record) -> bool {
        self.fills(record, &[TextColumn::Resource, TextColumn::Kind].map(Target::Text))
            || self.fills(record, &[MoneyColumn::Price, MoneyColumn::ListPrice].map(Target::Money))
    }

    /// Whether one of the columns is read from this place.
    fn is_read(&self, at: usize, columns: &[TextColumn]) -> bool {
        let is = |target: Target| columns.iter().any(|column| target == Target::Text(*column));
        self.converter.plan.fields.iter().filter(|field| is(field.target)).flat_map(said).any(|place| place == at)
    }

    /// Whether one of the columns has something to say that is no word for a total.
    fn fills(&self, record: &Record, targets: &[Target]) -> bool {
        let fields = self.converter.plan.fields.iter().filter(|field| targets.contains(&field.target));
        fields
            .flat_map(said)
            .any(|place| has(record, place) && !record.get(place).is_some_and(|cell| self.words.is(cell)))
    }

    /// Refuses a row of which nobody can say whether it is a charge.
    fn neither(&mut self, at: usize, amount: Option<&Amount>, record: &Record, row: u32) {
        let column = self.claim.header.names.get(at).cloned().unwrap_or_default();
        let found = record.get(at).map(utf8).unwrap_or_default().into_owned();
        let sum = self.above.sum().and_then(money::to_decimal).map(|sum| sum.normalize().to_string());
        let expected = match (amount.map(|amount| &amount.text), sum) {
            (Some(shown), Some(sum)) => message!(
                "a charge or a total, not a row that may be either: it says {shown}, and the charges above come to {sum}"
            ),
            _ => message!("a charge or a total, not a row that may be either"),
        };
        self.converter.refusals.push(Refusal {
            origin: self.bill.origin.at(row),
            column,
            expected,
            hint: Some(message!(
                "say in a platform file (`--platform-file`) which it is: total = [{found:?}] if such rows are totals, total = [] if this export states none"
            )),
            value: found,
        });
    }
}
