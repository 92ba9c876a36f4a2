//! `kashi usage --prometheus`: the hours straight from a metrics cluster.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::message;
use kashi_parsers::usage::Usage;

use crate::text::Lang;

/// Arguments of `kashi usage --prometheus`.
#[derive(Debug, Args)]
#[command(next_help_heading = "From a metrics cluster")]
pub struct ClusterArgs {
    /// Ask this Prometheus, Thanos, Mimir or VictoriaMetrics for the hours, instead of reading
    /// files; its login is in KASHI_PROMETHEUS_TOKEN, or KASHI_PROMETHEUS_USER and
    /// KASHI_PROMETHEUS_PASSWORD
    #[arg(long, value_name = "URL", conflicts_with = "files", requires = "from", requires = "to")]
    pub prometheus: Option<String>,
    /// The first hour: 2026-10-01 or 2026-10-01T08:00; whole UTC hours are taken
    #[arg(long, value_name = "TIME", requires = "prometheus")]
    pub from: Option<String>,
    /// The end, not included: 2026-11-01
    #[arg(long, value_name = "TIME", requires = "prometheus")]
    pub to: Option<String>,
    /// Only series with these labels: 'namespace="lab",cluster=~"a|b"'
    #[arg(long = "match", value_name = "LABELS", requires = "prometheus")]
    pub matching: Option<String>,
    /// Seconds between two samples, such as 30s; found by counting if absent
    #[arg(long, value_name = "TIME", requires = "prometheus")]
    pub scrape_interval: Option<String>,
    /// A header for the server, such as X-Scope-OrgID=team-a
    #[arg(long, value_name = "NAME=VALUE", requires = "prometheus")]
    pub prometheus_header: Vec<String>,
    /// The CA to trust instead of the public ones, PEM
    #[arg(long, value_name = "FILE", requires = "prometheus")]
    pub prometheus_ca: Option<PathBuf>,
}

#[cfg(not(feature = "live"))]
impl ClusterArgs {
    /// Says how to build a kashi that can ask.
    ///
    /// # Errors
    /// Always: this one holds no HTTP client.
    pub fn ask(&self, url: &str, _zone: Zone, _lang: Lang) -> Result<Usage> {
        anyhow::bail!(message!(
            "--prometheus {url}: this kashi was built without an HTTP client\n  help: build one with it: cargo build --release --features live; or save what /api/v1/query_range answers, one file a series, and give the files"
        ))
    }
}

#[cfg(feature = "live")]
impl ClusterArgs {
    /// Asks the cluster.
    ///
    /// # Errors
    /// If an argument is wrong, or the server cannot be reached, refuses, or holds nothing.
    pub fn ask(&self, url: &str, zone: Zone, lang: Lang) -> Result<Usage> {
        use kashi_parsers::usage::cluster;

        let inquiry = self.inquiry(zone)?;
        let mut server = crate::live::Server::new(url, &self.settings()?)?;
        let steps = crate::progress::Steps::new(lang);
        steps.say("asking the metrics cluster");
        let usage = cluster::ask(&mut server, &inquiry);
        steps.done();
        Ok(usage?)
    }

    fn inquiry(&self, zone: Zone) -> Result<kashi_parsers::usage::cluster::Inquiry> {
        use anyhow::anyhow;
        use kashi_parsers::usage::cluster::{Inquiry, Matchers, Span};

        let (from, to) = (self.from.as_deref().unwrap_or_default(), self.to.as_deref().unwrap_or_default());
        let span = Span::new(time("--from", from, zone)?, time("--to", to, zone)?)
            .map_err(|why| anyhow!(message!("--from {from} --to {to}: {why}")))?;
        let matching = self.matching.as_deref().unwrap_or_default();
        let matchers = Matchers::parse(matching).map_err(|part| {
            anyhow!(message!("--match {matching}: {part:?} is no label matcher\n  help: write it as in PromQL, quoted for the shell: --match 'namespace=\"lab\",cluster=~\"a|b\"'"))
        })?;
        let scrape = self.scrape_interval.as_deref().map(seconds).transpose()?;
        Ok(Inquiry { span, matchers, scrape })
    }

    fn settings(&self) -> Result<crate::live::Settings> {
        use anyhow::Context;

        let read = |path: &PathBuf| {
            std::fs::read(path).with_context(|| message!("--prometheus-ca {}: cannot be read", path.display()))
        };
        Ok(crate::live::Settings {
            headers: self.prometheus_header.clone(),
            ca: self.prometheus_ca.as_ref().map(read).transpose()?,
            login: crate::live::Login::from_environment()?,
        })
    }
}

/// A time as UTC.
#[cfg(feature = "live")]
fn time(flag: &str, text: &str, zone: Zone) -> Result<chrono::DateTime<chrono::Utc>> {
    use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};

    if let Ok(zoned) = DateTime::parse_from_rfc3339(text) {
        return Ok(zoned.to_utc());
    }
    let shapes = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"];
    let local = shapes
        .iter()
        .find_map(|shape| NaiveDateTime::parse_from_str(text, shape).ok())
        .or_else(|| Some(NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_time(NaiveTime::MIN)));
    let utc = local.and_then(|local| zone.to_utc(local));
    utc.ok_or_else(|| {
        anyhow::anyhow!(message!(
            "{flag} {text:?} is no time; expected a day such as 2026-10-01 or a time such as 2026-10-01T08:00"
        ))
    })
}

/// Whole seconds of `30s`, `1m` or `30`.
#[cfg(feature = "live")]
fn seconds(text: &str) -> Result<u32> {
    let (number, unit) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    let seconds = number.parse::<u32>().ok().and_then(|n| n.checked_mul(unit));
    seconds.filter(|s| (1..=3600).contains(s)).ok_or_else(|| {
        anyhow::anyhow!(message!("--scrape-interval {text:?} is none; expected one from 1s to 60m, such as 30s or 1m"))
    })
}
