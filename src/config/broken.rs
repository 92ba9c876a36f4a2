//! What to do about a kashi.toml that is no TOML, or says a thing in another shape than is expected.

use anyhow::{Error, anyhow};
use kashi_parsers::error::narrowed;
use kashi_parsers::{Message, meant, message};

/// Signs of word processors and of Chinese input, and what TOML has in their place.
const SIGNS: [(char, &str); 15] = [
    ('“', "\""),
    ('”', "\""),
    ('„', "\""),
    ('＂', "\""),
    ('‘', "'"),
    ('’', "'"),
    ('＝', "="),
    ('，', ","),
    ('、', ","),
    ('【', "["),
    ('】', "]"),
    ('［', "["),
    ('］', "]"),
    ('＃', "#"),
    ('\u{3000}', "a blank"),
];

/// The error of a text that is no kashi.toml, with what to do about it.
pub(super) fn refused(error: &toml::de::Error, text: &str, name: &str) -> Error {
    let said = narrowed(&error.to_string());
    let help = help(error, text, name).map(|help| format!("\n  help: {help}")).unwrap_or_default();
    anyhow!(message!("{name}: {}", said.trim_end().to_owned() + &help))
}

fn help(error: &toml::de::Error, text: &str, name: &str) -> Option<Message> {
    if let Some((sign, plain)) = sign(error, text) {
        return Some(message!("`{sign}` is a sign of a word processor or of Chinese input; write `{plain}`"));
    }
    let said = error.message();
    let whole = [", expected u16", ", expected u32", ", expected u64"];
    Some(match said {
        "missing field `reason`" => message!("say why the finding is accepted; it is printed in every report"),
        "duplicate key" => message!("it is set above already; keep one of the two"),
        _ if said.starts_with("key with no value") && !name.ends_with(".toml") => {
            message!("--config names a kashi.toml; give bills without it")
        }
        _ if said.starts_with("invalid date, expected `-`") => message!("put a month in quotes, such as \"2026-10\""),
        _ if said == "invalid type: map, expected a sequence" || said.contains(", expected struct ") => {
            message!("write the name in double brackets above each entry, such as [[account]]")
        }
        _ if said.ends_with(", expected a sequence") => {
            message!("write a list in brackets, such as [\"lab-*.csv\"], and entries under [[…]]")
        }
        _ if said.ends_with(", expected a string") => message!("put it in quotes"),
        _ if said.ends_with(", expected a boolean") => message!("write true or false, without quotes"),
        _ if whole.iter().any(|whole| said.ends_with(whole)) => message!("write a whole number, without quotes"),
        _ => return meant(said).map(|near| message!("did you mean `{near}`?")),
    })
}

/// The first sign in the line of an error, outside of its texts, that looks like one of TOML and is none.
fn sign(error: &toml::de::Error, text: &str) -> Option<(char, &'static str)> {
    let at = error.span()?.start;
    let begin = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    // A text that never ends may have been meant to end with such a sign.
    let endless = error.message().starts_with("invalid basic string");
    let mut within = false;
    for c in text.get(begin..)?.lines().next()?.chars() {
        match c {
            '"' => within = !within,
            '#' if !within => return None,
            _ if within && !endless => {}
            c => {
                if let Some(found) = SIGNS.iter().find(|(sign, _)| *sign == c) {
                    return Some(*found);
                }
            }
        }
    }
    None
}
