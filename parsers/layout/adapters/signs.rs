//! Bills that print what is given back without a sign: the kind of the row says it.

use super::super::Drafts;
use crate::error::Refusal;
use crate::ledger::{Kind, MoneyColumn, TextColumn};

/// The columns that are turned with the cost.
const TURNED: [MoneyColumn; 6] = [
    MoneyColumn::ListCost,
    MoneyColumn::Discount,
    MoneyColumn::Voucher,
    MoneyColumn::Cost,
    MoneyColumn::Paid,
    MoneyColumn::Tax,
];

/// Makes the amounts of refunds and credits negative.
pub(super) fn adapt(drafts: &mut Drafts<'_>) -> Vec<Refusal> {
    for draft in &mut drafts.held {
        let kind = draft.text(TextColumn::Kind).and_then(|code| Kind::from_word(drafts.lines.word(code)));
        if !matches!(kind, Some(Kind::Refund | Kind::Credit)) {
            continue;
        }
        for column in TURNED {
            let amount = draft.money(column).map(|amount| -amount.abs());
            draft.set_money(column, amount);
        }
    }
    Vec::new()
}
