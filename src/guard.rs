//! Guards on what goes out into spreadsheets.

use std::borrow::Cow;

/// A text that no spreadsheet takes for a formula: one that begins like one gains an apostrophe.
///
/// Numbers stay as they are, negative ones too.
pub fn formula(text: &str) -> Cow<'_, str> {
    let dangerous = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if dangerous && text.parse::<rust_decimal::Decimal>().is_err() {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
}
