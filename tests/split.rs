//! A row that charges for several things becomes lines that come to its total.

use kashi_parsers::layout::{self, Bill, Given, Platforms};
use kashi_parsers::ledger::{Ledger, Lines, MoneyColumn};
use kashi_parsers::open::open_bytes;

const PLATFORM: &str = r#"
name = "our-cloud"
title = { en = "Our Cloud", zh = "我们的云" }
zone = "+08:00"
currency = "USD"
[[layout]]
name = "charges"
title = { en = "Charges", zh = "费用" }
mark = "confirmed"
source = "a test"
ignore = ["items*"]
document = { total = ["sum", "meta.sum"], records = "count", more = "next" }
[layout.columns]
account = { document = "meta.account" }
period = [{ document = "month", format = ["%Y%m"] }, { column = "start", format = ["%s"] }]
start = { column = "start", format = ["%s"] }
end = { column = "last", format = ["%Y-%m-%d"], through = "day" }
kind = { value = "usage" }
category = { value = "compute" }
sku = [{ column = "sku", when = ["kind", "^named$"] }, { value = "instance" }]
resource = "id"
quantity = "quantity"
cost = { column = "amount", float = true }
[[layout.part]]
columns.cost = { column = "items.*.amount", float = true }
columns.sku = "items.*.type"
columns.category = { column = "items.*.type", is = { gpu = "gpu", disk = "storage" } }
columns.quantity = { column = "items.*.text", pattern = '([0-9.]+) hours' }
columns.unit.value = "hour"
[[layout.part]]
adds = true
columns.cost = "credit"
columns.kind.value = "credit"
columns.sku.value = "promotion"
"#;

fn read(text: &str) -> (Ledger, Bill) {
    let mut platforms: Platforms = layout::shipped().unwrap().clone();
    platforms.add("our-cloud.toml", PLATFORM).unwrap();
    let table = open_bytes(text.as_bytes().to_vec(), "bill.json").unwrap().remove(0);
    let claim = layout::identify(&table, &platforms).unwrap_or_else(|e| panic!("{e}"));
    let mut lines = Lines::new();
    let bill = layout::read(&table, &claim, Given::default(), &mut lines).unwrap();
    (Ledger::new(lines), bill)
}

/// A document of one record with the fields that every record has, and more.
fn document(fields: &str, around: &str) -> String {
    format!(
        r#"{{"month":"202610","meta":{{"account":"a-1"}}{around},"rows":[{{"start":1790870400,"last":"2026-10-03","kind":"","sku":"big","id":"i-1","credit":null,"items":[],{fields}}},
           {{"start":1790870400,"last":"2026-10-03","kind":"","sku":"big","id":"i-9","credit":0,"quantity":null,"amount":0,"items":[{{"type":"","text":"","amount":0}}]}}]}}"#
    )
}

/// The lines of the first record.
fn lines(fields: &str) -> Vec<String> {
    let text = document("", "").replacen("\"items\":[],}", &format!("{fields}}}"), 1);
    let (ledger, bill) = read(&text);
    assert_eq!(bill.refusals, []);
    assert_eq!(bill.rows + bill.parts, bill.lines + 1);
    let first = ledger.lines().filter(|line| line.origin().row == 2);
    first
        .map(|line| {
            let quantity = line.quantity().map(|q| q.to_string()).unwrap_or_default();
            format!("{} {} {} {quantity}", line.kind(), line.sku(), line.cost()).trim_end().to_owned()
        })
        .collect()
}

#[test]
fn a_row_is_the_lines_of_its_parts_and_what_they_leave() {
    let items = r#""items":[{"type":"gpu","text":"96.000 hours at $0.389/hour","amount":37.344},{"type":"disk","text":"","amount":1.077}]"#;
    let gpu = "usage gpu 37.344 96";
    assert_eq!(lines(&format!("\"quantity\":4,\"amount\":38.421,{items}")), [gpu, "usage disk 1.077"]);
    assert_eq!(
        lines(&format!("\"quantity\":4,\"amount\":38.4211,{items}")),
        [gpu, "usage disk 1.077", "rounding instance 0.0001"]
    );
    assert_eq!(
        lines(&format!("\"quantity\":4,\"amount\":40,{items}")),
        [gpu, "usage disk 1.077", "usage instance 1.579"]
    );
    assert_eq!(
        lines(&format!("\"quantity\":4,\"amount\":38,{items}")),
        [gpu, "usage disk 1.077", "usage instance -0.421"]
    );
    // A part that costs nothing is one only if something was used.
    let free = items.replace("37.344", "0").replace("1.077", "0.0");
    assert_eq!(lines(&format!("\"quantity\":4,\"amount\":0,{free}")), ["usage gpu 0 96"]);
    let nothing = free.replace("96.000 hours", "");
    assert_eq!(lines(&format!("\"quantity\":4,\"amount\":0,{nothing}")), ["usage instance 0 4"]);
}

#[test]
fn what_comes_on_top_of_a_row_leaves_it_whole() {
    let only = "\"quantity\":4,\"amount\":12.5,\"items\":[]";
    assert_eq!(lines(only), ["usage instance 12.5 4"]);
    let text = document("\"quantity\":4,\"amount\":12.5", "").replacen("\"credit\":null", "\"credit\":-2.5", 1);
    let (ledger, _) = read(&text);
    let costs: Vec<String> = ledger.lines().map(|l| format!("{} {}", l.kind(), l.cost())).collect();
    assert_eq!(costs, ["usage 12.5", "credit -2.5", "usage 0"]);
}

#[test]
fn the_document_around_the_records_is_read() {
    let text =
        document("\"quantity\":null,\"amount\":0.30000000000000000004", r#","sum":"0.30","count":14,"next":null"#);
    let (ledger, bill) = read(&text);
    let line = ledger.lines().next().unwrap();
    assert_eq!((line.account(), line.period(), line.sku()), (Some("a-1"), "2026-10", "instance"));
    assert_eq!(
        (line.start().unwrap().to_rfc3339(), line.end().unwrap().to_rfc3339()),
        ("2026-10-01T16:00:00+00:00".into(), "2026-10-03T16:00:00+00:00".into())
    );
    assert_eq!(line.money(MoneyColumn::Cost).unwrap().to_string(), "0.3");
    assert_eq!(bill.stated.iter().map(|s| s.amount.to_string()).collect::<Vec<_>>(), ["0.3"]);
    assert_eq!(
        bill.notes,
        [
            "holds 2 of the 14 records that there are (\"count\"): give the other pages too",
            "1 numbers of binary floating point have more than 18 decimals and were rounded there (first in row 2)",
        ]
    );
    let (_, bill) = read(&document("\"quantity\":null,\"amount\":1", r#","count":2,"next":"abc""#));
    assert_eq!(bill.notes, ["is one page of several (\"next\" names the next): give the other pages too"]);
}

#[test]
fn a_source_counts_where_another_column_says_so() {
    let text = document("\"quantity\":null,\"amount\":1", "").replacen("\"kind\":\"\"", "\"kind\":\"named\"", 1);
    let (ledger, _) = read(&text);
    assert_eq!(ledger.lines().map(|l| l.sku().to_owned()).collect::<Vec<_>>(), ["big", "instance"]);
}

#[test]
fn a_wrong_part_or_pattern_is_refused() {
    for (wrong, by, expected) in [
        (
            "columns.cost = \"credit\"",
            "columns.tax = \"credit\"",
            "a part has no source for the ledger column \"cost\"",
        ),
        ("items.*.type", "items.*.*.type", "more than one *"),
        ("\"^named$\"", "\"(named\"", "is no regular expression"),
        ("through = \"day\"", "through = \"week\"", "unknown variant `week`"),
        ("adds = true", "add = true", "unknown field `add`"),
        (
            "{ document = \"meta.account\" }",
            "{ document = \"meta.account\", value = \"x\" }",
            "either a column, a value, a path",
        ),
    ] {
        let mut platforms = layout::shipped().unwrap().clone();
        let error = platforms.add("our-cloud.toml", &PLATFORM.replacen(wrong, by, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{by}: {error}");
    }
}
