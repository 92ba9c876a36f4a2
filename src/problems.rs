//! All that is wrong with several files, said at once.

use std::fmt;

use kashi_parsers::Error;

/// The errors of several files, in the order of the files.
#[derive(Debug)]
pub struct Problems(Vec<Error>);

impl Problems {
    /// Fails with all of them, if there is one.
    ///
    /// # Errors
    /// If there is an error.
    pub fn none(errors: Vec<Error>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }

    /// The errors, of which there is at least one.
    pub fn all(errors: Vec<Error>) -> Self {
        Self(errors)
    }

    /// Each of them.
    pub fn errors(&self) -> &[Error] {
        &self.0
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&all.join("\n"))
    }
}

impl std::error::Error for Problems {}

/// Failures of any kind, as [`Problems`] are those of readers.
#[derive(Debug)]
pub struct Several(Vec<anyhow::Error>);

impl Several {
    /// Fails with all of them, if there is one; a single one as it is.
    ///
    /// # Errors
    /// If there is an error.
    pub fn none(mut errors: Vec<anyhow::Error>) -> anyhow::Result<()> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self(errors).into()),
        }
    }

    /// Each of them.
    pub fn errors(&self) -> &[anyhow::Error] {
        &self.0
    }
}

impl fmt::Display for Several {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(|error| format!("{error:#}")).collect();
        f.write_str(&all.join("\n"))
    }
}

impl std::error::Error for Several {}
