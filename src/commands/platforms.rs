//! `kashi platforms`: what is known of whom.

use std::io::Write;

use anyhow::{Result, bail};
use kashi_parsers::layout::schema::{Fact, Mark, Policy, Title};

use crate::cli::PlatformsArgs;
use crate::config::nearest;
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
        bail!(
            "there is no platform \"{name}\"{}",
            near.map(|n| format!("; did you mean \"{n}\"?")).unwrap_or_default()
        );
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
            }
        }
        if args.name.is_some() {
            for (label, fact) in facts(&platform.policy) {
                match fact {
                    Some(fact) => {
                        writeln!(out, "  {label}: {}  [{}: {}]", fact.value, mark(fact.mark, args.lang), fact.source)?
                    }
                    None => writeln!(out, "  {label}: {}", if args.lang == Lang::Zh { "未知" } else { "unknown" })?,
                }
            }
        }
    }
    Ok(())
}

fn title(title: &Title, lang: Lang) -> &str {
    match lang {
        Lang::En => &title.en,
        Lang::Zh => &title.zh,
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

fn facts(policy: &Policy) -> [(&'static str, Option<&Fact>); 15] {
    [
        ("stopped_gpu_bills", policy.stopped_gpu_bills.as_ref()),
        ("stopped_disk_bills", policy.stopped_disk_bills.as_ref()),
        ("stopped_ip_bills", policy.stopped_ip_bills.as_ref()),
        ("grain", policy.grain.as_ref()),
        ("balance_refundable", policy.balance_refundable.as_ref()),
        ("image_free_gb", policy.image_free_gb.as_ref()),
        ("image_price", policy.image_price.as_ref()),
        ("snapshot_free_gb", policy.snapshot_free_gb.as_ref()),
        ("snapshot_price", policy.snapshot_price.as_ref()),
        ("storage_free_gb", policy.storage_free_gb.as_ref()),
        ("storage_price", policy.storage_price.as_ref()),
        ("disk_free_gb", policy.disk_free_gb.as_ref()),
        ("disk_price", policy.disk_price.as_ref()),
        ("early_return", policy.early_return.as_ref()),
        ("release_after_stopped_days", policy.release_after_stopped_days.as_ref()),
    ]
}
