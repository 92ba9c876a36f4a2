//! What went wrong with a server, and what to do about it.

use std::error::Error as _;
use std::io::{self, ErrorKind};

use anyhow::{Error as Failure, anyhow};
use lettre::Address;
use lettre::transport::smtp::Error;

use super::server::{Login, Secured, Server};
use crate::guard::printable;
use kashi_parsers::{Message, message};

/// Where in the conversation it failed.
pub(super) enum Step<'a> {
    Connect,
    Secure,
    Login(&'a Login),
    Sender(&'a Address),
    Recipients,
    Content,
    Confirmation,
}

/// A failure in words: what happened, that nothing was sent, what to do.
pub(super) fn explain(server: &Server, step: Step<'_>, error: &Error) -> Failure {
    let answer = answer(error);
    let (what, help) = match step {
        Step::Confirmation => (
            message!(
                "the connection ended before the server confirmed the mail ({answer}); it may or may not have been sent"
            ),
            "ask a recipient; if it did not arrive, send it with --again".into(),
        ),
        _ if answer.contains("invalid peer certificate") => untrusted(server, &answer),
        Step::Connect | Step::Secure => unreachable(server, error, &answer),
        Step::Login(login) if error.status().is_some() => (
            message!("the server refuses the login of \"{}\" ({answer}); nothing was sent", printable(&login.user)),
            message!(
                "check the user and the password from {}; many providers (Gmail, QQ, 163, Exmail) want an app password (授权码) instead of the account's",
                login.source
            ),
        ),
        Step::Login(_) if error.is_client() => (
            "the server offers no login that kashi knows (PLAIN, LOGIN); nothing was sent".into(),
            "a server may offer it only on an encrypted connection: --tls starttls or --tls tls".into(),
        ),
        Step::Sender(from) if error.status().is_some() => (
            message!("the server does not accept mail from {from} ({answer}); nothing was sent"),
            "many servers want a login (--user), and take only the login's own address as --from".into(),
        ),
        Step::Content if error.status().is_some() => {
            (message!("the server did not take the mail ({answer}); nothing was sent"), again(error))
        }
        _ => (message!("the connection broke ({answer}); nothing was sent"), "run the same command again".into()),
    };
    anyhow!(message!("{}:{}: {what}\n  help: {help}", server.host, server.port))
}

/// The recipients that were refused; the others were not written to either.
pub(super) fn refused(server: &Server, all: usize, refusals: &[(&Address, Error)]) -> Failure {
    let list: String = refusals.iter().map(|(to, error)| format!("\n  {to}: {}", answer(error))).collect();
    let help = if refusals.iter().all(|(_, e)| e.is_transient()) {
        "the server asks for patience: run the same command again in some minutes"
    } else {
        "mend the address or leave it out, then run the command again"
    };
    anyhow!(message!(
        "{}:{}: the server refuses {} of {all} recipients; nothing was sent to anybody{list}\n  help: {help}",
        server.host,
        server.port,
        refusals.len()
    ))
}

fn untrusted(server: &Server, answer: &str) -> (Message, Message) {
    let help = if answer.contains("not valid for name") {
        "give --server the name that the certificate carries"
    } else if answer.contains("Expired") || answer.contains("expired") {
        "its certificate has to be renewed; if this machine's clock is wrong, set it"
    } else {
        "if the server has a certificate of your own CA, give the CA's with --ca FILE"
    };
    (message!("the certificate does not prove that this is {} ({answer}); nothing was sent", server.host), help.into())
}

fn unreachable(server: &Server, error: &Error, answer: &str) -> (Message, Message) {
    let cause = cause(error).map(io::Error::kind);
    let port = match server.secured {
        Secured::Starttls => "STARTTLS is usually at port 587, TLS from the start (--tls tls) at 465",
        Secured::Tls => "TLS from the start is usually at port 465, STARTTLS (--tls starttls) at 587",
        Secured::None => "without encryption it is usually port 25",
    };
    let help = match cause {
        Some(ErrorKind::ConnectionRefused) => message!("check --server and --port; {port}"),
        Some(ErrorKind::TimedOut | ErrorKind::WouldBlock) => {
            message!("the port may be closed by a firewall, or want to be spoken to otherwise; {port}")
        }
        Some(ErrorKind::InvalidData) => message!("it does not speak as --tls says; {port}"),
        _ => message!("check the network, --server and --port; {port}"),
    };
    (message!("the server cannot be reached ({answer}); nothing was sent"), help)
}

fn again(error: &Error) -> Message {
    if error.is_transient() {
        "the server asks for patience: run the same command again in some minutes".into()
    } else {
        "ask who runs the server why it refuses the mail".into()
    }
}

/// What the server or the system said, in one line.
fn answer(error: &Error) -> String {
    let said = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    let said = match error.status() {
        Some(code) => format!("{code} {said}"),
        None if said == "incomplete response" => message!("the server hung up").into(),
        None => said,
    };
    printable(&said).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cause(error: &Error) -> Option<&io::Error> {
    let mut source = error.source();
    while let Some(error) = source {
        if let Some(io) = error.downcast_ref::<io::Error>() {
            return Some(io);
        }
        source = error.source();
    }
    None
}
