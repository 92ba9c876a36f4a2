//! Expectations as files: compared by default, rewritten with `UPDATE=1`.

use std::path::Path;

/// Holds `actual` against the file; with `UPDATE=1` writes it instead.
pub(crate) fn check(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE").is_some() {
        if std::fs::read_to_string(path).is_ok_and(|old| old == actual) {
            return;
        }
        std::fs::write(path, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(path)
        .unwrap_or_else(|_| panic!("{}: missing; run UPDATE=1 cargo test, then read it", path.display()));
    if expected == actual {
        return;
    }
    let mut shown = String::new();
    let (old, new): (Vec<_>, Vec<_>) = (expected.lines().collect(), actual.lines().collect());
    for at in 0..old.len().max(new.len()) {
        if old.get(at) != new.get(at) && shown.lines().count() < 40 {
            shown.push_str(&format!(
                "line {}:\n- {}\n+ {}\n",
                at + 1,
                old.get(at).unwrap_or(&"(end)"),
                new.get(at).unwrap_or(&"(end)")
            ));
        }
    }
    panic!("{} differs (UPDATE=1 rewrites it):\n{shown}", path.display());
}
