//! kashi.toml, byte by byte changed: it is refused by name or taken as something that can be audited with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use chrono::NaiveDate;
use kashi::audit::{self, About};
use kashi::bills::Bills;
use kashi::config::{Config, is_month};
use kashi::footings::footings;
use kashi::scope;
use kashi::text::{Lang, catalogue};
use kashi_parsers::contract::Rate;
use kashi_parsers::layout::{self, Claim, shipped};
use kashi_parsers::ledger::marks::is_code;
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::ledger::{Ledger, Lines};
use kashi_parsers::open::Table;
use kashi_rules::{Case, Inputs, Selection};
use rust_decimal::Decimal;

use crate::dice::Dice;

/// What became of bytes that stand in a kashi.toml.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Became {
    Refused,
    /// Taken, and refused beside these bills: of another month, an unknown platform.
    Taken,
    Audited,
}

/// What must hold of any bytes that stand in a kashi.toml.
fn holds(bytes: &[u8]) -> Became {
    match Config::parse_bytes(bytes.to_vec(), "shop/kashi.toml") {
        Ok(config) => {
            makes_sense(&config);
            match audited(&config) {
                Ok(()) => Became::Audited,
                Err(error) => {
                    assert!(!format!("{error:#}").is_empty());
                    Became::Taken
                }
            }
        }
        Err(error) => {
            let rows = bytes.iter().filter(|b| **b == b'\n').count() + 1;
            for lang in [Lang::En, Lang::Zh] {
                let said = catalogue::failure(&error, lang);
                assert!(said.starts_with("shop/kashi.toml"), "{said}");
                assert!(said.len() < 4000, "{said}");
            }
            let said = format!("{error:#}");
            for mark in ["TOML parse error at line ", "shop/kashi.toml, row "] {
                let Some((_, after)) = said.split_once(mark) else { continue };
                let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
                assert!((1..=rows).contains(&digits.parse().unwrap()), "of {rows}: {said}");
            }
            Became::Refused
        }
    }
}

/// What an audit asks of it first: its months, zones, days, rates and amounts.
fn makes_sense(config: &Config) {
    let months = config.period.iter().chain(config.account.iter().filter_map(|a| a.period.as_ref()));
    months.for_each(|month| assert!(is_month(month), "{month}"));
    let zones = [&config.zone, &config.usage_zone].into_iter().flatten();
    for zone in zones.chain(config.account.iter().filter_map(|a| a.zone.as_ref())) {
        assert!(Zone::parse(zone).is_some(), "{zone}");
    }
    let mut codes: Vec<&str> = config.currency.iter().map(String::as_str).collect();
    codes.extend(config.rate.iter().flat_map(|rate| [rate.from.as_str(), &rate.to]));
    codes.extend(config.price.iter().map(|price| price.currency()));
    codes.extend(config.balance.iter().map(|balance| balance.currency.as_str()));
    codes.extend(config.statement.iter().map(|statement| statement.currency.as_str()));
    codes.into_iter().for_each(|code| assert!(is_code(code), "{code}"));
    for (at, rate) in config.rate.iter().enumerate() {
        assert!(rate.rate > Decimal::ZERO && Decimal::ONE.checked_div(rate.rate).is_some(), "{rate:?}");
        let same = |other: &Rate| {
            let pair = |rate: &Rate| {
                let (from, to) = (rate.from.clone(), rate.to.clone());
                (from.clone().min(to.clone()), from.max(to), rate.date)
            };
            pair(other) == pair(rate)
        };
        assert!(!config.rate[..at].iter().any(same), "{rate:?}");
    }
    for price in &config.price {
        assert!(price.price > Decimal::ZERO && !price.per().is_empty(), "{price:?}");
        let held = [price.from, price.until].into_iter().flatten().all(|day| price.holds(day));
        assert!(held, "{price:?}");
    }
}

/// A bill in yuan and one in dollars, each of a few lines.
static BILLS: LazyLock<[(Table, Claim); 2]> = LazyLock::new(|| {
    ["fixtures/errors/two-rates-of-a-day/bill.csv", "fixtures/month/totals-in-one-currency/cur-2.csv"].map(|file| {
        let table = Table::from_text("bills/x.csv", &std::fs::read_to_string(file).unwrap());
        let claim = layout::identify(&table, shipped().unwrap()).unwrap();
        (table, claim)
    })
});

/// Audits the bills by it, as the program does; an error is its own, with its own message.
fn audited(config: &Config) -> anyhow::Result<()> {
    let (mut lines, mut bills) = (Lines::new(), Vec::new());
    for (table, claim) in BILLS.iter() {
        bills.push(layout::read(table, claim, config.given(), &mut lines)?);
    }
    let read = Bills { ledger: Ledger::new(lines), bills, agreements: Vec::new(), aside: Vec::new() };
    let platforms = shipped().unwrap().clone();
    let period = config.period.clone().unwrap_or_else(|| "2026-09".to_owned());
    scope::check_period(&read, &period)?;
    scope::check_platforms(&read, config, &platforms)?;
    let zone = config.zone.as_deref().map_or_else(Zone::utc, |zone| Zone::parse(zone).unwrap());
    let (ledger, contract) = (read.ledger.clone(), config.contract());
    let footings = footings(&read, &config.statement)?;
    let (usage, inventory) = (Vec::new(), Vec::new());
    let inputs = Inputs { ledger, usage, contract, inventory, footings, platforms, period, zone };
    let case = Case::new(inputs).map_err(|error| anyhow::anyhow!(error))?;
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let of = |given: &BTreeMap<String, toml::Value>| given.iter().map(|(key, v)| (key.clone(), text(v))).collect();
    let parameters = config.rules.iter().map(|(rule, given)| (rule.clone(), of(given))).collect();
    let selection = Selection { parameters, ..Selection::default() };
    let outcome = kashi_rules::run(&case, &selection).map_err(|error| anyhow::anyhow!(error))?;
    let about = About {
        hashes: BTreeMap::new(),
        usage: Vec::new(),
        untied: Vec::new(),
        generated_at: None,
        currency: config.currency.clone(),
        settings: String::new(),
    };
    let report = audit::report(&read, &case, outcome, about)?;
    kashi::report::json::render(&report, Lang::En)?;
    Ok(())
}

/// Every kashi.toml of the fixtures, and those that `kashi init` writes.
fn seeds() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from("fixtures"), PathBuf::from("src/commands")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if name.starts_with("kashi.") && name.ends_with("toml") {
                found.push(path);
            }
        }
    }
    found.extend(crate::fuzzed::files(Path::new("fixtures/fuzz/config")));
    found.sort();
    found
}

/// Words that stand where another one may stand, with what no one would write.
const WORDS: [&str; 34] = [
    "[[rate]]",
    "[[price]]",
    "[[account]]",
    "[[balance]]",
    "[mail]",
    "[rules.idle-but-billed]",
    "from = ",
    "to = ",
    "date = ",
    "rate = ",
    "zone = ",
    "period = ",
    "until = ",
    "unit = ",
    "\"",
    "\"\"\"",
    "=",
    "\n",
    "\r\n",
    "[",
    "]",
    ".",
    "2026-09-31",
    "+262142-12-31",
    "\"-7.1\"",
    "\"0.0000000000000000001\"",
    "\"9999999999999999999999999999\"",
    "1e400",
    "9223372036854775808",
    "“2026-10”",
    "\u{feff}",
    "\0",
    "\"CNY/card-hour\"",
    "\"+14:00\"",
];

/// A text in which a thing or two are changed; the same dice change it in the same way.
///
/// Half of the changes keep it TOML, so that what is taken is tried as often as what is refused.
fn changed(seed: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=dice.below(2) {
        let at = dice.below(bytes.len() as u64 + 1) as usize;
        let end = (at + dice.below(24) as usize).min(bytes.len());
        match dice.below(12) {
            0 => drop(bytes.drain(at..end)),
            1 => drop(bytes.splice(at..at, dice.of(&WORDS).bytes())),
            2 => drop(bytes.splice(at..end, dice.of(&WORDS).bytes())),
            3 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            4 => bytes.truncate(end),
            5 => {
                let from = dice.below(other.len() as u64 + 1) as usize;
                let until = (from + dice.below(200) as usize).min(other.len());
                drop(bytes.splice(at..at, other[from..until].iter().copied()));
            }
            6 | 7 => lines(&mut bytes, other, dice),
            _ => digits(&mut bytes, dice),
        }
    }
    bytes
}

/// Puts lines of another text in, or takes one out.
fn lines(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let mut own: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
    let others: Vec<&[u8]> = other.split(|b| *b == b'\n').collect();
    let at = dice.below(own.len() as u64) as usize;
    if dice.below(3) == 0 {
        own.remove(at);
    } else {
        let from = dice.below(others.len() as u64) as usize;
        let until = (from + 1 + dice.below(6) as usize).min(others.len());
        own.splice(at..at, others[from..until].iter().copied());
    }
    *bytes = own.join(&b'\n');
}

/// Changes a digit, as of a day, an amount or a zone.
fn digits(bytes: &mut [u8], dice: &mut Dice) {
    let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
    if !places.is_empty() {
        let at = places[dice.below(places.len() as u64) as usize];
        bytes[at] = b"0123456789-."[dice.below(12) as usize];
    }
}

/// `KASHI_TURNS` takes more of them than every run does.
#[test]
fn a_changed_kashi_toml_is_refused_by_name_or_can_be_audited_with() {
    let texts: Vec<Vec<u8>> = seeds().iter().map(|seed| std::fs::read(seed).unwrap()).collect();
    assert!(texts.len() > 40, "{} seeds", texts.len());
    let turns: u64 = std::env::var("KASHI_TURNS").map_or(40, |turns| turns.parse().unwrap());
    let mut became = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        holds(text);
        for turn in 0..turns {
            let mut dice = Dice::new(turn * 1000 + at as u64 + 1);
            let other = &texts[dice.below(texts.len() as u64) as usize];
            let bytes = changed(text, other, &mut dice);
            let held = std::panic::catch_unwind(|| holds(&bytes));
            became.push(held.unwrap_or_else(|_| panic!("{:?}", String::from_utf8_lossy(&bytes))));
        }
    }
    let count = |what| became.iter().filter(|became| **became == what).count();
    let (taken, audited) = (count(Became::Taken), count(Became::Audited));
    println!("{} tried, {taken} taken, {audited} audited", became.len());
    // Changes that are always refused would try nothing of what is taken.
    assert!(taken * 50 > became.len() && audited * 50 > became.len(), "{taken} and {audited} of {}", became.len());
}

/// The days that a price or a rate may have are those of a calendar that time can be reckoned with.
#[test]
fn a_day_beyond_the_calendar_is_refused() {
    for day in ["2026-09-31", "+262142-12-31", "0000-00-00", "99999-01-01"] {
        let text = format!("[[rate]]\nfrom = \"USD\"\nto = \"CNY\"\ndate = \"{day}\"\nrate = \"7.1\"\n");
        assert!(Config::parse(&text, "kashi.toml").is_err(), "{day} {:?}", day.parse::<NaiveDate>());
    }
}
