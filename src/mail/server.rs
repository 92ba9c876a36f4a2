//! The SMTP server: a mail goes to all its recipients or to none.

use std::time::Duration;

use anyhow::{Result, anyhow};
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Quit, Rcpt};
use lettre::transport::smtp::extension::ClientId;

use super::refusal::{Step, explain, refused};
use kashi_parsers::message;

/// How long a server may take for one answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// How the connection is secured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Secured {
    /// Begin in the clear, go on encrypted before anything is said (port 587)
    Starttls,
    /// Encrypted from the start (port 465)
    Tls,
    /// Not at all (port 25); a login is then sent only to this machine itself
    None,
}

impl Secured {
    /// The port that is usual for it.
    pub const fn port(self) -> u16 {
        match self {
            Self::Starttls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

/// A user and the password, with where the password is from, for messages.
#[derive(Clone)]
pub struct Login {
    /// The user.
    pub user: String,
    /// The password.
    pub password: String,
    /// `the environment variable X` or `the file X`.
    pub source: String,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").field("user", &self.user).field("source", &self.source).finish_non_exhaustive()
    }
}

/// A server and how to talk to it.
#[derive(Clone, Debug)]
pub struct Server {
    /// Its name, which its certificate must carry.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is secured.
    pub secured: Secured,
    /// The login, where it wants one.
    pub login: Option<Login>,
    /// A CA to trust besides the public ones, PEM.
    pub ca: Option<Vec<u8>>,
}

/// What the memory of sent mails is told, and when.
pub trait Witness {
    /// Every recipient is taken; the mail is handed over next.
    ///
    /// # Errors
    /// If that cannot be remembered; then it is not handed over.
    fn begin(&mut self) -> Result<()>;
    /// The server took it.
    ///
    /// # Errors
    /// If that cannot be remembered.
    fn accepted(&mut self) -> Result<()>;
    /// The server did not take it.
    ///
    /// # Errors
    /// If that cannot be remembered.
    fn refused(&mut self) -> Result<()>;
}

impl Server {
    /// Delivers a mail to all recipients in one transaction, or to none of them.
    ///
    /// # Errors
    /// If the server cannot be reached or trusted, refuses the login, the sender or any recipient,
    /// or does not take the mail.
    pub fn deliver(&self, from: &Address, to: &[Address], mail: &[u8], witness: &mut dyn Witness) -> Result<()> {
        let mut connection = self.connect()?;
        let failed = |step, error: &Error| explain(self, step, error);
        connection.command(Mail::new(Some(from.clone()), vec![])).map_err(|e| failed(Step::Sender(from), &e))?;
        let mut refusals = Vec::new();
        for recipient in to {
            if let Err(error) = connection.command(Rcpt::new(recipient.clone(), vec![])) {
                if error.status().is_none() {
                    return Err(failed(Step::Recipients, &error));
                }
                refusals.push((recipient, error));
            }
        }
        if !refusals.is_empty() {
            let _ = connection.command(Quit);
            return Err(refused(self, to.len(), &refusals));
        }
        connection.command(Data).map_err(|e| failed(Step::Content, &e))?;
        witness.begin()?;
        match connection.message(mail) {
            Ok(_) => {
                witness.accepted()?;
                let _ = connection.command(Quit);
                Ok(())
            }
            Err(error) if error.status().is_some() => {
                witness.refused()?;
                Err(failed(Step::Content, &error))
            }
            Err(error) => Err(failed(Step::Confirmation, &error)),
        }
    }

    /// Connects, secures the connection and logs in.
    fn connect(&self) -> Result<SmtpConnection> {
        let hello = ClientId::default();
        let tls = if self.secured == Secured::None { None } else { Some(self.tls()?) };
        let wrapper = tls.as_ref().filter(|_| self.secured == Secured::Tls);
        let failed = |step, error: &Error| explain(self, step, error);
        let mut connection =
            SmtpConnection::connect((self.host.as_str(), self.port), Some(PATIENCE), &hello, wrapper, None)
                .map_err(|e| failed(Step::Connect, &e))?;
        if let Some(tls) = tls.as_ref().filter(|_| self.secured == Secured::Starttls) {
            if !connection.can_starttls() {
                return Err(anyhow!(message!(
                    "{}:{}: the server does not offer STARTTLS; nothing was sent\n  help: try --tls tls with its port for that, usually 465",
                    self.host,
                    self.port
                )));
            }
            connection.starttls(tls, &hello).map_err(|e| failed(Step::Secure, &e))?;
        }
        if let Some(login) = &self.login {
            let credentials = Credentials::new(login.user.clone(), login.password.clone());
            connection
                .auth(&[Mechanism::Plain, Mechanism::Login], &credentials)
                .map_err(|e| failed(Step::Login(login), &e))?;
        }
        Ok(connection)
    }

    fn tls(&self) -> Result<TlsParameters> {
        let mut parameters = TlsParameters::builder(self.host.clone());
        if let Some(pem) = &self.ca {
            let ca = Certificate::from_pem(pem)
                .map_err(|e| anyhow!(message!("the CA is not a certificate in PEM ({e}); give the file that begins with -----BEGIN CERTIFICATE-----")))?;
            parameters = parameters.add_root_certificate(ca);
        }
        parameters.build().map_err(|e| anyhow!(message!("TLS cannot be set up: {e}")))
    }
}
