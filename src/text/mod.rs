//! Every word of a report that does not come from a rule's page, in both languages.

pub mod catalogue;
mod en;
pub mod template;
mod zh;

use kashi_parsers::ledger::Category;
use kashi_rules::{AmountKind, Certainty, Severity};
use serde::{Deserialize, Serialize};

/// The language of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese, simplified.
    Zh,
}

impl Lang {
    /// `en` or `zh`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// The words of the language.
    pub const fn words(self) -> &'static Words {
        match self {
            Self::En => &en::WORDS,
            Self::Zh => &zh::WORDS,
        }
    }
}

impl From<Lang> for kashi_rules::Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::En => Self::En,
            Lang::Zh => Self::Zh,
        }
    }
}

/// Declares [`Words`]; every word is a field, so one that a language lacks does not compile.
macro_rules! words {
    ($($name:ident),+ $(,)?) => {
        /// The words of one language; `{…}` in them is filled by who prints them.
        #[derive(Debug, Serialize)]
        #[allow(missing_docs)]
        pub struct Words {
            $(pub $name: &'static str,)+
            pub categories: [&'static str; 10],
            pub severities: [&'static str; 3],
            pub certainties: [&'static str; 3],
        }
    };
}

words! {
    // The head.
    html_lang, title, report, generated_at, quarantined,
    // Money.
    paid, recoverable, avoidable, at_risk, recoverable_long, avoidable_long, at_risk_long,
    converted, rate, not_converted, counted_once, card_hours, of_them_idle, currency, amount, net, cost, share, saved, total,
    // Findings.
    findings, no_findings, finding, evidence, and_more, and_more_names, action, as_in, once, adds, adds_nothing,
    instead, instead_cost,
    rule, resource, severity, certainty, kind, start, end, account, platform, category, id, code,
    // The tables.
    before_after, before, after, by_category,
    bills, file, layout, rows, lines, sum, stated, foots, does_not_foot, not_stated, left_out, refused, refused_rows,
    usage, format, samples, devices,
    // What is not said above.
    silence, counts, found_by_kind, ignored, reason, baseline, undetermined, skipped, lacks, untied,
    unknown_columns, notes, none,
    lacks_usage, lacks_inventory, lacks_balance, lacks_contract,
    // Between words.
    colon, comma, list, open, close,
    // What the program says beside a report.
    error,
    // The mail.
    subject, subject_saves, greeting, attached, attachment, and_more_findings, closing,
}

impl Words {
    /// A category.
    pub fn category_of(&self, category: Category) -> &'static str {
        Category::ALL.iter().position(|c| *c == category).map_or("", |at| self.categories[at])
    }

    /// A severity.
    pub const fn severity_of(&self, severity: Severity) -> &'static str {
        self.severities[severity as usize]
    }

    /// A certainty.
    pub const fn certainty_of(&self, certainty: Certainty) -> &'static str {
        self.certainties[certainty as usize]
    }

    /// A kind of amount.
    pub const fn kind_of(&self, kind: AmountKind) -> &'static str {
        match kind {
            AmountKind::Recoverable => self.recoverable,
            AmountKind::Avoidable => self.avoidable,
            AmountKind::AtRisk => self.at_risk,
        }
    }

    /// An input that a rule lacks.
    pub fn lack_of<'a>(&'a self, input: &'a str) -> &'a str {
        match input {
            "usage" => self.lacks_usage,
            "inventory" => self.lacks_inventory,
            "balance" => self.lacks_balance,
            "contract" => self.lacks_contract,
            other => other,
        }
    }
}
