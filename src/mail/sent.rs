//! What was sent: remembered beside the report, so that a second run does not send it twice.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use kashi_parsers::message;
use serde::{Deserialize, Serialize};

/// The file in the report's folder.
const FILE: &str = ".sent.json";

/// How far a delivery came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The server took it.
    Accepted,
    /// It was handed over, and the connection ended before the server said that it took it.
    Unconfirmed,
}

/// One mail, to those who got it together.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Delivery {
    report: String,
    message_id: String,
    recipients: Vec<String>,
    state: State,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Memory {
    version: u32,
    deliveries: Vec<Delivery>,
}

/// The deliveries of a folder's reports.
#[derive(Debug)]
pub struct Sent {
    file: PathBuf,
    memory: Memory,
}

impl Sent {
    /// Reads what is remembered in a folder; nothing, if nothing was sent from it.
    ///
    /// # Errors
    /// If the file is there but cannot be read: rather than sending twice, nothing is sent.
    pub fn read(folder: &Path) -> Result<Self> {
        let file = folder.join(FILE);
        let memory = match std::fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).with_context(|| {
                message!(
                    "{}: is not what kashi wrote of sent mails; remove it only if nothing was sent",
                    file.display()
                )
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Memory { version: 1, deliveries: Vec::new() },
            Err(error) => return Err(error).with_context(|| message!("{}: cannot be read", file.display())),
        };
        if memory.version != 1 {
            bail!(message!("{}: was written by another version of kashi", file.display()));
        }
        Ok(Self { file, memory })
    }

    /// Who has had a report, or may have had it.
    pub fn recipients(&self, report: &str, state: State) -> BTreeSet<&str> {
        self.of(report).filter(|d| d.state == state).flat_map(|d| &d.recipients).map(String::as_str).collect()
    }

    /// How many mails of a report were handed over to one of these, each a copy of its own.
    pub fn copies(&self, report: &str, recipients: &[String]) -> usize {
        self.of(report).filter(|d| d.recipients.iter().any(|r| recipients.contains(r))).count()
    }

    fn of(&self, report: &str) -> impl Iterator<Item = &Delivery> {
        self.memory.deliveries.iter().filter(move |d| d.report == report)
    }

    /// Remembers a delivery as unconfirmed, before it is handed over.
    ///
    /// # Errors
    /// If the file cannot be written; then the mail must not be handed over.
    pub fn begin(&mut self, report: &str, message_id: &str, recipients: &[String]) -> Result<()> {
        self.memory.deliveries.push(Delivery {
            report: report.to_owned(),
            message_id: message_id.to_owned(),
            recipients: recipients.to_vec(),
            state: State::Unconfirmed,
        });
        self.write()
    }

    /// Remembers that the delivery just begun was taken.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn accepted(&mut self) -> Result<()> {
        if let Some(last) = self.memory.deliveries.last_mut() {
            last.state = State::Accepted;
        }
        self.write()
    }

    /// Forgets the delivery just begun: the server said that it did not take it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn refused(&mut self) -> Result<()> {
        self.memory.deliveries.pop();
        if self.memory.deliveries.is_empty() {
            return std::fs::remove_file(&self.file)
                .with_context(|| message!("{}: cannot be removed", self.file.display()));
        }
        self.write()
    }

    fn write(&self) -> Result<()> {
        let mut text = serde_json::to_vec_pretty(&self.memory)?;
        text.push(b'\n');
        crate::write_whole(&self.file, &text)
    }
}
