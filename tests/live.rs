//! `kashi usage --prometheus` against a real Prometheus, and against servers on a bad day.

use std::path::Path;
use std::process::{Command, Output};

use kashi_parsers::usage::{Options, UsageHour, read};

mod served;

use served::Served;

/// What the rolled-up raw samples and the hours of the cluster may differ by, in scrape intervals.
const BORDERS: f64 = 2.0;
const TURNS: f64 = 2.0;

fn kashi(folder: &Path, login: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kashi"));
    for name in ["TOKEN", "USER", "PASSWORD"] {
        command.env_remove(format!("KASHI_PROMETHEUS_{name}"));
    }
    command.current_dir(folder).arg("usage").args(arguments).envs(login.iter().copied());
    command.env("NO_PROXY", "localhost,127.0.0.1").env_remove("RUST_BACKTRACE").output().unwrap()
}

/// What it prints on standard error, after it ended with this code.
fn ends(output: &Output, code: i32) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(!said.contains("horse"), "a login is never printed: {said}");
    said
}

fn hours(folder: &Path, file: &str) -> Vec<UsageHour> {
    read(&[(file.to_owned(), folder.join(file))], &Options::default()).unwrap().hours
}

const FLEET: [&str; 4] = ["--from", "2026-09-01T22:00", "--to", "2026-09-03T02:00"];
const LOGIN: [(&str, &str); 2] = [("KASHI_PROMETHEUS_USER", "finance"), ("KASHI_PROMETHEUS_PASSWORD", "correct horse")];

#[test]
fn the_hours_of_a_real_prometheus_are_those_of_its_raw_samples() {
    let Some(server) = Served::prometheus() else { return };
    let folder = server.folder.path();
    let url = format!("https://localhost:{}", server.port);
    let from = ["--prometheus", &url, "--prometheus-ca", "ca.pem"];
    let said = ends(&kashi(folder, &LOGIN, &[&from, &FLEET[..], &["-o", "live.csv"]].concat()), 0);
    assert!(said.contains("scrape intervals found by counting samples: 15 to 30 s, 30 s, 60 s"), "{said}");
    assert!(!said.contains("hours no card's utilization is known"), "{said}");
    ends(&kashi(folder, &[], &["raw", "-o", "raw.csv"]), 0);

    let (live, raw) = (hours(folder, "live.csv"), hours(folder, "raw.csv"));
    let within = |h: &&UsageHour| (FROM..FROM + 28 * 3600).contains(&h.hour.timestamp());
    let raw: Vec<&UsageHour> = raw.iter().filter(within).collect();
    let known = |h: &UsageHour| (h.device.clone(), h.host.clone(), h.name.clone(), h.hour);
    let all: Vec<_> = live.iter().map(known).collect();
    assert_eq!(all, raw.iter().map(|h| known(h)).collect::<Vec<_>>(), "devices and hours");
    assert!(live.len() >= 7 * 27, "{}", live.len());
    for (live, raw) in live.iter().zip(raw) {
        alike(live, raw);
    }

    // What it wrote is what an audit reads, and the second time it writes the same.
    let again = kashi(folder, &LOGIN, &[&from, &FLEET[..]].concat());
    // A file begins with a byte-order mark, standard output does not.
    let written = std::fs::read(folder.join("live.csv")).unwrap();
    assert_eq!(Some(&again.stdout[..]), written.strip_prefix("\u{feff}".as_bytes()));
    // Of one pod's series alone, the rest of the time is unknown.
    let pod = ["--match", "{pod=\"train-3\", namespace=~\"lab|shop\"}", "--scrape-interval", "30s", "-o", "pod.csv"];
    ends(&kashi(folder, &LOGIN, &[&from, &FLEET[..], &pod].concat()), 0);
    let seconds: f64 = hours(folder, "pod.csv").iter().map(|h| h.observed_s).sum();
    assert!((seconds - 5400.0).abs() <= 60.0, "{seconds}");

    let said = ends(&kashi(folder, &[], &[&from, &FLEET[..]].concat()), 2);
    assert!(said.contains("wants a login (401)") && said.contains("KASHI_PROMETHEUS_TOKEN"), "{said}");
    let wrong = [LOGIN[0], ("KASHI_PROMETHEUS_PASSWORD", "battery horse")];
    let said = ends(&kashi(folder, &wrong, &[&from, &FLEET[..]].concat()), 2);
    assert!(said.contains("does not take the login (401)"), "{said}");
    let said = ends(&kashi(folder, &LOGIN, &[&["--prometheus", &url], &FLEET[..]].concat()), 2);
    assert!(said.contains("--prometheus-ca FILE"), "a certificate of nobody known is not trusted: {said}");
    let nothing = ["--from", "2026-10-01", "--to", "2026-10-02"];
    let said = ends(&kashi(folder, &LOGIN, &[&from, &nothing[..]].concat()), 2);
    assert!(said.contains("holds no series of cards from 2026-10-01T00:00:00Z to 2026-10-02T00:00:00Z"), "{said}");
}

/// The first hour of the fleet.
const FROM: i64 = 1_788_300_000;

/// Holds an hour of the cluster to the one that the raw samples make.
fn alike(live: &UsageHour, raw: &UsageHour) {
    let (turning, step) = match &live.device {
        d if d.ends_with('1') && !d.contains('/') => (true, 30.0),
        d if d.starts_with("GPU-b") => (false, 15.0),
        d if d.starts_with("GPU-6") => (false, 60.0),
        _ => (false, 30.0),
    };
    let most = step * if turning { BORDERS + TURNS } else { BORDERS };
    let near = |what: &str, live: f64, raw: f64, most: f64, hour: &UsageHour| {
        assert!((live - raw).abs() <= most, "{what}: {live} is not within {most} of {raw}\n{hour:?}");
    };
    near("observed", live.observed_s, raw.observed_s, most, live);
    near("idle", live.idle_s, raw.idle_s, most, live);
    near("busy", live.busy_s, raw.busy_s, most, live);
    near("full", live.full_s, raw.full_s, most, live);
    let percent = |v: Option<f64>| v.unwrap_or(-1.0);
    let shift = 100.0 * most / raw.observed_s.max(1.0);
    near("mean", percent(live.util_mean), percent(raw.util_mean), shift, live);
    // The loads are whole percents at random: the next rank is a few percent away at most.
    near("p95", percent(live.util_p95), percent(raw.util_p95), if raw.observed_s > 600.0 { 4.0 } else { 100.0 }, live);
    let exact = |h: &UsageHour| (h.util_max, h.memory_max, h.memory_total, h.power_max, h.power_limit);
    if turning || raw.observed_s < 600.0 {
        return assert_eq!(live.util_max.is_some(), raw.util_max.is_some(), "{live:?}\n{raw:?}");
    }
    assert_eq!(exact(live), exact(raw), "{live:?}\n{raw:?}");
}

/// Two days, so that there are two questions of each kind.
const DAYS: [&str; 4] = ["--from", "2026-09-01", "--to", "2026-09-03"];
const TOKEN: [(&str, &str); 1] = [("KASHI_PROMETHEUS_TOKEN", "right-horse")];

#[test]
fn a_server_that_is_busy_or_cut_off_is_asked_again() {
    let Some(server) = Served::fake() else { return };
    let folder = server.folder.path();
    let asked = |behaviour: &str| {
        let url = format!("http://127.0.0.1:{}/{behaviour}", server.port);
        let output = kashi(
            folder,
            &TOKEN,
            &[&["--prometheus", &url, "--prometheus-header", "X-Scope-OrgID=a"], &DAYS[..]].concat(),
        );
        let said = ends(&output, 0);
        (String::from_utf8(output.stdout).unwrap(), said)
    };
    let (steady, said) = asked("steady");
    assert_eq!(steady.lines().count(), 1 + 2 * 48);
    let first = "GPU-00000000-0000-4000-8000-000000000000,,,node-f,NVIDIA H20,2026-09-01T00:00:00Z,3600,1800,900,30.25,97,97,,,,,450,,0,0,0";
    assert_eq!(steady.lines().nth(1), Some(first));
    assert!(said.contains("note: scrape interval 30 s, found by counting samples\n"), "{said}");
    for behaviour in ["busy", "late", "cut", "hangup", "hiccup", "large", "slow", "token"] {
        let (same, said) = asked(behaviour);
        assert_eq!(same, steady, "{behaviour}");
        assert!(!said.contains("warned"), "{behaviour}: {said}");
    }
    for request in server.requests() {
        assert_eq!(request["headers"]["authorization"], "Bearer right-horse");
        assert_eq!(request["headers"]["x-scope-orgid"], "a");
    }
    let spans = |behaviour: &str| -> Vec<i64> {
        let path = format!("/{behaviour}/api/v1/query_range");
        let of = |r: &serde_json::Value, name: &str| r["pairs"][name].as_str().unwrap().parse::<i64>().unwrap();
        let all = server.requests();
        let ranged = all.iter().filter(|r| r["path"] == path.as_str());
        ranged.map(|r| (of(r, "end") - of(r, "start")) / 3600 + 1).collect()
    };
    assert!(spans("steady").iter().all(|hours| *hours == 24));
    assert_eq!(spans("large")[..7], [24, 12, 6, 6, 12, 6, 6], "halved until the server can");
    assert_eq!(spans("slow"), spans("large"));
}

#[test]
fn what_a_partial_answer_leaves_out_is_unknown_and_said() {
    let Some(server) = Served::fake() else { return };
    let url = format!("http://127.0.0.1:{}/partial", server.port);
    let output = kashi(server.folder.path(), &[], &[&["--prometheus", &url], &DAYS[..], &["-o", "p.csv"]].concat());
    let said = ends(&output, 0);
    assert!(said.contains("No StoreAPIs matched for this query; what it left out is unknown"), "{said}");
    let hours = hours(server.folder.path(), "p.csv");
    assert_eq!(hours.iter().filter(|h| h.device.starts_with("GPU-0")).count(), 48);
    assert_eq!(hours.iter().filter(|h| h.device.starts_with("GPU-1")).count(), 24);
    assert!(hours.iter().all(|h| h.observed_s >= h.idle_s + h.busy_s));
    // A warning that stays is not asked about again and again: two names, then once a question.
    assert_eq!(server.requests().len(), 2 + 2 * 9);
}

#[test]
fn a_server_that_gives_no_hours_is_told_apart_and_says_what_to_do() {
    let Some(server) = Served::fake() else { return };
    let folder = server.folder.path();
    let cases: [(&str, &[&str]); 9] = [
        ("down", &["the server answers 500 Internal Server Error: the store is on fire", "it was asked 5 times"]),
        ("short", &["the answer ends before its end", "it was asked 5 times"]),
        ("login", &["answers with a web page, not as Prometheus does", "KASHI_PROMETHEUS_TOKEN"]),
        ("moved", &["sends its callers on to \"https://sso.example.com/login?to=prometheus\""]),
        ("token", &["wants a login (401)", "KASHI_PROMETHEUS_TOKEN"]),
        ("forbidden", &["wants a login (403)"]),
        ("lost", &["the server answers 404 Not Found", "/select/0/prometheus"]),
        ("empty", &["holds no series of cards from 2026-09-01T00:00:00Z to 2026-09-03T00:00:00Z", "X-Scope-OrgID"]),
        ("broken", &["unknown function with name \"last_over_time\"", "Prometheus knows since 2.26"]),
    ];
    std::thread::scope(|scope| {
        for (behaviour, words) in cases {
            let url = format!("http://127.0.0.1:{}/{behaviour}", server.port);
            scope.spawn(move || {
                let said =
                    ends(&kashi(folder, &[], &[&["--prometheus", &url], &DAYS[..], &["-o", "no.csv"]].concat()), 2);
                for words in words.iter().chain(&["\n  help: "]) {
                    assert!(said.contains(words), "{behaviour}: {words:?} is not in: {said}");
                }
            });
        }
    });
    assert!(!folder.join("no.csv").exists());
    let spent = |behaviour: &str| {
        let begin = format!("/{behaviour}/");
        server.requests().iter().filter(|r| r["path"].as_str().unwrap().starts_with(&begin)).count()
    };
    assert_eq!(["down", "short", "login", "moved", "token", "lost"].map(spent), [5, 5, 1, 1, 1, 1]);
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let both = [TOKEN[0], LOGIN[0]];
    let days = DAYS.to_vec();
    let with = |more: &[&'static str]| [&days[..], more].concat();
    let cases: Vec<(&str, &[(&str, &str)], Vec<&str>, &str)> = vec![
        ("https://finance:horse@x.example", &[], days.clone(), "the URL holds a login"),
        ("x.example", &[], days.clone(), "is no URL of a web server"),
        ("https://x.example/?tenant=a", &[], days.clone(), "holds a query"),
        ("http://x.example", &TOKEN, days.clone(), "would be sent in the clear"),
        ("https://x.example", &both, days.clone(), "keep one of them"),
        ("https://x.example", &LOGIN[..1], days.clone(), "KASHI_PROMETHEUS_PASSWORD is not"),
        ("https://x.example", &[], with(&["--prometheus-header", "Authorization=Bearer horse"]), "on the command line"),
        ("https://x.example", &[], with(&["--prometheus-header", "tenant"]), "expected NAME=VALUE"),
        ("https://x.example", &[], with(&["--match", "namespace=lab"]), "is no label matcher"),
        ("https://x.example", &[], with(&["--match", "a=\"b\"} or vector(1"]), "is no label matcher"),
        ("https://x.example", &[], with(&["--scrape-interval", "2h"]), "expected one from 1s to 60m"),
        (
            "https://x.example",
            &[],
            vec!["--from", "yesterday", "--to", "2026-09-03"],
            "--from \"yesterday\" is no time",
        ),
        ("https://x.example", &[], vec!["--from", "2026-09-03", "--to", "2026-09-01"], "ends before it begins"),
        ("https://x.example", &[], vec!["--from", "2020-09-03", "--to", "2026-09-01"], "longer than 400 days"),
        ("https://x.example", &[], vec!["--from", "2026-09-03"], "--to"),
    ];
    for (url, login, arguments, words) in cases {
        let said = ends(&kashi(folder.path(), login, &[&["--prometheus", url], &arguments[..]].concat()), 2);
        assert!(said.contains(words), "{url} {arguments:?}: {words:?} is not in: {said}");
    }
}
