//! What the user says of bills beforehand.

use crate::contract::{Account, Price};

/// What the user says of bills beforehand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// Accounts of kashi.toml.
    pub accounts: &'a [Account],
    /// Prices of kashi.toml, for exports that state quantities alone.
    pub prices: &'a [Price],
}

impl<'a, const N: usize> From<&'a [Account; N]> for Given<'a> {
    fn from(accounts: &'a [Account; N]) -> Self {
        Self { accounts, ..Self::default() }
    }
}
