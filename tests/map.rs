//! `kashi map` on layouts that it has not seen: each shipped one in turn, and those of nobody.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kashi::places::Place;
use kashi::{bills, commands};
use kashi_parsers::layout::map::{Answers, Naming, Proposal, Vocabulary, platform_file, propose, trade_words};
use kashi_parsers::layout::{Claim, Header, Platforms, fold};
use kashi_parsers::open::Table;
use rust_decimal::Decimal;

use crate::golden;

/// The columns without which an audit is wrong or blind.
const REQUIRED: [&str; 21] = [
    "account", "period", "start", "end", "posted", "kind", "sku", "resource", "region", "quantity", "unit", "price",
    "list_price", "list_cost", "discount", "voucher", "cost", "paid", "tax", "balance", "currency",
];
/// Those that make it more readable.
const FURTHER: [&str; 6] = ["account_name", "project", "invoice", "resource_name", "tags", "terms"];

/// What became of one ledger column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The column that the layout reads first.
    First,
    /// One that it reads where the first is blank.
    Further,
    /// Another with the same values.
    Equal,
    /// The month of the column that is proposed for the time.
    Implied,
    Wrong,
    Missing,
}

impl Verdict {
    fn is_right(self) -> bool {
        !matches!(self, Self::Wrong | Self::Missing)
    }
}

fn place(file: &Path) -> Place {
    Place { name: file.file_name().unwrap().to_string_lossy().into_owned(), path: file.to_owned() }
}

fn sorted(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

/// The fixtures of a platform's layouts, with the claim on each of their tables.
fn fixtures(platforms: &Platforms) -> Vec<(PathBuf, Table, Claim)> {
    let mut all = Vec::new();
    // kashi's own export has the ledger's own names: mapping it proves nothing.
    for platform in platforms.iter().filter(|p| p.name != "ledger") {
        let folder = Path::new("fixtures").join(&platform.name);
        if !folder.is_dir() {
            continue;
        }
        for file in sorted(folder) {
            let name = file.to_string_lossy().into_owned();
            if name.ends_with(".ledger.csv") || name.ends_with(".toml") {
                continue;
            }
            for (table, claim) in bills::claims(&place(&file), platforms).unwrap() {
                all.push((file.clone(), table, claim));
            }
        }
    }
    all
}

/// The other tables of an archive.
fn siblings(file: &Path, claim: &Claim, platforms: &Platforms) -> Vec<Table> {
    let all = bills::claims(&place(file), platforms).unwrap();
    all.into_iter().filter(|(_, other)| other.name() == claim.name()).skip(1).map(|(table, _)| table).collect()
}

/// The columns of the file that a layout reads for a ledger column and that have a value in it.
fn expected(claim: &Claim, proposal: &Proposal, ledger: &str) -> Vec<String> {
    let header = Header::new(proposal.sample.names.clone());
    let Some(sources) = claim.layout().columns.get(ledger) else { return Vec::new() };
    let places = sources.0.iter().filter_map(|s| header.find(&s.column.0));
    let filled = places.filter(|at| proposal.sample.cells(*at).next().is_some());
    filled.map(|at| proposal.sample.names[at].clone()).collect()
}

fn verdict(proposal: &Proposal, ledger: &str, expected: &[String]) -> (Verdict, String) {
    let Some(found) = proposal.guess(ledger).and_then(|g| g.columns().next()) else {
        // A bill without a month is of the month of its time: the ledger takes it from there.
        let time = proposal.guess("start").or_else(|| proposal.guess("posted")).and_then(|g| g.columns().next());
        if let Some(time) = time.filter(|time| ledger == "period" && expected.iter().any(|e| e == time)) {
            return (Verdict::Implied, time.to_owned());
        }
        return (Verdict::Missing, "-".to_owned());
    };
    let at = |name: &str| proposal.sample.names.iter().position(|n| n == name).unwrap();
    let values = |name: &str| -> Vec<&str> { proposal.sample.rows.iter().map(|r| r[at(name)].as_str()).collect() };
    let verdict = if found == expected[0] {
        Verdict::First
    } else if expected.iter().any(|e| e == found) {
        Verdict::Further
    } else if expected.iter().any(|e| values(e) == values(found)) {
        Verdict::Equal
    } else {
        Verdict::Wrong
    };
    (verdict, found.to_owned())
}

#[derive(Default)]
struct Score {
    right: usize,
    first: usize,
    all: usize,
}

impl Score {
    fn add(&mut self, verdict: Verdict) {
        self.all += 1;
        self.right += usize::from(verdict.is_right());
        self.first += usize::from(verdict == Verdict::First);
    }

    fn percent(&self) -> usize {
        self.right * 100 / self.all.max(1)
    }

    fn line(&self) -> String {
        format!("{} of {} right ({} %), {} of them the layout's first choice", self.right, self.all, self.percent(), self.first)
    }
}

/// The total cost by currency of a file read through platforms.
fn totals(file: &Path, platforms: &Platforms) -> Result<BTreeMap<String, Decimal>, String> {
    let read = bills::read(&[place(file)], platforms, &[], false).map_err(|e| format!("{e:#}"))?;
    let mut all = BTreeMap::new();
    for total in read.ledger.totals().unwrap() {
        *all.entry(total.currency.to_string()).or_insert(Decimal::ZERO) += total.cost;
    }
    Ok(all.into_iter().map(|(k, v): (String, Decimal)| (k, v.normalize())).collect())
}

/// Whether the mapped file, without an answer, gives the ledger the same total.
fn same_total(file: &Path, proposal: &Proposal, platforms: &Platforms) -> String {
    let name = file.file_name().unwrap().to_string_lossy();
    let text = platform_file(proposal, &Naming { name: "unseen", file: &name, known: None });
    let mut alone = Platforms::default();
    if let Err(error) = alone.add("unseen.toml", &text) {
        return format!("no platform file without an answer: {error}");
    }
    let theirs = totals(file, platforms).unwrap();
    let needed: Vec<&str> = proposal.doubts.iter().filter(|d| d.needed).map(|d| d.about.as_str()).collect();
    let asked = if needed.is_empty() { String::new() } else { format!("; asks for {}", needed.join(", ")) };
    match totals(file, &alone) {
        Ok(ours) if ours == theirs => format!("same total as the layout{asked}"),
        Ok(ours) => format!("total {ours:?}, the layout's {theirs:?}{asked}"),
        Err(error) => format!("not read without an answer: {}{asked}", error.lines().nth(1).unwrap_or(&error)),
    }
}

#[test]
fn layouts_left_out_are_mapped() {
    let platforms = commands::platforms(&[]).unwrap();
    let (mut text, mut required, mut further) = (String::new(), Score::default(), Score::default());
    for (file, table, claim) in fixtures(&platforms) {
        // The whole platform is left out: a sibling layout would give its words away.
        let vocabulary = Vocabulary::learn(&platforms, &[&claim.platform.name]);
        let tables: Vec<Table> = std::iter::once(table).chain(siblings(&file, &claim, &platforms)).collect();
        let proposal = propose(&tables, &vocabulary, &Answers::default()).unwrap();
        let mut here = Score::default();
        let mut rows = String::new();
        for (ledger, is_required) in REQUIRED.iter().map(|l| (l, true)).chain(FURTHER.iter().map(|l| (l, false))) {
            let expected = expected(&claim, &proposal, ledger);
            if expected.is_empty() {
                continue;
            }
            let (verdict, found) = verdict(&proposal, ledger, &expected);
            if is_required { &mut required } else { &mut further }.add(verdict);
            if is_required {
                here.add(verdict);
            }
            let sure = proposal.guess(ledger).map_or("", |g| g.sure.as_str());
            let shown = format!("{verdict:?}").to_lowercase();
            let optional = if is_required { "" } else { " (further)" };
            let _ = writeln!(rows, "  {shown:8} {ledger}{optional}: {found} [{sure}]; expected {}", expected.join(" | "));
        }
        let name = file.file_name().unwrap().to_string_lossy();
        let _ = writeln!(text, "{} {name}: {}", claim.name(), here.line());
        let _ = writeln!(text, "  {}", same_total(&file, &proposal, &platforms));
        text.push_str(&rows);
    }
    let head = format!(
        "Every shipped layout mapped with its whole platform left out of the vocabulary.\n\
         first: the column that the layout reads; further: one that it reads where the first is blank;\n\
         equal: another column with the same values; implied: the month of the column proposed for the time.\n\n\
         required columns: {}\nfurther columns: {}\n\n",
        required.line(),
        further.line()
    );
    golden::check(Path::new("fixtures/map/leave-one-out.txt"), &(head + &text));
    assert!(required.percent() >= 85, "{}", required.line());
}

/// Runs a case's command in a copy of its folder; exit code, all output, and what was written.
fn run(case: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(case.join("bill.csv"), folder.path().join("bill.csv")).unwrap();
    let arguments = std::fs::read_to_string(case.join("cmd.txt")).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_kashi"))
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    let mut text = format!("exit {}\n", output.status.code().unwrap());
    text.push_str(&String::from_utf8(output.stderr).unwrap());
    text.push_str(&String::from_utf8(output.stdout).unwrap());
    for written in sorted(folder.path()) {
        if written.extension().is_some_and(|e| e == "toml") {
            let name = written.file_name().unwrap().to_string_lossy();
            let _ = write!(text, "--- {name}\n{}", std::fs::read_to_string(&written).unwrap());
            let ledger = std::process::Command::new(env!("CARGO_BIN_EXE_kashi"))
                .args(["ledger", "bill.csv", "--platform-file", &*name])
                .current_dir(folder.path())
                .output()
                .unwrap();
            let _ = write!(text, "--- ledger\n{}", String::from_utf8(ledger.stdout).unwrap());
        }
    }
    text
}

#[test]
fn bills_of_nobody_are_mapped_and_read() {
    for case in sorted("fixtures/map").iter().filter(|p| p.is_dir()) {
        golden::check(&case.join("expected.txt"), &run(case));
    }
}

/// What the public samples of layouts must be mapped to, by what their vendors document.
const SAMPLES: &[(&str, &[(&str, &[&str])])] = &[
    (
        "azure/finops-toolkit_EA_ActualCost_Small.csv",
        &[
            ("cost", &["Cost"]),
            ("start", &["Date"]),
            ("period", &["BillingPeriodStartDate"]),
            ("account", &["BillingAccountId"]),
            ("resource", &["ResourceId"]),
            ("region", &["ResourceLocation", "MeterRegion"]),
            ("sku", &["MeterName", "Product", "MeterCategory", "MeterSubCategory"]),
            ("kind", &["ChargeType"]),
            ("quantity", &["Quantity"]),
            ("unit", &["UnitOfMeasure"]),
            ("currency", &["BillingCurrency"]),
        ],
    ),
    (
        "azure/focus_converters_sample-anonymous-ea-export-dataset.csv",
        &[
            ("cost", &["CostInBillingCurrency"]),
            ("start", &["Date"]),
            ("period", &["BillingPeriodStartDate"]),
            ("account", &["BillingAccountId"]),
            ("resource", &["ResourceId"]),
            ("region", &["ResourceLocation", "MeterRegion"]),
            ("sku", &["MeterName", "ProductName", "MeterCategory", "MeterSubCategory"]),
            ("kind", &["ChargeType"]),
            ("quantity", &["Quantity"]),
            ("unit", &["UnitOfMeasure"]),
            ("currency", &["BillingCurrencyCode"]),
        ],
    ),
    (
        "gcp/koku_202011_gcp_export.csv",
        &[
            ("cost", &["cost"]),
            ("start", &["usage_start_time"]),
            ("end", &["usage_end_time"]),
            ("period", &["invoice.month"]),
            ("account", &["billing_account_id"]),
            ("project", &["project.name", "project.id"]),
            ("sku", &["sku.description"]),
            ("kind", &["cost_type"]),
            ("quantity", &["usage.amount", "usage.amount_in_pricing_units"]),
            ("unit", &["usage.unit", "usage.pricing_unit"]),
            ("region", &["location.region", "location.location"]),
            ("currency", &["currency"]),
        ],
    ),
    (
        "oci/focus_converters_reports_cost-csv_0000000030000269.csv",
        &[
            ("cost", &["cost/myCost"]),
            ("start", &["lineItem/intervalUsageStart"]),
            ("end", &["lineItem/intervalUsageEnd"]),
            ("account", &["lineItem/tenantId"]),
            ("project", &["product/compartmentName", "product/compartmentId"]),
            ("sku", &["product/Description", "cost/productSku", "product/service"]),
            ("resource", &["product/resourceId"]),
            ("region", &["product/region"]),
            ("quantity", &["usage/billedQuantity"]),
            ("unit", &["cost/skuUnitDescription", "cost/billingUnitReadable"]),
            ("price", &["cost/unitPrice"]),
            ("currency", &["cost/currencyCode"]),
        ],
    ),
    (
        "digitalocean/do_api_doc_example.csv",
        &[
            ("cost", &["USD"]),
            ("start", &["start"]),
            ("end", &["end"]),
            ("sku", &["product", "description"]),
            ("quantity", &["hours"]),
        ],
    ),
];

#[test]
fn public_samples_of_no_layout_are_mapped() {
    let folder = Path::new("../shared/samples/bills");
    if !folder.is_dir() {
        return;
    }
    // None of these vendors teaches anything here, whether a layout of theirs is shipped or not.
    let platforms = commands::platforms(&[]).unwrap();
    let vendors = ["azure", "gcp", "google", "oci", "oracle", "digitalocean"];
    let vocabulary = Vocabulary::learn(&platforms, &vendors);
    let (mut right, mut all, mut wrong) = (0, 0, String::new());
    for (file, columns) in SAMPLES {
        let path = folder.join(file);
        let table = kashi_parsers::open::open(&path, file).unwrap().remove(0);
        let proposal = propose(std::slice::from_ref(&table), &vocabulary, &Answers::default()).unwrap();
        for (ledger, expected) in *columns {
            let found = proposal.guess(ledger).and_then(|g| g.columns().next()).unwrap_or("-");
            all += 1;
            if expected.contains(&found) {
                right += 1;
            } else {
                let _ = writeln!(wrong, "{file}: {ledger}: {found}, expected {expected:?}");
            }
        }
    }
    eprintln!("{right} of {all} right\n{wrong}");
    assert!(right * 100 >= all * 85, "{right} of {all}\n{wrong}");
}

/// Words that are whole headers of shipped layouts, by the number of platforms that have them.
fn words_that_are_headers(platforms: &Platforms) -> BTreeMap<&'static str, usize> {
    let words: Vec<&'static str> = trade_words().collect();
    let mut all: BTreeMap<&'static str, usize> = BTreeMap::new();
    for platform in platforms.iter().filter(|p| p.name != "ledger") {
        let sources = platform.layouts.iter().flat_map(|l| l.columns.values()).flat_map(|s| &s.0);
        let headers: Vec<String> = sources.flat_map(|s| &s.column.0).map(|n| fold(n)).collect();
        for word in words.iter().filter(|w| headers.iter().any(|h| h == *w)) {
            *all.entry(word).or_default() += 1;
        }
    }
    all
}

#[test]
fn the_vocabulary_is_of_trade_words() {
    for word in trade_words() {
        let chinese = word.chars().filter(|c| !c.is_ascii()).count();
        let english = word.split_whitespace().filter(|w| w.is_ascii()).count();
        assert!(chinese <= 4 && english <= 4, "{word:?} is long for a trade word: is it the header of one vendor?");
        assert!(!word.contains(['/', '.', '_', '(', ':']), "{word:?} is written as one vendor writes a header");
    }
    let platforms = commands::platforms(&[]).unwrap();
    let mut text = String::from(
        "Trade words that are also a whole header of a shipped layout, and how many platforms have it.\n\
         Each must be a word that any bill may use.\n\n",
    );
    for (word, count) in words_that_are_headers(&platforms) {
        let _ = writeln!(text, "{word} {count}");
    }
    golden::check(Path::new("fixtures/map/words-that-are-headers.txt"), &text);
}

#[test]
fn a_terminal_is_asked_what_is_doubtful() {
    let vocabulary = Vocabulary::default();
    let path = Path::new("fixtures/map/asks-for-currency/bill.csv");
    let table = kashi_parsers::open::open(path, "bill.csv").unwrap().remove(0);
    let mut answers = Answers::default();
    let first = propose(std::slice::from_ref(&table), &vocabulary, &answers).unwrap();
    // A wrong answer is asked again; a number, a setting and Enter are taken.
    let mut input = std::io::Cursor::new("currency==dollars\ncurrency==USD\n2\n\n\n");
    let mut screen = Vec::new();
    let again = |a: &Answers| Ok(propose(std::slice::from_ref(&table), &vocabulary, a)?);
    let last = commands::map::ask(first, &mut answers, &mut input, &mut screen, again).unwrap();
    assert!(last.doubts.iter().all(|d| !d.needed), "{:?}", last.doubts);
    golden::check(&path.with_file_name("terminal.txt"), &String::from_utf8(screen).unwrap());
    assert_eq!(answers.constant("currency"), Some("USD"));
    assert_eq!(answers.constant("dates"), Some("day-first"));
}
