//! Headers of times and months.

use super::super::lexicon::Word::*;
use super::{Sort, Want};

pub(super) const WANTS: &[Want] = &[
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
];
