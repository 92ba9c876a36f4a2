//! How a metrics server knows who asks.

use anyhow::{Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kashi_parsers::message;

/// The environment variables that hold it: on a command line others could read it.
pub(super) const TOKEN: &str = "KASHI_PROMETHEUS_TOKEN";
pub(super) const USER: &str = "KASHI_PROMETHEUS_USER";
pub(super) const PASSWORD: &str = "KASHI_PROMETHEUS_PASSWORD";

/// A login, as its header says it.
#[derive(Clone)]
pub struct Login {
    header: String,
    /// The variables that it is from, for messages.
    pub(super) source: String,
}

impl Login {
    /// The login that the environment holds; `None` if it holds none.
    ///
    /// # Errors
    /// If it holds two, or half of one, or one that no header can carry.
    pub fn from_environment() -> Result<Option<Self>> {
        let get = |name: &str| match std::env::var(name) {
            Ok(value) if value.is_empty() => Ok(None),
            Ok(value) => Ok(Some(value)),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => bail!(message!("the environment variable {name} is not UTF-8")),
        };
        match (get(TOKEN)?, get(USER)?, get(PASSWORD)?) {
            (None, None, None) => Ok(None),
            (Some(token), None, None) => Self::bearer(token.trim()).map(Some),
            (None, Some(user), Some(password)) => Self::basic(&user, &password).map(Some),
            (Some(_), ..) => bail!(message!("both {TOKEN} and {USER} or {PASSWORD} are set; keep one of them")),
            (None, Some(_), None) => bail!(message!("{USER} is set, but {PASSWORD} is not")),
            (None, None, Some(_)) => bail!(message!("{PASSWORD} is set, but {USER} is not")),
        }
    }

    fn bearer(token: &str) -> Result<Self> {
        if !token.bytes().all(|b| b.is_ascii_graphic()) {
            bail!(message!("the environment variable {TOKEN} holds blanks or signs that no token has"));
        }
        Ok(Self { header: format!("Bearer {token}"), source: TOKEN.to_owned() })
    }

    fn basic(user: &str, password: &str) -> Result<Self> {
        if user.contains(':') {
            bail!(message!("the environment variable {USER} holds a colon, which a user's name cannot"));
        }
        let header = format!("Basic {}", STANDARD.encode(format!("{user}:{password}")));
        Ok(Self { header, source: format!("{USER} and {PASSWORD}") })
    }

    /// The value of the header.
    pub(super) fn header(&self) -> &str {
        &self.header
    }
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").field("source", &self.source).finish_non_exhaustive()
    }
}
