//! What a metrics cluster is asked, and what becomes of its answers; no server is needed.

use std::fmt::Write as _;
use std::path::Path;

use chrono::{DateTime, Utc};
use kashi_parsers::error::{Error, Kind, Result};
use kashi_parsers::usage::cluster::{Answer, Cluster, Inquiry, Matchers, Matrix, Reply, Span, ask};
use kashi_parsers::usage::{Usage, write_hours_csv};
use serde_json::json;

use crate::golden;

fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn inquiry(from: &str, until: &str) -> Inquiry {
    let matchers = Matchers::parse("{ cluster = \"a\\\"b\", job!~\"x|y\" }").unwrap();
    Inquiry { span: Span::new(time(from), time(until)).unwrap(), matchers, scrape: None }
}

/// A cluster of one card in two series that take turns, and one that only its place tells.
#[derive(Default)]
struct Scripted {
    names: Vec<&'static str>,
    asked: Vec<(String, Span)>,
    /// Hours that it gives at once.
    most: Option<i64>,
    counted: f64,
}

impl Cluster for Scripted {
    fn name(&self) -> &str {
        "https://prometheus.example.com"
    }

    fn label(&self) -> &str {
        "prometheus.example.com"
    }

    fn names(&mut self, selector: &str, span: Span) -> Result<(Vec<String>, Vec<String>)> {
        self.asked.push((selector.to_owned(), span));
        Ok((self.names.iter().map(|n| (*n).to_owned()).collect(), Vec::new()))
    }

    fn hourly(&mut self, query: &str, span: Span) -> Result<Reply> {
        self.asked.push((query.to_owned(), span));
        if self.most.is_some_and(|most| span.hours() > most) {
            return Ok(Reply::TooMuch(Error::new(Kind::Usage, "too many samples")));
        }
        let value = match query {
            q if q.starts_with("max by (job)") => self.counted,
            q if q.contains(" < 5)") => 20.0,
            q if q.contains(" >= 70)") => 90.0,
            q if q.contains(" >= 95)") => 7.0,
            q if q.starts_with("count") => 100.0,
            q if q.starts_with("min") => 5.0,
            q if q.starts_with("quantile") => 96.000_000_001,
            q if q.contains("GR_ENGINE_ACTIVE") && q.starts_with("max") => 0.960_04,
            _ => 96.004,
        };
        let ends = (1..=span.hours()).map(|h| span.from().timestamp() + h * 3600);
        let values: Vec<_> = ends.map(|at| json!([at, value.to_string()])).collect();
        let labels = match query {
            q if q.contains("max by (") => {
                vec![json!({"UUID": "GPU-1", "instance": "", "gpu": ""}), json!({"gpu": "3", "instance": "n:9400"})]
            }
            _ => vec![
                json!({"UUID": "GPU-1", "Hostname": "node-a", "modelName": "NVIDIA-A100", "pod": "a", "gpu": "0"}),
                json!({"UUID": "GPU-1", "Hostname": "node-a", "modelName": "NVIDIA-A100", "pod": "b", "gpu": "0"}),
                json!({"gpu": "3", "instance": "n:9400"}),
                json!({"job": "nothing that names a card"}),
            ],
        };
        let series: Vec<_> = labels.into_iter().map(|l| json!({"metric": l, "values": values})).collect();
        let body = json!({"status": "success", "data": {"resultType": "matrix", "result": series}}).to_string();
        Ok(Reply::Matrix(Answer::<Matrix>::parse(body.as_bytes()).unwrap().outcome.unwrap(), Vec::new()))
    }
}

fn csv(usage: &Usage) -> String {
    let mut csv = Vec::new();
    write_hours_csv(&usage.hours, &mut csv).unwrap();
    String::from_utf8(csv).unwrap()
}

#[test]
fn the_questions_are_these_and_the_hours_follow() {
    let names = vec![
        "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
        "DCGM_FI_DEV_FB_FREE",
        "DCGM_FI_DEV_POWER_USAGE",
        "nvidia_smi_gpu_info",
        "up",
    ];
    let mut cluster = Scripted { names, counted: 119.0, ..Scripted::default() };
    let usage = ask(&mut cluster, &inquiry("2026-09-01T23:10:00Z", "2026-09-02T01:00:00Z")).unwrap();
    let mut said = String::new();
    for (query, span) in &cluster.asked {
        let _ = writeln!(said, "{span}\n  {query}");
    }
    golden::check(Path::new("tests/cluster/queries.txt"), &said);
    golden::check(Path::new("tests/cluster/hours.csv"), &csv(&usage));
    let source = &usage.sources[0];
    assert_eq!(source.notes, ["scrape interval 30 s, found by counting samples"]);
    assert_eq!(source.devices, ["GPU-1", "n:9400/3"]);
    assert_eq!(source.left_out["series without a card's label"], 6);
}

#[test]
fn a_span_that_is_too_much_is_asked_for_in_halves() {
    let span = ("2026-09-01T00:00:00Z", "2026-09-02T00:00:00Z");
    let scripted = |most| Scripted { names: vec!["DCGM_FI_DEV_GPU_UTIL"], counted: 60.0, most, ..Scripted::default() };
    let whole = ask(&mut scripted(None), &inquiry(span.0, span.1)).unwrap();
    let halved = ask(&mut scripted(Some(5)), &inquiry(span.0, span.1)).unwrap();
    assert_eq!(csv(&whole), csv(&halved));
    let error = ask(&mut scripted(Some(0)), &inquiry(span.0, span.1)).unwrap_err();
    assert_eq!(error.to_string(), "too many samples", "not even an hour");
}

#[test]
fn the_scrape_interval_is_what_the_fullest_hour_shows() {
    // Samples in the fullest hour, and the interval that they show.
    let cases = [
        (3600.0, "1 s"),
        (721.0, "5 s"),
        (360.0, "10 s"),
        (241.0, "15 s"),
        (239.0, "15 s"),
        (120.0, "30 s"),
        (61.0, "60 s"),
        (59.0, "60 s"),
        (12.0, "300 s"),
        (514.0, "7 s"),
        (1.0, "3600 s"),
    ];
    for (counted, interval) in cases {
        let mut cluster = Scripted { names: vec!["DCGM_FI_DEV_GPU_UTIL"], counted, ..Scripted::default() };
        let usage = ask(&mut cluster, &inquiry("2026-09-01T00:00:00Z", "2026-09-01T01:00:00Z")).unwrap();
        assert_eq!(usage.sources[0].notes[0], format!("scrape interval {interval}, found by counting samples"));
    }
}

#[test]
fn a_selector_is_one_or_is_refused_with_the_part_that_is_not() {
    for (text, read) in
        [("", ""), ("{}", ""), ("a=\"b\"", "a=\"b\""), (" {a =~ \"x{2}\", _b!=\"\",} ", "a =~ \"x{2}\",_b!=\"\"")]
    {
        assert_eq!(Matchers::parse(text).unwrap().as_str(), read, "{text}");
    }
    for (text, part) in [
        ("a=b", "a=b"),
        ("a=\"b", "a=\"b"),
        ("a=\"b\" c=\"d\"", "c=\"d\""),
        ("__name__=\"up\"", "__name__=\"up\""),
        ("1a=\"b\"", "1a=\"b\""),
        ("a=\"b\"} or up{", "} or up{"),
        ("a=\"b\n\"", "a=\"b\n\""),
    ] {
        assert_eq!(Matchers::parse(text).unwrap_err(), part, "{text}");
    }
}

#[test]
fn an_answer_that_refuses_says_why() {
    let body = br#"{"status":"error","errorType":"bad_data","error":"parse error","warnings":null}"#;
    let refused = Answer::<Matrix>::parse(body).unwrap().outcome.unwrap_err();
    assert_eq!((refused.kind.as_str(), refused.message.as_str()), ("bad_data", "parse error"));
    assert!(Answer::<Matrix>::parse(br#"{"status":"success","data":{"resul"#).unwrap_err().is_eof());
}

#[cfg(not(feature = "live"))]
#[test]
fn without_the_client_it_says_how_to_build_one() {
    let arguments = ["usage", "--prometheus", "https://x.example", "--from", "2026-09-01", "--to", "2026-09-02"];
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_kashi")).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("built without an HTTP client") && said.contains("--features live"), "{said}");
}
