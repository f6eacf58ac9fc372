//! The words of `--output`: a text comes in, a form with its file or its stream goes out, and what makes the form.

use std::path::PathBuf;

use sdp_core::harmless;

use crate::event::Sink;
use crate::sinks::cargo::Cargo;
use crate::sinks::github::Github;
use crate::sinks::gitlab::Gitlab;
use crate::sinks::human::Human;
use crate::sinks::json::Json;
use crate::sinks::junit::Junit;
use crate::sinks::sarif::Sarif;
use crate::sinks::short::Short;

/// A form of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Blocks with the source line and a remedy.
    Human,
    /// One line for each finding.
    Short,
    /// One JSON object a line.
    Json,
    /// Cargo's own messages.
    Cargo,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations on GitHub.
    Github,
    /// Code quality on GitLab.
    Gitlab,
    /// JUnit's XML.
    Junit,
}

impl Format {
    /// All of them, in the order in which the help lists them.
    pub const ALL: [Format; 8] = [
        Format::Human,
        Format::Short,
        Format::Json,
        Format::Cargo,
        Format::Sarif,
        Format::Github,
        Format::Gitlab,
        Format::Junit,
    ];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Human => "human",
            Format::Short => "short",
            Format::Json => "json",
            Format::Cargo => "cargo",
            Format::Sarif => "sarif",
            Format::Github => "github",
            Format::Gitlab => "gitlab",
            Format::Junit => "junit",
        }
    }

    /// What it is, for the help.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Format::Human => "With the source line and a remedy",
            Format::Short => "One line each: file:line — [severity] id — message",
            Format::Json => "One JSON object a line: {\"finding\": …}, {\"case\": …}, {\"summary\": …}",
            Format::Cargo => "The messages of cargo's --message-format json, for editors",
            Format::Sarif => "SARIF 2.1.0, for code scanning",
            Format::Github => "Annotations of a pull request on GitHub, and the step's summary",
            Format::Gitlab => "A code quality report for GitLab",
            Format::Junit => "Test cases in JUnit's XML",
        }
    }

    /// The format of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Whether it is for people, who read it where they work.
    #[must_use]
    pub const fn is_for_people(self) -> bool {
        matches!(self, Format::Human | Format::Short)
    }

    /// What makes it, with or without colours.
    pub(super) fn sink(self, colour: bool) -> Box<dyn Sink + Send> {
        match self {
            Format::Human => Box::new(Human::new(colour)),
            Format::Short => Box::new(Short::default()),
            Format::Json => Box::new(Json::default()),
            Format::Cargo => Box::new(Cargo::default()),
            Format::Sarif => Box::new(Sarif::default()),
            Format::Github => Box::new(Github::default()),
            Format::Gitlab => Box::new(Gitlab::default()),
            Format::Junit => Box::new(Junit::default()),
        }
    }
}

/// One `--output FORMAT[=FILE]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The form.
    pub format: Format,
    /// The file, as given; a stream where none is.
    pub file: Option<PathBuf>,
}

/// Why a word is no [`Request`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// No format has that name.
    #[error("no format is named `{}`", harmless::one_line(.0))]
    Unknown(String),
    /// A `=` with nothing behind it.
    #[error("`{}=` names no file", .0.as_str())]
    NoFile(Format),
}

impl std::str::FromStr for Request {
    type Err = RequestError;

    fn from_str(word: &str) -> Result<Self, RequestError> {
        let (name, file) = match word.split_once('=') {
            Some((name, file)) => (name, Some(file)),
            None => (word, None),
        };
        let format = Format::named(name).ok_or_else(|| RequestError::Unknown(name.to_owned()))?;
        match file {
            Some("") => Err(RequestError::NoFile(format)),
            file => Ok(Request { format, file: file.map(PathBuf::from) }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_a_format_and_maybe_a_file() {
        for format in Format::ALL {
            assert_eq!(format.as_str().parse(), Ok(Request { format, file: None }));
            let file = Some(PathBuf::from("a=b"));
            assert_eq!(format!("{}=a=b", format.as_str()).parse(), Ok(Request { format, file }));
        }
        assert_eq!("sarif=".parse::<Request>(), Err(RequestError::NoFile(Format::Sarif)));
        assert_eq!("Sarif".parse::<Request>(), Err(RequestError::Unknown("Sarif".to_owned())));
        assert_eq!("".parse::<Request>(), Err(RequestError::Unknown(String::new())));
    }
}
