//! What a user says of a metrics server.

use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use ureq::Agent;
use ureq::http::{HeaderName, HeaderValue, Uri};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use super::Login;
use super::login::{PASSWORD, TOKEN, USER};
use kashi_parsers::message;

/// How long the server may take to take a connection, and for one answer.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(180);

/// What a user says of a metrics server, besides where it is.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Headers, `name=value`.
    pub headers: Vec<String>,
    /// A CA to trust instead of the public ones, PEM.
    pub ca: Option<Vec<u8>>,
    /// The login.
    pub login: Option<Login>,
}

/// The address, without what follows the API's own path, and the host alone.
pub(super) fn address(url: &str, login: Option<&Login>) -> Result<(String, String)> {
    let wanted = "expected one such as https://prometheus.example.com or https://mimir.example.com/prometheus";
    // The whole is not repeated in the error: a password may stand in it.
    if url.rsplit_once("://").unwrap_or(("", url)).1.split('/').next().is_some_and(|authority| authority.contains('@'))
    {
        bail!(message!(
            "--prometheus: the URL holds a login, which others could read\n  help: put it into {TOKEN}, or {USER} and {PASSWORD}"
        ));
    }
    let uri: Uri = url.parse().map_err(|e| anyhow!(message!("--prometheus {url:?} is no URL ({e}); {wanted}")))?;
    let (Some(scheme @ ("http" | "https")), Some(authority), Some(host)) =
        (uri.scheme_str(), uri.authority(), uri.host())
    else {
        bail!(message!("--prometheus {url:?} is no URL of a web server; {wanted}"));
    };
    if uri.query().is_some() {
        bail!(message!("--prometheus {url:?}: the URL holds a query; give the server's address alone, {wanted}"));
    }
    let here = host == "localhost" || host.starts_with("127.") || host == "[::1]";
    if let Some(login) = login.filter(|_| scheme == "http" && !here) {
        bail!(message!(
            "--prometheus {url}: the login of {} would be sent in the clear\n  help: give an https:// address, or reach the server through this machine (http://localhost:9090, as a port-forward does), or unset the variable",
            login.source
        ));
    }
    let path = uri.path().trim_end_matches('/');
    let path = path.split("/api/v1").next().unwrap_or_default();
    let path = path.strip_suffix("/graph").unwrap_or(path);
    Ok((format!("{scheme}://{authority}{path}"), host.to_owned()))
}

/// Headers that carry a login: on a command line others could read it.
const SECRET: [&str; 3] = ["authorization", "cookie", "proxy-authorization"];

/// The headers, taken apart.
pub(super) fn headers(given: &[String]) -> Result<Vec<(HeaderName, HeaderValue)>> {
    let mut all = Vec::new();
    for header in given {
        let parts = header.split_once('=').map(|(n, v)| (n.trim(), v.trim()));
        let (name, value) = parts.ok_or_else(|| {
            anyhow!(message!(
                "--prometheus-header {header:?} is none; expected NAME=VALUE such as X-Scope-OrgID=team-a"
            ))
        })?;
        if SECRET.contains(&name.to_lowercase().as_str()) {
            bail!(message!(
                "--prometheus-header {name}: others could read a login on the command line\n  help: put it into {TOKEN}, or {USER} and {PASSWORD}"
            ));
        }
        let wrong = || anyhow!(message!("--prometheus-header {header:?} holds signs that no header can"));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
        all.push((name, HeaderValue::from_str(value).map_err(|_| wrong())?));
    }
    Ok(all)
}

/// What sends the requests. It follows no redirect: the login must not go where it leads.
pub(super) fn agent(ca: Option<&[u8]>) -> Result<Agent> {
    let mut tls = TlsConfig::builder();
    if let Some(pem) = ca {
        tls = tls.root_certs(RootCerts::from(certificates(pem)?));
    }
    let config = Agent::config_builder()
        .tls_config(tls.build())
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(CONNECT))
        .timeout_global(Some(ANSWER))
        .user_agent(concat!("kashi/", env!("CARGO_PKG_VERSION")))
        .build();
    Ok(config.new_agent())
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate<'static>>> {
    let mut all = Vec::new();
    for item in parse_pem(pem) {
        if let PemItem::Certificate(certificate) =
            item.map_err(|e| anyhow!(message!("--prometheus-ca: is no PEM ({e})")))?
        {
            all.push(certificate);
        }
    }
    if all.is_empty() {
        bail!(message!(
            "--prometheus-ca: holds no certificate; give the file that begins with -----BEGIN CERTIFICATE-----"
        ));
    }
    Ok(all)
}
