//! The rows that prove a finding, said shortly.

/// Names rows as a person looks them up, `bills/x.csv:17, 19-30`; `[sheet]` follows a workbook.
///
/// Rows of one file and sheet stand together, in the order of the files. At most `most`
/// stretches are named; the number of rows that are not comes second.
pub fn places<'a>(rows: impl Iterator<Item = (&'a str, Option<&'a str>, u32)>, most: usize) -> (Vec<String>, usize) {
    let mut files: Vec<(&str, Option<&str>, Vec<u32>)> = Vec::new();
    for (file, sheet, row) in rows {
        match files.iter_mut().find(|(f, s, _)| *f == file && *s == sheet) {
            Some((.., rows)) => rows.push(row),
            None => files.push((file, sheet, vec![row])),
        }
    }
    let (mut named, mut left, mut more) = (Vec::new(), most, 0);
    for (file, sheet, mut rows) in files {
        rows.sort_unstable();
        rows.dedup();
        if rows.len() > 1 {
            // Row 0 is the file as a whole: its rows say more.
            rows.retain(|row| *row > 0);
        }
        let stretches = stretches(&rows);
        let shown: Vec<String> = stretches.iter().take(left).map(stretch).collect();
        more += stretches.iter().skip(left).map(|(from, to)| (to - from) as usize + 1).sum::<usize>();
        left -= shown.len();
        if shown.is_empty() {
            continue;
        }
        let sheet = sheet.map(|s| format!("[{s}]")).unwrap_or_default();
        let rows = if rows == [0] { String::new() } else { format!(":{}", shown.join(", ")) };
        named.push(format!("{file}{sheet}{rows}"));
    }
    (named, more)
}

/// Sorted rows as stretches, first and last.
fn stretches(rows: &[u32]) -> Vec<(u32, u32)> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for row in rows {
        match all.last_mut() {
            Some((_, last)) if *last + 1 == *row => *last = *row,
            _ => all.push((*row, *row)),
        }
    }
    all
}

fn stretch((from, to): &(u32, u32)) -> String {
    if from == to { from.to_string() } else { format!("{from}-{to}") }
}
