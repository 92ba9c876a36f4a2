//! The demo month, made by a seeded generator: `UPDATE=1` writes `fixtures/demo`, a plain run
//! fails if a file there is not what the generator makes.

use std::collections::BTreeMap;
use std::path::Path;

use crate::golden;

mod alibaba;
mod autodl;
mod random;
mod row;
mod settings;
mod shelf;
mod usage;

/// Where the company's month lies.
const FOLDER: &str = "fixtures/demo";

/// Every file of the month, by its path within the folder.
fn files() -> BTreeMap<&'static str, String> {
    let bill = alibaba::bill();
    let statement = autodl::statement();
    let settings = settings::kashi_toml(&bill, &statement);
    let mut files = BTreeMap::from([
        ("kashi.toml", settings),
        ("inventory/images.csv", shelf::inventory()),
        (alibaba::FILE, bill.text),
        (autodl::FILE, statement.text),
    ]);
    files.extend(usage::logs());
    files
}

#[test]
fn the_demo_month_is_what_its_generator_makes() {
    let folder = Path::new(FOLDER);
    let files = files();
    for (name, text) in &files {
        let path = folder.join(name);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        }
        golden::check(&path, text);
    }
    let made: Vec<_> = files.keys().map(|name| folder.join(name)).collect();
    for place in kashi::places::files(folder).unwrap() {
        let known = made.contains(&place.path);
        assert!(known, "{}: is in the demo but its generator does not make it", place.path.display());
    }
    let size: usize = files.values().map(String::len).sum();
    assert!(size < 1_500_000, "the demo has {size} bytes: a clone should stay small");
}
