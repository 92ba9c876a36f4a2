//! Alibaba Cloud's V2 details of October 2026: the contract, storage, traffic, the models by call.

use chrono::{Duration, NaiveDate, NaiveDateTime};
use rust_decimal::Decimal;

use super::random::Random;
use super::row::{HEADER, Product, Row};
use super::shelf::{self, Kept};

/// The export, as the console names it.
pub(super) const FILE: &str = "bills/1688000000000077-20261103101523_consumedetailbillv2.csv";

/// The instance with four A100 80G.
pub(super) const CARDS: &str = "i-2zea100kb4x80g7h2m9q";

/// A bill and what the vendor says is owed.
pub(super) struct Bill {
    pub(super) text: String,
    pub(super) total: Decimal,
}

const INSTANCE: Product = ["ecs", "云服务器ECS", "vm", "云服务器ECS-包年包月", "InstanceType", "云服务器配置"];
const OSS_STORED: Product = ["oss", "对象存储OSS", "oss", "对象存储OSS", "Storage", "标准存储（本地冗余）容量"];
const OSS_OUT: Product = ["oss", "对象存储OSS", "oss", "对象存储OSS", "NetworkOut", "外网流出流量"];
const OSS_GET: Product = ["oss", "对象存储OSS", "oss", "对象存储OSS", "GetRequest", "Get类请求次数"];
const EIP_OUT: Product = ["eip", "弹性公网IP", "eip", "弹性公网IP-按量付费", "NetworkOut", "公网流出流量"];
const IMAGE: Product = ["ecs", "云服务器ECS", "ecs_image", "自定义镜像", "ImageStorage", "镜像存储容量"];
const SNAPSHOT: Product = ["snapshot", "快照", "snapshot", "快照服务", "SnapshotCapacity", "快照容量"];
const MODEL: Product =
    ["sfm", "大模型服务平台百炼", "sfm_inference_public_cn", "百炼大模型推理", "token_number", "文本生成模型用量"];
const ROUNDING: Product = ["", "", "", "", "Rounding", "抹零金额"];

/// The bill of the month.
pub(super) fn bill() -> Bill {
    let mut random = Random::new(20_261_001);
    let mut rows = vec![contract(&mut random)];
    storage(&mut random, &mut rows);
    pulls(&mut random, &mut rows);
    traffic(&mut random, &mut rows);
    for (product, kept) in [(IMAGE, shelf::IMAGES.as_slice()), (SNAPSHOT, shelf::SNAPSHOTS.as_slice())] {
        rows.extend(kept.iter().map(|kept| on_the_shelf(&mut random, product, kept)));
    }
    models(&mut random, &mut rows);
    let exact: Decimal = rows.iter().map(Row::cost).sum();
    let total = exact.trunc_with_scale(2);
    rows.push(rounding(&mut random, total - exact));
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(HEADER.split(',')).unwrap();
    for row in rows {
        csv.write_record(row.cells()).unwrap();
    }
    let text = String::from_utf8(csv.into_inner().unwrap()).unwrap();
    Bill { text: format!("\u{feff}{text}"), total }
}

fn october(day: u32, hour: u32) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2026, 10, day).unwrap().and_hms_opt(hour, 0, 0).unwrap()
}

fn whole_month() -> (NaiveDateTime, NaiveDateTime) {
    (october(1, 0), october(31, 0) + Duration::days(1))
}

/// The yearly contract, charged by the month: 55,000 at list price, 33,000 agreed.
fn contract(random: &mut Random) -> Row {
    let (start, end) = whole_month();
    let mut row = Row::new(random, INSTANCE, start, end);
    row.resource(CARDS, CARDS, "kb-a100-01").package(Decimal::from(55_000), 1, "248173651001042");
    row.discount(40, "一年合同价").set("消费时间", "2026-10-01 00:12:08").set("规格", "ecs.gn7e-c16g1.16xlarge");
    row.set(
        "选型配置",
        r#"[{"name":"实例规格","value":"ecs.gn7e-c16g1.16xlarge"},{"name":"操作系统","value":"Ubuntu 22.04 64位"},{"name":"购买时长","value":"1年"},{"name":"付款方式","value":"按月"}]"#,
    );
    row
}

const BUCKET: &str = "kb-weights";
const BUCKET_KEY: &str = "cn-beijing;standard;kb-weights";

/// What the bucket holds, by day, and what is asked of it. The platform booked 16 October twice.
fn storage(random: &mut Random, rows: &mut Vec<Row>) {
    let mut stored = Decimal::new(31_868_414, 4);
    for day in 1..=31 {
        let start = october(day, 0);
        for _ in 0..if day == 16 { 2 } else { 1 } {
            let mut row = Row::new(random, OSS_STORED, start, start + Duration::days(1));
            let price = Decimal::new(167, 6);
            row.resource(BUCKET, BUCKET_KEY, BUCKET).metered(price, stored * Decimal::from(24), "GB-小时");
            if day == 1 {
                row.coupon(Decimal::from(10));
            }
            rows.push(row);
        }
        stored += Decimal::new(random.within(2_000, 118_000), 4);
    }
    let (start, end) = whole_month();
    let mut row = Row::new(random, OSS_GET, start, end);
    row.resource(BUCKET, BUCKET_KEY, BUCKET).metered(Decimal::new(1, 2), Decimal::new(2_614_382, 4), "万次");
    rows.push(row);
}

/// The same weights of 14 GB, fetched at every start of every experiment.
fn pulls(random: &mut Random, rows: &mut Vec<Row>) {
    for n in 0..130 {
        // Five in the first days of a project, four later; never two in one hour.
        let (day, place) = if n < 30 { (1 + n / 5, n % 5) } else { (7 + (n - 30) / 4, (n - 30) % 4) };
        let start = october(day, 8 + 3 * place + u32::try_from(random.within(0, 2)).unwrap());
        let mut row = Row::new(random, OSS_OUT, start, start + Duration::hours(1));
        row.resource(BUCKET, BUCKET_KEY, BUCKET).metered(Decimal::new(50, 2), Decimal::from(14), "GB");
        rows.push(row);
    }
}

/// What users and colleagues fetch: another size every day.
fn traffic(random: &mut Random, rows: &mut Vec<Row>) {
    let eip = "eip-2zekb0gateway4w7q1m";
    for day in 1..=31 {
        let start = october(day, 0);
        let end = start + Duration::days(1);
        let mut row = Row::new(random, OSS_OUT, start, end);
        let quantity = Decimal::new(random.within(150_000, 260_000), 4);
        row.resource(BUCKET, BUCKET_KEY, BUCKET).metered(Decimal::new(50, 2), quantity, "GB");
        rows.push(row);
        let quantity = Decimal::new(random.within(82_000, 151_000), 4);
        let mut row = Row::new(random, EIP_OUT, start, end);
        row.resource(eip, eip, "问答网关").metered(Decimal::new(80, 2), quantity, "GB");
        rows.push(row);
    }
}

fn on_the_shelf(random: &mut Random, product: Product, kept: &Kept) -> Row {
    let (start, end) = whole_month();
    let mut row = Row::new(random, product, start, end);
    row.resource(kept.id, kept.id, kept.name).metered(shelf::price(), Decimal::from(kept.gb), "GB-月");
    row
}

/// A larger model by call, for comparison: a free quota first, then by the token.
fn models(random: &mut Random, rows: &mut Vec<Row>) {
    for n in 0..24u32 {
        let start = october(5 + n, 10) + Duration::minutes(random.within(0, 59));
        let mut row = Row::new(random, MODEL, start, start + Duration::minutes(1));
        let kind = if n % 2 == 0 { "input" } else { "output" };
        let key = format!(";llm-kb7w2p9x4hd3m1;qwen3-235b-a22b;context_0-128k_{kind}_token;;0");
        row.set("实例ID（出账粒度）", key)
            .set("计费规则说明", "https://help.aliyun.com/zh/model-studio/billing-for-model-studio");
        row.set("目录价因子", format!(r#"{{"文本生成模型规格":"qwen3-235b-a22b","Token类型":"{kind}"}}"#));
        let quantity = Decimal::new(random.within(1_100_000, 1_900_000), 3);
        if n < 4 {
            row.free(quantity, "千tokens");
        } else if kind == "input" {
            row.metered(Decimal::new(2, 3), quantity, "千tokens");
        } else {
            row.metered(Decimal::new(8, 3), quantity / Decimal::from(4), "千tokens").discount(20, "夜间8折");
        }
        rows.push(row);
    }
}

/// The exact lines have many decimals, the charge has two.
fn rounding(random: &mut Random, amount: Decimal) -> Row {
    let (start, end) = whole_month();
    let mut row = Row::new(random, ROUNDING, start, end);
    row.amount("抹零费用", "抹零", amount);
    row
}
