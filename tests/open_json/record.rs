//! Random records with what they must flatten to.

use std::fmt::Write as _;

use serde_json::Value;

use crate::open::Splitmix;

/// A random record: its text, and its cells by dotted name in the order of first sight.
pub(super) fn random(
    random: &mut Splitmix,
    depth: u32,
    path: &str,
    text: &mut String,
    cells: &mut Vec<(String, String)>,
) {
    let blank = |random: &mut Splitmix| ["", " ", "\n", "\t "][(random.next() % 4) as usize];
    text.push('{');
    let fields = 1 + random.next() % 5;
    let first = random.next() % 6;
    for field in 0..fields {
        let key = ["id", "amount", "a b", "中", "k\"", "x"][((first + field) % 6) as usize];
        let name = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        let comma = if field > 0 { "," } else { "" };
        let _ = write!(text, "{comma}{}{}{}:", blank(random), Value::from(key), blank(random));
        value(random, depth, &name, text, cells);
    }
    text.push_str(blank(random));
    text.push('}');
}

fn value(random_: &mut Splitmix, depth: u32, name: &str, text: &mut String, cells: &mut Vec<(String, String)>) {
    let kinds = if depth < 4 { 9 } else { 6 };
    let (written, cell) = match random_.next() % kinds {
        0 => ("null".to_owned(), String::new()),
        1 => ("true".to_owned(), "true".to_owned()),
        2 => (r#""\u4e2d\\\/\n\"""#.to_owned(), "中\\/\n\"".to_owned()),
        3 => ("[]".to_owned(), String::new()),
        4 => (r#"[1.10, "b" ,null]"#.to_owned(), "1.10;b;".to_owned()),
        5 => {
            let number = format!("{}.{:018}", random_.next() % 1000, random_.next() % 1_000_000_000_000_000_000);
            (number.clone(), number)
        }
        6 | 7 => return random(random_, depth + 1, name, text, cells),
        _ => {
            text.push('[');
            for at in 0..1 + random_.next() % 3 {
                text.push_str(if at > 0 { " , " } else { "" });
                random(random_, depth + 1, &format!("{name}.{at}"), text, cells);
            }
            text.push(']');
            return;
        }
    };
    text.push_str(&written);
    cells.push((name.to_owned(), cell));
}
