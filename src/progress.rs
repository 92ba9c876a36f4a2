//! What is going on, on a terminal, for anything that takes a second.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::text::{Lang, catalogue};

/// The steps of a command; silent where standard error is no terminal.
#[derive(Debug)]
pub struct Steps(Option<ProgressBar>, Lang);

impl Steps {
    /// Nothing yet; the steps will be said in this language.
    pub fn new(lang: Lang) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(None, lang);
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Self(Some(bar), lang)
    }

    /// The next step.
    pub fn say(&self, step: &'static str) {
        if let Some(bar) = &self.0 {
            bar.set_message(catalogue::text(step, self.1));
        }
    }

    /// Clears the line.
    pub fn done(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
