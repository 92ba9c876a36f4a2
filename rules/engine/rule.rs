//! The rules there are.

use std::sync::OnceLock;

use super::case::Case;
use super::finding::Verdict;
use super::page::Page;
use super::select::Params;
use kashi_parsers::{Message, message};

/// Judges a case.
pub(crate) type Check = fn(&Case, &Params) -> Verdict;

struct Registered {
    name: &'static str,
    group: &'static str,
    page: &'static str,
    zh: &'static str,
    check: Check,
}

static REGISTRY: &[Registered] = include!(concat!(env!("OUT_DIR"), "/registry.rs"));

/// A rule: its name, its page, its code.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name, which is its identity and the stem of its files.
    pub name: &'static str,
    /// Its group.
    pub group: &'static str,
    /// Its page.
    pub page: Page,
    pub(crate) check: Check,
}

/// Every rule, by group and name.
///
/// # Errors
/// If a page is malformed, which a test rules out.
pub fn rules() -> Result<&'static [Rule], Message> {
    static RULES: OnceLock<Result<Vec<Rule>, Message>> = OnceLock::new();
    RULES
        .get_or_init(|| {
            REGISTRY
                .iter()
                .map(|r| {
                    let page = Page::parse(r.page, r.zh).map_err(|e| message!("{}/{}.md: {e}", r.group, r.name))?;
                    Ok(Rule { name: r.name, group: r.group, page, check: r.check })
                })
                .collect()
        })
        .as_deref()
        .map_err(Clone::clone)
}

/// A rule by its name or code.
pub fn rule(name_or_code: &str) -> Option<&'static Rule> {
    rules().ok()?.iter().find(|r| r.name == name_or_code || r.page.code.eq_ignore_ascii_case(name_or_code))
}
