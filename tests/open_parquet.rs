//! Parquet becomes the text that the same data has as CSV, and broken files are errors.

use std::io::Write as _;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, ListBuilder,
    MapBuilder, RecordBatch, StringArray, StringBuilder, StructArray, TimestampMicrosecondArray,
    TimestampMillisecondArray,
};
use arrow::datatypes::{DataType, Field};
use kashi::places::Place;
use kashi::{bills, commands, export};
use kashi_parsers::open::{Record, Table, open, open_bytes};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::open::{Splitmix, gzip, opened, rows};

/// Every type that a bill's export has, nested ones too.
fn batch() -> RecordBatch {
    let mut tags = MapBuilder::new(None, StringBuilder::new(), StringBuilder::new());
    for (row, (key, value)) in [("user_team", "nlp"), ("a\"b", "x,y"), ("", "")].into_iter().enumerate() {
        if row < 2 {
            tags.keys().append_value(key);
            tags.values().append_value(value);
        }
        tags.append(row < 2).unwrap();
    }
    let mut list = ListBuilder::new(StringBuilder::new());
    list.append_value([Some("one"), None]);
    list.append_value([Some("two\n")]);
    list.append(false);
    let service = StructArray::from(vec![
        (
            Arc::new(Field::new("id", DataType::Utf8, true)),
            Arc::new(StringArray::from(vec![Some("6F81"), None, Some("x")])) as ArrayRef,
        ),
        (
            Arc::new(Field::new("n", DataType::Int64, true)),
            Arc::new(Int64Array::from(vec![Some(7), Some(-8), None])) as ArrayRef,
        ),
    ]);
    let decimals = Decimal128Array::from(vec![Some(123_450), Some(-1), None]).with_precision_and_scale(38, 4).unwrap();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("text", Arc::new(StringArray::from(vec![Some("甲, \"乙\""), Some(""), None]))),
        ("whole", Arc::new(Int64Array::from(vec![Some(i64::MAX), Some(-3), None]))),
        ("decimal", Arc::new(decimals)),
        ("double", Arc::new(Float64Array::from(vec![Some(0.1 + 0.2), Some(1.234_567_890_123_456_7e-5), None]))),
        ("yes", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
        ("day", Arc::new(Date32Array::from(vec![Some(20_697), Some(-1), None]))),
        (
            "zoned",
            Arc::new(
                TimestampMillisecondArray::from(vec![Some(1_788_220_800_000), Some(1), None]).with_timezone("UTC"),
            ),
        ),
        ("local", Arc::new(TimestampMicrosecondArray::from(vec![Some(1_788_220_800_000_000), Some(-1), None]))),
        ("bytes", Arc::new(BinaryArray::from_opt_vec(vec![Some("字".as_bytes()), Some(b""), None]))),
        ("tags", Arc::new(tags.finish())),
        ("list", Arc::new(list.finish())),
        ("service", Arc::new(service)),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn written(batch: &RecordBatch, properties: WriterProperties) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

/// The same batch as writers differ: compression, generation, dictionaries, small groups.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let way = WriterProperties::builder;
    let gzip = Compression::GZIP(GzipLevel::default());
    [
        ("plain", way()),
        ("snappy", way().set_compression(Compression::SNAPPY)),
        ("gzip", way().set_compression(gzip)),
        ("second generation", way().set_compression(gzip).set_writer_version(WriterVersion::PARQUET_2_0)),
        (
            "second generation, snappy",
            way().set_compression(Compression::SNAPPY).set_writer_version(WriterVersion::PARQUET_2_0),
        ),
        ("without a dictionary", way().set_dictionary_enabled(false)),
        ("a group for each row", way().set_max_row_group_row_count(Some(1))),
    ]
    .into_iter()
    .map(|(name, properties)| (name, written(&batch(), properties.build())))
    .collect()
}

#[test]
fn values_are_the_text_of_the_same_data_as_csv() {
    let expected = [
        vec![
            "text",
            "whole",
            "decimal",
            "double",
            "yes",
            "day",
            "zoned",
            "local",
            "bytes",
            "tags",
            "list",
            "service.id",
            "service.n",
        ],
        vec![
            "甲, \"乙\"",
            "9223372036854775807",
            "12.345",
            "0.30000000000000004",
            "true",
            "2026-09-01",
            "2026-09-01T00:00:00Z",
            "2026-09-01 00:00:00",
            "字",
            "{\"user_team\":\"nlp\"}",
            "[\"one\",null]",
            "6F81",
            "7",
        ],
        vec![
            "",
            "-3",
            "-0.0001",
            "0.000012345678901235",
            "false",
            "1969-12-31",
            "1970-01-01T00:00:00.001Z",
            "1969-12-31 23:59:59.999999",
            "",
            "{\"a\\\"b\":\"x,y\"}",
            "[\"two\\n\"]",
            "",
            "-8",
        ],
        vec!["", "", "", "", "", "", "", "", "", "", "", "x", ""],
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files() {
        let path = folder.path().join("bill.parquet");
        std::fs::write(&path, &bytes).unwrap();
        let tables = [opened(&bytes, name), open(&path, name).unwrap(), opened(&gzip(&bytes), name)].concat();
        for table in tables {
            assert_eq!(table.delimiters(), b",");
            let (numbers, cells): (Vec<u32>, Vec<Vec<String>>) = rows(&table, b',').into_iter().unzip();
            assert_eq!(numbers, [1, 2, 3, 4], "{name}");
            assert_eq!(cells, expected, "{name}");
            assert_eq!(table.notes.len(), 1, "{name}");
            assert!(
                table.notes[0].starts_with("1 columns hold binary floating point (\"double\")"),
                "{}",
                table.notes[0]
            );
        }
    }
}

#[test]
fn a_record_without_a_value_is_a_row() {
    let batch = RecordBatch::try_from_iter([("a", Arc::new(Int64Array::from(vec![None, Some(1), None])) as ArrayRef)]);
    let table = &opened(&written(&batch.unwrap(), WriterProperties::builder().build()), "one.parquet")[0];
    let cells: Vec<(u32, String)> = rows(table, b',').into_iter().map(|(n, cells)| (n, cells.join("|"))).collect();
    assert_eq!(cells, [(1, "a".to_owned()), (2, String::new()), (3, "1".to_owned()), (4, String::new())]);
}

#[test]
fn the_ledger_is_that_of_the_same_export_as_csv() {
    let ledger = |file: &str| {
        let platforms = commands::platforms(&[]).unwrap();
        let place = Place { name: "cur".to_owned(), path: format!("fixtures/aws/{file}").into() };
        let read = bills::read(&[place], &platforms, &[], false).unwrap();
        let mut csv = Vec::new();
        export::csv(&read.ledger, None, &mut csv).unwrap();
        String::from_utf8(csv).unwrap()
    };
    assert_eq!(ledger("cur-2-parquet-2026-09.parquet"), ledger("cur-2-2026-09.csv"));
}

/// Reads all of a file; what is wrong with it, if anything is.
fn result(bytes: &[u8]) -> Result<usize, String> {
    let tables = open_bytes(bytes.to_vec(), "t.parquet").map_err(|e| e.to_string())?;
    let read = |table: &Table| {
        let mut rows = table.rows(b',').map_err(|e| e.to_string())?;
        let (mut record, mut count) = (Record::new(), 0);
        while rows.next(&mut record).map_err(|e| e.to_string())?.is_some() {
            count += 1;
        }
        Ok(count)
    };
    tables.iter().map(read).sum()
}

/// Bytes with one to four of them, or of its tail, changed, cut or written twice.
fn mutated(bytes: &[u8], random: &mut Splitmix) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.next() % 4 {
        let at = match random.next() % 3 {
            0 => bytes.len() - 1 - (random.next() as usize % bytes.len().min(600)),
            _ => random.next() as usize % bytes.len(),
        };
        match random.next() % 8 {
            0 => bytes.truncate(at.max(16)),
            1 => bytes[at] = 0xff,
            2 => bytes[at] = 0,
            3 => {
                let copy = bytes[at..(at + 9).min(bytes.len())].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => bytes[at] ^= 1 << (random.next() % 8),
        }
    }
    bytes
}

#[test]
fn broken_files_are_errors() {
    let rounds = std::env::var("KASHI_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut random = Splitmix(std::env::var("KASHI_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(3));
    let (mut read, mut refused) = (0, 0);
    for (name, bytes) in files() {
        for round in 0..rounds {
            let bytes = mutated(&bytes, &mut random);
            if std::env::var("KASHI_ROUNDS").is_ok() {
                std::fs::File::create("/tmp/kashi-mutated.parquet").unwrap().write_all(&bytes).unwrap();
            }
            match std::panic::catch_unwind(|| result(&bytes)) {
                Ok(Ok(_)) => read += 1,
                Ok(Err(what)) => {
                    assert!(what.starts_with("t.parquet"), "{name}, {round}: {what}");
                    refused += 1;
                }
                Err(_) => {
                    std::fs::write(format!("/tmp/kashi-panic-{name}-{round}.parquet"), &bytes).unwrap();
                    panic!("{name}, round {round}");
                }
            }
        }
    }
    assert!(read > rounds / 10 && refused > rounds, "{read} read, {refused} refused");
}
