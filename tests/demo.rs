//! Every figure that the report of the demo month states, worked out again from the raw files
//! with nothing but `csv` and decimals, and held against `kashi audit fixtures/demo`.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Duration, NaiveDateTime};
use rust_decimal::Decimal;
use serde_json::Value;

mod expected;
mod raw;

use raw::{Bill, Movement, Row};

/// The report, as the program prints it.
fn report() -> Value {
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_kashi"))
        .args(["audit", "fixtures/demo", "--format", "json"])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

fn decimal(value: &Value) -> Decimal {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).parse().unwrap()
}

/// Shares of a day or an hour have no end in decimals; kashi keeps 18 of them.
fn equal(stated: Decimal, worked_out: Decimal) -> bool {
    (stated - worked_out).abs() < Decimal::new(1, 12)
}

#[test]
fn the_total_and_its_categories_are_those_of_the_bills() {
    let (report, bill) = (report(), Bill::read());
    let total = &report["totals"][0];
    let costs = bill.by_category();
    for (category, cost) in &costs {
        assert_eq!(decimal(&total["by_category"][category]), *cost, "{category}");
    }
    assert_eq!(total["by_category"].as_object().unwrap().len(), costs.len());
    assert_eq!(decimal(&total["cost"]), costs.values().sum::<Decimal>());
    assert_eq!(total["currency"], "CNY");
    assert_eq!(report["totals"].as_array().unwrap().len(), 1);
    // What each vendor states is what its lines add up to, to the cent.
    for (input, sum) in report["inputs"].as_array().unwrap().iter().zip(bill.sums()) {
        assert_eq!(decimal(&input["lines_total"]), sum);
        assert_eq!(decimal(&input["stated_total"]), sum);
        assert!(sum.normalize().scale() <= 2, "{sum}");
    }
}

#[test]
fn every_finding_is_worked_out_again() {
    let (report, bill) = (report(), Bill::read());
    let mut expected = expected::findings(&bill);
    for finding in report["findings"].as_array().unwrap() {
        let key = (text(&finding["rule"]), text(&finding["resource"]));
        let wanted = expected.remove(&key).unwrap_or_else(|| panic!("unexpected: {}", finding["sentence"]));
        let amount = &finding["amount"];
        assert_eq!(amount["kind"], wanted.kind, "{key:?}");
        let (value, net) = (decimal(&amount["value"]), decimal(&finding["net"]));
        assert!(equal(value, wanted.amount), "{key:?}: stated {value}, worked out {}", wanted.amount);
        assert!(equal(net, wanted.amount), "{key:?}: nothing accuses twice, so its net {net} is its amount");
        let evidence = finding["evidence"].as_array().unwrap();
        let rows = evidence.iter().filter(|e| text(&e["file"]).starts_with("bills/"));
        let rows: BTreeSet<u64> = rows.map(|e| e["row"].as_u64().unwrap()).collect();
        if let Some(proof) = wanted.rows {
            assert_eq!(rows, proof, "{key:?}: the rows that prove it");
        }
    }
    assert!(expected.is_empty(), "not found: {:?}", expected.keys());
    let ignored = report["silenced"].as_array().unwrap();
    assert_eq!(ignored.len(), 1);
    assert_eq!(text(&ignored[0]["resource"]), "m-2ze4kb0golden3t6u1z");
    // AutoDL's statement names no card: what that leaves open may be said, and nothing else is open.
    for open in report["undetermined"].as_array().unwrap() {
        let known = ["3f9a1c7e2b-6d4e8f10", "8c2d5e7f1a-b3c4d5e6", "d4e5f60718-29a0b1c2"];
        assert!(open["rule"] == "mismatched-card" && known.contains(&text(&open["resource"]).as_str()), "{open}");
    }
    assert_eq!(report["skipped"], serde_json::json!([]));
}

#[test]
fn before_and_after_are_what_section_g_tells() {
    let (report, bill) = (report(), Bill::read());
    let mut saved: BTreeMap<(&str, &str), Decimal> = BTreeMap::new();
    let mut by_kind: BTreeMap<&str, Decimal> = BTreeMap::new();
    for (_, wanted) in expected::findings(&bill) {
        *by_kind.entry(wanted.kind).or_default() += wanted.amount;
        if wanted.kind != "at_risk" {
            *saved.entry((wanted.platform, wanted.category)).or_default() += wanted.amount;
        }
    }
    let net = &report["net"][0];
    for kind in ["recoverable", "avoidable", "at_risk"] {
        assert!(equal(decimal(&net[kind]), by_kind[kind]), "{kind}: {} and {}", net[kind], by_kind[kind]);
    }
    let costs = bill.by_platform();
    let (mut before, mut after) = (Decimal::ZERO, Decimal::ZERO);
    for row in report["before_after"].as_array().unwrap().iter().filter(|r| !r["category"].is_null()) {
        let key = (text(&row["platform"]), text(&row["category"]));
        let cost = costs[&(key.0.as_str(), key.1.as_str())];
        let left = cost - saved.get(&(key.0.as_str(), key.1.as_str())).copied().unwrap_or_default();
        assert_eq!(decimal(&row["before"]), cost, "{key:?}");
        assert!(equal(decimal(&row["after"]), left), "{key:?}: {} and {left}", row["after"]);
        before += cost;
        after += left;
    }
    assert_eq!(before, costs.values().sum::<Decimal>());
    let total = report["before_after"].as_array().unwrap().iter().find(|r| r["category"].is_null()).unwrap();
    assert!(equal(decimal(&total["before"]), before) && equal(decimal(&total["after"]), after));
    // The figures that practitioners report: 36,500 to 42,000 before, 7,300 to 8,000 after.
    assert!((Decimal::from(36_500)..=Decimal::from(42_000)).contains(&before), "{before}");
    assert!((Decimal::from(7_300)..=Decimal::from(8_000)).contains(&after), "{after}");
}

#[test]
fn the_cards_did_what_the_story_says() {
    let samples = raw::samples("kb-a100-01.csv");
    let count = Decimal::from(samples.len());
    let util: Decimal = samples.iter().map(|s| s.util).sum::<Decimal>() / count;
    assert!(util < Decimal::from(12), "four A100 under 12 % on average, not {util}");
    let most = samples.iter().map(|s| s.memory).max().unwrap();
    assert!(most < Decimal::from(20 * 1_024), "under 20 GB used, not {most} MiB");
    let full: Vec<NaiveDateTime> = samples.iter().filter(|s| s.util >= Decimal::from(90)).map(|s| s.time).collect();
    let (first, last) = (full.iter().min().unwrap(), full.iter().max().unwrap());
    assert!((Duration::days(6)..=Duration::days(7)).contains(&(*last - *first)), "a week of fine-tuning");
    let working = samples.iter().filter(|s| s.util >= Decimal::from(5)).map(|s| s.time.format("%d %H").to_string());
    let hours: BTreeSet<String> = working.collect();
    assert_eq!(hours.len(), 31 * 24, "some card answers in every hour");
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Where a row of Alibaba Cloud's bill is counted, by what it names.
fn category(row: &Row) -> &'static str {
    match row.item.as_str() {
        "云服务器配置" => "gpu",
        "标准存储（本地冗余）容量" => "storage",
        "外网流出流量" | "公网流出流量" => "egress",
        "镜像存储容量" => "image",
        "快照容量" => "snapshot",
        "Get类请求次数" | "文本生成模型用量" => "service",
        "抹零金额" => "other",
        item => panic!("{item}"),
    }
}

/// The same for AutoDL's statement.
fn paid_for(movement: &Movement) -> &'static str {
    match movement.remark.as_str() {
        "镜像存储" => "image",
        remark if remark.ends_with("数据盘") => "storage",
        _ => "gpu",
    }
}
