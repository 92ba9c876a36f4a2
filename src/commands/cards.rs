//! `kashi cards`: the cards kashi knows, and the instance types that hold them.

use std::io::Write;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use kashi_parsers::catalogue::{self, Card, InstanceType};
use kashi_parsers::{message, nearest};
use serde::Serialize;

/// The form in which the catalogue is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CardsFormat {
    /// For people.
    #[default]
    Text,
    /// Everything that is known, for programs.
    Json,
    /// One row a card, for a spreadsheet.
    Csv,
}

/// Lists the cards of the catalogue, or shows one in full.
#[derive(Debug, Args)]
pub struct CardsArgs {
    /// A card by id or alias, an instance type, or a part of a name.
    pub query: Option<String>,
    /// How it is printed.
    #[arg(long, value_enum, default_value_t)]
    pub format: CardsFormat,
}

/// A card with the instance types that hold it.
#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    card: &'static Card,
    instances: Vec<&'static InstanceType>,
}

/// Prints the catalogue, or what of it the query finds.
pub fn run(args: &CardsArgs, out: &mut dyn Write) -> Result<()> {
    let (found, whole) = match args.query.as_deref() {
        None => (catalogue::cards().iter().collect(), false),
        Some(query) => search(query)?,
    };
    match args.format {
        CardsFormat::Json => {
            let entries: Vec<Entry> =
                found.into_iter().map(|card| Entry { card, instances: holding(&card.id) }).collect();
            serde_json::to_writer_pretty(&mut *out, &entries)?;
            writeln!(out)?;
        }
        CardsFormat::Csv => csv(&found, out)?,
        CardsFormat::Text if whole => {
            for (n, card) in found.into_iter().enumerate() {
                if n > 0 {
                    writeln!(out)?;
                }
                in_full(card, out)?;
            }
        }
        CardsFormat::Text => list(&found, out)?,
    }
    Ok(())
}

/// Finds cards, and says whether they were meant exactly and are to be shown in full.
fn search(query: &str) -> Result<(Vec<&'static Card>, bool)> {
    if let Some(card) = catalogue::card(query) {
        return Ok((vec![card], true));
    }
    let mut held: Vec<&Card> = Vec::new();
    for card in catalogue::named_instances(query).iter().filter_map(|found| catalogue::card(found.card?)) {
        if !held.iter().any(|other| other.id == card.id) {
            held.push(card);
        }
    }
    if !held.is_empty() {
        return Ok((held, true));
    }
    let wanted = query.to_lowercase();
    let mentions = |text: &str| text.to_lowercase().contains(&wanted);
    let part: Vec<&Card> = catalogue::cards()
        .iter()
        .filter(|card| {
            [&card.id, &card.title, &card.arch, &card.vendor]
                .into_iter()
                .chain(&card.aliases)
                .any(|text| mentions(text))
        })
        .collect();
    if part.is_empty() {
        bail!(message!("no card or instance type is called {query:?}{}", likely(query)));
    }
    Ok((part, false))
}

/// Suggests the card that is spelled most like the query.
fn likely(query: &str) -> String {
    let names = catalogue::cards().iter().flat_map(|card| std::iter::once(&card.id).chain(&card.aliases));
    match nearest(query, names.map(String::as_str)) {
        Some(name) => message!("; did you mean {name}?").into(),
        None => message!("; `kashi cards` lists them all").into(),
    }
}

fn holding(id: &str) -> Vec<&'static InstanceType> {
    catalogue::instances().flat_map(|all| &all.types).filter(|kind| kind.card == Some(id)).collect()
}

/// One line a card; `~` marks figures that are not all confirmed.
fn list(cards: &[&Card], out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{:<15} {:>8} {:>8} {:>9} {:>7} {:>8}  NAME", "CARD", "VRAM GB", "TFLOPS", "GB/s", "W", "NVLINK")?;
    for card in cards {
        let memory = marked(Some(f64::from(card.vram_gb)), card.vram_mark);
        let [tflops, bandwidth, power] =
            [card.fp16_tflops, card.bandwidth_gbs, card.tdp_w].map(|figure| marked(figure, card.spec_mark));
        let link = marked(card.nvlink(), card.spec_mark);
        writeln!(out, "{:<15} {memory:>8} {tflops:>8} {bandwidth:>9} {power:>7} {link:>8}  {}", card.id, card.title)?;
    }
    writeln!(out, "\nTFLOPS: dense FP16 tensor rate. GB/s: memory. NVLINK: GB/s. ~: inferred, in part or whole.")?;
    Ok(())
}

fn marked(figure: Option<f64>, mark: catalogue::Mark) -> String {
    let Some(figure) = figure else { return "-".to_owned() };
    match mark {
        catalogue::Mark::Confirmed => figure.to_string(),
        _ => format!("~{figure}"),
    }
}

/// Everything about one card.
fn in_full(card: &Card, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", card.id)?;
    let mut facts = figures(card);
    facts.push(("prints", card.names.join(", ")));
    facts.push(("aliases", card.aliases.join(", ")));
    facts.push(("note", card.note.clone().unwrap_or_default()));
    let siblings = catalogue::cards().iter().filter(|other| other.model.is_some() && other.model == card.model);
    let siblings: Vec<&str> = siblings.map(|other| other.id.as_str()).filter(|id| *id != card.id).collect();
    facts.push(("siblings", siblings.join(", ")));
    for all in catalogue::instances() {
        let holding = all.types.iter().filter(|kind| kind.card == Some(card.id.as_str()));
        facts.push((&all.provider, holding.map(sold).collect::<Vec<_>>().join(", ")));
    }
    for (label, text) in facts.iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(out, "  {label:<10} {text}")?;
    }
    Ok(())
}

fn figures(card: &Card) -> Vec<(&'static str, String)> {
    let printed: Vec<String> = card.memory_mib.iter().map(u32::to_string).collect();
    let memory = format!("{} GB, printed as {} MiB [{}]", card.vram_gb, printed.join(" or "), card.vram_mark.as_str());
    let [fp16, bf16, bandwidth, power] =
        [card.fp16_tflops, card.bf16_tflops, card.bandwidth_gbs, card.tdp_w].map(or_unknown);
    let link = card.link.map_or("PCIe only".to_owned(), |link| format!("{} {} GB/s", link.kind.as_str(), link.gbs));
    vec![
        ("name", format!("{} ({})", card.title, card.arch)),
        ("memory", memory),
        ("compute", format!("{fp16} TFLOPS dense FP16, {bf16} BF16")),
        ("bandwidth", format!("{bandwidth} GB/s")),
        ("power", format!("{power} W")),
        ("link", link),
        ("MIG", if card.mig { "yes" } else { "no" }.to_owned()),
        ("figures", format!("[{}] {}", card.spec_mark.as_str(), card.source)),
    ]
}

fn or_unknown(figure: Option<f64>) -> String {
    figure.map_or("unknown".to_owned(), |figure| figure.to_string())
}

/// An instance type with its number of cards; `~` where the card is inferred.
fn sold(kind: &InstanceType) -> String {
    let inferred = if kind.mark == catalogue::Mark::Confirmed { "" } else { "~" };
    format!("{inferred}{} ×{}", kind.name, kind.cards.round_dp(4).normalize())
}

fn csv(cards: &[&Card], out: &mut dyn Write) -> Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record([
        "id",
        "title",
        "vendor",
        "arch",
        "vram_gb",
        "memory_mib",
        "fp16_tflops",
        "bf16_tflops",
        "bandwidth_gbs",
        "tdp_w",
        "link",
        "link_gbs",
        "mig",
        "vram_mark",
        "spec_mark",
        "names",
        "aliases",
    ])?;
    for card in cards {
        let figure = |figure: Option<f64>| figure.map_or(String::new(), |figure| figure.to_string());
        rows.write_record([
            card.id.clone(),
            card.title.clone(),
            card.vendor.clone(),
            card.arch.clone(),
            card.vram_gb.to_string(),
            card.memory().to_string(),
            figure(card.fp16_tflops),
            figure(card.bf16_tflops),
            figure(card.bandwidth_gbs),
            figure(card.tdp_w),
            card.link.map_or("", |link| link.kind.as_str()).to_owned(),
            figure(card.link.map(|link| link.gbs)),
            card.mig.to_string(),
            card.vram_mark.as_str().to_owned(),
            card.spec_mark.as_str().to_owned(),
            card.names.join("|"),
            card.aliases.join("|"),
        ])?;
    }
    Ok(rows.flush()?)
}
