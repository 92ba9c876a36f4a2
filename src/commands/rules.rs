//! `kashi rules` and `kashi explain`: the rules' own pages.

use std::io::Write;

use anyhow::{Result, anyhow, bail};
use kashi_parsers::{message, nearest};
use kashi_rules::{Language, rule, rules};

use crate::cli::{ExplainArgs, RulesArgs};
use crate::text::Lang;

/// Prints the list of rules.
///
/// # Errors
/// If a page is malformed, which a test rules out.
pub fn run(args: &RulesArgs, out: &mut dyn Write) -> Result<()> {
    let w = args.lang.words();
    for rule in rules().map_err(|e| anyhow!(e))? {
        let kind = rule.page.amount.map_or(w.none, |k| w.kind_of(k));
        writeln!(
            out,
            "{:5} {:32} {:12} {} · {} · {kind}",
            rule.page.code,
            rule.name,
            rule.group,
            w.severity_of(rule.page.severity),
            w.certainty_of(rule.page.certainty)
        )?;
    }
    Ok(())
}

/// Prints the page of one rule.
///
/// # Errors
/// If there is no such rule.
pub fn explain(args: &ExplainArgs, out: &mut dyn Write) -> Result<()> {
    let Some(rule) = rule(&args.rule) else {
        let names = rules().map_err(|e| anyhow!(e))?.iter().map(|r| r.name);
        let near = nearest(&args.rule, names);
        bail!(message!(
            "there is no rule \"{}\"; {}`kashi rules` lists them",
            args.rule,
            near.map(|n| message!("did you mean \"{n}\"? ")).unwrap_or_default()
        ));
    };
    let w = args.lang.words();
    let language: Language = args.lang.into();
    writeln!(out, "{} ({}, {})", rule.name, rule.page.code, rule.group)?;
    writeln!(out, "{} · {}\n", w.severity_of(rule.page.severity), w.certainty_of(rule.page.certainty))?;
    writeln!(out, "{}", rule.page.body(language).trim_end())?;
    if !rule.page.parameters.is_empty() {
        writeln!(out, "\n## {}\n", if args.lang == Lang::Zh { "参数" } else { "Parameters" })?;
        for parameter in &rule.page.parameters {
            let text = rule.page.parameter_text(parameter, language);
            writeln!(
                out,
                "- `{}` = {} {}: {text} ({})",
                parameter.name, parameter.default, parameter.unit, parameter.source
            )?;
        }
    }
    Ok(())
}
