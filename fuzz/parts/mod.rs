//! Workbooks of given parts, so that what is changed is XML and not what it is packed into.

use std::io::{Cursor, Write as _};

/// The parts of a workbook, cut at zeros; those that are missing are what every workbook has.
pub(crate) fn workbook(bytes: &[u8]) -> Vec<u8> {
    const PARTS: [(&str, &str); 7] = [
        ("xl/worksheets/sheet1.xml", ""),
        ("xl/sharedStrings.xml", ""),
        ("xl/styles.xml", ""),
        ("xl/workbook.xml", include_str!("workbook.xml")),
        ("xl/_rels/workbook.xml.rels", include_str!("workbook.xml.rels")),
        ("_rels/.rels", include_str!("rels.xml")),
        ("[Content_Types].xml", include_str!("content-types.xml")),
    ];
    let mut given = bytes.split(|b| *b == 0);
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, usual) in PARTS {
        let part = given.next().filter(|part| !part.is_empty()).unwrap_or(usual.as_bytes());
        if !part.is_empty() {
            zip.start_file(name, stored).and_then(|()| Ok(zip.write_all(part)?)).expect("a zip in memory");
        }
    }
    zip.finish().expect("a zip in memory").into_inner()
}
