//! Which words name which ledger column.

use super::names::{Name, Word, Word::*};

/// What a ledger column is filled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Text,
    Money,
    Time,
}

/// A ledger column and the headers that name it.
#[derive(Debug)]
pub(super) struct Want {
    /// The ledger column.
    pub(super) ledger: &'static str,
    /// What its values are.
    pub(super) sort: Sort,
    /// Words that must all be there, and how well they name it, of 100.
    names: &'static [(&'static [Word], i32)],
    /// Words that must not be there.
    never: &'static [Word],
}

/// What each known word beyond those wanted, and each unknown one, takes off.
const BEYOND: i32 = 6;
const UNKNOWN: i32 = 4;
/// What a word before the last slash or point takes off, if it is not wanted.
const PATH: i32 = 1;

impl Want {
    /// Whether a header names something else.
    pub(super) fn forbids(&self, name: &Name) -> bool {
        // `resourceTags/user:team` is a tag, whatever it is called.
        let is_tag = name.before.contains(&Tags) && self.never.contains(&Tags);
        // `优惠金额` is taken off, `优惠后金额` is what is left.
        let is_off = self.ledger == "cost" && name.has(Discount) && !name.has(After);
        // An id of a line or of an order is no resource.
        let own = name.has(Resource) || name.has(Instance);
        let other = [Line, Bill, Voucher, Discount, Transaction, Payable, Cost].iter().any(|w| name.has(*w));
        let is_other = self.ledger == "resource" && other && !own;
        is_tag || is_off || is_other || self.never.iter().any(|word| name.has(*word))
    }

    /// How well a header names this column, of 100; 0 if it does not.
    pub(super) fn score(&self, name: &Name) -> i32 {
        if self.forbids(name) {
            return 0;
        }
        let fits = self.names.iter().filter(|(words, _)| words.iter().all(|w| name.has_anywhere(*w)));
        fits.map(|(words, score)| score - beyond(name, words)).max().unwrap_or_default().max(0)
    }
}

fn beyond(name: &Name, wanted: &[Word]) -> i32 {
    let mut beyond: Vec<Word> = name.words.iter().copied().filter(|w| !wanted.contains(w) && *w != Filler).collect();
    beyond.sort_unstable();
    beyond.dedup();
    let mut path: Vec<Word> = name.before.iter().copied().filter(|w| !wanted.contains(w) && *w != Filler).collect();
    path.dedup();
    let path = PATH * path.len().min(2) as i32;
    let (beyond, unknown) = (beyond.len().min(4) as i32, name.unknown.min(4) as i32);
    BEYOND * beyond + UNKNOWN * unknown + path
}

/// The ledger column of a name.
pub(super) fn want(ledger: &str) -> Option<&'static Want> {
    WANTS.iter().find(|w| w.ledger == ledger)
}

/// Every ledger column that a bill's column may become.
pub(super) const WANTS: &[Want] = &[
    Want {
        ledger: "cost",
        sort: Sort::Money,
        names: &[
            (&[Payable, Cost], 95),
            (&[Payable, Amount], 95),
            (&[Payable], 85),
            (&[After, Discount], 80),
            (&[After, Discount, Cost], 86),
            (&[Total, Cost], 80),
            (&[Total, Amount], 76),
            (&[Transaction, Cost], 82),
            (&[Spend, Cost], 82),
            (&[Charge, Cost], 82),
            (&[Cost], 78),
            (&[Amount], 68),
            (&[Charge], 70),
            (&[Total], 66),
            (&[Spend], 66),
            (&[Price, Total], 60),
            (&[Paid, Cost], 60),
            (&[Paid], 40),
            (&[Untaxed, Cost], 76),
            (&[Untaxed, Amount], 74),
            (&[After, Cost], 84),
            (&[After, Amount], 76),
            (&[Cost, Bill, Currency], 84),
            (&[Bill], 60),
            (&[Price], 52),
        ],
        never: &[
            List, Balance, Voucher, Deduct, Amortized, Before, Quantity, Unit, Duration, Usage, Percent, Factor, Id, Tax, Reserved,
            Type, Mode, Invoice, Measure, Time, Instance,
        ],
    },
    Want {
        ledger: "list_cost",
        sort: Sort::Money,
        names: &[
            (&[List, Cost], 95),
            (&[List, Amount], 92),
            (&[List, Total], 88),
            (&[List], 82),
            (&[List, Price], 72),
            (&[Before, Discount], 85),
            (&[Before, Discount, Cost], 90),
        ],
        never: &[Unit, Deduct, Balance, Quantity, Usage, Factor, Id, Voucher, Reserved, After],
    },
    Want {
        ledger: "discount",
        sort: Sort::Money,
        names: &[(&[Discount, Cost], 92), (&[Discount, Amount], 92), (&[Discount], 80)],
        never: &[After, Before, Percent, Price, Voucher, Id, Factor, Balance],
    },
    Want {
        ledger: "voucher",
        sort: Sort::Money,
        names: &[(&[Voucher, Deduct], 88), (&[Voucher, Cost], 76), (&[Voucher, Amount], 76), (&[Voucher], 72)],
        never: &[Paid, Spend, Balance, Id, Percent, Factor, Before],
    },
    Want {
        ledger: "paid",
        sort: Sort::Money,
        names: &[(&[Paid, Cost], 85), (&[Paid, Amount], 85), (&[Paid], 78), (&[Spend, Account], 60)],
        never: &[Voucher, Balance, Deduct, Id, Payable, Type, List, Factor],
    },
    Want {
        ledger: "tax",
        sort: Sort::Money,
        names: &[(&[Tax, Cost], 90), (&[Tax, Amount], 90), (&[Tax], 85)],
        never: &[Percent, Price, Type, Id],
    },
    Want {
        ledger: "balance",
        sort: Sort::Money,
        names: &[(&[Balance, Account], 95), (&[Balance], 92)],
        never: &[Voucher, Before],
    },
    Want {
        ledger: "quantity",
        sort: Sort::Money,
        names: &[
            (&[Usage, Quantity], 92),
            (&[Payable, Quantity], 92),
            (&[Price, Quantity], 94),
            (&[Usage, Amount], 88),
            (&[Usage, Duration], 84),
            (&[Quantity], 88),
            (&[Amount, Price, Unit], 93),
            (&[Payable, Duration], 86),
            (&[Payable, Measure], 84),
            (&[Usage, Time], 66),
            (&[Period], 52),
            (&[Gpu, Duration], 86),
            (&[Duration], 80),
            (&[Usage], 60),
        ],
        never: &[Before, After, Deduct, List, Reserved, Cost, Id, Tags, Invoice, Factor, Amortized],
    },
    Want {
        ledger: "price",
        sort: Sort::Money,
        names: &[(&[Unit, Price], 90), (&[Price], 84), (&[Unit, Cost], 80)],
        never: &[List, Total, Type, Mode, Id, Factor, Percent, Discount, Before, Quantity],
    },
    Want {
        ledger: "list_price",
        sort: Sort::Money,
        names: &[(&[List, Unit, Price], 95), (&[List, Price], 92), (&[Unit, Price], 70), (&[Price], 60)],
        never: &[Total, Type, Id, Factor, Percent, Cost, Discount, Amortized],
    },
    Want {
        ledger: "cards",
        sort: Sort::Money,
        names: &[(&[Gpu, Quantity], 92), (&[Gpu], 75)],
        never: &[Id, Type, Price, Cost, Spec, Name, Usage, Duration, Balance],
    },
    Want {
        ledger: "period",
        sort: Sort::Time,
        names: &[
            (&[Bill, Month], 95),
            (&[Invoice, Month], 90),
            (&[Month], 88),
            (&[Bill, Period, Start], 88),
            (&[Bill, Period], 80),
            (&[Bill, Time], 55),
            (&[Period], 50),
        ],
        never: &[End],
    },
    Want {
        ledger: "start",
        sort: Sort::Time,
        names: &[
            (&[Usage, Start], 96),
            (&[Charge, Period, Start], 96),
            (&[Product, Start], 92),
            (&[Start, Time], 90),
            (&[Start], 86),
            (&[Bill, Start], 80),
            (&[Bill, Time], 64),
            (&[Usage, Period], 80),
            (&[Usage, Time], 78),
            (&[Spend, Time], 64),
            (&[Charge, Time], 60),
            (&[Time], 62),
        ],
        never: &[End, Factor],
    },
    Want {
        ledger: "end",
        sort: Sort::Time,
        names: &[
            (&[Usage, End], 96),
            (&[Charge, Period, End], 96),
            (&[Product, End], 92),
            (&[End, Time], 90),
            (&[End], 86),
            (&[Bill, End], 80),
        ],
        never: &[Start, Factor],
    },
    Want {
        ledger: "posted",
        sort: Sort::Time,
        names: &[
            (&[Transaction, Time], 92),
            (&[Charge, Time], 92),
            (&[Spend, Time], 88),
            (&[Paid, Time], 88),
            (&[Payable, Time], 88),
            (&[Created, Time], 76),
            (&[Invoice, Time], 70),
            (&[Bill, Time], 66),
            (&[Time], 60),
        ],
        never: &[Start, End, Usage, Month, Period, Product, Duration],
    },
    Want {
        ledger: "kind",
        sort: Sort::Text,
        names: &[
            (&[Transaction, Type], 95),
            (&[Charge, Type], 95),
            (&[Cost, Type], 92),
            (&[Line, Type], 90),
            (&[Bill, Type], 90),
            (&[Invoice, Type], 84),
            (&[Bill, Mode], 62),
            (&[Spend, Type], 76),
            (&[Usage, Type], 50),
            (&[Type], 60),
        ],
        never: &[Resource, Instance, Product, Discount, Tax, Spec, Unit, Currency, Account, Region, Id, Factor],
    },
    Want {
        ledger: "sku",
        sort: Sort::Text,
        names: &[
            (&[Sku, Name], 95),
            (&[Sku, Description], 92),
            (&[Sku], 90),
            (&[Product, Name], 84),
            (&[Product, Description], 84),
            (&[Usage, Type], 80),
            (&[Product], 78),
            (&[Charge, Description], 78),
            (&[Line, Description], 76),
            (&[Description], 66),
            (&[Gpu, Spec], 70),
            (&[Gpu], 64),
            (&[Spec], 62),
            (&[Sku, Id], 66),
            (&[Product, Id], 58),
            (&[Type], 40),
        ],
        never: &[Price, Unit, Factor, Time, Region, Zone, Account, Currency, Tags, Start, End, Month, Owner, Discount, Resource, Instance],
    },
    Want {
        ledger: "resource",
        sort: Sort::Text,
        names: &[
            (&[Resource, Id], 96),
            (&[Instance, Id], 92),
            (&[Resource], 80),
            (&[Instance], 76),
            (&[Resource, Name], 62),
            (&[Instance, Name], 60),
            (&[Id], 58),
            (&[Description], 40),
        ],
        never: &[
            Type, Spec, Zone, Region, Tags, Price, Project, Unit, Factor, Reserved, Currency, Usage, Time, Start, End, Account,
            Payer, Owner, Invoice, Product, Sku,
        ],
    },
    Want {
        ledger: "resource_name",
        sort: Sort::Text,
        names: &[(&[Resource, Name], 92), (&[Instance, Name], 90)],
        never: &[Type, Spec, Zone, Region, Tags, Price, Project, Unit, Factor, Id, Account, Payer, Product],
    },
    Want {
        ledger: "region",
        sort: Sort::Text,
        names: &[(&[Resource, Region], 94), (&[Region], 93), (&[Region, Id], 92), (&[Region, Name], 88), (&[Zone], 50)],
        never: &[Type, Price, Unit, Tags],
    },
    Want {
        ledger: "account",
        sort: Sort::Text,
        names: &[
            (&[Payer, Account, Id], 98),
            (&[Bill, Account, Id], 97),
            (&[Payer, Account], 92),
            (&[Account, Id], 92),
            (&[Account], 86),
            (&[Payer, Id], 84),
            (&[Payer], 74),
            (&[Owner, Id], 60),
            (&[Project, Id], 50),
        ],
        never: &[Balance, Name, Type, Time, Price, Spend, Tags, Paid],
    },
    Want {
        ledger: "account_name",
        sort: Sort::Text,
        names: &[(&[Bill, Account, Name], 94), (&[Account, Name], 90), (&[Payer, Account, Name], 94), (&[Payer, Name], 84), (&[Account], 60)],
        never: &[Balance, Id, Type, Time, Price, Spend, Tags, Project, Usage],
    },
    Want {
        ledger: "project",
        sort: Sort::Text,
        names: &[(&[Project, Name], 94), (&[Project], 90), (&[Project, Id], 86), (&[Usage, Account, Id], 80), (&[Usage, Account], 78)],
        never: &[Type, Price, Tags],
    },
    Want {
        ledger: "invoice",
        sort: Sort::Text,
        names: &[(&[Invoice, Id], 94), (&[Invoice], 86), (&[Transaction, Id], 76), (&[Bill, Id], 66)],
        never: &[Type, Time, Month, Owner, Name, Period, Product, Account, Tags],
    },
    Want { ledger: "tags", sort: Sort::Text, names: &[(&[Tags], 90)], never: &[Price, Id] },
    Want {
        ledger: "unit",
        sort: Sort::Text,
        names: &[
            (&[Price, Quantity, Unit], 92),
            (&[Usage, Quantity, Unit], 94),
            (&[Quantity, Unit], 94),
            (&[Usage, Unit], 92),
            (&[Duration, Unit], 90),
            (&[Unit], 86),
            (&[Price, Unit], 64),
        ],
        never: &[Cost, Period, Invoice, List, Id],
    },
    Want {
        ledger: "currency",
        sort: Sort::Text,
        names: &[(&[Currency], 92), (&[Bill, Currency], 96), (&[Currency, Id], 94), (&[Price, Currency], 84)],
        never: &[Factor],
    },
];
