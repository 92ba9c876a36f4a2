//! What the verbs of a platform file cannot say.

mod autodl;
mod signs;

use super::Drafts;
use crate::error::Refusal;

/// Sees every line of a bill before it is written, and may change, add or refuse some.
pub(super) type Adapter = fn(&mut Drafts<'_>) -> Vec<Refusal>;

/// The adapters by name, for `adapter = "…"`.
pub(super) const ADAPTERS: &[(&str, Adapter)] = &[("autodl-statement", autodl::adapt), ("sign-by-kind", signs::adapt)];

/// An adapter by its name.
pub(super) fn adapter(name: &str) -> Option<Adapter> {
    ADAPTERS.iter().find(|(known, _)| *known == name).map(|(_, adapter)| *adapter)
}
