//! The raw files, read without kashi.

use std::collections::BTreeMap;

use chrono::NaiveDateTime;
use rust_decimal::Decimal;

use super::{category, paid_for};

/// A row of Alibaba Cloud's bill.
#[derive(Debug)]
pub(super) struct Row {
    /// The row as a spreadsheet numbers it.
    pub(super) row: u64,
    pub(super) item: String,
    pub(super) resource: String,
    pub(super) start: String,
    pub(super) quantity: String,
    pub(super) cost: Decimal,
}

/// A row of AutoDL's statement.
#[derive(Debug)]
pub(super) struct Movement {
    pub(super) row: u64,
    pub(super) time: NaiveDateTime,
    pub(super) spent: bool,
    pub(super) amount: Decimal,
    pub(super) balance: Decimal,
    pub(super) remark: String,
}

/// Both bills.
pub(super) struct Bill {
    pub(super) rows: Vec<Row>,
    pub(super) movements: Vec<Movement>,
}

/// A line of an `nvidia-smi` log.
pub(super) struct Sample {
    pub(super) time: NaiveDateTime,
    pub(super) util: Decimal,
    pub(super) memory: Decimal,
}

/// The rows of a file as column → cell, each with its number; the header is row 1.
pub(super) fn table(file: &str) -> Vec<(u64, BTreeMap<String, String>)> {
    let text = std::fs::read_to_string(format!("fixtures/demo/{file}")).unwrap();
    let mut reader = csv::Reader::from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    (2..).zip(rows).collect()
}

impl Bill {
    pub(super) fn read() -> Self {
        let rows = table("bills/1688000000000077-20261103101523_consumedetailbillv2.csv");
        let movements = table("bills/autodl-2026-10.csv");
        Self { rows: rows.into_iter().map(row).collect(), movements: movements.into_iter().map(movement).collect() }
    }

    /// What was spent at AutoDL.
    pub(super) fn spent(&self) -> impl Iterator<Item = &Movement> {
        self.movements.iter().filter(|m| m.spent)
    }

    pub(super) fn by_platform(&self) -> BTreeMap<(&'static str, &'static str), Decimal> {
        let mut costs = BTreeMap::new();
        for row in &self.rows {
            *costs.entry(("alibaba", category(row))).or_insert(Decimal::ZERO) += row.cost;
        }
        for movement in self.spent() {
            *costs.entry(("autodl", paid_for(movement))).or_insert(Decimal::ZERO) += movement.amount;
        }
        costs
    }

    pub(super) fn by_category(&self) -> BTreeMap<&'static str, Decimal> {
        let mut costs = BTreeMap::new();
        for ((_, category), cost) in self.by_platform() {
            *costs.entry(category).or_insert(Decimal::ZERO) += cost;
        }
        costs
    }

    pub(super) fn sums(&self) -> [Decimal; 2] {
        [self.rows.iter().map(|r| r.cost).sum(), self.spent().map(|m| m.amount).sum()]
    }
}

fn row((row, cells): (u64, BTreeMap<String, String>)) -> Row {
    Row {
        row,
        item: cells["产品信息/计费项名称"].clone(),
        resource: cells["资源信息/资源ID"].clone(),
        start: cells["账单信息/服务开始时间"].clone(),
        quantity: cells["用量信息/用量"].clone(),
        cost: cells["应付信息/应付金额（含税）"].parse().unwrap(),
    }
}

fn movement((row, cells): (u64, BTreeMap<String, String>)) -> Movement {
    let money = |column: &str| cells[column].trim_start_matches('￥').parse().unwrap();
    Movement {
        row,
        time: NaiveDateTime::parse_from_str(&cells["交易时间"], "%Y-%m-%d %H:%M:%S").unwrap(),
        spent: cells["收支类型"] == "支出",
        amount: money("交易金额"),
        balance: money("账户余额"),
        remark: cells["备注"].clone(),
    }
}

/// A log's samples, in its order.
pub(super) fn samples(file: &str) -> Vec<Sample> {
    let cell = |cells: &BTreeMap<String, String>, column: &str| {
        let cell = cells.iter().find(|(name, _)| name.trim() == column).unwrap().1;
        cell.trim().split(' ').next().unwrap().parse::<Decimal>().unwrap()
    };
    let sample = |(_, cells): (u64, BTreeMap<String, String>)| Sample {
        time: NaiveDateTime::parse_from_str(cells["timestamp"].trim(), "%Y/%m/%d %H:%M:%S%.f").unwrap(),
        util: cell(&cells, "utilization.gpu [%]"),
        memory: cell(&cells, "memory.used [MiB]"),
    };
    table(&format!("usage/{file}")).into_iter().map(sample).collect()
}
