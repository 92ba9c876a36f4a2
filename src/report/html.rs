//! The report as one self-contained HTML file: no script, no link, printable.

use anyhow::Result;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Serialize;

use super::view::View;
use super::{Report, json};
use crate::text::Lang;

/// Renders the report.
///
/// # Errors
/// If the template asks for what a view does not have, which a test rules out.
pub fn render(report: &Report, lang: Lang) -> Result<String> {
    page(include_str!("report.html"), &View::new(&json::of(report, lang)))
}

/// Fills an HTML template, every value escaped.
///
/// # Errors
/// If the template is malformed or asks for a value that is not there.
pub(crate) fn page(template: &str, values: &impl Serialize) -> Result<String> {
    // The name's ending is what turns escaping on.
    const NAME: &str = "page.html";
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.add_filter("plain", |text: &str| crate::guard::printable(text).into_owned());
    environment.add_template(NAME, template)?;
    Ok(environment.get_template(NAME)?.render(Value::from(Serde(values)))? + "\n")
}
