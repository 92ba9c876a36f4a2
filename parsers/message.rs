//! Sentences for people: the template as it stands in the source, and its text in English.

use std::fmt;

/// A sentence that an error, a note or a hint says, in English until it is shown in another language.
///
/// It keeps the template that made it, so that the values can be told from the words around them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    template: Option<&'static str>,
    text: String,
}

/// A [`Message`] from a template and its values, written as for `format!`.
#[macro_export]
macro_rules! message {
    ($template:literal $($values:tt)*) => {
        $crate::message::Message::new($template, ::std::format!($template $($values)*))
    };
}

impl Message {
    /// A text and the template it was made from; [`message!`](crate::message!) calls it.
    pub fn new(template: &'static str, text: String) -> Self {
        Self { template: Some(template), text }
    }

    /// The text in English.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The template, unless the text was made from none or has no values.
    pub fn template(&self) -> Option<&'static str> {
        self.template
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Message {}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Self {
        Self { template: None, text: text.to_owned() }
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self { template: None, text }
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.text
    }
}
