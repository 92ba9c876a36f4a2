//! The rows of the `csv` crate, numbered as a spreadsheet numbers them.

use super::Rows;

/// What the `csv` crate makes of a text, and the row numbers that a spreadsheet shows.
pub(super) fn rows(text: &str, delimiter: u8) -> Rows {
    let unified = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut builder = csv::ReaderBuilder::new();
    let mut reader = builder.has_headers(false).flexible(true).delimiter(delimiter).from_reader(unified.as_bytes());
    let (mut all, mut number, mut end) = (Rows::new(), 0u32, 0usize);
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).unwrap_or(false) {
        // The crate skips empty lines silently: they stand between this record and the last.
        number += unified[end..].bytes().take_while(|b| *b == b'\n').count() as u32 + 1;
        end = reader.position().byte() as usize;
        all.push((number, record.iter().map(<[u8]>::to_vec).collect()));
    }
    all
}

/// Whether the last quote of a text never closes: the only place where the two may differ.
pub(super) fn never_closes(text: &str, delimiter: u8) -> bool {
    let (mut inside, mut fresh, mut chars) = (false, true, text.chars().peekable());
    while let Some(c) = chars.next() {
        if inside {
            if c == '"' && chars.next_if_eq(&'"').is_none() {
                (inside, fresh) = (false, false);
            }
            continue;
        }
        inside = c == '"' && fresh;
        fresh = c == delimiter as char || c == '\n' || c == '\r';
    }
    inside
}
