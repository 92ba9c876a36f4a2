//! The HTTP API of Prometheus.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::Duration;

use anyhow::Result;
use kashi_parsers::error::Result as Parsed;
use kashi_parsers::usage::cluster::{Answer, Cluster, Matrix, Reply, Span};
use serde::de::DeserializeOwned;
use ureq::http::{HeaderName, HeaderValue, Response};
use ureq::{Agent, Body};

use super::failure::{Failure, judge};
use super::settings::{Settings, address, agent, headers};

/// How often a question is asked, and how long is waited after the first time; twice that after
/// the second, and so on.
pub(super) const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);
/// How often a question is asked that takes too long, or whose answer is partial.
const FEW_TRIES: u32 = 2;
/// The longest wait that a server may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Bytes of an answer.
const MOST: u64 = 256 << 20;

/// A metrics server.
#[derive(Debug)]
pub struct Server {
    agent: Agent,
    address: String,
    host: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) login: Option<super::Login>,
    /// Warnings that stayed when it was asked again: it is not asked again because of them.
    stay: BTreeSet<String>,
}

impl Server {
    /// A server at an address.
    ///
    /// # Errors
    /// If the address, a header or the CA is none, or the login would be sent in the clear.
    pub fn new(url: &str, settings: &Settings) -> Result<Self> {
        let (address, host) = address(url, settings.login.as_ref())?;
        Ok(Self {
            agent: agent(settings.ca.as_deref())?,
            address,
            host,
            headers: headers(&settings.headers)?,
            login: settings.login.clone(),
            stay: BTreeSet::new(),
        })
    }

    /// Asks until there is an answer, or no hope of one.
    fn patiently<T: DeserializeOwned>(&mut self, ask: &Ask<'_>) -> std::result::Result<Answer<T>, Failure> {
        let mut tries = 1;
        loop {
            let pause = match self.once::<T>(ask) {
                Ok(answer) if tries < FEW_TRIES && self.is_new(&answer.warnings) => None,
                Ok(answer) => {
                    self.stay.extend(answer.warnings.iter().cloned());
                    return Ok(answer);
                }
                Err(Failure::Busy(error, _)) if tries >= TRIES => return Err(Failure::Final(error)),
                Err(Failure::Busy(_, pause)) => pause,
                Err(Failure::Slow(error)) if tries >= FEW_TRIES => return Err(Failure::TooMuch(error)),
                Err(Failure::Slow(_)) => None,
                Err(failure) => return Err(failure),
            };
            sleep(pause.unwrap_or_default().min(LONGEST_PAUSE).max(PAUSE * (1 << (tries - 1))));
            tries += 1;
        }
    }

    fn is_new(&self, warnings: &[String]) -> bool {
        // Prometheus' remarks on a query are the same each time.
        warnings.iter().any(|w| !w.starts_with("PromQL ") && !self.stay.contains(w))
    }

    fn once<T: DeserializeOwned>(&self, ask: &Ask<'_>) -> std::result::Result<Answer<T>, Failure> {
        let mut response = self.send(ask).map_err(|e| self.unsent(&e))?;
        let body = response.body_mut().with_config().limit(MOST).read_to_vec().map_err(|e| self.unread(&e))?;
        judge(self, &response, &body)
    }

    fn send(&self, ask: &Ask<'_>) -> std::result::Result<Response<Body>, ureq::Error> {
        let url = format!("{}/api/v1/{}", self.address, ask.path);
        let mut all = self.headers.clone();
        if let Some(Ok(login)) = self.login.as_ref().map(|l| HeaderValue::from_str(l.header())) {
            all.push((ureq::http::header::AUTHORIZATION, login));
        }
        let pairs = ask.pairs.iter().map(|(name, value)| (*name, value.as_str()));
        if ask.post {
            let request = all.into_iter().fold(self.agent.post(url), |r, (name, value)| r.header(name, value));
            return request.send_form(pairs);
        }
        let request = all.into_iter().fold(self.agent.get(url), |r, (name, value)| r.header(name, value));
        request.query_pairs(pairs).call()
    }
}

/// A question.
struct Ask<'a> {
    path: &'a str,
    /// Whether it may be longer than an address can be.
    post: bool,
    pairs: Vec<(&'a str, String)>,
}

impl Cluster for Server {
    fn name(&self) -> &str {
        &self.address
    }

    fn label(&self) -> &str {
        &self.host
    }

    fn names(&mut self, selector: &str, span: Span) -> Parsed<(Vec<String>, Vec<String>)> {
        let pairs = vec![
            ("match[]", selector.to_owned()),
            ("start", span.from().timestamp().to_string()),
            ("end", span.until().timestamp().to_string()),
        ];
        let ask = Ask { path: "label/__name__/values", post: false, pairs };
        let answer = self.patiently::<Option<Vec<String>>>(&ask).map_err(Failure::into_error)?;
        match answer.outcome {
            Ok(names) => Ok((names.unwrap_or_default(), answer.warnings)),
            Err(refused) => Err(self.refused(&refused)),
        }
    }

    fn hourly(&mut self, query: &str, span: Span) -> Parsed<Reply> {
        let pairs = vec![
            ("query", query.to_owned()),
            ("start", span.first_end().timestamp().to_string()),
            ("end", span.until().timestamp().to_string()),
            ("step", "3600".to_owned()),
            // Thanos: the samples themselves, no hours of its own making.
            ("max_source_resolution", "0s".to_owned()),
        ];
        let ask = Ask { path: "query_range", post: true, pairs };
        match self.patiently::<Matrix>(&ask) {
            Ok(Answer { outcome: Ok(matrix), warnings }) => Ok(Reply::Matrix(matrix, warnings)),
            Ok(Answer { outcome: Err(refused), .. }) => Err(self.refused(&refused)),
            Err(Failure::TooMuch(error)) => Ok(Reply::TooMuch(error)),
            Err(failure) => Err(failure.into_error()),
        }
    }
}
