//! The real SMTP server of the tests.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::export::python_has;

/// A server of `tests/smtp_server.py`; it ends when this is dropped.
pub(super) struct Office {
    child: Child,
    ports: Value,
    pub(super) folder: tempfile::TempDir,
}

impl Office {
    pub(super) fn open() -> Option<Self> {
        if !python_has("aiosmtpd, cryptography") {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("python3")
            .arg("tests/smtp_server.py")
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Some(Self { child, ports: serde_json::from_str(&line).expect("the server did not start"), folder })
    }

    pub(super) fn port(&self, mode: &str) -> String {
        self.ports[mode].to_string()
    }

    pub(super) fn ca(&self) -> String {
        self.folder.path().join("ca.pem").display().to_string()
    }

    /// The envelopes of the mails that were taken.
    pub(super) fn envelopes(&self) -> Vec<Value> {
        let mails = self.folder.path().join("mails");
        let count = std::fs::read_dir(&mails).unwrap().count() / 2;
        (1..=count)
            .map(|n| serde_json::from_slice(&std::fs::read(mails.join(format!("{n}.json"))).unwrap()).unwrap())
            .collect()
    }

    pub(super) fn recipients(&self) -> Vec<Vec<String>> {
        let to = |e: &Value| serde_json::from_value(e["to"].clone()).unwrap();
        self.envelopes().iter().map(to).collect()
    }
}

impl Drop for Office {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
