//! Each shipped layout is mapped as if nobody had seen it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use kashi::places::Place;
use kashi::{bills, commands};
use kashi_parsers::layout::map::{Answers, Naming, Proposal, Vocabulary, platform_file, propose};
use kashi_parsers::layout::{Claim, Header, Platforms};
use kashi_parsers::open::Table;
use rust_decimal::Decimal;

use super::sorted;
use crate::golden;

/// The columns without which an audit is wrong or blind.
const REQUIRED: [&str; 21] = [
    "account",
    "period",
    "start",
    "end",
    "posted",
    "kind",
    "sku",
    "resource",
    "region",
    "quantity",
    "unit",
    "price",
    "list_price",
    "list_cost",
    "discount",
    "voucher",
    "cost",
    "paid",
    "tax",
    "balance",
    "currency",
];
/// Those that make it more readable.
const FURTHER: [&str; 6] = ["account_name", "project", "invoice", "resource_name", "tags", "terms"];

/// What became of one ledger column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
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
    pub(super) fn is_right(self) -> bool {
        !matches!(self, Self::Wrong | Self::Missing)
    }
}

fn place(file: &Path) -> Place {
    Place { name: file.file_name().unwrap().to_string_lossy().into_owned(), path: file.to_owned() }
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
            // A file without a header has no names to map: its layout has a fixture with one.
            let claimed = bills::claims(&place(&file), platforms).unwrap();
            for (table, claim) in claimed.into_iter().filter(|(_, claim)| claim.row > 0) {
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

pub(super) fn verdict(proposal: &Proposal, ledger: &str, expected: &[String]) -> (Verdict, String) {
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
pub(super) struct Score {
    right: usize,
    first: usize,
    all: usize,
}

impl Score {
    pub(super) fn add(&mut self, verdict: Verdict) {
        self.all += 1;
        self.right += usize::from(verdict.is_right());
        self.first += usize::from(verdict == Verdict::First);
    }

    fn percent(&self) -> usize {
        self.right * 100 / self.all.max(1)
    }

    pub(super) fn line(&self) -> String {
        format!(
            "{} of {} right ({} %), {} of them the layout's first choice",
            self.right,
            self.all,
            self.percent(),
            self.first
        )
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

/// Whether the mapped file gives the ledger the same total, with no more said than the currency that
/// the vendor's exports do not name.
fn same_total(file: &Path, tables: &[Table], claim: &Claim, vocabulary: &Vocabulary, platforms: &Platforms) -> String {
    let mut answers = Answers::default();
    let mut proposal = propose(tables, vocabulary, &answers).unwrap();
    let mut said = String::new();
    if let (Some(currency), true) = (&claim.platform.currency, proposal.doubts.iter().any(|d| d.about == "currency")) {
        answers.set(&format!("currency=={currency}")).unwrap();
        proposal = propose(tables, vocabulary, &answers).unwrap();
        said = format!(" once told currency=={currency}");
    }
    let name = file.file_name().unwrap().to_string_lossy();
    let text = platform_file(&proposal, &Naming { name: "unseen", file: &name, known: None });
    let needed: Vec<&str> = proposal.doubts.iter().filter(|d| d.needed).map(|d| d.about.as_str()).collect();
    let asked = if needed.is_empty() { said } else { format!("{said}; asks for {}", needed.join(", ")) };
    let mut alone = Platforms::default();
    if let Err(error) = alone.add("unseen.toml", &text) {
        return format!("no platform file{asked}: {error}");
    }
    let theirs = totals(file, platforms).unwrap();
    match totals(file, &alone) {
        Ok(ours) if ours == theirs => format!("same total as the layout{asked}"),
        Ok(ours) => format!("total {ours:?}, the layout's {theirs:?}{asked}"),
        Err(error) => format!("not read without an answer{asked}: {}", error.lines().nth(1).unwrap_or(&error)),
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
            let _ =
                writeln!(rows, "  {shown:8} {ledger}{optional}: {found} [{sure}]; expected {}", expected.join(" | "));
        }
        let name = file.file_name().unwrap().to_string_lossy();
        let _ = writeln!(text, "{} {name}: {}", claim.name(), here.line());
        let _ = writeln!(text, "  {}", same_total(&file, &tables, &claim, &vocabulary, &platforms));
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
