//! The metrics servers of the tests.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::export::python_has;

/// A server of a script; it ends when this is dropped.
pub(super) struct Served {
    child: Child,
    pub(super) port: u64,
    pub(super) folder: tempfile::TempDir,
}

impl Served {
    /// A real Prometheus; `None` where none is installed.
    pub(super) fn prometheus() -> Option<Self> {
        for program in ["prometheus", "promtool"] {
            if !Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success()) {
                assert!(std::env::var_os("CI").is_none(), "CI needs {program}: apt-get install prometheus");
                eprintln!(
                    "SKIPPED: {program} is not installed, so kashi was not tested against a real Prometheus\n  help: apt-get install prometheus"
                );
                return None;
            }
        }
        python_has("cryptography").then(|| Self::start("tests/prometheus_server.py"))
    }

    /// One that behaves as the first part of the path says.
    pub(super) fn fake() -> Option<Self> {
        python_has("http.server").then(|| Self::start("tests/prometheus_fake.py"))
    }

    fn start(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("python3")
            .arg(script)
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).expect("the server did not start");
        Self { child, port: said["port"].as_u64().unwrap(), folder }
    }

    /// What it was asked.
    pub(super) fn requests(&self) -> Vec<Value> {
        let log = std::fs::read_to_string(self.folder.path().join("requests.jsonl")).unwrap_or_default();
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
