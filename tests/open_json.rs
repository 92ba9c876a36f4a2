//! JSON becomes the table that a spreadsheet of the same records would be.

mod record;

use std::collections::BTreeMap;

use kashi_parsers::ledger::money::{self, NotExact};
use kashi_parsers::open::{Table, open_bytes};
use serde_json::Value;

use crate::open::{Splitmix, gb18030, gzip, ledger, opened, rows};

/// Rows as a spreadsheet shows them, of the one table of a text.
fn table(text: &str) -> Vec<Vec<String>> {
    let tables = opened(text.as_bytes(), "bill.json");
    assert_eq!(tables.len(), 1, "{text}");
    cells(&tables[0])
}

/// The cells of a table, whose rows are numbered from 1 without a gap.
fn cells(table: &Table) -> Vec<Vec<String>> {
    let rows = rows(table, b',');
    for (at, (number, _)) in rows.iter().enumerate() {
        assert_eq!(*number as usize, at + 1);
    }
    rows.into_iter().map(|(_, cells)| cells).collect()
}

fn error(text: &str) -> String {
    open_bytes(text.as_bytes().to_vec(), "bill.json").unwrap_err().to_string()
}

#[test]
fn records_are_rows_and_their_fields_columns() {
    let text = r#"[{"a":1.50,"b":{"c":"x","d":{"e":null}},"tags":["p","q",3],"items":[{"t":"gpu","n":[]},{"t":"disk"}]},
                   {"z":true,"a":-2e-7,"b":{"c":"中,\"文\"\u4e2d\ud83d\ude00\n"},"items":[[1,2],{"t":false}],"o":{}}]"#;
    assert_eq!(
        table(text),
        [
            ["a", "b.c", "b.d.e", "tags", "items.0.t", "items.0.n", "items.1.t", "z", "items.0"].map(str::to_owned),
            ["1.50", "x", "", "p;q;3", "gpu", "", "disk", "", ""].map(str::to_owned),
            ["-2e-7", "中,\"文\"中😀\n", "", "", "", "", "false", "true", "1;2"].map(str::to_owned),
        ]
    );
}

#[test]
fn a_number_keeps_its_text() {
    for number in [
        "0.1000000000000000055",
        "0.1",
        "0.10",
        "1E+3",
        "5e-06",
        "-0.0",
        "123456789012345678901234567890",
        "0.30000000000000004",
    ] {
        assert_eq!(table(&format!("[{{\"n\":{number},\"s\":\"{number}\"}}]"))[1], [number, number]);
    }
}

#[test]
fn documents_of_every_shape_give_their_records() {
    let records = r#"{"id":"x1","n":1},{"id":"x2","n":2}"#;
    let expected = vec![vec!["id", "n"], vec!["x1", "1"], vec!["x2", "2"]];
    for text in [
        format!("[{records}]"),
        format!("\u{feff}  [{records}]\n"),
        format!(r#"{{"records":[{records}]}}"#),
        format!(r#"{{"code":"Success","data":{{"max_page":1,"list":[{records}],"none":[]}},"seen":[1,2]}}"#),
        records.replace("},{", "}\n{"),
        records.replace("},{", "}\r\n\r\n{") + "\n",
        r#"[{"id":"x1","n":1}][{"id":"x2","n":2}]"#.to_owned(),
    ] {
        assert_eq!(table(&text), expected, "{text}");
    }
    for (name, bytes) in [
        (
            "bill.json",
            [vec![0xff, 0xfe], format!("[{records}]").encode_utf16().flat_map(u16::to_le_bytes).collect()].concat(),
        ),
        ("bill.json.gz", gzip(format!("[{records}]").as_bytes())),
    ] {
        assert_eq!(cells(&opened(&bytes, name)[0]), expected, "{name}");
    }
    // One line is a document or a record, and the name decides.
    let line = r#"{"id":"x1","credits":[{"amount":-1}]}"#;
    assert_eq!(table(line), [["amount"], ["-1"]]);
    assert_eq!(cells(&opened(line.as_bytes(), "gcp.jsonl")[0]), [["id", "credits.0.amount"], ["x1", "-1"]]);
    assert_eq!(table(r#"{"id":"x1","tags":["a"]}"#), [["id", "tags"], ["x1", "a"]]);
    assert_eq!(cells(&opened(&gb18030("[{\"名\":\"云\"}]"), "gb.json")[0]), [["名"], ["云"]]);
}

#[test]
fn each_array_of_records_is_a_table_and_the_document_is_kept() {
    let text = r#"{"month":"2026-09","data":{"bills":[{"a":1}],"sum":{"total":12.30}},"refunds":[{"a":2},{"b":3}]}"#;
    let tables = opened(text.as_bytes(), "bill.json");
    let sheets: Vec<&str> = tables.iter().map(|t| t.origin.sheet.as_deref().unwrap()).collect();
    assert_eq!(sheets, ["data.bills", "refunds"]);
    assert_eq!(cells(&tables[1]), [["a", "b"], ["2", ""], ["", "3"]]);
    let said: Vec<(&str, &str)> = tables[0].document.iter().map(|(p, v)| (p.as_str(), v.as_str())).collect();
    assert_eq!(said, [("month", "2026-09"), ("data.sum.total", "12.30")]);
}

#[test]
fn any_records_flatten_as_they_are_written() {
    let mut generator = Splitmix(77);
    for _ in 0..3000 {
        let (mut text, mut records, mut header) = (String::from("["), Vec::new(), Vec::<String>::new());
        for at in 0..1 + generator.next() % 4 {
            text.push_str(if at > 0 { "," } else { "" });
            let mut cells = Vec::new();
            record::random(&mut generator, 0, "", &mut text, &mut cells);
            for (name, _) in &cells {
                if !header.contains(name) {
                    header.push(name.clone());
                }
            }
            records.push(cells.into_iter().collect::<BTreeMap<_, _>>());
        }
        text.push(']');
        let mut expected = vec![header.clone()];
        for record in &records {
            expected.push(header.iter().map(|name| record.get(name).cloned().unwrap_or_default()).collect());
        }
        assert_eq!(table(&text), expected, "{text}");
        // The same text is JSON to another reader too.
        serde_json::from_str::<Value>(&text).unwrap();
    }
}

/// Bytes that mean something in JSON.
const GARBLE: &[u8] = b"{}[]\",:\\u0\n 1e.-tn\x01";

#[test]
fn what_is_cut_off_or_garbled_is_an_error_or_json() {
    let whole =
        r#"{"data":{"n":-1.5e3,"list":[{"a":"x\u00e9\n","b":[1,true,null],"c":[{"d":0.1}]},{"a":"y"}]},"more":false}"#;
    assert_eq!(opened(whole.as_bytes(), "bill.json").len(), 1);
    for end in (1..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        assert!(
            open_bytes(whole[..end].into(), "bill.json").map_or(true, |t| end < 2 || t.is_empty()),
            "{}",
            &whole[..end]
        );
    }
    let mut random = Splitmix(5);
    for _ in 0..20_000 {
        let mut bytes = whole.as_bytes().to_vec();
        for _ in 0..1 + random.next() % 3 {
            let at = (random.next() % bytes.len() as u64) as usize;
            bytes[at] = GARBLE[(random.next() % GARBLE.len() as u64) as usize];
        }
        let strict = serde_json::from_slice::<Value>(&bytes).is_ok();
        let ours = open_bytes(bytes.clone(), "bill.json");
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        // A text that does not begin as JSON is a table of another kind, or several lines.
        if bytes.starts_with(b"{\"") && !strict && !shown.contains('\n') {
            assert!(ours.is_err() || several(&shown), "{shown}");
        }
    }
}

/// Whether a text is JSON values one after the other.
fn several(text: &str) -> bool {
    serde_json::Deserializer::from_str(text).into_iter::<Value>().all(|value| value.is_ok())
}

#[test]
fn bounds_are_kept() {
    let nested = |levels: usize| format!("[{}1{}]", "{\"a\":".repeat(levels), "}".repeat(levels));
    assert_eq!(table(&nested(127))[1], ["1"]);
    assert!(error(&nested(128)).contains("nested more than 128 levels"));
    assert!(error(&"[".repeat(4_000_000)).contains("nested more than 128 levels"));
    assert!(error(&format!("{}{}", "{\"a\":".repeat(1_000_000), "1")).contains("nested more than 128 levels"));
    let wide = |columns: usize| {
        let fields: Vec<String> = (0..columns).map(|n| format!("\"f{n}\":{n}")).collect();
        format!("[{{{}}},{{\"f0\":1}}]", fields.join(","))
    };
    let rows = table(&wide(100_000));
    assert_eq!((rows[0].len(), rows[1][99_999].as_str(), rows[2].len()), (100_000, "99999", 100_000));
    assert!(error(&wide(100_001)).contains("row 2: is JSON with more than 100000 different fields"));
    let long = format!("[{{\"{}\":1}}]", "k".repeat(17 << 20));
    assert!(error(&long).contains("field names take more than 16777216 bytes"));
}

#[test]
fn fields_that_cannot_be_told_apart_are_refused() {
    for (text, field) in [
        (r#"[{"a":1,"a":1}]"#, "\"a\""),
        (r#"[{"a":{},"a":1}]"#, "\"a\""),
        (r#"[{"a.b":1,"a":{"b":2}}]"#, "\"a.b\""),
        (r#"[{"a":[{"b":1,"b":2}]}]"#, "\"a.0.b\""),
        (r#"{"d":{"list":[{"a":1}],"list":[{"a":1}]}}"#, "\"d.list\""),
    ] {
        let error = error(text);
        assert!(error.contains(&format!("has the field {field} twice")) && error.contains("(line 1, "), "{error}");
    }
    assert_eq!(table(r#"[{"a":1},{"a":1}]"#), [["a"], ["1"], ["1"]]);
}

#[test]
fn a_float_beyond_the_ledgers_digits_is_rounded_half_to_even() {
    for (text, expected) in [
        ("0.1000000000000000055", "100000000000000006"),
        ("0.1000000000000000045", "100000000000000004"),
        ("0.10000000000000000451", "100000000000000005"),
        ("-0.000050925925925925926", "-50925925925926"),
        ("5.0925925925925926e-05", "50925925925926"),
        ("1.5e-18", "2"),
        ("5e-19", "0"),
        ("5.1e-19", "1"),
        ("1e-300", "0"),
        ("12.5", "12500000000000000000"),
    ] {
        assert_eq!(money::rounded(text).unwrap().to_string(), expected, "{text}");
    }
    assert_eq!(money::rounded("0.1x"), Err(NotExact::Malformed));
    assert_eq!(money::parse("0.1000000000000000055", money::Separators::None), Err(NotExact::TooFine));
}

/// Rows of a CSV as JSON records, an empty cell as `null` or left out.
fn as_records(cells: &[(u32, Vec<String>)], random: &mut Splitmix) -> Vec<String> {
    let header = &cells[0].1;
    let all = cells[1..].iter().enumerate();
    let record = |(at, (_, row)): (usize, &(u32, Vec<String>))| {
        let mut fields = Vec::new();
        for (name, cell) in header.iter().zip(row) {
            let number = serde_json::from_str::<serde_json::Number>(cell).is_ok() && random.next().is_multiple_of(2);
            match cell.as_str() {
                // Every column must be there once; after that an empty field may be missing.
                "" if at > 0 && random.next().is_multiple_of(2) => {}
                "" => fields.push(format!("{}:null", Value::from(name.as_str()))),
                _ if number => fields.push(format!("{}:{cell}", Value::from(name.as_str()))),
                _ => fields.push(format!("{}: {}", Value::from(name.as_str()), Value::from(cell.as_str()))),
            }
        }
        format!("{{{}}}", fields.join(","))
    };
    all.map(record).collect()
}

#[test]
fn the_same_bill_gives_the_same_ledger_as_csv_and_as_json() {
    for path in [
        "fixtures/tencent/l3-2026-09.csv",
        "fixtures/alibaba/consume-detail-v2-2026-09.csv",
        "fixtures/huawei/price-factor-2026-09.csv",
        "fixtures/aws/cur-2026-09.csv",
        "fixtures/kingsoft/cost-bill-2026-09-flat.csv",
        "fixtures/volcengine/bill-detail-2026-09-flat.csv",
        "fixtures/ucloud/bill-detail-2026-09-flat.csv",
    ] {
        let bytes = std::fs::read(path).unwrap();
        let cells = rows(&opened(&bytes, "bill.csv")[0], b',');
        let expected = ledger(&[("bill.csv", bytes)]);
        let mut random = Splitmix(cells.len() as u64);
        let records = as_records(&cells, &mut random);
        let (first, second) = records.split_at(records.len() / 2);
        // The second half must know every column too, as each page of an answer does.
        let second =
            [&as_records(&[&cells[..1], &cells[1 + first.len()..]].concat(), &mut random)[..1], &second[1..]].concat();
        let forms: [(&str, Vec<(&str, Vec<u8>)>); 5] = [
            ("list", vec![("bill.json", format!("[{}]", records.join(",\n")).into_bytes())]),
            (
                "document",
                vec![(
                    "bill.json",
                    format!("{{\"ok\":true,\"data\":{{\"items\":[{}]}}}}", records.join(",")).into_bytes(),
                )],
            ),
            ("lines", vec![("bill.jsonl", records.join("\n").into_bytes())]),
            ("GB18030", vec![("bill.json", gb18030(&format!("[{}]", records.join(","))))]),
            (
                "pages",
                vec![
                    ("1.json", format!("[{}]", first.join(",")).into_bytes()),
                    ("2.json", format!("[{}]", second.join(",")).into_bytes()),
                ],
            ),
        ];
        for (form, files) in forms {
            assert_eq!(ledger(&files), expected, "{path} as {form}");
        }
    }
}
