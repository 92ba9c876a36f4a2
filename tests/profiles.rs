//! Platforms of which only the billing is known: a user's mapping makes them readable.

use std::path::Path;
use std::process::Command;

use kashi::places::Place;
use kashi::{bills, export};
use kashi_parsers::layout::{Mark, Platforms, shipped};

use crate::golden;

const CASE: &str = "fixtures/profiles/matpool";

/// The shipped platforms with a user's file on top.
fn with(file: &str) -> Result<Platforms, String> {
    let mut all = shipped().unwrap().clone();
    all.add("ours.toml", file).map_err(|e| e.to_string())?;
    Ok(all)
}

/// What the program prints, run in the folder of the case.
fn printed(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kashi")).args(args).current_dir(CASE).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn mapping() -> String {
    std::fs::read_to_string(Path::new(CASE).join("matpool.toml")).unwrap()
}

#[test]
fn a_platform_is_named_as_its_file() {
    for entry in std::fs::read_dir("parsers/platforms").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(shipped().unwrap().get(&name).is_some(), "{}: another name inside", path.display());
    }
    let profiles: Vec<_> = shipped().unwrap().iter().filter(|p| p.is_profile()).map(|p| p.name.as_str()).collect();
    assert!(profiles.contains(&"matpool") && profiles.len() >= 10, "{profiles:?}");
}

#[test]
fn a_mapping_completes_a_profile() {
    let all = with(&mapping()).unwrap();
    let (ours, known) = (all.get("matpool").unwrap(), shipped().unwrap().get("matpool").unwrap());
    assert!(known.is_profile() && !ours.is_profile());
    assert_eq!(ours.layouts[0].name, "console");
    assert_eq!((&ours.title, &ours.zone, &ours.currency), (&known.title, &known.zone, &known.currency));
    assert_eq!(ours.policy.storage_free_gb, known.policy.storage_free_gb);
    assert!(ours.policy.storage_free_gb.is_some());
}

#[test]
fn what_the_user_says_holds() {
    let file = r#"
        name = "matpool"
        zone = "UTC"
        currency = "USD"
        [policy]
        stopped_gpu_bills = { value = "yes", source = "our contract", mark = "confirmed" }
        grain = { value = "hour", source = "our contract", mark = "confirmed" }
    "#;
    let all = with(file).unwrap();
    let (ours, known) = (all.get("matpool").unwrap(), shipped().unwrap().get("matpool").unwrap());
    assert_eq!((ours.zone.as_str(), ours.currency.as_deref()), ("UTC", Some("USD")));
    let bills = ours.policy.stopped_gpu_bills.as_ref().unwrap();
    assert_eq!((bills.value.as_str(), bills.mark), ("yes", Mark::Confirmed));
    assert_eq!(ours.policy.storage_free_gb, known.policy.storage_free_gb, "what he does not say stays");
}

#[test]
fn a_layout_of_the_same_name_is_the_users() {
    let mut all = with(&mapping()).unwrap();
    all.add("newer.toml", &mapping().replace("金额(元)", "实付")).unwrap();
    let ours = all.get("matpool").unwrap();
    assert_eq!(ours.layouts.len(), 1);
    assert_eq!(ours.layouts[0].columns["cost"].0[0].column.0, ["实付"]);
}

#[test]
fn a_mapped_bill_is_read() {
    let bill = Path::new(CASE).join("rentals-2026-10.csv");
    let place = Place { name: "rentals-2026-10.csv".to_owned(), path: bill.clone() };
    let read = bills::read(&[place], &with(&mapping()).unwrap(), &[], false).unwrap();
    assert!(read.bills[0].unknown_columns.is_empty(), "{:?}", read.bills[0].unknown_columns);
    let mut csv = Vec::new();
    export::csv(&read.ledger, None, &mut csv).unwrap();
    golden::check(&bill.with_extension("ledger.csv"), &String::from_utf8(csv).unwrap());
}

/// The rules know how a profile's platform bills: matpool does not charge a stopped card.
#[test]
fn a_mapped_bill_is_audited_by_the_profile() {
    let args = ["audit", "--platform-file", "matpool.toml", "--inventory", "inventory.csv", "rentals-2026-10.csv"];
    golden::check(&Path::new(CASE).join("report.txt"), &printed(&args));
}

/// A fact that the user adds is known to the rules as one that is shipped.
#[test]
fn the_rules_know_the_users_facts() {
    let file = std::env::temp_dir().join(format!("kashi-facts-{}.toml", std::process::id()));
    let fact = "[policy]\nstopped_gpu_bills = { value = \"yes\", source = \"our contract\", mark = \"confirmed\" }\n";
    std::fs::write(&file, mapping().replace("[[layout]]", &format!("{fact}[[layout]]"))).unwrap();
    let name = file.display().to_string();
    let args = ["audit", "--platform-file", &name, "--inventory", "inventory.csv", "rentals-2026-10.csv"];
    let report = printed(&args);
    std::fs::remove_file(&file).unwrap();
    assert!(report.contains("hz-a100-0104 has been off since"), "{report}");
    assert!(!report.contains("does not charge a card that is off"), "{report}");
}

#[test]
fn a_profile_says_how_it_is_completed() {
    for lang in ["en", "zh"] {
        let listed = printed(&["platforms", "matpool", "--lang", lang]);
        golden::check(&Path::new(CASE).join(format!("platform.{lang}.txt")), &listed);
    }
}
