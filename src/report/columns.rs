//! Text in columns, where a Chinese character is two wide.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::guard;

/// Columns that a text takes on a terminal.
pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// A table: cells of the first `left` columns to the left, the others to the right.
///
/// Each line begins with two blanks; the gap between columns is two, too.
pub(super) fn table(rows: &[Vec<String>], left: usize) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| guard::printable(cell).into_owned()).collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widest: Vec<usize> = (0..columns)
        .map(|c| rows.iter().filter_map(|r| r.get(c)).map(|t| width(t)).max().unwrap_or_default())
        .collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widest[column].saturating_sub(width(cell)));
            line.push_str("  ");
            if column < left {
                line.push_str(cell);
                line.push_str(&pad);
            } else {
                line.push_str(&pad);
                line.push_str(cell);
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A text broken into lines of at most `most` columns, all but the first beginning with `indent`.
///
/// It breaks at blanks, and between Chinese characters where no closing mark would begin a line.
pub(super) fn wrap(text: &str, most: usize, indent: &str) -> String {
    let text = guard::printable(text);
    let mut wrapped = String::new();
    let mut at = width(indent);
    for piece in pieces(&text) {
        let wide = width(piece.trim_end());
        if at + wide > most && at > width(indent) {
            wrapped.truncate(wrapped.trim_end().len());
            wrapped.push('\n');
            wrapped.push_str(indent);
            at = width(indent);
        }
        wrapped.push_str(piece);
        at += width(piece);
    }
    wrapped.truncate(wrapped.trim_end().len());
    wrapped
}

/// Marks that must not begin a line.
const CLOSING: &str = "，。；：、！？）】》”’,.;:!?)]}%";

/// The parts of a text that are not broken.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        let breaks = before.is_some_and(|b| {
            (b == ' ' && c != ' ') || ((is_wide(b) || is_wide(c)) && !CLOSING.contains(c) && !"（《“【".contains(b))
        });
        if breaks && c != ' ' {
            pieces.push(&text[from..at]);
            from = at;
        }
        before = Some(c);
    }
    pieces.push(&text[from..]);
    pieces
}

fn is_wide(c: char) -> bool {
    c.width().unwrap_or_default() == 2
}
