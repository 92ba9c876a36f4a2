//! The Chinese of what the program says: errors, hints and notes, by their English templates.

use std::collections::HashMap;
use std::sync::LazyLock;

use kashi_parsers::error::Refusal;
use kashi_parsers::{Error, Message, Origin};

use super::Lang;
use super::template::Template;

/// The catalogue as it is written: an English template, and the Chinese one with the same holes.
pub const TEXT: &str = include_str!("messages.zh.toml");

/// An error of any kind, with all its causes.
pub fn failure(error: &anyhow::Error, lang: Lang) -> String {
    if lang == Lang::En {
        return format!("{error:#}");
    }
    let causes = error.chain().map(|cause| match (cause.downcast_ref::<Error>(), cause.downcast_ref::<Message>()) {
        (Some(error), _) => self::error(error, lang),
        (_, Some(message)) => self::message(message, lang),
        _ => text(&cause.to_string(), lang),
    });
    causes.collect::<Vec<_>>().join("：")
}

/// An error of a reader.
pub fn error(error: &Error, lang: Lang) -> String {
    if lang == Lang::En {
        return error.to_string();
    }
    let place = error.origin().map(|at| origin(at) + "：").unwrap_or_default();
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

fn origin(at: &Origin) -> String {
    let sheet = at.sheet.as_ref().map(|sheet| format!(", 工作表 \"{sheet}\"")).unwrap_or_default();
    let row = if at.row > 0 { format!(", 第 {} 行", at.row) } else { String::new() };
    format!("{}{sheet}{row}", at.file)
}

fn refusal(refused: &Refusal) -> String {
    let value = refused.shown();
    // Without a column the row itself is meant, in our words.
    let (column, value) = match refused.column.as_str() {
        "" => (String::new(), CATALOGUE.text(&value)),
        column => (format!(", 列 \"{column}\""), value),
    };
    let value = if refused.value.is_empty() { "没有值".to_owned() } else { value };
    let expected = message(&refused.expected, Lang::Zh);
    format!("{}{column}：{value}；应为{expected}{}", origin(&refused.origin), help(refused.hint.as_ref()))
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
const FEWEST_LETTERS: usize = 4;

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
        let fitting = || {
            let fits = self.entries.iter().filter(|e| e.letters >= FEWEST_LETTERS && e.english.values(said).is_some());
            fits.max_by_key(|entry| entry.letters)
        };
        let entry = self.whole.get(said).and_then(|at| self.entries.get(*at)).or_else(fitting);
        if let Some(text) = entry.and_then(|entry| entry.chinese(said)) {
            return text;
        }
        if !said.contains('\n') {
            return said.to_owned();
        }
        let lines = said.split('\n').map(|line| {
            let words = line.trim_start();
            line[..line.len() - words.len()].to_owned() + &self.text(words)
        });
        lines.collect::<Vec<_>>().join("\n")
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
