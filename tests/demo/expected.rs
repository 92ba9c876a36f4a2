//! What each rule must find, worked out by hand.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Duration, NaiveDate, NaiveDateTime, Timelike as _};
use rust_decimal::Decimal;

use super::raw::{self, Bill, Movement, Row};

/// A finding as it should be.
pub(super) struct Expected {
    pub(super) platform: &'static str,
    pub(super) category: &'static str,
    pub(super) kind: &'static str,
    pub(super) amount: Decimal,
    /// The rows of the bill that prove it.
    pub(super) rows: Option<BTreeSet<u64>>,
}

type Findings = BTreeMap<(String, String), Expected>;

const FORGOTTEN: &str = "8c2d5e7f1a-b3c4d5e6";
const KEPT: &str = "d4e5f60718-29a0b1c2";

/// All findings, by rule and resource.
pub(super) fn findings(bill: &Bill) -> Findings {
    let mut findings = Findings::new();
    let mut add = |rule: &str, resource: &str, expected| {
        assert!(findings.insert((rule.to_owned(), resource.to_owned()), expected).is_none());
    };
    add("mismatched-card", "i-2zea100kb4x80g7h2m9q", cards(bill));
    add("duplicate-line", "kb-weights", twice(bill));
    add("repeated-egress", "kb-weights", pulled(bill));
    add("idle-but-billed", FORGOTTEN, forgotten(bill));
    add("stopped-but-billed", KEPT, disk(bill));
    add("unrefundable-balance", "", balance(bill));
    for (resource, expected) in stale(bill) {
        add("stale-image", &resource, expected);
    }
    findings
}

/// Four A100 on a contract, where two RTX 4090 at 3,000 a month do.
fn cards(bill: &Bill) -> Expected {
    let contract = bill.rows.iter().find(|r| r.item == "云服务器配置").unwrap();
    // 10,000 requests of 500 tokens within 8 hours, at 100 tokens a second a card: 1.74 cards.
    let needed = (10_000_u32 * 500).div_ceil(100 * 3_600 * 8);
    assert_eq!(needed, 2);
    let amount = contract.cost - Decimal::from(needed * 3_000);
    Expected {
        platform: "alibaba",
        category: "gpu",
        kind: "avoidable",
        amount,
        rows: Some(BTreeSet::from([contract.row])),
    }
}

/// A day of storage that stands there twice.
fn twice(bill: &Bill) -> Expected {
    let stored: Vec<&Row> = bill.rows.iter().filter(|r| r.item.starts_with("标准存储")).collect();
    let pair = stored.windows(2).find(|w| w[0].start == w[1].start).unwrap();
    assert_eq!((&pair[0].quantity, pair[0].cost), (&pair[1].quantity, pair[1].cost));
    let rows = Some(BTreeSet::from([pair[0].row, pair[1].row]));
    Expected { platform: "alibaba", category: "storage", kind: "recoverable", amount: pair[1].cost, rows }
}

/// The weights of 14 GB: all transfers but the first.
fn pulled(bill: &Bill) -> Expected {
    let mut sizes: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in bill.rows.iter().filter(|r| r.item.ends_with("流出流量")) {
        sizes.entry((&row.resource, &row.quantity)).or_default().push(row);
    }
    sizes.retain(|_, rows| rows.len() >= 3);
    assert_eq!(sizes.keys().collect::<Vec<_>>(), [&("kb-weights", "14")]);
    let mut rows = sizes.remove(&("kb-weights", "14")).unwrap();
    rows.sort_by(|a, b| a.start.cmp(&b.start));
    let amount = rows[1..].iter().map(|r| r.cost).sum();
    let rows = Some(rows.iter().map(|r| r.row).collect());
    Expected { platform: "alibaba", category: "egress", kind: "avoidable", amount, rows }
}

fn charges<'a>(bill: &'a Bill, instance: &str) -> Vec<&'a Movement> {
    let remark = format!("容器实例ID：{instance}");
    let mut charges: Vec<&Movement> = bill.spent().filter(|m| m.remark == remark).collect();
    charges.sort_by_key(|m| m.time);
    charges
}

/// The hours on the clock in which the forgotten card did nothing at all.
fn forgotten(bill: &Bill) -> Expected {
    let samples = raw::samples("autodl-8c2d5e7f1a-b3c4d5e6.csv");
    let hour = |time: NaiveDateTime| time.date().and_hms_opt(time.hour(), 0, 0).unwrap();
    // A sample stands until the next one.
    let working: Vec<_> =
        samples.windows(2).filter(|w| w[0].util >= Decimal::from(5)).map(|w| (w[0].time, w[1].time)).collect();
    let idle = |charge: &&&Movement| {
        let (from, until) = (hour(charge.time), hour(charge.time) + Duration::hours(1));
        !working.iter().any(|(begin, end)| *begin < until && from < *end)
    };
    let all = charges(bill, FORGOTTEN);
    let idle: Vec<&&Movement> = all.iter().filter(idle).collect();
    assert_eq!(idle.len(), 209);
    let amount = idle.iter().map(|m| m.amount).sum();
    let rows = Some(idle.iter().map(|m| m.row).collect());
    Expected { platform: "autodl", category: "gpu", kind: "avoidable", amount, rows }
}

/// The disk of 500 GB on the days of two long pauses.
fn disk(bill: &Bill) -> Expected {
    let midnight =
        |month: u32, day: u32| NaiveDate::from_ymd_opt(2026, month, day).unwrap().and_hms_opt(0, 0, 0).unwrap();
    let mut off = Vec::new();
    let mut since = midnight(10, 1);
    let all = charges(bill, KEPT);
    // A charge off the hour ends a power-on; the first one after it says when the next began.
    let mut first: Option<&Movement> = None;
    for charge in all {
        let began = first.get_or_insert(charge);
        if charge.time + Duration::seconds(1)
            != (charge.time + Duration::seconds(1)).with_minute(0).unwrap().with_second(0).unwrap()
        {
            let seconds = (began.amount * Decimal::from(3_600) / Decimal::new(198, 2)).round();
            let on = began.time + Duration::seconds(1) - Duration::seconds(i64::try_from(seconds).unwrap());
            off.push((since, on));
            since = charge.time;
            first = None;
        }
    }
    off.push((since, midnight(11, 1)));
    off.retain(|(from, until)| *until - *from >= Duration::days(7));
    assert_eq!(off.len(), 2);
    let remark = format!("容器实例ID：{KEPT} 数据盘");
    let mut amount = Decimal::ZERO;
    for charge in bill.spent().filter(|m| m.remark == remark) {
        let (begin, end) = (charge.time.date().and_hms_opt(0, 0, 0).unwrap(), charge.time + Duration::seconds(1));
        let seconds: i64 =
            off.iter().map(|(from, until)| (end.min(*until) - begin.max(*from)).num_seconds().max(0)).sum();
        amount += charge.amount * Decimal::from(seconds) / Decimal::from(86_400);
    }
    Expected { platform: "autodl", category: "storage", kind: "avoidable", amount, rows: None }
}

/// What lies at AutoDL beyond two months of spending.
fn balance(bill: &Bill) -> Expected {
    let spent: Decimal = bill.spent().map(|m| m.amount).sum();
    // Newest first.
    let amount = bill.movements[0].balance - Decimal::TWO * spent;
    Expected { platform: "autodl", category: "", kind: "at_risk", amount, rows: None }
}

/// Snapshots of more than 90 days, images unused for more than 15, except the one that is kept.
fn stale(bill: &Bill) -> Vec<(String, Expected)> {
    let end = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    let age = |day: &str| (end - NaiveDate::parse_from_str(day, "%Y-%m-%d").unwrap()).num_days();
    let assets: Vec<BTreeMap<String, String>> =
        raw::table("inventory/images.csv").into_iter().map(|(_, cells)| cells).collect();
    let free = Decimal::from(30);
    let held: Decimal = assets
        .iter()
        .filter(|a| a["platform"] == "autodl" && a["kind"] == "image")
        .map(|a| a["size_gb"].parse::<Decimal>().unwrap())
        .sum();
    let pooled: Decimal = bill.spent().filter(|m| m.remark == "镜像存储").map(|m| m.amount).sum();
    let mut stale = Vec::new();
    for asset in &assets {
        let (category, is_stale) = match asset["kind"].as_str() {
            "image" => ("image", age(&asset["last_used_at"]) > 15),
            "snapshot" => ("snapshot", age(&asset["created_at"]) > 90),
            _ => continue,
        };
        let resource = asset["resource"].clone();
        if !is_stale || resource == "m-2ze4kb0golden3t6u1z" {
            continue;
        }
        let expected = if asset["platform"] == "alibaba" {
            let row = bill.rows.iter().find(|r| r.resource == resource).unwrap();
            Expected {
                platform: "alibaba",
                category,
                kind: "avoidable",
                amount: row.cost,
                rows: Some(BTreeSet::from([row.row])),
            }
        } else {
            // One line a day for all images: what is beyond the free 30 GB, by size.
            let amount = pooled * asset["size_gb"].parse::<Decimal>().unwrap() / (held - free);
            Expected { platform: "autodl", category, kind: "avoidable", amount, rows: None }
        };
        stale.push((resource, expected));
    }
    assert_eq!(stale.len(), 22);
    stale
}
