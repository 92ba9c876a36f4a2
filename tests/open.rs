//! Bytes of any kind become the rows that a spreadsheet shows.

use std::io::Write as _;
use std::path::Path;

use kashi_parsers::open::{Like, Record, Stretch, Table, open_bytes, remember};

/// `(row number, cells)` of a table.
pub(crate) fn rows(table: &Table, delimiter: u8) -> Vec<(u32, Vec<String>)> {
    let mut rows = table.rows(delimiter).unwrap();
    let mut record = Record::new();
    let mut all = Vec::new();
    while let Some(row) = rows.next(&mut record).unwrap() {
        all.push((row, record.iter().map(|c| String::from_utf8(c.to_vec()).unwrap()).collect()));
    }
    all
}

pub(crate) fn opened(bytes: &[u8], name: &str) -> Vec<Table> {
    open_bytes(bytes.to_vec(), name).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn row(number: u32, cells: &[&str]) -> (u32, Vec<String>) {
    (number, cells.iter().map(|c| (*c).to_owned()).collect())
}

/// The generator of Steele, Lea and Flood: the same texts on every machine.
pub(crate) struct Splitmix(pub(crate) u64);

impl Splitmix {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn text(&mut self) -> String {
        const ALPHABET: [char; 8] = ['a', ',', ';', '"', '\n', '\r', ' ', '中'];
        let len = self.next() % 48;
        (0..len).map(|_| ALPHABET[(self.next() % 8) as usize]).collect()
    }
}

/// What the `csv` crate makes of a text with one kind of line end, and the row numbers that a
/// spreadsheet shows: one a record, however tall, and one an empty line.
fn reference(text: &str, delimiter: u8) -> Vec<(u32, Vec<String>)> {
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(unified.as_bytes());
    let mut all = Vec::new();
    let (mut number, mut end) = (0u32, 0usize);
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).unwrap() {
        // The crate skips empty lines silently: they stand between this record and the last.
        let empty = unified[end..].bytes().take_while(|b| *b == b'\n').count();
        number += empty as u32 + 1;
        end = reader.position().byte() as usize;
        all.push((number, record.iter().map(str::to_owned).collect()));
    }
    all
}

/// Whether the last quote of a text never closes: the only place where the two may differ.
fn never_closes(text: &str, delimiter: u8) -> bool {
    let (mut inside, mut fresh, mut chars) = (false, true, text.chars().peekable());
    while let Some(c) = chars.next() {
        if inside {
            if c == '"' && chars.next_if_eq(&'"').is_none() {
                inside = false;
                fresh = false;
            }
            continue;
        }
        inside = c == '"' && fresh;
        fresh = c == delimiter as char || c == '\n' || c == '\r';
    }
    inside
}

#[test]
fn rows_are_those_of_the_csv_crate() {
    let mut random = Splitmix(2026);
    let mut compared = 0;
    for _ in 0..20_000 {
        let text = random.text();
        for delimiter in [b',', b';'] {
            if never_closes(&text, delimiter) {
                continue;
            }
            compared += 1;
            let ours = rows(&Table::from_text("t.csv", &text), delimiter);
            assert_eq!(ours, reference(&text, delimiter), "{text:?} cut at {:?}", delimiter as char);
        }
    }
    assert!(compared > 20_000, "{compared}");
}

/// The rows of a text, each cut with what an earlier row had in some stretches.
fn rows_by_stretches(text: &str, random: &mut Splitmix, repeated: &mut usize) -> Vec<(u32, Vec<String>)> {
    let table = Table::from_text("t.csv", text);
    let (mut rows, mut record, mut all) = (table.rows(b',').unwrap(), Record::new(), Vec::new());
    // The quotes stay on, as they do on cells that nothing but texts follows from.
    record.want(std::iter::once(0), 1..9);
    let (mut bytes, mut ends, mut stretches) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(row) =
        rows.next_like(&mut record, &Like { bytes: &bytes, ends: &ends, stretches: &stretches }).unwrap()
    {
        *repeated += (0..stretches.len()).filter(|stretch| record.repeats(*stretch)).count();
        if random.next().is_multiple_of(2) {
            let (mut place, mut first) = (1, 0);
            (stretches, bytes, ends) = (Vec::new(), Vec::new(), Vec::new());
            loop {
                place += random.next() as usize % 3;
                let cells = 1 + random.next() as usize % 3;
                // A stretch has a cell before and behind it.
                if place + cells >= record.len() {
                    break;
                }
                stretches.push(Stretch { place, first, cells });
                (place, first) = (place + cells + 1, first + cells);
            }
            assert!(remember(&record, &stretches, &[], (&mut bytes, &mut ends)));
        }
        if random.next().is_multiple_of(2) {
            record.late();
        }
        record.whole();
        all.push((row, record.iter().map(|c| String::from_utf8(c.to_vec()).unwrap()).collect()));
    }
    all
}

#[test]
fn rows_that_repeat_others_are_cut_as_if_they_did_not() {
    let (mut random, mut repeated) = (Splitmix(11), 0);
    for _ in 0..10_000 {
        const CELLS: [&str; 12] =
            ["", "a", "aa", "\"a\"", "\"a,b\"", "\"a\"\"\"", "\"\"\"\"", "a\"", "\"a\"b", "中", "\"中\na\"", "\"\""];
        let columns: Vec<usize> = (0..3 + random.next() % 6).map(|_| (random.next() % 12) as usize).collect();
        let mut text = String::new();
        for _ in 0..2 + random.next() % 6 {
            let odd = random.next() as usize % (columns.len() * 2);
            let cell = |(at, cell): (usize, &usize)| CELLS[if at == odd { (cell + 5) % 12 } else { *cell }];
            let cells: Vec<&str> = columns.iter().enumerate().map(cell).collect();
            text.push_str(&format!("{}{}\n", random.next() % 12, cells.join(",")));
        }
        let again = rows_by_stretches(&text, &mut random, &mut repeated);
        assert_eq!(again, rows(&Table::from_text("t.csv", &text), b','), "{text:?}");
    }
    assert!(repeated > 10_000, "{repeated}");
}

#[test]
fn a_quote_that_never_closes_loses_nothing_before_it() {
    let table = Table::from_text("t.csv", "a,b\n1,2\n3,\"4\n5,6\n");
    assert_eq!(rows(&table, b','), [row(1, &["a", "b"]), row(2, &["1", "2"]), row(3, &["3", "4\n5,6\n"])]);
}

#[test]
fn rows_across_the_borders_of_what_is_read_at_once_are_whole() {
    let mut text = String::new();
    for n in 0..60_000 {
        text.push_str(&format!("{n},\"中 \"\"{n}\"\"\",x{}\r\n", "y".repeat(n % 31)));
    }
    let ours = rows(&Table::from_text("t.csv", &text), b',');
    assert_eq!(ours.len(), 60_000);
    for (n, (number, cells)) in ours.iter().enumerate() {
        assert_eq!(*number as usize, n + 1);
        assert_eq!(*cells, [n.to_string(), format!("中 \"{n}\""), format!("x{}", "y".repeat(n % 31))]);
    }
}

const TEXT: &str =
    "账单月份,资源ID,费用\n2026-09,ins-4k2m8x,12.50\n2026-09,\"实例,甲\",0.10\n2026-09,云硬盘与快照,3.00\n";

/// The text in the encodings that vendors and spreadsheets write.
fn encoded() -> Vec<(&'static str, Vec<u8>)> {
    let units = || TEXT.encode_utf16();
    let marked = |mark: &[u8], body: Vec<u8>| [mark, &body].concat();
    let le: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
    let be: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
    vec![
        ("plain.csv", TEXT.as_bytes().to_vec()),
        ("mark.csv", marked(b"\xef\xbb\xbf", TEXT.as_bytes().to_vec())),
        ("utf16le.csv", marked(b"\xff\xfe", le.clone())),
        ("utf16be.csv", marked(b"\xfe\xff", be.clone())),
        ("utf16le-without-a-mark.csv", le),
        ("utf16be-without-a-mark.csv", be),
        ("gb18030.csv", gb18030(TEXT)),
        ("crlf.csv", TEXT.replace('\n', "\r\n").into_bytes()),
        ("packed.csv.gz", gzip(TEXT.as_bytes())),
        ("packed-gb18030.csv.gz", gzip(&gb18030(TEXT))),
    ]
}

pub(crate) fn gb18030(text: &str) -> Vec<u8> {
    encoding_rs::GB18030.encode(text).0.into_owned()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(bytes).unwrap();
    gz.finish().unwrap()
}

#[test]
fn a_text_reads_the_same_in_every_encoding() {
    let expected = rows(&Table::from_text("t.csv", TEXT), b',');
    assert_eq!(expected.len(), 4);
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in encoded() {
        assert_eq!(rows(&opened(&bytes, name)[0], b','), expected, "{name} in memory");
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(rows(&kashi_parsers::open::open(&path, name).unwrap()[0], b','), expected, "{name} on disk");
    }
}

#[test]
fn a_zip_gives_its_members_in_order() {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in [("b.csv", gb18030(TEXT)), ("a.csv", b"x,y\n1,2\n".to_vec()), ("__MACOSX/a.csv", vec![0])] {
        zip.start_file(name, options).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    let tables = opened(&zip.finish().unwrap().into_inner(), "bills.zip");
    let names: Vec<&str> = tables.iter().map(|t| &*t.origin.file).collect();
    assert_eq!(names, ["bills.zip!a.csv", "bills.zip!b.csv"]);
    assert_eq!(rows(&tables[0], b','), [row(1, &["x", "y"]), row(2, &["1", "2"])]);
    assert_eq!(rows(&tables[1], b','), rows(&Table::from_text("t.csv", TEXT), b','));
}

/// A workbook with what vendors' workbooks hold: sheets, blank first rows, a merged title.
fn workbook() -> Vec<u8> {
    use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};
    let mut book = Workbook::new();
    let sheet = book.add_worksheet().set_name("明细").unwrap();
    sheet.merge_range(2, 0, 2, 4, "九月账单", &Format::new()).unwrap();
    for (column, name) in ["时间", "抵扣", "单价", "系数", "订单号"].into_iter().enumerate() {
        sheet.write(3, column as u16, name).unwrap();
    }
    let time = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    let at = ExcelDateTime::from_ymd(2026, 9, 3).unwrap().and_hms(15, 50, 59).unwrap();
    sheet.write_with_format(4, 0, &at, &time).unwrap();
    sheet.write(4, 1, true).unwrap();
    sheet.write(4, 2, 0.1).unwrap();
    sheet.write(4, 3, 1e-7).unwrap();
    sheet.write(4, 4, 12_345_678_901_234_567.0).unwrap();
    sheet.write(6, 0, "合计").unwrap();
    sheet.write(6, 2, 1_234_567.89).unwrap();
    let second = book.add_worksheet().set_name("说明").unwrap();
    second.write(0, 1, "a,\"b\"\nc").unwrap();
    book.add_worksheet().set_name("空").unwrap();
    book.save_to_buffer().unwrap()
}

#[test]
fn a_workbook_gives_its_filled_sheets_as_a_spreadsheet_shows_them() {
    let tables = opened(&workbook(), "bill.xlsx");
    let sheets: Vec<&str> = tables.iter().map(|t| t.origin.sheet.as_deref().unwrap()).collect();
    assert_eq!(sheets, ["明细", "说明"]);
    let shown = rows(&tables[0], b',');
    assert_eq!(shown[0].0, 3);
    assert_eq!(shown[0].1[0], "九月账单");
    assert_eq!(shown[1], row(4, &["时间", "抵扣", "单价", "系数", "订单号"]));
    assert_eq!(shown[2], row(5, &["2026-09-03 15:50:59", "TRUE", "0.1", "0.0000001", "12345678901234568"]));
    assert_eq!(shown[3], row(7, &["合计", "", "1234567.89", "", ""]));
    assert_eq!(tables[0].notes.len(), 1, "{:?}", tables[0].notes);
    assert!(tables[0].notes[0].starts_with("1 numbers have more than 15") && tables[0].notes[0].contains("row 5"));
    assert_eq!(rows(&tables[1], b','), [row(1, &["", "a,\"b\"\nc"])]);
    assert!(tables[1].notes.is_empty());
}

/// The ledger of files, sorted, without where each line stands.
pub(crate) fn ledger(files: &[(&str, Vec<u8>)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut places = Vec::new();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        places.push(kashi::places::Place { name: (*name).to_owned(), path });
    }
    let platforms = kashi::commands::platforms(&[]).unwrap();
    let read = kashi::bills::read(&places, &platforms, &[], false).unwrap_or_else(|e| panic!("{}: {e:#}", files[0].0));
    let mut csv = Vec::new();
    kashi::export::csv(&read.ledger, None, &mut csv).unwrap();
    without_origin(&csv)
}

fn without_origin(csv: &[u8]) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv);
    let header = reader.headers().unwrap().clone();
    let kept: Vec<usize> = (0..header.len()).filter(|at| !["file", "sheet", "row"].contains(&&header[*at])).collect();
    assert!(kept.len() < header.len());
    let mut lines: Vec<String> = reader
        .records()
        .map(|r| r.map(|r| kept.iter().map(|at| r[*at].to_owned()).collect::<Vec<_>>().join("|")).unwrap())
        .collect();
    lines.sort();
    lines
}

fn as_workbook(rows: &[(u32, Vec<String>)]) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (number, cells) in rows {
        for (column, cell) in cells.iter().enumerate() {
            sheet.write_string(number - 1, column as u16, cell).unwrap();
        }
    }
    book.save_to_buffer().unwrap()
}

/// Rows as CSV.
fn as_csv(rows: &[&[String]]) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    rows.iter().for_each(|cells| writer.write_record(*cells).unwrap());
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

#[test]
fn the_same_bill_gives_the_same_ledger_in_every_form() {
    for path in ["fixtures/tencent/l3-2026-09.csv", "fixtures/alibaba/consume-detail-v2-2026-09.csv"] {
        let text = std::fs::read_to_string(Path::new(path)).unwrap();
        let cells = rows(&Table::from_text("t", &text), b',');
        let body: Vec<&[String]> = cells[1..].iter().map(|(_, cells)| cells.as_slice()).collect();
        let file = |rows: &[&[String]]| as_csv(&[&[cells[0].1.as_slice()], rows].concat());
        let whole = file(&body);
        let expected = ledger(&[("bill.csv", whole.clone().into_bytes())]);
        assert!(expected.len() >= 30, "{path}");
        let utf16 = [vec![0xff, 0xfe], whole.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat();
        let mut shuffled = body.clone();
        let mut random = Splitmix(9);
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, (random.next() % (at as u64 + 1)) as usize);
        }
        let (first, second) = body.split_at(body.len() / 3);
        let forms: [(&str, Vec<(&str, Vec<u8>)>); 5] = [
            ("GB18030", vec![("bill.csv", gb18030(&whole))]),
            ("UTF-16", vec![("bill.csv", utf16)]),
            ("XLSX", vec![("bill.xlsx", as_workbook(&cells))]),
            ("shuffled", vec![("bill.csv", file(&shuffled).into_bytes())]),
            ("split", vec![("1.csv", file(first).into_bytes()), ("2.csv", file(second).into_bytes())]),
        ];
        for (form, files) in forms {
            assert_eq!(ledger(&files), expected, "{path} as {form}");
        }
    }
}
