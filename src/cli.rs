//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::text::Lang;

/// Audits GPU-rental bills: every card-hour, to the last digit, with the row that proves it.
#[derive(Debug, Parser)]
#[command(name = "kashi", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// The language of all that is said; that of kashi.toml without it
    #[arg(long, global = true, value_enum)]
    pub lang: Option<Lang>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Audit a month: bills and usage in, findings out
    Audit(AuditArgs),
    /// Write the clean line items of bills
    Ledger(LedgerArgs),
    /// Roll utilization exports up to hours by card
    Usage(crate::commands::usage::UsageArgs),
    /// Say which layout claims a file, and why
    Identify(IdentifyArgs),
    /// Draft a platform file for a bill that no layout claims
    Map(crate::commands::map::MapArgs),
    /// List the platforms and the exports that are known of each
    Platforms(PlatformsArgs),
    /// Look up GPUs: memory, speed, names, instance types
    Cards(crate::commands::cards::CardsArgs),
    /// List the rules
    Rules(RulesArgs),
    /// Explain a rule: what it finds, how the amount is worked out, when it is right
    Explain(ExplainArgs),
    /// Send a written report to finance
    Mail(crate::commands::mail::MailArgs),
    /// Write a commented kashi.toml
    Init(InitArgs),
}

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person on a terminal.
    #[default]
    Text,
    /// JSON, version 1.
    Json,
    /// Findings as CSV.
    Csv,
    /// Markdown.
    Md,
    /// One self-contained HTML file.
    Html,
    /// A workbook: findings, bills and every line.
    Xlsx,
}

/// Arguments of `kashi audit`.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Bills, folders of bills, or a folder with a kashi.toml; `-` is standard input
    #[arg(required = true)]
    pub bills: Vec<PathBuf>,
    /// Utilization exports: files or folders
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub usage: Vec<PathBuf>,
    /// Balances, one TOML or CSV file (platform, account, amount, currency, date, refundable)
    #[arg(long, value_name = "FILE")]
    pub balance: Option<PathBuf>,
    /// What exists on the platforms: images, snapshots, disks, instances
    #[arg(long, value_name = "FILE")]
    pub inventory: Option<PathBuf>,
    /// The configuration; a workplace brings its own
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Platform files of your own
    #[arg(long, value_name = "FILE")]
    pub platform_file: Vec<PathBuf>,
    /// The month to audit, such as 2026-10
    #[arg(long)]
    pub period: Option<String>,
    /// Write the whole set of reports and the clean line items into this folder; its CSV files begin
    /// with a byte-order mark for Excel, which BI tools pass over
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How to print the report; a workbook goes into a file: --format xlsx > audit.xlsx
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// The language of the report
    #[arg(long, value_enum)]
    pub lang: Option<Lang>,
    /// Exit with 1 if a finding reaches this severity: info, warning or critical
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<String>,
    /// Go on without refused rows, and write them into this file
    #[arg(long, value_name = "FILE")]
    pub quarantine: Option<PathBuf>,
    /// The zone of utilization logs that carry none, such as +08:00
    #[arg(long, value_name = "ZONE")]
    pub usage_zone: Option<String>,
    /// The field list of nvidia-smi logs without a header
    #[arg(long, value_name = "FIELDS")]
    pub fields: Option<String>,
    /// Run only these rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Colour
    #[arg(long, value_enum, default_value_t)]
    pub color: Color,
    /// A time to print on the report; without it a report carries none
    #[arg(long, value_name = "TIME")]
    pub generated_at: Option<String>,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Arguments of `kashi ledger`.
#[derive(Debug, Args)]
pub struct LedgerArgs {
    /// Bills, folders of bills, or a folder with a kashi.toml; `-` is standard input
    #[arg(required = true)]
    pub bills: Vec<PathBuf>,
    /// The file to write: .csv, .parquet, .jsonl or .xlsx; CSV to standard output without it. A CSV
    /// file begins with a byte-order mark for Excel, which BI tools pass over; standard output has none
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the totals by currency and category instead of lines; top-ups are no cost and not in them
    #[arg(long, conflicts_with = "output")]
    pub totals: bool,
    /// The totals by other columns of the lines, such as `platform,card` or `resource`
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', conflicts_with = "output")]
    pub by: Vec<String>,
    /// The configuration; a workplace brings its own
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Platform files of your own
    #[arg(long, value_name = "FILE")]
    pub platform_file: Vec<PathBuf>,
    /// Go on without refused rows, and write them into this file
    #[arg(long, value_name = "FILE")]
    pub quarantine: Option<PathBuf>,
}

/// Arguments of `kashi identify`.
#[derive(Debug, Args)]
pub struct IdentifyArgs {
    /// Files or folders
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Platform files of your own
    #[arg(long, value_name = "FILE")]
    pub platform_file: Vec<PathBuf>,
}

/// Arguments of `kashi platforms`.
#[derive(Debug, Args)]
pub struct PlatformsArgs {
    /// Only this platform, with all that is known of how it bills
    pub name: Option<String>,
    /// Platform files of your own
    #[arg(long, value_name = "FILE")]
    pub platform_file: Vec<PathBuf>,
    /// The language
    #[arg(long, value_enum, default_value_t)]
    pub lang: Lang,
}

/// Arguments of `kashi rules`.
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// The language
    #[arg(long, value_enum, default_value_t)]
    pub lang: Lang,
}

/// Arguments of `kashi explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The rule's name or code
    pub rule: String,
    /// The language
    #[arg(long, value_enum, default_value_t)]
    pub lang: Lang,
}

/// Arguments of `kashi init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The folder that becomes a workplace
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// The language of the comments
    #[arg(long, value_enum, default_value_t)]
    pub lang: Lang,
}
