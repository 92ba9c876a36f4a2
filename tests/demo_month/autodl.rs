//! AutoDL's statement of October 2026: experiments, a forgotten instance, a disk, images.

use chrono::{Duration, NaiveDate, NaiveDateTime, Timelike as _};
use rust_decimal::{Decimal, RoundingStrategy};

/// The table of the console, saved as CSV.
pub(super) const FILE: &str = "bills/autodl-2026-10.csv";

/// The instance that the experiments run on.
pub(super) const EXPERIMENTS: &str = "3f9a1c7e2b-6d4e8f10";
/// The one that nobody switched off.
pub(super) const FORGOTTEN: &str = "8c2d5e7f1a-b3c4d5e6";
/// The one that is kept for its disk of 500 GB.
pub(super) const KEPT: &str = "d4e5f60718-29a0b1c2";

/// A power-on, local time.
pub(super) type Boot = (NaiveDateTime, NaiveDateTime);

/// A statement: its text, what was spent, and what is left.
pub(super) struct Statement {
    pub(super) text: String,
    pub(super) spent: Decimal,
}

fn at(day: u32, hour: u32, minute: u32, second: u32) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2026, 10, day).unwrap().and_hms_opt(hour, minute, second).unwrap()
}

/// The power-ons of an instance.
pub(super) fn boots(instance: &str) -> Vec<Boot> {
    match instance {
        EXPERIMENTS => experiments(),
        FORGOTTEN => vec![(at(9, 14, 5, 20), at(18, 10, 52, 10))],
        _ => vec![
            (at(2, 19, 0, 30), at(2, 23, 31, 5)),
            (at(13, 20, 2, 11), at(13, 22, 10, 40)),
            (at(26, 20, 1, 0), at(26, 21, 40, 20)),
        ],
    }
}

/// Twenty working days, about ten hours each.
fn experiments() -> Vec<Boot> {
    let days = [8, 9, 10, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 26, 27, 28, 29, 30];
    let boot = |(n, day): (usize, u32)| {
        let n = u32::try_from(n).unwrap();
        let start = at(day, 9 + n % 3, (7 * n + 3) % 50, (13 * n + 5) % 60);
        (start, start + Duration::seconds(i64::from(34_200 + (n * 1_117) % 3_600)))
    };
    days.into_iter().enumerate().map(boot).collect()
}

struct Movement {
    time: NaiveDateTime,
    words: [&'static str; 3],
    amount: Decimal,
    remark: String,
}

impl Movement {
    fn spent(time: NaiveDateTime, amount: Decimal, remark: String) -> Self {
        Self { time, words: ["支出", "消费", "余额"], amount, remark }
    }
}

/// The statement, newest first.
pub(super) fn statement() -> Statement {
    let mut movements = vec![Movement {
        time: at(1, 9, 12, 44),
        words: ["收入", "充值", "支付宝"],
        amount: Decimal::new(500_000, 2),
        remark: String::new(),
    }];
    for instance in [EXPERIMENTS, FORGOTTEN, KEPT] {
        for boot in boots(instance) {
            settle(instance, boot, &mut movements);
        }
    }
    for day in 1..=31 {
        let disk = Decimal::from(500) * Decimal::new(66, 4);
        movements.push(Movement::spent(at(day, 23, 59, 59), disk, format!("容器实例ID：{KEPT} 数据盘")));
        movements.push(Movement::spent(at(day, 23, 59, 59), Decimal::ONE, "镜像存储".to_owned()));
    }
    movements.sort_by_key(|m| m.time);
    let spent = movements.iter().filter(|m| m.words[0] == "支出").map(|m| m.amount).sum();
    Statement { text: text(&movements), spent }
}

/// One charge at the end of every hour on the clock and one at the switch-off.
fn settle(instance: &str, (on, off): Boot, into: &mut Vec<Movement>) {
    let mut from = on;
    while from < off {
        let hour = from.date().and_hms_opt(from.hour(), 0, 0).unwrap() + Duration::hours(1);
        let until = hour.min(off);
        let exact = Decimal::new(198, 2) * Decimal::from((until - from).num_seconds()) / Decimal::from(3_600);
        let amount = exact.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero).max(Decimal::new(1, 2));
        let posted = if until == hour { until - Duration::seconds(1) } else { until };
        into.push(Movement::spent(posted, amount, format!("容器实例ID：{instance}")));
        from = until;
    }
}

fn text(movements: &[Movement]) -> String {
    let mut balance = Decimal::new(138_620, 2);
    let mut rows = Vec::new();
    for (n, movement) in movements.iter().enumerate() {
        balance += if movement.words[0] == "收入" { movement.amount } else { -movement.amount };
        let [direction, kind, channel] = movement.words;
        rows.push(format!(
            "{}{:08},{},{direction},{kind},{channel},￥{:.2},￥{balance:.2},{}\r\n",
            movement.time.format("%Y%m%d%H%M%S"),
            100_037 + n * 7_919,
            movement.time.format("%Y-%m-%d %H:%M:%S"),
            movement.amount,
            movement.remark
        ));
    }
    rows.reverse();
    format!("\u{feff}流水号,交易时间,收支类型,交易类型,交易渠道,交易金额,账户余额,备注\r\n{}", rows.concat())
}
