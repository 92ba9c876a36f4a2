//! `kashi audit`: the whole pipeline.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal, Write};

use anyhow::{Result, anyhow, bail};
use kashi_parsers::inventory;
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::message;
use kashi_parsers::usage::{self, Usage};
use kashi_rules::{Case, Inputs, Selection, Severity};

use crate::audit::{self, About};
use crate::bills::{self, Bills};
use crate::cli::{AuditArgs, Color, Format};
use crate::config::{Config, is_month};
use crate::copies::Distinct;
use crate::footings::footings;
use crate::places::{self, Places};
use crate::problems::{Problems, Several};
use crate::report::{self, Report, UsageInput};
use crate::text::Lang;
use crate::{balances, month, progress, scope};

/// Audited, or audited with a finding at or over `--fail-on`.
const AUDITED: u8 = 0;
const FOUND: u8 = 1;

/// Audits, prints the report, writes the set, and says how it ended.
///
/// # Errors
/// If an input cannot be used; then nothing is written.
pub fn run(args: &AuditArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<u8> {
    let mut places = places::gather(&args.bills)?;
    for path in &args.usage {
        places.usage.extend(places::files(path)?);
    }
    for (path, into) in [(&args.inventory, &mut places.inventory), (&args.balance, &mut places.balance)] {
        if let Some(path) = path {
            into.extend(places::files(path)?);
        }
    }
    if let Some(folder) = args.out.as_deref().filter(|out| out.exists() && !out.is_dir()) {
        bail!(message!("{}: is a file; --out names the folder for the reports", folder.display()));
    }
    if args.format == Format::Xlsx && std::io::stdout().is_terminal() {
        bail!(message!("--format xlsx is a file and no text for a terminal; say where: --format xlsx > audit.xlsx"));
    }
    let config = super::config(args.config.as_deref(), &places)?;
    let fail_on = args.fail_on.as_ref().or(config.fail_on.as_ref()).map(|w| severity(w)).transpose()?;
    let lang = args.lang.or(config.lang).unwrap_or_default();
    let (report, case) = audited(args, &places, &config)?;
    if let Some(folder) = &args.out {
        report::write_set(&report, folder, lang)?;
        let join = case.join();
        crate::export::write_ledger(&case.ledger, &folder.join("ledger.csv"), Some(&join))?;
        crate::export::write_ledger(&case.ledger, &folder.join("ledger.parquet"), Some(&join))?;
        writeln!(err, "{}", folder.display())?;
    }
    print(&report, &case, args, lang, out)?;
    let reached = |s: Severity| report.findings.iter().any(|f| f.severity >= s);
    Ok(if fail_on.is_some_and(reached) { FOUND } else { AUDITED })
}

fn audited(args: &AuditArgs, places: &Places, config: &Config) -> Result<(Report, Case)> {
    let steps = progress::Steps::new(args.lang.or(config.lang).unwrap_or_default());
    let platforms = super::platforms(&args.platform_file)?;
    if let Some(written) = &args.quarantine {
        super::can_be_written(written)?;
        super::not_an_input(written, places.bills.iter().map(|bill| bill.path.as_path()))?;
        super::not_another_table(written)?;
    }
    steps.say("reading bills");
    let distinct = Distinct::hashed(&places.bills)?;
    let mut read = bills::read(&distinct.places, &platforms, config.given(), args.quarantine.is_some())?;
    distinct.note(&mut read.bills);
    if let Some(file) = &args.quarantine {
        super::quarantine(file, &read.bills)?;
    }
    let period = match args.period.clone().or_else(|| config.period.clone()) {
        Some(period) if is_month(&period) => period,
        Some(period) => bail!(message!("--period {period:?} is not a month; expected one such as 2026-10")),
        None => audit::period(&read)
            .ok_or_else(|| anyhow!(message!("the bills hold no line; say the month with --period 2026-10")))?,
    };
    scope::check_period(&read, &period)?;
    if args.period.is_some() || config.period.is_some() {
        month::only(&mut read, &period);
    }
    scope::check_platforms(&read, config, &platforms)?;
    let zone = zone(config, &read, &platforms)?;
    steps.say("reading utilization");
    let (mut usage, settings) = usage(args, config, places, zone)?;
    let resources: Vec<(String, String)> = resources(&read);
    let untied = usage::tie(&mut usage, &config.device, &resources);
    let mut contract = config.contract();
    let mut problems = Vec::new();
    for place in &places.balance {
        balances::read(place).map_or_else(|e| problems.push(e), |read| contract.balances.extend(read));
    }
    let mut assets = Vec::new();
    for place in &places.inventory {
        inventory::read(&place.path, &place.name).map_or_else(|e| problems.push(e.into()), |read| assets.extend(read));
    }
    Several::none(problems)?;
    // The exact sums are refused where they would be rounded; the report's own would not say it.
    read.ledger.totals()?;
    let footings = footings(&read, &config.statement)?;
    steps.say("applying the rules");
    let ledger = read.ledger.clone();
    let sources = usage_inputs(&usage);
    let usage = usage.hours;
    let inputs = Inputs { ledger, usage, contract, inventory: assets, footings, platforms, period, zone };
    let case = Case::new(inputs).map_err(|e| anyhow!(e))?;
    let selection = Selection { select: args.select.clone(), parameters: parameters(config) };
    let outcome = kashi_rules::run(&case, &selection).map_err(|e| anyhow!(e))?;
    let about = About {
        hashes: distinct.hashes,
        usage: sources,
        untied,
        generated_at: args.generated_at.clone(),
        currency: config.currency.clone(),
        settings: format!("{settings} {:?}", selection.parameters),
    };
    let report = audit::report(&read, &case, outcome, about)?;
    steps.done();
    Ok((report, case))
}

/// The zone of the report: the user's, else that of the platform with the most lines.
fn zone(config: &Config, read: &Bills, platforms: &kashi_parsers::layout::Platforms) -> Result<Zone> {
    if let Some(zone) = &config.zone {
        return Zone::parse(zone).ok_or_else(|| anyhow!(message!("zone {zone:?} is unknown")));
    }
    let most = read.bills.iter().max_by_key(|b| b.lines).and_then(|b| platforms.get(&b.platform));
    Ok(most.and_then(|p| Zone::parse(&p.zone)).unwrap_or_else(Zone::utc))
}

fn usage(args: &AuditArgs, config: &Config, places: &Places, zone: Zone) -> Result<(Usage, String)> {
    let said = args.usage_zone.as_ref().or(config.usage_zone.as_ref());
    let zone = match said {
        Some(said) => Zone::parse(said).ok_or_else(|| {
            anyhow!(message!(
                "--usage-zone {said:?} is not a zone; expected an offset such as +08:00 or a name such as Asia/Shanghai"
            ))
        })?,
        None => zone,
    };
    let fields = args.fields.as_ref().map(|f| f.split(',').map(|f| f.trim().to_owned()).collect());
    let files: Vec<_> = places.usage.iter().map(|p| (p.name.clone(), p.path.clone())).collect();
    let options = usage::Options { zone, fields };
    Ok((usage::read_all(&files, &options).map_err(Problems::all)?, zone.to_string()))
}

fn resources(read: &Bills) -> Vec<(String, String)> {
    let found: BTreeSet<_> = read.ledger.lines().filter_map(|l| Some((l.platform(), l.resource()?))).collect();
    found.into_iter().map(|(platform, resource)| (platform.to_owned(), resource.to_owned())).collect()
}

fn usage_inputs(usage: &Usage) -> Vec<UsageInput> {
    let of = |source: &usage::Source| {
        let mut notes = source.notes.clone();
        notes.extend(source.left_out.iter().map(|(why, n)| format!("{n}: {why}")));
        UsageInput {
            file: source.file.clone(),
            format: source.format.to_string(),
            samples: source.samples,
            devices: source.devices.len(),
            notes,
        }
    };
    usage.sources.iter().map(of).collect()
}

fn parameters(config: &Config) -> BTreeMap<String, BTreeMap<String, String>> {
    let text = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    config
        .rules
        .iter()
        .map(|(rule, given)| (rule.clone(), given.iter().map(|(k, v)| (k.clone(), text(v))).collect()))
        .collect()
}

fn severity(word: &str) -> Result<Severity> {
    Severity::from_word(word)
        .ok_or_else(|| anyhow!(message!("fail-on {word:?} is not a severity; expected info, warning or critical")))
}

fn print(report: &Report, case: &Case, args: &AuditArgs, lang: Lang, out: &mut dyn Write) -> Result<()> {
    let color = match args.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    match args.format {
        Format::Text => out.write_all(report::text::render(report, lang, color).as_bytes())?,
        Format::Json => out.write_all(report::json::render(report, lang)?.as_bytes())?,
        Format::Csv => out.write_all(&report::csv::render(report, lang)?)?,
        Format::Md => out.write_all(report::markdown::render(report, lang).as_bytes())?,
        Format::Xlsx => out.write_all(&report::xlsx::render(report, lang, &case.ledger, &case.join())?)?,
        Format::Html => out.write_all(report::html::render(report, lang)?.as_bytes())?,
    }
    Ok(())
}
