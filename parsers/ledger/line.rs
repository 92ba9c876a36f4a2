//! One line of the ledger, as rules and reports see it.

use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::{Category, Kind, Ledger, MoneyColumn, Terms, TextColumn, TimeColumn};
use crate::error::Origin;

/// A line: a cheap handle into the ledger.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    ledger: &'a Ledger,
    index: usize,
}

impl<'a> Line<'a> {
    pub(super) fn new(ledger: &'a Ledger, index: usize) -> Self {
        Self { ledger, index }
    }

    /// Its place in the ledger, 0-based.
    pub fn index(self) -> usize {
        self.index
    }

    /// The row of the bill that it was read from.
    pub fn origin(self) -> Origin {
        Origin { file: Arc::from(self.file()), sheet: self.sheet().map(Arc::from), row: self.row() }
    }

    /// The row of the bill, 1-based as in a spreadsheet.
    pub fn row(self) -> u32 {
        self.ledger.row_number(self.index)
    }

    /// Any text column.
    pub fn text(self, column: TextColumn) -> Option<&'a str> {
        self.ledger.text(column, self.index)
    }

    /// Any decimal column.
    pub fn money(self, column: MoneyColumn) -> Option<Decimal> {
        self.ledger.money(column, self.index)
    }

    /// Any time column.
    pub fn time(self, column: TimeColumn) -> Option<DateTime<Utc>> {
        self.ledger.time(column, self.index)
    }

    /// The bill's file.
    pub fn file(self) -> &'a str {
        self.text(TextColumn::File).unwrap_or_default()
    }

    /// The sheet of a workbook.
    pub fn sheet(self) -> Option<&'a str> {
        self.text(TextColumn::Sheet)
    }

    /// The platform's name.
    pub fn platform(self) -> &'a str {
        self.text(TextColumn::Platform).unwrap_or_default()
    }

    /// The account that is charged.
    pub fn account(self) -> Option<&'a str> {
        self.text(TextColumn::Account)
    }

    /// The month of the bill, `2026-10`.
    pub fn period(self) -> &'a str {
        self.text(TextColumn::Period).unwrap_or_default()
    }

    /// The kind of movement.
    pub fn kind(self) -> Kind {
        self.text(TextColumn::Kind).and_then(Kind::from_word).unwrap_or(Kind::Usage)
    }

    /// What was charged for.
    pub fn category(self) -> Category {
        self.text(TextColumn::Category).and_then(Category::from_word).unwrap_or(Category::Other)
    }

    /// On which terms.
    pub fn terms(self) -> Option<Terms> {
        self.text(TextColumn::Terms).and_then(Terms::from_word)
    }

    /// The platform's id of what was charged.
    pub fn resource(self) -> Option<&'a str> {
        self.text(TextColumn::Resource)
    }

    /// The user's name for it.
    pub fn resource_name(self) -> Option<&'a str> {
        self.text(TextColumn::ResourceName)
    }

    /// The product, as the platform names it.
    pub fn sku(self) -> &'a str {
        self.text(TextColumn::Sku).unwrap_or_default()
    }

    /// Catalogue id of the GPU.
    pub fn card(self) -> Option<&'a str> {
        self.text(TextColumn::Card)
    }

    /// ISO 4217 code.
    pub fn currency(self) -> &'a str {
        self.text(TextColumn::Currency).unwrap_or_default()
    }

    /// The unit of `quantity`.
    pub fn unit(self) -> Option<&'a str> {
        self.text(TextColumn::Unit)
    }

    /// Begin of the charged time, UTC.
    pub fn start(self) -> Option<DateTime<Utc>> {
        self.time(TimeColumn::Start)
    }

    /// End of the charged time, UTC, exclusive.
    pub fn end(self) -> Option<DateTime<Utc>> {
        self.time(TimeColumn::End)
    }

    /// When it was charged, UTC.
    pub fn posted(self) -> Option<DateTime<Utc>> {
        self.time(TimeColumn::Posted)
    }

    /// What the line makes payable; zero for lines that state none.
    pub fn cost(self) -> Decimal {
        self.money(MoneyColumn::Cost).unwrap_or_default()
    }

    /// Number of GPUs.
    pub fn cards(self) -> Option<Decimal> {
        self.money(MoneyColumn::Cards)
    }

    /// GPUs × hours.
    pub fn card_hours(self) -> Option<Decimal> {
        self.money(MoneyColumn::CardHours)
    }

    /// The amount metered.
    pub fn quantity(self) -> Option<Decimal> {
        self.money(MoneyColumn::Quantity)
    }

    /// Whether the line is a cost: anything but money paid in advance.
    pub fn is_charge(self) -> bool {
        self.kind() != Kind::TopUp
    }
}

impl fmt::Debug for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({}: {} {} {})", self.origin(), self.sku(), self.cost(), self.currency())
    }
}
