//! The columns of the ledger.

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
    /// [`super::Kind`].
    Kind,
    /// [`super::Category`].
    Category,
    /// [`super::Terms`].
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
