//! The ledger while it is being written: one growing buffer a column.

use super::column::{Column, NO_CODE, NO_TIME, Numbers};
use super::dictionary::{Code, Dictionary};
use super::narrow::narrow;
use super::{Category, Kind, Terms};

/// The text columns, in the order of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum TextColumn {
    /// The bill's file, as the user named it.
    File,
    /// The sheet of a workbook.
    Sheet,
    /// The platform's name, as in its platform file.
    Platform,
    /// The account that is charged.
    Account,
    /// Its name.
    AccountName,
    /// Project, enterprise project or resource group.
    Project,
    /// The invoice or order.
    Invoice,
    /// The month of the bill, `2026-10`.
    Period,
    /// [`Kind`].
    Kind,
    /// [`Category`].
    Category,
    /// [`Terms`].
    Terms,
    /// The platform's id of what was charged.
    Resource,
    /// The user's name for it.
    ResourceName,
    /// The region.
    Region,
    /// The product, as the platform names it.
    Sku,
    /// Catalogue id of the GPU.
    Card,
    /// Tags as the bill prints them.
    Tags,
    /// The unit of `quantity`, as in [`super::units`], or as the bill prints it.
    Unit,
    /// ISO 4217.
    Currency,
}

/// The decimal columns, in the order of the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum MoneyColumn {
    /// Number of GPUs; a fraction where a share of one is rented.
    Cards,
    /// The amount metered, in `unit`.
    Quantity,
    /// GPUs × hours.
    CardHours,
    /// Catalogue price of one unit.
    ListPrice,
    /// Price of one unit actually charged.
    Price,
    /// Cost at the catalogue price.
    ListCost,
    /// What was taken off.
    Discount,
    /// What was taken off by coupons and vouchers.
    Voucher,
    /// What the line makes payable.
    Cost,
    /// What was paid in money.
    Paid,
    /// Tax contained in or added to `cost`, as the layout says.
    Tax,
    /// The account's balance after the line.
    Balance,
}

/// The time columns, UTC microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum TimeColumn {
    /// Begin of the charged time.
    Start,
    /// Its end, exclusive.
    End,
    /// When it was charged.
    Posted,
}

impl TextColumn {
    /// All, in the order of the schema.
    pub const ALL: [(Self, &'static str); 19] = [
        (Self::File, "file"),
        (Self::Sheet, "sheet"),
        (Self::Platform, "platform"),
        (Self::Account, "account"),
        (Self::AccountName, "account_name"),
        (Self::Project, "project"),
        (Self::Invoice, "invoice"),
        (Self::Period, "period"),
        (Self::Kind, "kind"),
        (Self::Category, "category"),
        (Self::Terms, "terms"),
        (Self::Resource, "resource"),
        (Self::ResourceName, "resource_name"),
        (Self::Region, "region"),
        (Self::Sku, "sku"),
        (Self::Card, "card"),
        (Self::Tags, "tags"),
        (Self::Unit, "unit"),
        (Self::Currency, "currency"),
    ];
}

impl MoneyColumn {
    /// All, in the order of the schema.
    pub const ALL: [(Self, &'static str); 12] = [
        (Self::Cards, "cards"),
        (Self::Quantity, "quantity"),
        (Self::CardHours, "card_hours"),
        (Self::ListPrice, "list_price"),
        (Self::Price, "price"),
        (Self::ListCost, "list_cost"),
        (Self::Discount, "discount"),
        (Self::Voucher, "voucher"),
        (Self::Cost, "cost"),
        (Self::Paid, "paid"),
        (Self::Tax, "tax"),
        (Self::Balance, "balance"),
    ];
}

impl TimeColumn {
    /// All, in the order of the schema.
    pub const ALL: [(Self, &'static str); 3] = [(Self::Start, "start"), (Self::End, "end"), (Self::Posted, "posted")];
}

/// Ledger lines under construction. Set the columns of the current line, then [`Lines::commit`].
#[derive(Debug)]
pub struct Lines {
    pub(super) rows: usize,
    pub(super) row: Vec<u32>,
    pub(super) text: [Column<u32>; TextColumn::ALL.len()],
    pub(super) money: [Numbers; MoneyColumn::ALL.len()],
    pub(super) time: [Column<i64>; TimeColumn::ALL.len()],
    pub(super) words: Dictionary,
    expected_rows: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Self::new()
    }
}

impl Lines {
    /// An empty ledger.
    pub fn new() -> Self {
        Self {
            rows: 0,
            row: Vec::new(),
            text: Default::default(),
            money: Default::default(),
            time: Default::default(),
            words: Dictionary::default(),
            expected_rows: 0,
        }
    }

    /// Number of committed lines.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no line yet.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Makes room for about this many lines in all, so that growing does not copy.
    pub fn expect(&mut self, rows: usize) {
        self.expected_rows = self.expected_rows.max(rows);
        self.row.reserve(rows.saturating_sub(self.row.len()));
    }

    /// The dictionary's code of a text.
    pub fn code(&mut self, text: &str) -> Code {
        // Four billion different texts do not fit the memory of any machine this runs on.
        self.words.code(text.as_bytes()).unwrap_or(Code(NO_CODE))
    }

    /// The dictionary's code of a cell; `None` if it is not UTF-8.
    #[inline]
    pub fn code_of(&mut self, cell: &[u8]) -> Option<Code> {
        self.words.code(cell)
    }

    /// The text of a code.
    #[inline]
    pub fn word(&self, code: Code) -> &str {
        self.words.word(code.0).unwrap_or_default()
    }

    /// Sets a text column of the current line.
    pub fn text(&mut self, column: TextColumn, text: &str) {
        let code = self.code(text);
        self.coded(column, code);
    }

    /// Sets a text column of the current line to a text met before.
    #[inline]
    pub fn coded(&mut self, column: TextColumn, code: Code) {
        self.text[column as usize].set(self.rows, code.0, NO_CODE, self.expected_rows);
    }

    /// Sets a decimal column of the current line; a mantissa at [`super::money::SCALE`].
    pub fn money(&mut self, column: MoneyColumn, mantissa: i128) {
        match narrow(mantissa) {
            Some(mantissa) => self.number(column, mantissa),
            None => self.money[column as usize].set_wide(self.rows, mantissa, self.expected_rows),
        }
    }

    /// Sets a decimal column of the current line; a mantissa at [`super::money::NARROW`].
    #[inline]
    pub(crate) fn number(&mut self, column: MoneyColumn, mantissa: i64) {
        self.money[column as usize].set(self.rows, mantissa, self.expected_rows);
    }

    /// Sets a time column of the current line; UTC microseconds since 1970.
    #[inline]
    pub fn time(&mut self, column: TimeColumn, micros: i64) {
        self.time[column as usize].set(self.rows, micros, NO_TIME, self.expected_rows);
    }

    /// Sets the kind of the current line.
    pub fn kind(&mut self, kind: Kind) {
        self.text(TextColumn::Kind, kind.as_str());
    }

    /// Sets the category of the current line.
    pub fn category(&mut self, category: Category) {
        self.text(TextColumn::Category, category.as_str());
    }

    /// Sets the terms of the current line.
    pub fn terms(&mut self, terms: Terms) {
        self.text(TextColumn::Terms, terms.as_str());
    }

    /// The different texts of a text column from a line on.
    pub(crate) fn texts_from(&self, first: usize, column: TextColumn) -> Vec<&str> {
        let mut codes: Vec<u32> = self.text[column as usize].values.iter().skip(first).copied().collect();
        codes.sort_unstable();
        codes.dedup();
        codes.into_iter().filter_map(|code| self.words.word(code)).collect()
    }

    /// Ends the current line, read from this row of its file.
    pub fn commit(&mut self, row: u32) {
        self.row.push(row);
        self.rows += 1;
    }
}
