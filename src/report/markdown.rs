//! The report as Markdown, for a ticket or a wiki.

use std::fmt::Write as _;

use super::rows::{bills, changed, owned, shared, some, titled, usage};
use super::view::{Finding, Silence, View};
use super::{Report, json};
use crate::guard::markdown as safe;
use crate::text::{Lang, Words};

/// Renders the report.
pub fn render(report: &Report, lang: Lang) -> String {
    let view = View::new(&json::of(report, lang));
    let w = view.w;
    let mut text = format!("# {} {}\n\n{} `{}`", w.title, view.period, w.report, view.id);
    if let Some(time) = &view.generated_at {
        let _ = write!(text, " · {} {}", w.generated_at, safe(time));
    }
    text.push('\n');
    if let Some(warning) = &view.quarantined {
        let _ = writeln!(text, "\n> **{warning}**");
    }
    text.push_str(&money(&view));
    let _ = writeln!(text, "\n## {}", titled(w.findings, &view.found, w));
    if view.findings.is_empty() {
        let _ = writeln!(text, "\n{}", w.no_findings);
    }
    for finding in &view.findings {
        text.push_str(&finding_of(finding, w));
    }
    text.push_str(&tables(&view));
    text.push_str(&silence(&view.silence, w));
    text
}

/// A table, its header first; the first `left` columns to the left, the others to the right.
fn table(rows: &[Vec<String>], left: usize) -> String {
    let mut text = String::from("\n");
    for (at, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|c| safe(c)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
        if at == 0 {
            let marks: Vec<&str> = (0..row.len()).map(|c| if c < left { "---" } else { "---:" }).collect();
            let _ = writeln!(text, "| {} |", marks.join(" | "));
        }
    }
    text
}

fn money(view: &View) -> String {
    let w = view.w;
    let mut rows = vec![owned(&[w.currency, w.paid, w.recoverable_long, w.avoidable_long, w.at_risk_long])];
    rows.extend(view.money.iter().map(|m| owned(&[&m.currency, &m.paid, &m.recoverable, &m.avoidable, &m.at_risk])));
    let mut text = table(&rows, 1);
    if let Some(converted) = &view.converted {
        let _ = writeln!(text, "\n{}", safe(converted));
    }
    let _ = writeln!(text, "\n{}", w.counted_once);
    for money in &view.money {
        if let Some(hours) = &money.hours {
            let _ = writeln!(text, "\n{hours}");
        }
    }
    text
}

fn finding_of(finding: &Finding, w: &Words) -> String {
    let money = finding.amount.as_ref().map(|a| format!("{a} {} · ", finding.kind)).unwrap_or_default();
    let resource = finding.resource.as_ref().map(|r| format!(" · {}", safe(r))).unwrap_or_default();
    let mut text = format!("\n### {}. {money}{}{resource}\n\n", finding.number, finding.rule);
    let _ = writeln!(text, "{}\n", safe(&finding.sentence));
    let mut item = |label: &str, words: &str| {
        let _ = writeln!(text, "- {label}{}{words}", w.colon);
    };
    item(w.action, &safe(&finding.action));
    if let Some(instead) = &finding.instead {
        item(w.instead, &safe(instead));
    }
    if let Some(adds) = &finding.adds {
        item(w.once, adds);
    }
    let rows = finding.evidence.iter().chain(&finding.more).map(|r| safe(r)).collect::<Vec<_>>().join("; ");
    item(w.evidence, &rows);
    let about =
        format!("{} · {} · {} · {}", finding.severity, finding.certainty, finding.code, safe(&finding.platform));
    let _ = writeln!(text, "- {about}");
    text
}

fn tables(view: &View) -> String {
    let w = view.w;
    let mut text = String::new();
    for changes in &view.changes {
        let _ = writeln!(text, "\n## {}", titled(w.before_after, &changes.currency, w));
        text.push_str(&table(&changed(changes, w), 2));
    }
    for shares in &view.shares {
        let _ = writeln!(text, "\n## {}", titled(w.by_category, &shares.currency, w));
        text.push_str(&table(&shared(shares, w), 1));
    }
    if !view.bills.is_empty() {
        let _ = writeln!(text, "\n## {}", w.bills);
        text.push_str(&table(&bills(&view.bills, w), 2));
    }
    if !view.usage.is_empty() {
        let _ = writeln!(text, "\n## {}", w.usage);
        text.push_str(&table(&usage(&view.usage, w), 2));
    }
    text
}

fn silence(silence: &Silence, w: &Words) -> String {
    let mut text = format!("\n## {}\n\n{}\n", w.silence, silence.counts);
    let mut part = |title: &str, items: Vec<String>| {
        if !items.is_empty() {
            let _ = writeln!(text, "\n### {title}\n");
        }
        for item in items {
            let _ = writeln!(text, "- {item}");
        }
    };
    part(w.found_by_kind, silence.by_kind.iter().map(|(kind, sum)| format!("{kind} {sum}")).collect());
    let ignored = silence.ignored.iter().map(|s| {
        let about: Vec<String> =
            [Some(&s.rule), s.resource.as_ref(), s.amount.as_ref()].into_iter().flatten().map(|t| safe(t)).collect();
        format!("{}{}{}", about.join(" · "), w.colon, safe(&s.reason))
    });
    part(w.ignored, ignored.collect());
    let undetermined = silence.undetermined.iter().map(|o| {
        let more = if o.resources.len() > 1 { titled("", &safe(&some(&o.resources, w)), w) } else { String::new() };
        format!("{}{}{}{more}", o.rule, w.colon, safe(&o.reason))
    });
    part(w.undetermined, undetermined.collect());
    part(w.skipped, silence.skipped.iter().map(|(rule, lacks)| format!("{rule}{}{lacks}", w.colon)).collect());
    part(w.untied, silence.untied.iter().map(|d| safe(d)).collect());
    part(
        w.notes,
        silence.notes.iter().map(|(file, note)| format!("{}{}{}", safe(file), w.colon, safe(note))).collect(),
    );
    text
}
