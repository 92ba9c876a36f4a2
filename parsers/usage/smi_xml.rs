//! `nvidia-smi -q -x`: one XML document a moment, one or many in a file.
//!
//! Elements are told by their parents, because a slice of a card (MIG) prints its memory before
//! the card does, under the same names. Slices become devices of their own; the card itself then
//! has no utilization. Nothing is expanded: a document that declares entities is refused.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::bounded::Bounded;
use super::formats::{Head, Input};
use super::log::Log;
use super::smi_gpu::Gpu;
use super::stamp::Stamps;
use crate::error::{Error, Kind, Origin, Result};

/// The most elements that one may lie within.
const DEEPEST: usize = 64;

/// Whether a file is such a document.
pub(super) fn is(head: &Head) -> bool {
    head.text.trim_start().starts_with('<') && head.text.contains("<nvidia_smi_log")
}

/// Reads the documents of a file card by card.
pub(super) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let mut xml = Reader::from_reader(Bounded::new(reader));
    let mut documents = Documents {
        stamps: Stamps::new(input),
        at: None,
        path: Vec::new(),
        text: String::new(),
        gpu: None,
        log: Log::default(),
    };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        xml.get_mut().rest();
        let event = xml.read_event_into(&mut buffer);
        let row = xml.get_ref().row();
        match event {
            Ok(Event::Eof) => break,
            Ok(event) => documents.take(event, row, input)?,
            // A tool that is killed ends in the middle.
            Err(_) if xml.get_ref().ended() => {
                documents.path.push(String::new());
                break;
            }
            Err(error) => return Err(broken(error.to_string(), input.file, row)),
        }
    }
    let Documents { stamps, path, mut log, .. } = documents;
    if !path.is_empty() {
        log.leave("last document cut off");
    }
    let hint = "keep the line <timestamp>…</timestamp> of each document";
    stamps.end(input, &mut log, "documents of nvidia-smi -q -x", hint)?;
    if log.samples == 0 {
        return Err(Error::new(Kind::Usage, "holds no card: nvidia-smi -q -x found none, or the file is cut off")
            .at(Origin::file(input.file))
            .hint("save it again with `nvidia-smi -q -x >> smi.xml`, once a minute"));
    }
    Ok(log)
}

/// The documents of a file, and where in them the reader stands.
struct Documents {
    stamps: Stamps,
    at: Option<i64>,
    path: Vec<String>,
    text: String,
    gpu: Option<Gpu>,
    log: Log,
}

impl Documents {
    fn take(&mut self, event: Event<'_>, row: u32, input: &mut Input<'_>) -> Result<()> {
        match event {
            Event::Start(element) => self.begin(&element, row, input)?,
            Event::Text(text) => self.text.push_str(&text),
            Event::GeneralRef(name) => self.text.push(match &*name {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                _ => ' ',
            }),
            Event::End(_) => self.end(row, input),
            Event::DocType(text) if text.contains(['[', '<']) => {
                let message = "declares entities of its own, which nvidia-smi never does";
                return Err(Error::new(Kind::Bound, message)
                    .at(Origin::file(input.file).at(row))
                    .hint("take the file from the tool itself: `nvidia-smi -q -x >> smi.xml`"));
            }
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, element: &BytesStart<'_>, row: u32, input: &Input<'_>) -> Result<()> {
        let name = element.local_name().as_ref().to_owned();
        if name == "nvidia_smi_log" && !self.path.is_empty() {
            // The document before was cut off, and another follows.
            self.log.leave("document cut off");
            self.path.clear();
        }
        if name == "nvidia_smi_log" {
            self.at = None;
        } else if name == "gpu" && self.path.len() == 1 {
            let id = element.try_get_attribute("id").ok().flatten();
            self.gpu = Some(Gpu::new(id.map(|id| id.value.into_owned())));
        } else if let Some(gpu) = self.gpu.as_mut().filter(|_| name == "mig_device") {
            gpu.slice();
        }
        self.text.clear();
        self.path.push(name);
        if self.path.len() > DEEPEST {
            return Err(Error::new(Kind::Bound, message!("has elements more than {DEEPEST} deep"))
                .at(Origin::file(input.file).at(row))
                .hint("take the file from the tool itself: `nvidia-smi -q -x >> smi.xml`"));
        }
        Ok(())
    }

    fn end(&mut self, row: u32, input: &mut Input<'_>) {
        let Some(name) = self.path.pop() else { return };
        let parent = self.path.last().map_or("", String::as_str);
        let text = std::mem::take(&mut self.text);
        match (&mut self.gpu, name.as_str()) {
            (None, "timestamp") => self.at = self.stamps.read(&text),
            (Some(gpu), "gpu") if self.path.len() == 1 => {
                if let Some(at) = self.at.or_else(|| self.stamps.now(row)) {
                    self.log.samples += gpu.push(at, row, input);
                }
                self.gpu = None;
            }
            (Some(gpu), name) => {
                let within = self.path.iter().any(|part| part == "mig_device");
                gpu.take(within, parent, name, text.trim());
            }
            _ => {}
        }
    }
}

fn broken(why: impl std::fmt::Display, file: &str, row: u32) -> Error {
    Error::new(Kind::Usage, message!("is no whole XML: {why}"))
        .at(Origin::file(file).at(row))
        .hint("save it again with `nvidia-smi -q -x >> smi.xml`")
}
