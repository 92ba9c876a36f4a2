//! A report with everything that a renderer has to deal with, hostile names included.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use kashi::report::{BeforeAfter, Both, Entry, Input, Open, Report, Total, UsageInput};
use kashi_parsers::Origin;
use kashi_parsers::ledger::Category;
use kashi_parsers::ledger::time::Zone;
use kashi_rules::{Amount, AmountKind, Certainty, Net, Recommendation, Severity};
use rust_decimal::Decimal;

/// A name that a spreadsheet, a browser, a terminal and a mail's header would each stumble over.
pub(crate) const HOSTILE: &str =
    "=HYPERLINK(\"http://x\")<script>alert(1)</script>|\u{1b}[2J\u{202e}gpj\r\nBcc: all@x.y";

pub(crate) fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn both(en: &str, zh: &str) -> Both {
    Both { en: en.to_owned(), zh: zh.to_owned() }
}

fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn rows(file: &str, sheet: Option<&str>, rows: impl IntoIterator<Item = u32>) -> Vec<Origin> {
    rows.into_iter().map(|row| Origin { file: Arc::from(file), sheet: sheet.map(Arc::from), row }).collect()
}

fn entry(id: &str, rule: &'static str, code: &str, amount: Option<(&str, &str, AmountKind)>, net: &str) -> Entry {
    Entry {
        id: id.to_owned(),
        rule,
        code: code.to_owned(),
        severity: Severity::Warning,
        certainty: Certainty::Likely,
        platform: "alibaba".to_owned(),
        account: None,
        resource: None,
        period: Some((time("2026-09-30T16:00:00Z"), time("2026-10-31T16:00:00Z"))),
        amount: amount.map(|(value, currency, kind)| Amount {
            value: decimal(value),
            currency: currency.to_owned(),
            kind,
        }),
        net: decimal(net),
        sentence: both("A sentence.", "一句话。"),
        action: both("An action.", "一个建议。"),
        evidence: rows("bills/a.csv", None, [2]),
        recommendation: None,
    }
}

fn findings() -> Vec<Entry> {
    let alibaba = "bills/alibaba-2026-10.csv";
    vec![
        Entry {
            resource: Some("i-bp1a100".to_owned()),
            sentence: both(
                "The four A100 80G of i-bp1a100 never used more than 19.6 GB of memory and ran at 10 % on average; two RTX 4090 do this work for 6,000.00 CNY a month instead of 33,000.00 CNY.",
                "实例 i-bp1a100 的四张 A100 80G 显存最多只用到 19.6 GB，平均利用率 10 %；同样的工作两张 RTX 4090 每月 6,000.00 CNY 即可完成，而现在是 33,000.00 CNY。",
            ),
            action: both(
                "Let the contract end and rent two RTX 4090 by the month.",
                "合同到期后不再续费，改为包月租用两张 RTX 4090。",
            ),
            evidence: rows(alibaba, None, (2..40).chain([44, 50])),
            recommendation: Some(Recommendation {
                card: "RTX-4090".to_owned(),
                cards: 2,
                cost: decimal("6000"),
                fixed: true,
            }),
            ..entry(
                "0a1b2c3d4e5f",
                "mismatched-card",
                "K201",
                Some(("27000", "CNY", AmountKind::Avoidable)),
                "24000.005",
            )
        },
        Entry {
            severity: Severity::Critical,
            certainty: Certainty::Proven,
            resource: Some(HOSTILE.to_owned()),
            account: Some("-2+3@finance".to_owned()),
            sentence: both(
                "Row 17 and row 18 charge the same hours of the same card twice.",
                "第 17 行与第 18 行对同一张卡的同一时段重复计费。",
            ),
            action: both("Claim 512.125 CNY back from Alibaba Cloud.", "向阿里云追回 512.125 CNY。"),
            evidence: [rows("bills/明细.xlsx", Some("费用=明细"), [17, 18]), rows(alibaba, None, [9])].concat(),
            ..entry(
                "1a1b2c3d4e5f",
                "duplicate-line",
                "K701",
                Some(("512.125", "CNY", AmountKind::Recoverable)),
                "512.125",
            )
        },
        Entry {
            platform: "autodl".to_owned(),
            certainty: Certainty::Proven,
            ..entry(
                "2a1b2c3d4e5f",
                "unrefundable-balance",
                "K501",
                Some(("1200.10", "USD", AmountKind::AtRisk)),
                "1200.10",
            )
        },
        Entry {
            platform: "autodl".to_owned(),
            resource: Some("e0f1a2b3".to_owned()),
            ..entry("3a1b2c3d4e5f", "idle-but-billed", "K101", Some(("3000", "CNY", AmountKind::Avoidable)), "0")
        },
        Entry {
            platform: "autodl".to_owned(),
            resource: Some("e0f1a2b4".to_owned()),
            ..entry("3b1b2c3d4e5f", "idle-but-billed", "K101", Some(("0.5", "CNY", AmountKind::Avoidable)), "0")
        },
        Entry {
            severity: Severity::Info,
            certainty: Certainty::Possible,
            evidence: rows("kashi.toml", None, [0]),
            ..entry("4a1b2c3d4e5f", "stale-ignore", "K001", None, "0")
        },
    ]
}

fn input(file: &str, sheet: Option<&str>, layout: &str, sums: &[(&str, &str, Option<&str>)]) -> Input {
    Input {
        origin: Origin { file: Arc::from(file), sheet: sheet.map(Arc::from), row: 0 },
        sha256: "5d".repeat(32),
        platform: layout.split('/').next().unwrap().to_owned(),
        layout: layout.to_owned(),
        rows: 60,
        lines: 57,
        left_out: BTreeMap::from([("a total row", 1), ("blank", 2)]),
        refused: 0,
        sums: sums
            .iter()
            .map(|(currency, sum, stated)| ((*currency).to_owned(), decimal(sum), stated.map(decimal)))
            .collect(),
        unknown_columns: Vec::new(),
        notes: Vec::new(),
    }
}

fn change(currency: &str, platform: &str, category: Option<Category>, before: &str, after: &str) -> BeforeAfter {
    BeforeAfter {
        currency: currency.to_owned(),
        platform: platform.to_owned(),
        category,
        before: decimal(before),
        after: decimal(after),
    }
}

fn before_after() -> Vec<BeforeAfter> {
    vec![
        change("CNY", "alibaba", Some(Category::Gpu), "33000", "8487.87"),
        change("CNY", "alibaba", Some(Category::Storage), "1000.005", "1000.005"),
        change("CNY", "autodl", Some(Category::Gpu), "4412.495", "4412.495"),
        change("CNY", "", None, "38412.5", "13900.37"),
        change("USD", "autodl", Some(Category::Other), "12.3", "12.3"),
        change("USD", "", None, "12.3", "12.3"),
    ]
}

/// The report.
pub(crate) fn report() -> Report {
    let total = |currency: &str, cost: &str, by: &[(Category, &str)], hours: &str, idle: &str| Total {
        currency: currency.to_owned(),
        cost: decimal(cost),
        by_category: by.iter().map(|(c, v)| (*c, decimal(v))).collect(),
        card_hours: decimal(hours),
        idle_hours: decimal(idle),
    };
    let ignored = Entry {
        resource: Some("snap-1".to_owned()),
        ..entry("5a1b2c3d4e5f", "stale-image", "K301", Some(("12", "CNY", AmountKind::Avoidable)), "0")
    };
    let open = |resource: &str| Open {
        rule: "unobserved-card",
        resource: Some(resource.to_owned()),
        reason: both("no utilization of its card-hours was given", "没有其卡时的利用率数据"),
    };
    Report {
        id: "3f2a9c0d1e4b5a67".to_owned(),
        period: "2026-10".to_owned(),
        zone: Zone::parse("+08:00").unwrap(),
        generated_at: None,
        inputs: vec![
            Input {
                unknown_columns: vec!["新列".to_owned(), "备注|二".to_owned()],
                notes: vec!["copy.csv holds the same bytes and was not counted again".to_owned()],
                ..input(
                    "bills/alibaba-2026-10.csv",
                    None,
                    "alibaba/consume-detail-v2",
                    &[("CNY", "34000.005", Some("34000.00"))],
                )
            },
            input(
                "bills/明细.xlsx",
                Some("费用=明细"),
                "autodl/statement",
                &[("CNY", "4412.495", Some("4412.495")), ("USD", "12.3", None)],
            ),
        ],
        usage: vec![UsageInput {
            file: "usage/gpu0.csv".to_owned(),
            format: "nvidia-smi".to_owned(),
            samples: 2_678_400,
            devices: 4,
            notes: vec!["3 samples have no time".to_owned()],
        }],
        totals: vec![
            total(
                "CNY",
                "38412.5",
                &[(Category::Gpu, "37412.495"), (Category::Storage, "1000.005")],
                "2976.5",
                "2600.25",
            ),
            total("USD", "12.3", &[(Category::Other, "12.3")], "0", "0"),
        ],
        converted: None,
        findings: findings(),
        ignored: vec![(ignored, "kept for the audit of 2027 <b>".to_owned())],
        net: vec![
            Net {
                currency: "CNY".to_owned(),
                recoverable: decimal("512.125"),
                avoidable: decimal("24000.005"),
                at_risk: decimal("0"),
            },
            Net {
                currency: "USD".to_owned(),
                recoverable: decimal("0"),
                avoidable: decimal("0"),
                at_risk: decimal("1200.10"),
            },
        ],
        before_after: before_after(),
        undetermined: ["a", "b", "c", "d", "e", "f", "g", "h"].map(open).to_vec(),
        skipped: vec![("stale-image", "inventory".to_owned()), ("crippled-card", "usage".to_owned())],
        quarantined: 2,
        untied: vec!["GPU-0f0f0f".to_owned()],
    }
}
