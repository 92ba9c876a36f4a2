//! Why there is no answer, whether another try may help, and what the user can do.

use std::time::Duration;

use kashi_parsers::error::{Error, Kind, Origin};
use kashi_parsers::usage::cluster::{Answer, Cluster as _, Refused};
use kashi_parsers::{Message, message};
use serde::de::{DeserializeOwned, IgnoredAny};
use ureq::Body;
use ureq::http::Response;
use ureq::http::header::{LOCATION, RETRY_AFTER};

use super::Server;
use super::login::{PASSWORD, TOKEN, USER};
use super::server::TRIES;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// Another try may help, after so long if the server says it.
    Busy(Error, Option<Duration>),
    /// It took too long: another try may help, a shorter span more likely.
    Slow(Error),
    /// A shorter span may help.
    TooMuch(Error),
    /// Nothing will.
    Final(Error),
}

impl Failure {
    /// The error, once nothing more is tried.
    pub(super) fn into_error(self) -> Error {
        match self {
            Self::Busy(error, _) | Self::Slow(error) | Self::TooMuch(error) | Self::Final(error) => error,
        }
    }
}

/// The answer that a response holds.
pub(super) fn judge<T: DeserializeOwned>(
    server: &Server,
    response: &Response<Body>,
    body: &[u8],
) -> Result<Answer<T>, Failure> {
    let status = response.status();
    if status.is_success() {
        return Answer::parse(body).map_err(|e| server.unparsed(&e, body));
    }
    let refused = Answer::<IgnoredAny>::parse(body).ok().and_then(|a| a.outcome.err()).unwrap_or_default();
    let header = |name| response.headers().get(name).and_then(|v| v.to_str().ok());
    let code = status.as_u16();
    let said = refused.message.as_str();
    let error = || match said {
        "" => server.error(message!("the server answers {status}")),
        said => server.error(message!("the server answers {status}: {}", said)),
    };
    Err(match code {
        300..=399 => Failure::Final(server.redirected(header(LOCATION).unwrap_or_default())),
        401 | 403 => Failure::Final(server.denied(code, said)),
        404 | 405 | 410 => Failure::Final(error().hint("give the address under which /api/v1/query_range is: for Mimir it ends in /prometheus, for a VictoriaMetrics cluster in /select/0/prometheus")),
        413 | 422 => Failure::TooMuch(error().hint("narrow it with --match, or let the server read more at once")),
        400 if is_bound(&refused.message) => Failure::TooMuch(error().hint("narrow it with --match, or let the server read more at once")),
        503 if refused.kind == "timeout" => Failure::TooMuch(error().hint("narrow it with --match, or let a query take longer on the server")),
        504 => Failure::Slow(error().hint("narrow it with --match, or let a query take longer on the server")),
        408 | 429 | 500..=599 => {
            let seconds = header(RETRY_AFTER).and_then(|s| s.trim().parse().ok());
            Failure::Busy(error().hint(message!("it was asked {TRIES} times; ask again later")), seconds.map(Duration::from_secs))
        }
        _ => Failure::Final(error().hint("kashi asks in PromQL with last_over_time, which Prometheus knows since 2.26")),
    })
}

/// Whether a refusal is about how much is asked for.
fn is_bound(message: &str) -> bool {
    ["exceed", "too many", "too long", "limit"].iter().any(|word| message.contains(word))
}

impl Server {
    /// An error that names the server.
    pub(super) fn error(&self, message: impl Into<Message>) -> Error {
        Error::new(Kind::Usage, message).at(Origin::file(self.name()))
    }

    /// The server understood the question and gives no data.
    pub(super) fn refused(&self, refused: &Refused) -> Error {
        self.error(message!("the server refuses: {} {}", refused.kind, refused.message))
            .hint("kashi asks in PromQL with last_over_time, which Prometheus knows since 2.26")
    }

    /// A request that got no response.
    pub(super) fn unsent(&self, error: &ureq::Error) -> Failure {
        let failed = |hint: Message| self.error(message!("cannot be asked: {error}")).hint(hint);
        match error {
            ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
                Failure::Busy(failed("check the address, and whether a firewall or VPN stands between".into()), None)
            }
            ureq::Error::Timeout(_) => {
                Failure::Slow(failed("narrow it with --match, or let a query take longer on the server".into()))
            }
            ureq::Error::HostNotFound => Failure::Final(failed("check the host's name in --prometheus".into())),
            ureq::Error::Io(e) if is_tls(e) => Failure::Final(failed(TRUST.into())),
            ureq::Error::Io(_) | ureq::Error::ConnectionFailed | ureq::Error::Protocol(_) => Failure::Busy(
                failed(message!(
                    "it was asked {TRIES} times; check the address and the port, and whether it is http:// or https://"
                )),
                None,
            ),
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) => Failure::Final(failed(TRUST.into())),
            _ => Failure::Final(failed("check --prometheus".into())),
        }
    }

    /// A response whose body did not come to its end.
    pub(super) fn unread(&self, error: &ureq::Error) -> Failure {
        match error {
            ureq::Error::BodyExceedsLimit(_) => {
                Failure::TooMuch(self.error("the answer is larger than 256 MiB").hint("narrow it with --match"))
            }
            ureq::Error::Timeout(_) => self.unsent(error),
            _ => Failure::Busy(self.cut(&error.to_string()), None),
        }
    }

    /// A body that is no answer.
    fn unparsed(&self, error: &serde_json::Error, body: &[u8]) -> Failure {
        let text = body.trim_ascii_start();
        if text.starts_with(b"<") {
            return Failure::Final(self.error("answers with a web page, not as Prometheus does").hint(message!(
                "a page to log in mostly stands before it: ask behind it, or with a login in {TOKEN}, or {USER} and {PASSWORD}"
            )));
        }
        if error.is_eof() {
            return Failure::Busy(self.cut(&error.to_string()), None);
        }
        Failure::Final(
            self.error(message!("answers, but not as Prometheus does: {error}"))
                .hint("give the address under which /api/v1/query_range is, without what follows it"),
        )
    }

    fn cut(&self, why: &str) -> Error {
        self.error(message!("the answer ends before its end: {why}"))
            .hint(message!("it was asked {TRIES} times; a proxy may cut the answers off"))
    }

    fn redirected(&self, to: &str) -> Error {
        self.error(message!("sends its callers on to {to:?}, and kashi does not carry a login there"))
            .hint("if that is the server's address, give it as --prometheus; if it is a page to log in, ask behind it")
    }

    fn denied(&self, code: u16, said: &str) -> Error {
        let (what, hint) = match (&self.login, said) {
            (None, "") => (message!("wants a login ({code})"), None),
            (None, _) => (message!("wants a login ({code}): {said}"), None),
            (Some(login), "") => (message!("does not take the login ({code})"), Some(login)),
            (Some(login), _) => (message!("does not take the login ({code}): {said}"), Some(login)),
        };
        self.error(what).hint(match hint {
            None => message!("put it into the environment: {TOKEN}, or {USER} and {PASSWORD}"),
            Some(login) => message!("check {}, and what it may read", login.source),
        })
    }
}

const TRUST: &str = "if its certificate is from a CA of your own, give that as --prometheus-ca FILE";

/// Whether a connection failed because of the certificate or the handshake.
fn is_tls(error: &std::io::Error) -> bool {
    let text = error.to_string();
    error.kind() == std::io::ErrorKind::InvalidData || text.contains("certificate") || text.contains("TLS")
}
