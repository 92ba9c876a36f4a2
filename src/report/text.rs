//! The report for a person on a terminal.

use std::fmt::Write as _;

use super::columns::{table, width, wrap};
use super::rows::{bills, changed, shared, some, titled, usage};
use super::view::{Finding, Money, Silence, View, fill};
use super::{Report, json};
use crate::text::{Lang, Words};

/// Columns of a line.
const WIDTH: usize = 100;

/// Renders the report; `color` marks it with ANSI escapes.
pub fn render(report: &Report, lang: Lang, color: bool) -> String {
    of(&View::new(&json::of(report, lang)), color)
}

/// Renders a view.
pub fn of(view: &View, color: bool) -> String {
    let ink = Ink(color);
    let w = view.w;
    let mut text = format!("{}\n", ink.bold(&format!("{} {}", w.title, view.period)));
    let _ = write!(text, "{}", ink.dim(&format!("{} {}", w.report, view.id)));
    if let Some(time) = &view.generated_at {
        let _ = write!(text, "{}", ink.dim(&format!(" · {} {time}", w.generated_at)));
    }
    text.push('\n');
    if let Some(warning) = &view.quarantined {
        let _ = writeln!(text, "\n{}", ink.severity("critical", &wrap(warning, WIDTH, "")));
    }
    for money in &view.money {
        text.push('\n');
        text.push_str(&money_of(money, w, ink));
    }
    if let Some(converted) = &view.converted {
        let _ = writeln!(text, "\n  {}", wrap(converted, WIDTH, "  "));
    }
    if view.money.iter().any(|m| m.saves.is_some()) {
        let _ = writeln!(text, "  {}", ink.dim(w.counted_once));
    }
    heading(&mut text, ink, &titled(w.findings, &view.found, w));
    if view.findings.is_empty() {
        let _ = writeln!(text, "\n  {}", w.no_findings);
    }
    for (at, finding) in view.findings.iter().enumerate() {
        let same = view.findings[..at].iter().find(|f| f.rule == finding.rule && f.action == finding.action);
        text.push('\n');
        text.push_str(&finding_of(finding, same.map(|f| f.number), w, ink));
    }
    text.push_str(&tables(view, ink));
    text.push_str(&silence(&view.silence, w, ink));
    text
}

/// What stands around the findings: the head, the money and what is not said, a line each.
pub(super) fn frame(view: &View) -> Vec<String> {
    let ink = Ink(false);
    let mut text = format!("{} {}\n{} {}\n", view.w.title, view.period, view.w.report, view.id);
    for line in view.generated_at.iter().chain(&view.quarantined) {
        let _ = writeln!(text, "{line}");
    }
    view.money.iter().for_each(|money| text.push_str(&money_of(money, view.w, ink)));
    text.push_str(&silence(&view.silence, view.w, ink));
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

fn heading(text: &mut String, ink: Ink, title: &str) {
    let _ = writeln!(text, "\n{}", ink.bold(title));
}

/// What was paid and what can be saved, one below the other.
fn money_of(money: &Money, w: &Words, ink: Ink) -> String {
    let row = |label: &str, amount: &str| vec![label.to_owned(), format!("{amount} {}", money.currency)];
    let rows = [
        row(w.paid, &money.paid),
        row(w.recoverable_long, &money.recoverable),
        row(w.avoidable_long, &money.avoidable),
        row(w.at_risk_long, &money.at_risk),
    ];
    let mut text = String::new();
    for (at, line) in table(&rows, 1).lines().enumerate() {
        let _ = writeln!(text, "{}", if at == 0 { ink.bold(line) } else { line.to_owned() });
    }
    if let Some(hours) = &money.hours {
        let _ = writeln!(text, "  {hours}");
    }
    text
}

/// A finding; what to do is said once, and then by the number of the finding that said it.
fn finding_of(finding: &Finding, same: Option<usize>, w: &Words, ink: Ink) -> String {
    const INDENT: &str = "     ";
    let number = format!("{:>3}. ", finding.number);
    let money = finding.amount.as_ref().map(|a| format!("{} {}  ", ink.bold(a), finding.kind)).unwrap_or_default();
    let mut about = format!(
        "{} · {} · {} ({})",
        ink.severity(&finding.severity_key, &finding.severity),
        finding.certainty,
        finding.rule,
        finding.code
    );
    for part in [Some(&finding.platform), finding.resource.as_ref()].into_iter().flatten().filter(|p| !p.is_empty()) {
        let _ = write!(about, " · {}", crate::guard::printable(part));
    }
    let mut text = format!("{number}{money}{about}\n");
    let mut line = |label: &str, words: &str| {
        let begin = if label.is_empty() { String::new() } else { format!("{label}{}", w.colon) };
        let hang = format!("{INDENT}{}", " ".repeat(width(&begin)));
        let _ = writeln!(text, "{INDENT}{}{}", ink.dim(&begin), wrap(words, WIDTH, &hang));
    };
    line("", &finding.sentence);
    match same {
        Some(number) => line(w.action, &fill(w.as_in, &[("n", &number)])),
        None => line(w.action, &finding.action),
    }
    if let Some(instead) = &finding.instead {
        line(w.instead, instead);
    }
    if let Some(adds) = &finding.adds {
        line(w.once, adds);
    }
    let mut rows = finding.evidence.join("; ");
    if let Some(more) = &finding.more {
        let _ = write!(rows, "; {more}");
    }
    line(w.evidence, &rows);
    text
}

fn tables(view: &View, ink: Ink) -> String {
    let w = view.w;
    let mut text = String::new();
    for changes in &view.changes {
        heading(&mut text, ink, &titled(w.before_after, &changes.currency, w));
        text.push_str(&table(&changed(changes, w), 2));
    }
    for shares in &view.shares {
        heading(&mut text, ink, &titled(w.by_category, &shares.currency, w));
        text.push_str(&table(&shared(shares, w), 1));
    }
    if !view.bills.is_empty() {
        heading(&mut text, ink, w.bills);
        text.push_str(&table(&bills(&view.bills, w), 2));
    }
    if !view.usage.is_empty() {
        heading(&mut text, ink, w.usage);
        text.push_str(&table(&usage(&view.usage, w), 2));
    }
    text
}

/// The counted silence.
fn silence(silence: &Silence, w: &Words, ink: Ink) -> String {
    let mut text = String::new();
    heading(&mut text, ink, w.silence);
    let _ = writeln!(text, "  {}", silence.counts);
    let mut part = |title: &str, items: Vec<String>| {
        if !items.is_empty() {
            let _ = writeln!(text, "  {title}{}", w.colon.trim_end());
        }
        for item in items {
            let _ = writeln!(text, "    - {}", wrap(&item, WIDTH, "      "));
        }
    };
    part(w.found_by_kind, silence.by_kind.iter().map(|(kind, sum)| format!("{kind} {sum}")).collect());
    let ignored = silence.ignored.iter().map(|s| {
        let about: Vec<&str> =
            [Some(s.rule.as_str()), s.resource.as_deref(), s.amount.as_deref()].into_iter().flatten().collect();
        format!("{}{}{}", about.join(" · "), w.colon, s.reason)
    });
    part(w.ignored, ignored.collect());
    let undetermined = silence.undetermined.iter().map(|o| {
        let mut item = format!("{}{}{}", o.rule, w.colon, o.reason);
        if o.resources.len() > 1 {
            item = titled(&item, &some(&o.resources, w), w);
        }
        item
    });
    part(w.undetermined, undetermined.collect());
    part(w.skipped, silence.skipped.iter().map(|(rule, lacks)| format!("{rule}{}{lacks}", w.colon)).collect());
    part(w.untied, silence.untied.clone());
    part(w.notes, silence.notes.iter().map(|(file, note)| format!("{file}{}{note}", w.colon)).collect());
    text
}

/// Marks text by colour, or leaves it.
#[derive(Clone, Copy)]
struct Ink(bool);

impl Ink {
    fn bold(self, text: &str) -> String {
        self.escape("1", text)
    }

    fn dim(self, text: &str) -> String {
        self.escape("2", text)
    }

    fn severity(self, key: &str, text: &str) -> String {
        match key {
            "critical" => self.escape("1;31", text),
            "warning" => self.escape("33", text),
            _ => self.escape("36", text),
        }
    }

    fn escape(self, code: &str, text: &str) -> String {
        if self.0 && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
