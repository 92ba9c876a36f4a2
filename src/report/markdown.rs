//! The report as Markdown, for a ticket or a wiki.

use std::fmt::Write as _;

use super::text::some;
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
    let _ = writeln!(text, "\n## {} ({})", w.findings, view.findings.len());
    if view.findings.is_empty() {
        let _ = writeln!(text, "\n{}", w.no_findings);
    }
    for finding in &view.findings {
        text.push_str(&finding_of(finding, w));
    }
    text.push_str(&changes(&view));
    text.push_str(&inputs(&view));
    text.push_str(&silence(&view.silence, w));
    text
}

/// A table; the first `left` columns to the left, the others to the right.
fn table(header: &[&str], rows: &[Vec<&str>], left: usize) -> String {
    let line = |cells: &[&str]| format!("| {} |\n", cells.iter().map(|c| safe(c)).collect::<Vec<_>>().join(" | "));
    let marks: Vec<&str> = (0..header.len()).map(|c| if c < left { "---" } else { "---:" }).collect();
    let mut text = format!("\n{}| {} |\n", line(header), marks.join(" | "));
    for row in rows {
        text.push_str(&line(row));
    }
    text
}

fn money(view: &View) -> String {
    let w = view.w;
    let header = [w.currency, w.paid, w.recoverable_long, w.avoidable_long, w.at_risk_long];
    let rows: Vec<Vec<&str>> =
        view.money.iter().map(|m| vec![&*m.currency, &*m.paid, &*m.recoverable, &*m.avoidable, &*m.at_risk]).collect();
    let mut text = table(&header, &rows, 1);
    let _ = writeln!(text, "\n{}", w.counted_once);
    for money in &view.money {
        if let Some(hours) = &money.card_hours {
            let _ = write!(text, "{hours} {}", w.card_hours);
            if let Some(idle) = &money.idle_hours {
                let _ = write!(text, "{}{idle} {} ({} %)", w.comma, w.idle_observed, money.idle_share);
            }
            text.push('\n');
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
        item(w.net, adds);
    }
    let rows = finding.evidence.iter().chain(&finding.more).map(|r| safe(r)).collect::<Vec<_>>().join("; ");
    item(w.evidence, &rows);
    let about =
        format!("{} · {} · {} · {}", finding.severity, finding.certainty, finding.code, safe(&finding.platform));
    let _ = writeln!(text, "- {about}");
    text
}

fn changes(view: &View) -> String {
    let w = view.w;
    let mut text = String::new();
    for changes in &view.changes {
        let _ = writeln!(text, "\n## {} ({})", w.before_after, changes.currency);
        let rows: Vec<Vec<&str>> = changes
            .rows
            .iter()
            .chain([&changes.total])
            .map(|r| vec![&*r.platform, &*r.category, &*r.before, &*r.after, &*r.saved])
            .collect();
        text.push_str(&table(&[w.platform, w.category, w.before, w.after, w.saved], &rows, 2));
    }
    for shares in &view.shares {
        let _ = writeln!(text, "\n## {} ({})", w.by_category, shares.currency);
        let percent: Vec<String> = shares.rows.iter().map(|r| format!("{} %", r.share)).collect();
        let mut rows: Vec<Vec<&str>> =
            shares.rows.iter().zip(&percent).map(|(r, p)| vec![&*r.category, &*r.cost, p.as_str()]).collect();
        rows.push(vec![w.total, &shares.total, ""]);
        text.push_str(&table(&[w.category, w.cost, w.share], &rows, 1));
    }
    text
}

fn inputs(view: &View) -> String {
    let w = view.w;
    let mut text = format!("\n## {}\n", w.bills);
    let lines: Vec<(String, String)> =
        view.bills.iter().map(|b| (b.lines.to_string(), format!("{} {}", b.stated, b.foots))).collect();
    let rows: Vec<Vec<&str>> = view
        .bills
        .iter()
        .zip(&lines)
        .map(|(b, (lines, stated))| vec![&*b.file, &*b.layout, lines.as_str(), &*b.sum, stated.trim_end()])
        .collect();
    text.push_str(&table(&[w.file, w.layout, w.lines, w.sum, w.stated], &rows, 2));
    if !view.usage.is_empty() {
        let _ = writeln!(text, "\n## {}", w.usage);
        let counts: Vec<(String, String)> =
            view.usage.iter().map(|u| (u.samples.to_string(), u.devices.to_string())).collect();
        let rows: Vec<Vec<&str>> = view
            .usage
            .iter()
            .zip(&counts)
            .map(|(u, (samples, devices))| vec![&*u.file, &*u.format, samples.as_str(), devices.as_str()])
            .collect();
        text.push_str(&table(&[w.file, w.format, w.samples, w.devices], &rows, 2));
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
        let more = if o.resources.len() > 1 { format!(" ({})", safe(&some(&o.resources, w))) } else { String::new() };
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
