//! Addresses, strictly read: what is left over after an address is an error, not ignored.

use anyhow::{Result, anyhow, bail};
use kashi_parsers::message;
use lettre::Address;
use lettre::message::Mailbox;

/// Reads `a@b`, `Name <a@b>` or several of them with commas between.
///
/// # Errors
/// If one of them is not an address.
pub fn mailboxes(text: &str) -> Result<Vec<Mailbox>> {
    parts(text).into_iter().map(mailbox).collect()
}

/// The address without the name, as it is compared and remembered.
pub fn bare(mailbox: &Mailbox) -> String {
    mailbox.email.to_string().to_lowercase()
}

/// The text between commas that stand neither in quotes nor in angle brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut quoted, mut angled) = (Vec::new(), 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '<' | '>' if !quoted => angled = c == '<',
            ',' | '，' | ';' if !quoted && !angled => {
                parts.push(&text[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

fn mailbox(text: &str) -> Result<Mailbox> {
    let wrong = || {
        anyhow!(message!(
            "{text:?} is not a mail address; expected one such as finance@example.com or \"张三 <zhang@example.com>\""
        ))
    };
    let text = text.trim();
    if text.chars().any(char::is_control) {
        bail!(wrong());
    }
    let (name, address) = match text.strip_suffix('>').and_then(|rest| rest.rsplit_once('<')) {
        Some((name, address)) => (name.trim().trim_matches('"').trim(), address.trim()),
        None => ("", text),
    };
    // Without SMTPUTF8, which few servers offer, an address is ASCII; the name need not be.
    if !address.is_ascii() || name.contains(['<', '>', '"']) {
        bail!(wrong());
    }
    let address: Address = address.parse().map_err(|_| wrong())?;
    Ok(Mailbox::new((!name.is_empty()).then(|| name.to_owned()), address))
}
