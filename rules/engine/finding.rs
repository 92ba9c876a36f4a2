//! What a rule says: findings with their proof, and what it could not determine.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use kashi_parsers::Origin;
use rust_decimal::Decimal;

use super::words::{AmountKind, Certainty, Severity};

/// An exact amount of money, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    /// Exact.
    pub value: Decimal,
    /// ISO 4217.
    pub currency: String,
    /// What can be done about it.
    pub kind: AmountKind,
}

/// The part of a line's cost (of one hour of it, if `hour` is given) that a finding accuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The line's place in the ledger.
    pub line: usize,
    /// Begin of the UTC hour.
    pub hour: Option<DateTime<Utc>>,
    /// Exact, in the line's currency.
    pub amount: Decimal,
}

/// What to take instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// Catalogue id.
    pub card: String,
    /// How many.
    pub cards: u32,
    /// What they cost for the same time, exact.
    pub cost: Decimal,
    /// Whether that is due however much they are used, as a package is: then an idle hour of what
    /// is replaced saves nothing more.
    pub fixed: bool,
}

/// What became of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It stands.
    Open,
    /// The user accepts it.
    Ignored {
        /// Why.
        reason: String,
        /// Until when.
        until: Option<NaiveDate>,
    },
}

/// Values that fill a sentence's placeholders; numbers as text.
pub type Values = BTreeMap<&'static str, String>;

/// One thing that is wrong, with its proof.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule's name.
    pub rule: &'static str,
    /// The platform.
    pub platform: String,
    /// The account.
    pub account: Option<String>,
    /// What it is about.
    pub resource: Option<String>,
    /// Begin and end of the time it is about, end exclusive.
    pub period: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// The money.
    pub amount: Option<Amount>,
    /// What it adds to the net of all findings; set by the netting.
    pub net: Decimal,
    /// How much it matters; the page's unless the rule says otherwise.
    pub severity: Severity,
    severity_set: bool,
    /// How sure it is; the page's.
    pub certainty: Certainty,
    /// Whether it stands.
    pub status: Status,
    /// The rows that prove it, bills first.
    pub evidence: Vec<Origin>,
    /// The key of its sentence and action on the page.
    pub sentence: &'static str,
    /// What fills them.
    pub values: Values,
    /// The parts of lines that it accuses.
    pub claims: Vec<Claim>,
    /// What to take instead.
    pub recommendation: Option<Recommendation>,
}

impl Finding {
    /// A finding about a platform, proven by at least one row.
    ///
    /// Severity and certainty come from the rule's page unless they are set here.
    pub fn new(platform: impl Into<String>, sentence: &'static str, first: Origin) -> Self {
        Self {
            rule: "",
            platform: platform.into(),
            account: None,
            resource: None,
            period: None,
            amount: None,
            net: Decimal::ZERO,
            severity: Severity::Info,
            severity_set: false,
            certainty: Certainty::Possible,
            status: Status::Open,
            evidence: vec![first],
            sentence,
            values: Values::new(),
            claims: Vec::new(),
            recommendation: None,
        }
    }

    /// Names the account.
    #[must_use]
    pub fn account(mut self, account: Option<&str>) -> Self {
        self.account = account.map(str::to_owned);
        self
    }

    /// Names the resource.
    #[must_use]
    pub fn resource(mut self, resource: impl Into<String>) -> Self {
        let resource = resource.into();
        self.values.insert("resource", resource.clone());
        self.resource = Some(resource);
        self
    }

    /// Says when.
    #[must_use]
    pub fn period(mut self, start: DateTime<Utc>, end: DateTime<Utc>) -> Self {
        self.period = Some((start, end));
        self
    }

    /// Says how much.
    #[must_use]
    pub fn amount(mut self, value: Decimal, currency: impl Into<String>, kind: AmountKind) -> Self {
        self.amount = Some(Amount { value, currency: currency.into(), kind });
        self
    }

    /// Adds more proof.
    #[must_use]
    pub fn evidence(mut self, more: impl IntoIterator<Item = Origin>) -> Self {
        let mut known: HashSet<Origin> = self.evidence.iter().cloned().collect();
        self.evidence.extend(more.into_iter().filter(|origin| known.insert(origin.clone())));
        self
    }

    /// Accuses parts of lines.
    #[must_use]
    pub fn claims(mut self, claims: Vec<Claim>) -> Self {
        self.claims = claims;
        self
    }

    /// Says what to take instead.
    #[must_use]
    pub fn recommend(mut self, instead: Recommendation) -> Self {
        self.recommendation = Some(instead);
        self
    }

    /// Fills a placeholder.
    #[must_use]
    pub fn value(mut self, name: &'static str, value: impl ToString) -> Self {
        self.values.insert(name, value.to_string());
        self
    }

    /// Sets the severity, where it differs from the page's.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self.severity_set = true;
        self
    }

    /// Takes from the rule's page what the rule did not say itself.
    pub(crate) fn settle(&mut self, page: &super::page::Page) {
        self.certainty = page.certainty;
        if !self.severity_set {
            self.severity = page.severity;
        }
    }

    /// A short id that is the same on every run over the same input.
    pub fn id(&self) -> String {
        let mut hash = Fnv::new();
        for part in [
            self.rule,
            &self.platform,
            self.account.as_deref().unwrap_or_default(),
            self.resource.as_deref().unwrap_or_default(),
            self.sentence,
        ] {
            hash.add(part.as_bytes());
        }
        if let Some((start, end)) = self.period {
            hash.add(&start.timestamp().to_be_bytes());
            hash.add(&end.timestamp().to_be_bytes());
        }
        if let Some(origin) = self.evidence.first() {
            hash.add(origin.to_string().as_bytes());
        }
        format!("{:012x}", hash.0 & 0xffff_ffff_ffff)
    }
}

/// FNV-1a: stable across machines and versions, unlike the standard hasher.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Something that a rule could not say, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undetermined {
    /// The rule's name.
    pub rule: &'static str,
    /// What it is about.
    pub resource: Option<String>,
    /// The key of the reason on the page (`[undetermined]`).
    pub reason: &'static str,
    /// What fills its placeholders.
    pub values: Values,
}

/// What a rule says of a case.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What could not be said.
    pub undetermined: Vec<Undetermined>,
}

impl Verdict {
    /// Adds a finding.
    pub fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Adds something that could not be said.
    pub fn undetermined(&mut self, resource: Option<&str>, reason: &'static str, values: &[(&'static str, String)]) {
        let mut values: Values = values.iter().cloned().collect();
        if let Some(resource) = resource {
            values.insert("resource", resource.to_owned());
        }
        self.undetermined.push(Undetermined { rule: "", resource: resource.map(str::to_owned), reason, values });
    }
}
