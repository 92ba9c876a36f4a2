//! The label selector that a user gives.

/// Label matchers as PromQL writes them between braces: `namespace="lab",cluster=~"a|b"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matchers(String);

impl Matchers {
    /// Reads matchers, with or without braces around them.
    ///
    /// # Errors
    /// With the part that is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let mut rest = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')).unwrap_or(text).trim();
        let mut all = Vec::new();
        while !rest.is_empty() {
            let (matcher, after) = matcher(rest).ok_or_else(|| rest.to_owned())?;
            all.push(matcher.to_owned());
            rest = after.trim_start();
            if !rest.is_empty() {
                rest = rest.strip_prefix(',').ok_or_else(|| rest.to_owned())?.trim_start();
            }
        }
        Ok(Self(all.join(",")))
    }

    /// The text between the braces.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The first matcher of a text, and what follows it.
fn matcher(text: &str) -> Option<(&str, &str)> {
    let name = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    // The name of the series is what kashi itself asks by.
    if !begins || &text[..name] == "__name__" {
        return None;
    }
    let after = text[name..].trim_start();
    let operator = ["=~", "!~", "!=", "="].into_iter().find(|o| after.starts_with(o))?;
    let value = after[operator.len()..].trim_start();
    let value = value.strip_prefix('"')?;
    let mut escaped = false;
    let end = value.find(|c: char| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    if value[..end].contains(['\n', '\r']) {
        return None;
    }
    let rest = &value[end + 1..];
    Some((&text[..text.len() - rest.len()], rest))
}
