//! The page of a rule: the only text there is of it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::finding::Values;
use super::words::{AmountKind, Certainty, Severity};
use kashi_parsers::{Message, message};

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    En,
    /// Chinese.
    Zh,
}

/// A rule's page in both languages.
#[derive(Clone, Debug)]
pub struct Page {
    /// The alias.
    pub code: String,
    /// How much its findings matter, unless one says otherwise.
    pub severity: Severity,
    /// How sure they are.
    pub certainty: Certainty,
    /// What can be done about the money; `None` if the rule claims none.
    pub amount: Option<AmountKind>,
    /// The inputs without which it is skipped.
    pub needs: Vec<String>,
    /// The version that brought it.
    pub since: String,
    /// What a user may set.
    pub parameters: Vec<Parameter>,
    sentence: [BTreeMap<String, String>; 2],
    action: [BTreeMap<String, String>; 2],
    undetermined: [BTreeMap<String, String>; 2],
    parameter_text: BTreeMap<String, String>,
    body: [String; 2],
}

/// A threshold that a user may set.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value unless the user sets it.
    pub default: String,
    /// Its unit.
    #[serde(default)]
    pub unit: String,
    /// What it is, in English.
    pub text: String,
    /// Where the default is from.
    pub source: String,
}

/// A block of a page that is run as a test.
#[derive(Clone, Debug)]
pub struct Example {
    /// `csv`, `toml` or `text`.
    pub format: String,
    /// `fires` or `silent`; a number may follow where a page has several.
    pub case: String,
    /// `bill`, `usage`, `inventory`, `config` or `expected`.
    pub role: String,
    /// The text.
    pub text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    code: String,
    severity: String,
    certainty: String,
    amount: String,
    needs: Vec<String>,
    since: String,
    #[serde(default)]
    parameter: Vec<Parameter>,
    sentence: BTreeMap<String, String>,
    action: BTreeMap<String, String>,
    #[serde(default)]
    undetermined: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ZhFront {
    #[serde(default)]
    parameter_text: BTreeMap<String, String>,
    sentence: BTreeMap<String, String>,
    action: BTreeMap<String, String>,
    #[serde(default)]
    undetermined: BTreeMap<String, String>,
}

impl Page {
    /// Reads both pages of a rule.
    ///
    /// # Errors
    /// If the front matter is missing, malformed, or differs in its keys between the languages.
    pub fn parse(page: &str, zh: &str) -> Result<Self, Message> {
        let (front, body) = split(page)?;
        let (zh_front, zh_body) = split(zh)?;
        let front: Front = toml::from_str(front).map_err(|e| e.to_string())?;
        let zh: ZhFront = toml::from_str(zh_front).map_err(|e| message!("Chinese page: {e}"))?;
        for (what, en, other) in [
            ("sentence", &front.sentence, &zh.sentence),
            ("action", &front.action, &zh.action),
            ("undetermined", &front.undetermined, &zh.undetermined),
        ] {
            if !en.keys().eq(other.keys()) {
                return Err(message!("[{what}] has other keys in Chinese"));
            }
        }
        if !front
            .parameter
            .iter()
            .map(|p| &p.name)
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .eq(zh.parameter_text.keys())
        {
            return Err("[parameter_text] of the Chinese page has other names than the parameters".into());
        }
        if !front.sentence.keys().eq(front.action.keys()) {
            return Err("every sentence needs an action".into());
        }
        let wrong = |what: &str, word: &str| message!("{what} = {word:?} is not known");
        Ok(Self {
            severity: Severity::from_word(&front.severity).ok_or_else(|| wrong("severity", &front.severity))?,
            certainty: Certainty::from_word(&front.certainty).ok_or_else(|| wrong("certainty", &front.certainty))?,
            amount: match front.amount.as_str() {
                "none" => None,
                word => Some(AmountKind::from_word(word).ok_or_else(|| wrong("amount", word))?),
            },
            code: front.code,
            needs: front.needs,
            since: front.since,
            parameters: front.parameter,
            sentence: [front.sentence, zh.sentence],
            action: [front.action, zh.action],
            undetermined: [front.undetermined, zh.undetermined],
            parameter_text: zh.parameter_text,
            body: [body.to_owned(), zh_body.to_owned()],
        })
    }

    /// The page without its front matter.
    pub fn body(&self, language: Language) -> &str {
        &self.body[language as usize]
    }

    /// What a parameter is.
    pub fn parameter_text<'a>(&'a self, parameter: &'a Parameter, language: Language) -> &'a str {
        match language {
            Language::En => &parameter.text,
            Language::Zh => self.parameter_text.get(&parameter.name).map_or(&parameter.text, |t| t),
        }
    }

    /// A finding's sentence.
    pub fn sentence(&self, key: &str, values: &Values, language: Language) -> String {
        fill(self.sentence[language as usize].get(key), values)
    }

    /// What to do about it.
    pub fn action(&self, key: &str, values: &Values, language: Language) -> String {
        fill(self.action[language as usize].get(key), values)
    }

    /// Why something could not be said.
    pub fn reason(&self, key: &str, values: &Values, language: Language) -> String {
        fill(self.undetermined[language as usize].get(key), values)
    }

    /// The blocks that are run as tests: fences such as ```` ```csv fires bill ````.
    pub fn examples(&self) -> Vec<Example> {
        let mut examples: Vec<Example> = Vec::new();
        let mut open = false;
        for line in self.body[0].lines() {
            if let Some(info) = line.strip_prefix("```") {
                let words: Vec<&str> = info.split_whitespace().collect();
                if !open && words.len() == 3 {
                    examples.push(Example {
                        format: words[0].to_owned(),
                        case: words[1].to_owned(),
                        role: words[2].to_owned(),
                        text: String::new(),
                    });
                    open = true;
                } else {
                    open = false;
                }
            } else if let Some(example) = examples.last_mut().filter(|_| open) {
                example.text.push_str(line);
                example.text.push('\n');
            }
        }
        examples
    }
}

fn split(page: &str) -> Result<(&str, &str), Message> {
    let rest = page.strip_prefix("+++\n").ok_or("a page begins with a line +++")?;
    let (front, body) = rest.split_once("\n+++\n").ok_or("the front matter ends with a line +++")?;
    Ok((front, body.trim_start()))
}

/// Fills `{name}`; one without a value stays and is seen.
fn fill(template: Option<&String>, values: &Values) -> String {
    let Some(template) = template else { return String::new() };
    let mut text = template.clone();
    for (name, value) in values {
        text = text.replace(&format!("{{{name}}}"), value);
    }
    text
}
