//! What the verbs of a platform file say: factors, tags, inclusive ends, exports without a header.

use kashi::places::Place;
use kashi::{bills, commands};
use kashi_parsers::layout::{Given, Platforms, identify, read};
use kashi_parsers::ledger::{Ledger, Line, Lines, MoneyColumn, TextColumn, TimeColumn};
use kashi_parsers::open::Table;

/// A platform file with one layout.
fn platform(layout: &str) -> Result<Platforms, String> {
    let mut platforms = Platforms::default();
    let head = "name = \"ours\"\ntitle = { en = \"Ours\", zh = \"我们\" }\nzone = \"+08:00\"\ncurrency = \"CNY\"\n\
                [[layout]]\nname = \"bill\"\ntitle = { en = \"Bill\", zh = \"账单\" }\nmark = \"inferred\"\nsource = \"a test\"\n";
    let text = format!("{head}{layout}");
    platforms.add("ours.toml", &text).map_err(|e| e.to_string())?;
    Ok(platforms)
}

/// The ledger of a text, or the first thing that is refused.
fn ledger(layout: &str, text: &str) -> Result<Ledger, String> {
    let platforms = platform(layout)?;
    let table = Table::from_text("t.csv", text);
    let claim = identify(&table, &platforms).map_err(|e| e.to_string())?;
    let mut lines = Lines::new();
    let bill = read(&table, &claim, Given::default(), &mut lines).map_err(|e| e.to_string())?;
    match bill.refusals.first() {
        Some(refusal) => Err(refusal.to_string()),
        None => Ok(Ledger::new(lines)),
    }
}

fn texts(ledger: &Ledger, of: impl Fn(Line<'_>) -> String) -> Vec<String> {
    ledger.lines().map(of).collect()
}

fn tags(ledger: &Ledger) -> Vec<String> {
    texts(ledger, |line| line.text(TextColumn::Tags).unwrap_or("none").to_owned())
}

const PLAIN: &str = "columns.sku = \"sku\"\ncolumns.start = \"start\"\ncolumns.kind = { value = \"usage\" }\n";

#[test]
fn a_number_is_multiplied_exactly() {
    let layout = format!(
        "{PLAIN}columns.cost = {{ column = \"price\", times = [{{ column = \"count\" }}, {{ value = \"24\" }}], add = [{{ column = \"fee\" }}] }}\n"
    );
    let cost = |price: &str, count: &str| {
        let text = format!("sku,start,price,count,fee\nx,2026-09-01,{price},{count},0.01\n");
        Ok::<_, String>(
            texts(&ledger(&layout, &text)?, |l| l.money(MoneyColumn::Cost).map(|c| c.to_string()).unwrap_or_default())
                .join(","),
        )
    };
    assert_eq!(cost("1.25", "3").unwrap(), "90.01");
    assert_eq!(cost("-0.000000001", "0.000000001").unwrap(), "0.009999999999999976");
    // 0.0000000001 x 0.0000000001 x 24 has 20 decimals.
    let fine = cost("0.0000000001", "0.0000000001").unwrap_err();
    assert!(fine.contains("18"), "{fine}");
    let large = cost("9999999999", "9999999999").unwrap_err();
    assert!(large.contains("row 2"), "{large}");
    // What is not known makes nothing known.
    assert!(cost("5", "").unwrap_err().contains("an amount"));
}

#[test]
fn factors_are_for_numbers() {
    let wrong = platform(&format!(
        "{PLAIN}columns.cost = \"c\"\ncolumns.region = {{ column = \"r\", times = [{{ value = \"2\" }}] }}\n"
    ));
    assert!(wrong.unwrap_err().contains("`times` are for columns of numbers"));
    let wrong = platform(&format!("{PLAIN}columns.cost = \"c\"\ncolumns.region = {{ gather = \"r*\" }}\n"));
    assert!(wrong.unwrap_err().contains("`gather` is for tags"));
}

#[test]
fn an_inclusive_end_is_made_exclusive() {
    let layout = format!(
        "{PLAIN}columns.cost = \"cost\"\ncolumns.end = [{{ column = \"end\", when = [\"end\", \":59$\"], through = \"second\" }}, {{ column = \"end\" }}]\n"
    );
    let text = "sku,start,end,cost\nx,2026-09-30 23:00:00,2026-09-30 23:59:59,1\nx,2026-09-30 23:00:00,2026-10-01 00:00:00,1\n";
    let ledger = ledger(&layout, text).unwrap();
    let ends = texts(&ledger, |line| line.time(TimeColumn::End).unwrap().to_rfc3339());
    assert_eq!(ends, ["2026-09-30T16:00:00+00:00"; 2]);
}

#[test]
fn tags_have_one_form_however_they_are_written() {
    let layout = format!("{PLAIN}columns.cost = \"cost\"\ncolumns.tags = \"tags\"\n");
    let of = |cell: &str| {
        let cell = cell.replace('"', "\"\"");
        let text = format!("sku,start,cost,tags\nx,2026-09-01,1,\"{cell}\"\n");
        tags(&ledger(&layout, &text).unwrap()).remove(0)
    };
    let both = "env=train; team=nlp";
    for text in [
        r#"{"team": "nlp", "env": "train"}"#,
        r#""team": "nlp","env": "train""#,
        r#"[{"key": "team", "value": "nlp"}, {"key": "env", "value": "train"}]"#,
        "[{'key': 'team', 'value': 'nlp'}, {'key': 'env', 'value': 'train'}]",
        "key:team value:nlp; key:env value:train",
        "team:nlp;env:train",
        "team=nlp; env=train",
        both,
    ] {
        assert_eq!(of(text), both, "{text}");
    }
    for text in ["{}", "[]", "-", "", "{\"team\": null}"] {
        assert_eq!(of(text), "none", "{text}");
    }
    // What could not be told apart stands in quotes, and is read back as it was.
    let odd = of(r#"{"a;b": "c=d; e", "f=g": " h", "i": "j:k=l"}"#);
    assert_eq!(odd, r#""a;b"="c=d; e"; "f=g"=" h"; i=j:k=l"#);
    assert_eq!(of(&odd), odd);
    // A text that is no list of tags stays what it is.
    for text in ["free text", "https://example.com/a", "{broken", "a=b; c", "\"never closed"] {
        assert_eq!(of(text), text);
    }
}

#[test]
fn tags_are_gathered_from_their_columns() {
    let layout =
        format!("{PLAIN}columns.cost = \"cost\"\ncolumns.tags = {{ gather = [\"tags/user:*\", \"tags/*\"] }}\n");
    let text = "sku,start,cost,tags/user:team,tags/aws:by,TAGS/User:Env\n\
                x,2026-09-01,1,nlp,root,-\nx,2026-09-01,1,,,train\nx,2026-09-01,1,,,\n";
    let platforms = platform(&layout).unwrap();
    let table = Table::from_text("t.csv", text);
    let claim = identify(&table, &platforms).unwrap();
    let mut lines = Lines::new();
    let bill = read(&table, &claim, Given::default(), &mut lines).unwrap();
    assert!(bill.unknown_columns.is_empty(), "{:?}", bill.unknown_columns);
    assert_eq!(tags(&Ledger::new(lines)), ["aws:by=root; team=nlp", "Env=train", "none"]);
}

const HEADERLESS: &str = "header = [\"sku\", \"start\", \"count\", \"cost\"]\ncolumns.sku = \"sku\"\ncolumns.start = { column = \"start\", format = \"%Y-%m-%d\" }\n\
                          columns.kind = { value = \"usage\" }\ncolumns.quantity = \"count\"\ncolumns.cost = \"cost\"\n";

#[test]
fn an_export_without_a_header_is_told_by_its_shapes() {
    let read = ledger(HEADERLESS, "GPU,2026-09-01,2,1.50\n\"Disk, fast\",2026-09-02,,0.10\n").unwrap();
    assert_eq!(texts(&read, |l| l.text(TextColumn::Sku).unwrap().to_owned()), ["GPU", "Disk, fast"]);
    assert_eq!(texts(&read, |l| l.origin().row.to_string()), ["1", "2"]);
    // The same with its header is known by name, in any order.
    let read = ledger(HEADERLESS, "cost;start;sku;count\n1.50;2026-09-01;GPU;2\n").unwrap();
    assert_eq!(texts(&read, |l| l.text(TextColumn::Sku).unwrap().to_owned()), ["GPU"]);
    for (why, text) in [
        ("a cell too many", "GPU,2026-09-01,2,1.50,\nGPU,2026-09-01,2,1.50,\n"),
        ("a row that is short", "GPU,2026-09-01,2,1.50\nGPU,2026-09-01,2\n"),
        ("a day that is none", "GPU,2026-09-01,2,1.50\nGPU,2026-09-31,2,1.50\n"),
        ("an amount that is none", "GPU,2026-09-01,2,free\n"),
        ("no amount", "GPU,2026-09-01,2,\n"),
        ("a header of its own", "Name,Begin,Count,Sum\nGPU,2026-09-01,2,1.50\n"),
    ] {
        let error = ledger(HEADERLESS, text).map(|_| ()).unwrap_err();
        assert!(error.contains("no layout"), "{why}: {error}");
    }
    // Beyond the rows that are looked at, a row of another shape is refused by its number.
    let text = "GPU,2026-09-01,2,1.50\n".repeat(50) + "GPU,2026-09-01,2\n";
    let error = ledger(HEADERLESS, &text).map(|_| ()).unwrap_err();
    assert!(error.contains("row 51") && error.contains("4 cells, as in every row of this export"), "{error}");
}

#[test]
fn names_for_an_export_without_a_header_are_checked() {
    let wrong = platform(&HEADERLESS.replace(", \"cost\"]", ", \"amount\"]")).unwrap_err();
    assert!(wrong.contains("`header` does not name the column \"cost\""), "{wrong}");
    let wrong = platform(&HEADERLESS.replace("\"count\", \"cost\"]", "\"cost\", \"cost\"]")).unwrap_err();
    assert!(wrong.contains("names the column \"cost\" twice"), "{wrong}");
}

#[test]
fn the_invoice_of_hetzner_is_the_same_with_and_without_a_header() {
    let lines = |file: &str| {
        let platforms = commands::platforms(&[]).unwrap();
        let place = Place { name: "invoice".to_owned(), path: format!("fixtures/hetzner/{file}").into() };
        let read = bills::read(&[place], &platforms, &[], false).unwrap();
        let mut csv = Vec::new();
        kashi::export::csv(&read.ledger, None, &mut csv).unwrap();
        let text = String::from_utf8(csv).unwrap();
        // All but the row, which the header moves by one.
        text.lines().map(|l| l.splitn(4, ',').nth(3).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let (with, without) = (lines("invoice-2026-09.csv"), lines("invoice-as-delivered-2026-09.csv"));
    assert_eq!(with, without);
    assert!(with.len() > 30);
}

#[test]
fn bills_with_and_without_tax_are_told_apart() {
    let notes = |files: &[&str]| {
        let platforms = commands::platforms(&[]).unwrap();
        let places: Vec<Place> =
            files.iter().map(|f| Place { name: (*f).to_owned(), path: format!("fixtures/{f}").into() }).collect();
        let read = bills::read(&places, &platforms, &[], false).unwrap();
        read.bills
            .iter()
            .map(|b| b.notes.iter().filter(|n| n.contains("tax")).cloned().collect())
            .collect::<Vec<Vec<String>>>()
    };
    let (with, without) = ("alibaba/consume-detail-v2-2026-09.csv", "alibaba/consume-detail-v2-en-2026-09.csv");
    assert_eq!(notes(&[with]), [Vec::<String>::new()]);
    let both = notes(&[with, without, "autodl/statement-2026-09.csv"]);
    assert_eq!(both[0], [format!("states amounts with tax, {without} without: they are no sums of one kind")]);
    assert_eq!(both[1], [format!("states amounts without tax, {with} with it: they are no sums of one kind")]);
    assert!(both[2].is_empty());
}
