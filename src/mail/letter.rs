//! The letter: what is written into the mail.

use std::time::SystemTime;

use anyhow::{Context, Result};
use lettre::Message;
use lettre::message::header::ContentType;
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use serde::Serialize;

use crate::guard::printable;
use crate::report::view::{View, fill};
use crate::report::{csv, html, text, v1};

/// Findings that the mail itself shows; the attached spreadsheet has all.
const MOST_FINDINGS: usize = 12;

/// Who writes to whom.
#[derive(Clone, Debug)]
pub struct Parties {
    /// The sender.
    pub from: Mailbox,
    /// The recipients.
    pub to: Vec<Mailbox>,
    /// Recipients of a copy.
    pub cc: Vec<Mailbox>,
}

/// A letter, ready to be addressed.
#[derive(Debug)]
pub struct Letter {
    id: String,
    subject: String,
    plain: String,
    html: String,
    spreadsheet: Vec<u8>,
    file: String,
}

/// What the HTML part shows.
#[derive(Serialize)]
struct Shown<'a> {
    view: &'a View,
    greeting: &'a str,
    rest: &'a str,
    attached: &'a str,
    closing: &'a str,
}

impl Letter {
    /// Writes a report as a letter in the report's language.
    ///
    /// # Errors
    /// Only if a part cannot be rendered.
    pub fn new(report: &v1::Report) -> Result<Self> {
        let mut view = View::new(report);
        let w = view.w;
        let hidden = view.findings.len().saturating_sub(MOST_FINDINGS);
        view.findings.truncate(MOST_FINDINGS);
        let file = fill(w.attachment, &[("period", &view.period)]);
        let greeting = fill(w.greeting, &[("period", &view.period)]);
        let rest = if hidden > 0 { fill(w.and_more_findings, &[("n", &hidden)]) } else { String::new() };
        let attached = fill(w.attached, &[("file", &file)]);
        let closing = fill(w.closing, &[("id", &view.id)]);
        let shown = Shown { view: &view, greeting: &greeting, rest: &rest, attached: &attached, closing: &closing };
        let html = html::page(include_str!("letter.html"), &shown)?;
        let notes = if rest.is_empty() { attached.clone() } else { format!("{rest}\n{attached}") };
        let plain = format!("{greeting}\n\n{}\n{notes}\n\n-- \n{closing}\n", text::of(&view, false));
        let spreadsheet = [crate::MARK, &csv::of(report)?].concat();
        // The report was a file: nothing but letters and digits of its id may reach a header.
        let id = report.id.chars().filter(char::is_ascii_alphanumeric).take(64).collect();
        Ok(Self { id, subject: subject(&view), plain, html, spreadsheet, file })
    }

    /// The report's id, as it may stand in a header.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The same on every run over the same report; `copy` counts deliberate repetitions from 0.
    pub fn message_id(&self, from: &Mailbox, copy: usize) -> String {
        let copy = if copy == 0 { String::new() } else { format!(".{copy}") };
        format!("<kashi.{}{copy}@{}>", self.id, from.email.domain())
    }

    /// The whole mail, headers and parts.
    ///
    /// # Errors
    /// If the sender or a recipient cannot stand in a mail.
    pub fn message(&self, parties: &Parties, message_id: String, date: SystemTime) -> Result<Message> {
        let mut message = Message::builder()
            .from(parties.from.clone())
            .subject(self.subject.clone())
            .date(date)
            .message_id(Some(message_id))
            .user_agent(concat!("kashi/", env!("CARGO_PKG_VERSION")).to_owned());
        for to in &parties.to {
            message = message.to(to.clone());
        }
        for cc in &parties.cc {
            message = message.cc(cc.clone());
        }
        message.multipart(self.parts()).context("the mail cannot be put together")
    }

    /// Text and HTML, one or the other; the spreadsheet beside them.
    ///
    /// The boundaries are fixed by the report, so that the same report gives the same bytes.
    fn parts(&self) -> MultiPart {
        let boundary = |part: &str| format!("kashi-{part}-{}", self.id);
        let alternative = MultiPart::alternative()
            .boundary(boundary("body"))
            .singlepart(SinglePart::plain(self.plain.clone()))
            .singlepart(SinglePart::html(self.html.clone()));
        let csv = ContentType::parse("text/csv; charset=utf-8").unwrap_or(ContentType::TEXT_PLAIN);
        MultiPart::mixed()
            .boundary(boundary("mail"))
            .multipart(alternative)
            .singlepart(Attachment::new(self.file.clone()).body(self.spreadsheet.clone(), csv))
    }
}

/// What it is about and what is in it, in one line.
fn subject(view: &View) -> String {
    let amounts = |of: &dyn Fn(&crate::report::view::Money) -> Option<String>| {
        let all: Vec<String> = view.money.iter().filter_map(|m| of(m).map(|a| format!("{a} {}", m.currency))).collect();
        all.join(" + ")
    };
    let paid = amounts(&|m| Some(m.paid.clone()));
    let saves = amounts(&|m| m.saves.clone());
    let template = if saves.is_empty() { view.w.subject } else { view.w.subject_saves };
    printable(&fill(template, &[("period", &view.period), ("paid", &paid), ("saves", &saves)])).into_owned()
}
