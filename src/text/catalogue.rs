//! The Chinese of what the program says: errors, hints and notes, by their English templates.

use std::collections::HashMap;
use std::sync::LazyLock;

use kashi_parsers::error::Refusal;
use kashi_parsers::{Error, Message, Origin};

use super::Lang;
use super::template::Template;
use crate::problems::{Problems, Several};

/// The catalogue as it is written: an English template, and the Chinese one with the same holes.
pub const TEXT: &str = include_str!("messages.zh.toml");

/// An error of any kind, with all its causes.
pub fn failure(error: &anyhow::Error, lang: Lang) -> String {
    if lang == Lang::En {
        return format!("{error:#}");
    }
    error.chain().map(|cause| self::cause(cause, lang)).collect::<Vec<_>>().join("：")
}

fn cause(cause: &(dyn std::error::Error + 'static), lang: Lang) -> String {
    if let Some(problems) = cause.downcast_ref::<Problems>() {
        return problems.errors().iter().map(|error| self::error(error, lang)).collect::<Vec<_>>().join("\n");
    }
    if let Some(several) = cause.downcast_ref::<Several>() {
        return several.errors().iter().map(|error| failure(error, lang)).collect::<Vec<_>>().join("\n");
    }
    if let Some(error) = cause.downcast_ref::<Error>() {
        return self::error(error, lang);
    }
    match cause.downcast_ref::<Message>() {
        Some(message) => self::message(message, lang),
        None => text(&cause.to_string(), lang),
    }
}

/// An error of a reader.
pub fn error(error: &Error, lang: Lang) -> String {
    if lang == Lang::En {
        return error.to_string();
    }
    let place = error.origin().map(|at| origin(at, lang) + "：").unwrap_or_default();
    let refusals: String = error.refusals().iter().map(|refused| "\n".to_owned() + &refusal(refused)).collect();
    place + &message(error.message(), lang) + &refusals + &help(error.help())
}

/// A sentence.
pub fn message(said: &Message, lang: Lang) -> String {
    if lang == Lang::En {
        return said.to_string();
    }
    let entry = said.template().and_then(|template| CATALOGUE.entry(template));
    entry.and_then(|entry| entry.chinese(said.as_str())).unwrap_or_else(|| text(said.as_str(), lang))
}

/// A text whose template is not known, because it went through the error of a library.
pub fn text(said: &str, lang: Lang) -> String {
    if lang == Lang::En { said.to_owned() } else { CATALOGUE.text(said) }
}

/// A place in a file.
pub fn origin(at: &Origin, lang: Lang) -> String {
    if lang == Lang::En {
        return at.to_string();
    }
    let sheet = at.sheet.as_ref().map(|sheet| format!(", 工作表 \"{sheet}\"")).unwrap_or_default();
    let row = if at.row > 0 { format!(", 第 {} 行", at.row) } else { String::new() };
    format!("{}{sheet}{row}", at.file)
}

fn refusal(refused: &Refusal) -> String {
    let column = match refused.column.as_str() {
        "" => String::new(),
        column => format!(", 列 \"{column}\""),
    };
    let value = match (refused.value.as_str(), CATALOGUE.text(&refused.value)) {
        ("", _) => "没有值".to_owned(),
        // Without a column the row itself may be meant, in our words.
        (value, ours) if column.is_empty() && ours != value => ours,
        _ => refused.shown(),
    };
    let expected = message(&refused.expected, Lang::Zh);
    format!(
        "{}{column}：{value}；应为{}{}",
        origin(&refused.origin, Lang::Zh),
        spaced(expected),
        help(refused.hint.as_ref())
    )
}

/// A text that stands behind Chinese words.
fn spaced(text: String) -> String {
    if text.starts_with(|c: char| c.is_ascii_alphanumeric()) { " ".to_owned() + &text } else { text }
}

fn help(hint: Option<&Message>) -> String {
    hint.map(|hint| "\n  办法：".to_owned() + &message(hint, Lang::Zh)).unwrap_or_default()
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::parse(TEXT));

/// Every template with its Chinese.
struct Catalogue {
    entries: Vec<Entry>,
    places: HashMap<String, usize>,
    /// Sentences without values, by what they say.
    whole: HashMap<String, usize>,
}

struct Entry {
    english: Template,
    chinese: Template,
    letters: usize,
}

/// A template with fewer letters fits texts that it never made.
const FEWEST_LETTERS: usize = 3;

impl Catalogue {
    fn parse(text: &str) -> Self {
        // A catalogue that is none leaves all in English; a test holds that ours is one.
        let read: toml::Table = text.parse().unwrap_or_default();
        let pairs = read.into_iter().flat_map(|(_, section)| match section {
            toml::Value::Table(pairs) => pairs,
            _ => toml::Table::new(),
        });
        let mut catalogue = Self { entries: Vec::new(), places: HashMap::new(), whole: HashMap::new() };
        for (key, value) in pairs {
            let (english, place) = (Template::parse(&key), catalogue.entries.len());
            if english.holes().next().is_none() {
                catalogue.whole.insert(english.fill(str::to_owned), place);
            }
            let chinese = Template::parse(value.as_str().unwrap_or(&key));
            catalogue.entries.push(Entry { letters: english.letters(), english, chinese });
            catalogue.places.insert(key, place);
        }
        catalogue
    }

    fn entry(&self, template: &str) -> Option<&Entry> {
        self.entries.get(*self.places.get(template)?)
    }

    fn text(&self, said: &str) -> String {
        // A word alone is a name or a value: a file may be called anything.
        if !said.contains(' ') {
            return said.to_owned();
        }
        let whole = self.whole.get(said).and_then(|at| self.entries.get(*at));
        if whole.is_none() && said.contains(" | ") && !said.contains('\n') {
            return said.split(" | ").map(|part| self.padded(part)).collect::<Vec<_>>().join(" | ");
        }
        let fitting = || {
            // A template of one line would take what follows for one of its values.
            let lines = |e: &Entry| e.english.has_lines() || !said.contains('\n');
            let sure = |e: &&Entry| e.letters >= FEWEST_LETTERS && lines(e);
            let fits = self.entries.iter().filter(sure).filter(|e| e.english.values(said).is_some());
            fits.max_by_key(|entry| entry.letters)
        };
        let entry = whole.or_else(fitting);
        if let Some(text) = entry.and_then(|entry| entry.chinese(said)) {
            return text;
        }
        for between in ["\n", ": ", "; ", ", "] {
            if said.contains(between) {
                let parts: Vec<&str> = said.split(between).collect();
                let chinese: Vec<String> = parts.iter().map(|part| self.padded(part)).collect();
                let is_label =
                    between == ": " && chinese.last().is_some_and(|last| Some(&last.as_str()) != parts.last());
                return chinese.join(if is_label { "：" } else { between });
            }
        }
        said.to_owned()
    }

    /// A part of a text, which keeps the blanks that it begins with.
    fn padded(&self, part: &str) -> String {
        let words = part.trim_start();
        part[..part.len() - words.len()].to_owned() + &self.text(words)
    }
}

impl Entry {
    /// The Chinese of a text that the English template made.
    fn chinese(&self, said: &str) -> Option<String> {
        let values = self.english.values(said)?;
        let holes: Vec<&str> = self.english.holes().collect();
        Some(self.chinese.fill(|name| {
            let value = holes.iter().position(|hole| *hole == name).and_then(|at| values.get(at));
            value.map_or_else(String::new, |v| if v.quoted { v.text.to_owned() } else { CATALOGUE.text(v.text) })
        }))
    }
}
