//! Rules of the group `arithmetic`.

pub(crate) mod amount_not_price_times_quantity;
pub(crate) mod bill_does_not_foot;
pub(crate) mod more_hours_than_time;
