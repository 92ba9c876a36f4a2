//! A damaged XLS is refused, or has every cell where it was: no bit takes cells away in silence.

use std::collections::BTreeMap;

use kashi_parsers::open::open_bytes;

use crate::open::rows;

/// The filled cells of all sheets, in the order of the sheets' names; `None` if the file is refused.
fn cells(bytes: Vec<u8>) -> Option<Vec<BTreeMap<(u32, usize), String>>> {
    let mut tables = open_bytes(bytes, "bill.xls").ok()?;
    tables.sort_by(|a, b| a.origin.sheet.cmp(&b.origin.sheet));
    let filled = |row: u32, cells: Vec<String>| {
        cells.into_iter().enumerate().filter(|(_, c)| !c.is_empty()).map(move |(at, c)| ((row, at), c))
    };
    Some(
        tables
            .iter()
            .map(|t| rows(t, b',').into_iter().flat_map(|(row, cells)| filled(row, cells)).collect())
            .collect(),
    )
}

/// What turning bits of a file, one at a time, comes to.
#[derive(Debug, Default)]
struct Flips {
    refused: usize,
    same: usize,
    /// A text or a number is another.
    changed: usize,
    /// Bytes at which one bit takes a cell away, adds one or moves one without an error.
    silent: Vec<usize>,
}

fn flip(bytes: &[u8], step: usize) -> Flips {
    let whole = cells(bytes.to_vec()).unwrap();
    let places = |cells: &[BTreeMap<(u32, usize), String>]| {
        // A text that became blank, or a sheet with another name, is a changed text.
        let mut all: Vec<Vec<(u32, usize)>> = cells.iter().map(|sheet| sheet.keys().copied().collect()).collect();
        all.sort();
        all
    };
    let mut flips = Flips::default();
    for bit in (0..bytes.len() * 8).step_by(step) {
        let mut damaged = bytes.to_vec();
        damaged[bit / 8] ^= 1 << (bit % 8);
        match cells(damaged) {
            None => flips.refused += 1,
            Some(cells) if cells == whole => flips.same += 1,
            Some(cells) if places(&cells) == places(&whole) => flips.changed += 1,
            Some(_) => flips.silent.push(bit / 8),
        }
    }
    flips
}

#[test]
fn no_bit_takes_a_cell_away_in_silence() {
    for (name, bytes, step) in [
        ("an old writer's", std::fs::read("fixtures/mended/old-workbook/bill.xls").unwrap(), 3),
        ("a spreadsheet's", workbook::workbook(), 1),
    ] {
        let flips = flip(&bytes, step);
        assert!(flips.silent.is_empty(), "{name}: {flips:?}");
        assert!(flips.refused > flips.same / 4 && flips.same > 0 && flips.changed > 0, "{name}: {flips:?}");
    }
}

/// What is broken in a bill's workbook is said, and where.
#[test]
fn damages_are_named() {
    let whole = std::fs::read("fixtures/mended/old-workbook/bill.xls").unwrap();
    let stream = 512;
    for (at, bit, says) in [
        // The kinds of cells, and of the end of the sheet.
        (5655, 0, "a cell in or behind row 14 cannot be read"),
        (4863, 7, "a cell in or behind row 8 cannot be read"),
        (8151, 2, "a sheet has no end"),
        // The offset of the sheet, the rows it states, the number of texts.
        (911, 3, "its list of sheets is not that of the sheets in it"),
        (3601, 5, "a sheet says that it has 1 rows, and it has 33"),
        (935, 0, "its list of texts does not hold the 128 that it says"),
        // The column of a cell, the row of another.
        (5279, 0, "is told of twice or out of turn"),
        (5541, 1, "is told of twice or out of turn"),
    ] {
        let mut damaged = whole.clone();
        damaged[stream + at] ^= 1 << bit;
        let error = open_bytes(damaged, "bill.xls").err().unwrap_or_else(|| panic!("{at}.{bit} is silent"));
        assert!(error.to_string().contains(says), "{at}.{bit}: {error}");
    }
}

mod workbook {
    //! A workbook as a spreadsheet writes it: rows in blocks behind their index, numbers of every kind,
    //! a formula with a text, texts in two pieces, two sheets.

    fn record(kind: u16, data: &[u8]) -> Vec<u8> {
        [&kind.to_le_bytes()[..], &(data.len() as u16).to_le_bytes(), data].concat()
    }

    fn shorts(values: &[u16]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    fn begin(kind: u16) -> Vec<u8> {
        record(0x0809, &shorts(&[0x0600, kind, 0x0dbb, 0x07cc, 0, 0, 0x0600, 0]))
    }

    fn rk(value: u32) -> [u8; 4] {
        (value << 2 | 2).to_le_bytes()
    }

    /// A header of texts and rows of a text, an RK, two numbers in one record, a float, a formula, a gap.
    fn sheet(rows: u16) -> Vec<u8> {
        let mut body = begin(0x0010);
        body.extend(record(0x0200, &[&[0; 4][..], &u32::from(rows).to_le_bytes(), &shorts(&[0, 7, 0])].concat()));
        for row in 0..rows {
            body.extend(record(0x0208, &shorts(&[row, 0, 7, 0xff, 0, 0, 0x100, 0x0f])));
        }
        for row in 0..rows {
            let shared = |column: u16, text: u16| record(0x00fd, &shorts(&[row, column, 0, text, 0]));
            if row == 0 {
                (0..7).for_each(|column| body.extend(shared(column, column)));
                continue;
            }
            body.extend(shared(0, 7 + row % 3));
            body.extend(record(0x027e, &[&shorts(&[row, 1, 0])[..], &rk(u32::from(row) * 7)].concat()));
            let two = [&shorts(&[row, 2, 0])[..], &rk(5), &shorts(&[0]), &rk(u32::from(row)), &shorts(&[3])].concat();
            body.extend(record(0x00bd, &two));
            body.extend(record(0x0203, &[&shorts(&[row, 4, 0])[..], &(f64::from(row) / 8.0).to_le_bytes()].concat()));
            let marker = [0, 0, 0, 0, 0, 0, 0xff, 0xff];
            let formula = [&shorts(&[row, 5, 0])[..], &marker, &[0; 6], &shorts(&[3]), &[0x17, 1, 0]].concat();
            body.extend(record(0x0006, &[&formula[..20], &shorts(&[4])[..], &[0x17, 1, 0, b'x']].concat()));
            body.extend(record(0x0207, &[3, 0, 0, b't', b'x', b't']));
            body.extend(record(0x0201, &shorts(&[row, 6, 0])));
        }
        body.extend(record(0x00d7, &[0; 6]));
        body.extend(record(0x023e, &[0; 18]));
        body.extend(record(0x000a, &[]));
        body
    }

    /// The texts: narrow ones, and one whose characters go on wide in the next piece.
    fn texts(references: u32) -> Vec<u8> {
        let narrow = |text: &str| [&shorts(&[text.len() as u16])[..], &[0], text.as_bytes()].concat();
        let mut first = [references.to_le_bytes(), 11u32.to_le_bytes()].concat();
        for text in ["resource", "hours", "cards", "price", "cost", "note", "blank", "i-1", "i-2", "i-3"] {
            first.extend(narrow(text));
        }
        first.extend([&shorts(&[6])[..], &[0], b"abc"].concat());
        let rest = [&[1][..], &shorts(&[0x663e, 0x5361, 0x5361])].concat();
        [record(0x00fc, &first), record(0x003c, &rest)].concat()
    }

    fn stream() -> Vec<u8> {
        let head = |sheets: [u32; 2]| {
            let mut head = begin(0x0005);
            head.extend(record(0x0042, &shorts(&[1200])));
            head.extend(record(0x0022, &shorts(&[0])));
            head.extend(record(0x00e0, &[0; 20]));
            for (at, name) in sheets.iter().zip([b"one", b"two"]) {
                head.extend(record(0x0085, &[&at.to_le_bytes()[..], &[0, 0, 3, 0], name].concat()));
            }
            head.extend(texts(7 + 7 + 11 + 5));
            head.extend(record(0x000a, &[]));
            head
        };
        let (one, two) = (sheet(12), sheet(6));
        let first = head([0, 0]).len() as u32;
        let mut stream = [head([first, first + one.len() as u32]), one, two].concat();
        stream.resize(stream.len().max(4096), 0);
        stream
    }

    /// The stream in a file of sectors: a header, a table of sectors, a directory, the stream.
    pub(super) fn workbook() -> Vec<u8> {
        let stream = stream();
        let sectors = stream.len().div_ceil(512) as u32;
        let mut table: Vec<u32> = vec![0xffff_fffd, 0xffff_fffe];
        table.extend((2..sectors + 1).map(|at| at + 1));
        table.push(0xffff_fffe);
        table.resize(128, 0xffff_ffff);
        let mut file = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
        file.resize(24, 0);
        file.extend(shorts(&[0x3e, 3, 0xfffe, 9, 6, 0, 0, 0, 0, 0]));
        for number in [1, 1, 0, 4096, 0xffff_fffe, 0, 0xffff_fffe, 0, 0] {
            file.extend(u32::to_le_bytes(number));
        }
        file.resize(512, 0xff);
        file.extend(table.iter().flat_map(|next| next.to_le_bytes()));
        for (name, kind, begin, size) in
            [("Root Entry", 5, 0xffff_fffe, 0), ("Workbook", 2, 2, stream.len() as u32), ("", 0, 0, 0), ("", 0, 0, 0)]
        {
            let mut entry: Vec<u8> = shorts(&name.encode_utf16().collect::<Vec<_>>());
            entry.resize(64, 0);
            entry.extend(shorts(&[(name.len() as u16 + 1) * 2]));
            entry.extend([kind, 1]);
            entry.extend([0xff; 12]);
            entry.resize(116, 0);
            entry.extend([u32::to_le_bytes(begin), u32::to_le_bytes(size), [0; 4]].concat());
            file.extend(entry);
        }
        file.extend(&stream);
        file.resize(file.len().next_multiple_of(512), 0);
        file
    }
}
