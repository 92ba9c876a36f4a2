//! What kashi looks for.
//!
//! A [`Case`] is all that a rule may see: the ledger, the utilization by hour, contract, inventory
//! and footings, joined per resource and hour. A rule is a page, its Chinese text and one function
//! from a case to a [`Verdict`]; [`run`] applies the rules, the user's ignores and the netting.

mod engine;

pub use engine::case::{Case, Footing, Inputs, JoinRow, State, Thresholds};
pub use engine::finding::{Amount, Claim, Finding, Recommendation, Status, Undetermined, Values, Verdict};
pub use engine::net::Net;
pub use engine::page::{Example, Language, Page, Parameter};
pub use engine::rental::{HourBill, Rental};
pub use engine::rule::{Rule, rule, rules};
pub use engine::select::{Outcome, Params, Selection, Skipped, run};
pub use engine::words::{AmountKind, Certainty, Severity};

mod arithmetic;
mod cards;
mod duplicates;
mod egress;
mod housekeeping;
mod idle;
mod lifecycle;
mod prepaid;
mod shown;
mod storage;
