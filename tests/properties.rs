//! The laws of DESIGN.md, section 3, as properties: they hold of every layout that ships, for tables
//! that nobody wrote.
//!
//! The material are the rows of the fixtures, one fixture a layout: rows are picked, repeated,
//! shuffled and changed. The generator begins with the same number on every machine, so that a
//! failure is the same everywhere; `PROPTEST_CASES` asks for more cases than the usual few.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

mod alike;
mod claims;
mod conserved;
mod forms;
mod material;
mod numbers;
mod times;
mod unknown;

use material::Material;

/// Tries a property on so many values of a strategy, and shows the smallest for which it fails.
fn holds<S: Strategy>(name: &str, cases: u32, of: &S, property: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    tried(name, cases, of, property).unwrap_or_else(|failure| panic!("{failure}"));
}

/// As [`holds`], with what fails as a text.
fn tried<S: Strategy>(
    name: &str,
    cases: u32,
    of: &S,
    property: impl Fn(S::Value) -> Result<(), TestCaseError>,
) -> Result<(), String> {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok());
    let config = Config { cases: asked.unwrap_or(cases), failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner.run(of, property).map_err(|failure| format!("{name}: {failure}"))
}

/// Tries a property of every layout, and shows every one for which it fails.
fn of_every_layout(property: impl Fn(&'static Material) -> Result<(), String>) {
    let failures: Vec<String> = Material::all().iter().filter_map(|material| property(material).err()).collect();
    assert!(failures.is_empty(), "{} layouts fail:\n{}", failures.len(), failures.join("\n\n"));
}
