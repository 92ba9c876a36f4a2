//! JSON answers of monitors, which page them and so keep them short.

use std::io::{BufRead, Read};

use serde_json::Value;

use crate::error::{Error, Kind, Origin, Result};

/// The most bytes of an answer; a monitor's page has a thousandth of that.
const MOST: u64 = 64 << 20;

/// Reads a whole answer.
///
/// # Errors
/// If it is no JSON, or too long to be an answer.
pub(super) fn whole(reader: &mut dyn BufRead, file: &str, what: &str) -> Result<Value> {
    let mut bytes = Vec::new();
    reader.take(MOST + 1).read_to_end(&mut bytes).map_err(|e| Error::io(file, &e))?;
    let origin = Origin::file(file);
    if bytes.len() as u64 > MOST {
        return Err(Error::new(Kind::Bound, message!("is JSON of more than {MOST} bytes"))
            .at(origin)
            .hint(message!("save {what} page by page, a file each")));
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(text).map_err(|e| {
        Error::new(Kind::Usage, message!("is no JSON: {e}")).at(origin).hint(message!("save {what} again, as a whole"))
    })
}

/// The value of a key, whatever its case.
pub(super) fn get<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    value.as_object()?.iter().find(|(k, _)| k.eq_ignore_ascii_case(key)).map(|(_, v)| v)
}

/// The text of a key.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    get(value, key)?.as_str().filter(|t| !t.is_empty())
}

/// A number, or the text of one.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).filter(|v| v.is_finite())
}
