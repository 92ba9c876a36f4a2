//! The same content gives the same ledger, in whatever order, encoding, delimiter or kind of file.

use std::io::{Cursor, Write as _};

use proptest::prelude::*;
use zip::CompressionMethod;

use super::material::{Material, Read, lines, text};
use super::{of_every_layout, tried};
use crate::open::{gb18030, gzip};

/// A form that a table may have.
#[derive(Clone, Copy, Debug)]
enum Form {
    Gb18030,
    Utf16Le,
    Utf16Be,
    Utf8Mark,
    Returns,
    Semicolons,
    Tabs,
    Bars,
    Texts,
    Numbers,
    Records,
    Packed,
    Zipped,
    /// An archive that keeps a workbook, itself an archive, as it is.
    Stored,
}

const FORMS: [Form; 14] = [
    Form::Gb18030,
    Form::Utf16Le,
    Form::Utf16Be,
    Form::Utf8Mark,
    Form::Returns,
    Form::Semicolons,
    Form::Tabs,
    Form::Bars,
    Form::Texts,
    Form::Numbers,
    Form::Records,
    Form::Packed,
    Form::Zipped,
    Form::Stored,
];

/// The bytes of a table in a form, and the name of their file; `None` where the form cannot say it.
fn formed(form: Form, material: &Material, body: &[Vec<String>]) -> Option<(String, Vec<u8>)> {
    let cut = |delimiter| text(&material.above, &material.header, body, delimiter);
    let units = cut(b',').encode_utf16().collect::<Vec<_>>();
    let utf16 = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
        mark.into_iter().chain(units.iter().flat_map(|unit| bytes(*unit))).collect()
    };
    // The name of the file may state the month.
    let stem = material.file.replace(['/', '!', '.'], "-");
    let named = |ending: &str| format!("{stem}.{ending}");
    Some(match form {
        Form::Gb18030 => (named("csv"), gb18030(&cut(b','))),
        Form::Utf16Le => (named("csv"), utf16([0xff, 0xfe], u16::to_le_bytes)),
        Form::Utf16Be => (named("csv"), utf16([0xfe, 0xff], u16::to_be_bytes)),
        Form::Utf8Mark => (named("csv"), [&b"\xef\xbb\xbf"[..], cut(b',').as_bytes()].concat()),
        Form::Returns => (named("csv"), cut(b',').replace('\n', "\r\n").into_bytes()),
        Form::Semicolons => (named("csv"), cut(b';').into_bytes()),
        Form::Tabs => (named("tsv"), cut(b'\t').into_bytes()),
        Form::Bars => (named("txt"), cut(b'|').into_bytes()),
        Form::Texts => (named("xlsx"), workbook(material, body, false)),
        Form::Numbers => (named("xlsx"), workbook(material, body, true)),
        Form::Records => (named("json"), records(material, body)?),
        Form::Packed => (named("csv.gz"), gzip(cut(b',').as_bytes())),
        Form::Zipped => (named("zip"), zipped("bill.csv", cut(b',').as_bytes(), CompressionMethod::Deflated)),
        Form::Stored => {
            (named("zip"), zipped("bill.xlsx", &workbook(material, body, false), CompressionMethod::Stored))
        }
    })
}

/// A workbook of text cells; with `numbers`, what a spreadsheet shows as it stands is a number.
fn workbook(material: &Material, body: &[Vec<String>], numbers: bool) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    let rows = material.above.iter().chain([&material.header]).chain(body);
    for (row, cells) in rows.enumerate() {
        for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let (row, column) = (row as u32, column as u16);
            match cell.parse::<f64>().ok().filter(|number| numbers && number.to_string() == *cell) {
                Some(number) => sheet.write_number(row, column, number).unwrap(),
                None => sheet.write_string(row, column, cell).unwrap(),
            };
        }
    }
    book.save_to_buffer().unwrap()
}

/// A list of records whose values are texts; rows above a header and names that stand twice have no place in it.
fn records(material: &Material, body: &[Vec<String>]) -> Option<Vec<u8>> {
    let mut names = material.header.clone();
    names.sort();
    names.dedup();
    let flat = material.above.is_empty() && names.len() == material.header.len() && !names.contains(&String::new());
    // Rows that state a total are told by their first cell, and fields have no order.
    let totals = material.layout().total.as_deref().unwrap_or_default();
    let total = |row: &Vec<String>| totals.iter().any(|t| row.iter().any(|cell| cell.starts_with(t.as_str())));
    if !flat || body.iter().any(|row| row.len() != material.header.len() || total(row)) {
        return None;
    }
    let record = |row: &Vec<String>| {
        let fields = material.header.iter().cloned().zip(row.iter().map(|cell| cell.as_str().into()));
        serde_json::Value::Object(fields.collect())
    };
    Some(serde_json::to_vec(&body.iter().map(record).collect::<Vec<_>>()).unwrap())
}

fn zipped(name: &str, bytes: &[u8], method: CompressionMethod) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, zip::write::SimpleFileOptions::default().compression_method(method)).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

/// Some rows of a body, in any order, some of them twice.
fn picked() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..1000usize, 3..24)
}

fn of(material: &Material, form: &str, read: kashi_parsers::Result<Read>) -> Read {
    read.unwrap_or_else(|e| panic!("{} as {form}: {e}", material.name))
}

#[test]
fn a_table_gives_the_same_ledger_in_every_form() {
    of_every_layout(|material| {
        tried(&material.name, 3, &picked(), |picked| {
            let body = material.rows(&picked);
            let plain = material.plain(&body);
            let expected = lines(&plain.ledger);
            for form in FORMS {
                let Some((name, bytes)) = formed(form, material, &body) else { continue };
                let read = of(material, &format!("{form:?}"), material.read_bytes(bytes, &name));
                prop_assert_eq!(&lines(&read.ledger), &expected, "{:?}", form);
                prop_assert_eq!(read.bill.refused_rows, plain.bill.refused_rows, "{:?}", form);
            }
            Ok(())
        })
    });
}

#[test]
fn the_order_of_rows_does_not_matter() {
    of_every_layout(|material| {
        if material.depends_on_order() {
            return Ok(());
        }
        let two = picked().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()));
        tried(&material.name, 6, &two, |(one, other)| {
            let read = |picked: &[usize]| material.plain(&material.rows(picked));
            let (one, other) = (read(&one), read(&other));
            prop_assert_eq!(lines(&one.ledger), lines(&other.ledger));
            prop_assert_eq!(one.ledger.totals().unwrap(), other.ledger.totals().unwrap());
            Ok(())
        })
    });
}

#[test]
fn the_parts_of_a_file_give_the_ledger_of_the_whole() {
    of_every_layout(|material| {
        if material.depends_on_order() {
            return Ok(());
        }
        tried(&material.name, 4, &(picked(), 0..1000usize), |(picked, at)| {
            let body = material.rows(&picked);
            let (first, second) = body.split_at(at % (body.len() + 1));
            let whole = material.plain(&body);
            // A part without a row is a file with a header alone.
            let (first, second) = (material.plain(first), material.plain(second));
            let mut parts = [lines(&first.ledger), lines(&second.ledger)].concat();
            parts.sort();
            prop_assert_eq!(parts, lines(&whole.ledger));
            prop_assert_eq!(
                first.bill.refused_rows + second.bill.refused_rows,
                whole.bill.refused_rows,
                "refused rows"
            );
            Ok(())
        })
    });
}
