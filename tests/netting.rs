//! Money is counted once: several findings on one line, and what each adds to the net.

use std::path::Path;
use std::process::Command;

use rust_decimal::Decimal;
use serde_json::Value;

const HEAD: &str =
    "platform,account,kind,category,terms,resource,sku,card,cards,period,start,end,quantity,unit,cost,currency\n";

/// A month of one hourly line, or of one package, on one A100.
const PACKAGE: &str = "alibaba,1,subscription,gpu,yearly,i-one,gn7e,A100-80G-SXM,1,2026-10,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z,744,hour,7440.00,CNY\n";
const HOURLY: &str = "alibaba,1,usage,gpu,on_demand,i-one,gn7e,A100-80G-SXM,1,2026-10,2026-10-01T00:00:00Z,2026-10-05T04:00:00Z,100,hour,1200.00,CNY\n";

const WORKLOAD: &str = r#"
zone = "UTC"
[[workload]]
name = "assistant"
kind = "serve"
params = "7"
precision = "int4"
requests_per_day = 1000
tokens = 500
resource = "i-one"
"#;
const BY_MONTH: &str = r#"
[[price]]
card = "RTX 4090"
terms = "monthly"
price = "3000.00"
unit = "CNY/card-month"
"#;
const BY_HOUR: &str = r#"
[[price]]
card = "RTX 4090"
price = "3.00"
unit = "CNY/card-hour"
"#;

/// So many idle hours from the first of October on.
fn idle(hours: u32) -> String {
    (0..hours).fold("device,resource,hour,observed_s,util_max,memory_max,memory_total\n".to_owned(), |csv, at| {
        csv + &format!("GPU-1,i-one,2026-10-{:02}T{:02}:00:00Z,3600,0,1,81920\n", 1 + at / 24, at % 24)
    })
}

/// `rule amount net` of each finding, the largest first, and what the report says can be saved.
fn audit(bill: &str, usage: &str, config: &str) -> (Vec<(String, Decimal, Decimal)>, Decimal, Decimal) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("bill.csv", &format!("{HEAD}{bill}"));
    write("usage.csv", usage);
    write("kashi.toml", config);
    let output = Command::new(env!("CARGO_BIN_EXE_kashi"))
        .args(["audit", "bill.csv", "--usage", "usage.csv", "--config", "kashi.toml", "--format", "json"])
        .current_dir(Path::new(folder.path()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |value: &Value| value.as_str().unwrap_or("0").parse::<Decimal>().unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let findings = findings.filter(|f| !f["amount"].is_null());
    let found = findings
        .map(|f| (f["rule"].as_str().unwrap().to_owned(), number(&f["amount"]["value"]), number(&f["net"])))
        .collect();
    let net = &report["net"][0];
    (found, number(&net["recoverable"]), number(&net["avoidable"]))
}

fn said(rule: &str, amount: &str, net: &str) -> (String, Decimal, Decimal) {
    (rule.to_owned(), amount.parse().unwrap(), net.parse().unwrap())
}

/// The rest of the package's cost buys what is taken instead: 7,440 become 3,000, however idle.
#[test]
fn a_package_taken_instead_leaves_no_idle_hour_to_save() {
    let (found, _, avoidable) = audit(PACKAGE, &idle(700), &format!("{WORKLOAD}{BY_MONTH}"));
    assert_eq!(found, [said("idle-but-billed", "7000", "0"), said("mismatched-card", "4440", "4440")]);
    assert_eq!(avoidable, Decimal::from(4440));
}

/// By the hour both count: 100 hours at 9 less, and 40 idle ones not at all, at the 3 that are left.
#[test]
fn a_card_by_the_hour_taken_instead_leaves_the_idle_hours_of_the_rest() {
    let (found, _, avoidable) = audit(HOURLY, &idle(40), &format!("{WORKLOAD}{BY_HOUR}"));
    assert_eq!(found, [said("mismatched-card", "900", "900"), said("idle-but-billed", "480", "120")]);
    assert_eq!(avoidable, Decimal::from(1020));
}

/// Charged twice and idle: the copy is owed back whole, the hours that remain are idle once.
#[test]
fn what_is_owed_back_is_not_saved_a_second_time() {
    let (found, recoverable, avoidable) = audit(&format!("{HOURLY}{HOURLY}"), &idle(40), "zone = \"UTC\"");
    assert_eq!(found, [said("duplicate-line", "1200", "1200"), said("idle-but-billed", "960", "480")]);
    assert_eq!((recoverable, avoidable), (Decimal::from(1200), Decimal::from(480)));
}
