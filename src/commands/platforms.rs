//! `kashi platforms`: what is known of whom.

use std::io::Write;

use anyhow::{Result, bail};
use kashi_parsers::layout::schema::{Mark, Policy, Tax, Title};
use kashi_parsers::{message, nearest};

use crate::cli::PlatformsArgs;
use crate::text::Lang;

/// Prints every platform with its layouts, or one with its policy too.
///
/// # Errors
/// If the platform is unknown.
pub fn run(args: &PlatformsArgs, out: &mut dyn Write) -> Result<()> {
    let platforms = super::platforms(&args.platform_file)?;
    if let Some(name) = &args.name
        && platforms.get(name).is_none()
    {
        let near = nearest(name, platforms.iter().map(|p| p.name.as_str()));
        bail!(message!(
            "there is no platform \"{name}\"{}",
            near.map(|n| message!("; did you mean \"{n}\"?")).unwrap_or_default()
        ));
    }
    for platform in platforms.iter().filter(|p| args.name.as_ref().is_none_or(|n| *n == p.name)) {
        writeln!(out, "{}  {}  ({})", platform.name, title(&platform.title, args.lang), platform.zone)?;
        for layout in &platform.layouts {
            writeln!(
                out,
                "  {}/{}  {}  [{}]",
                platform.name,
                layout.name,
                title(&layout.title, args.lang),
                mark(layout.mark, args.lang)
            )?;
            if args.name.is_some() {
                writeln!(out, "    {}", layout.source)?;
                if let Some(tax) = layout.tax {
                    writeln!(out, "    {}", taxed(tax, args.lang))?;
                }
            }
        }
        if platform.is_profile() {
            writeln!(out, "  {}", profile(&platform.name, args.lang))?;
        }
        if args.name.is_some() {
            facts(&platform.policy, args.lang, out)?;
        }
    }
    Ok(())
}

pub(super) fn title(title: &Title, lang: Lang) -> &str {
    match lang {
        Lang::En => &title.en,
        Lang::Zh => &title.zh,
    }
}

/// Prints what is known of a platform's billing, and what is not.
fn facts(policy: &Policy, lang: Lang, out: &mut dyn Write) -> Result<()> {
    for (label, fact) in policy.facts() {
        match fact {
            Some(fact) => writeln!(out, "  {label}: {}  [{}: {}]", fact.value, mark(fact.mark, lang), fact.source)?,
            None => writeln!(out, "  {label}: {}", if lang == Lang::Zh { "未知" } else { "unknown" })?,
        }
    }
    Ok(())
}

/// Whether an export's amounts contain tax.
fn taxed(tax: Tax, lang: Lang) -> &'static str {
    match (lang, tax) {
        (Lang::En, Tax::Included) => "amounts contain tax",
        (Lang::En, Tax::Excluded) => "amounts are without tax, which the bill does not state",
        (Lang::En, Tax::None) => "there is no tax",
        (Lang::Zh, Tax::Included) => "金额含税",
        (Lang::Zh, Tax::Excluded) => "金额不含税，账单未列税额",
        (Lang::Zh, Tax::None) => "无税",
    }
}

/// What a user can do whose platform has no layout.
fn profile(name: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!(
            "profile only: map your bill with `kashi map BILL --platform {name}` (a FOCUS export needs no mapping)"
        ),
        Lang::Zh => format!("仅有计费档案：用 `kashi map 账单 --platform {name}` 映射您的账单（FOCUS 导出无需映射）"),
    }
}

fn mark(mark: Mark, lang: Lang) -> &'static str {
    match (lang, mark) {
        (Lang::En, mark) => mark.as_str(),
        (Lang::Zh, Mark::Confirmed) => "已证实",
        (Lang::Zh, Mark::SecondHand) => "转述",
        (Lang::Zh, Mark::Inferred) => "推断",
    }
}
