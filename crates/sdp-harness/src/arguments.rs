//! The arguments of a test runner: words come in, libtest-mimic's arguments go out, or the text that ends the run. What
//! libtest-mimic would hang or panic on is refused here.

use std::ffi::OsString;
use std::fs::File;

use clap::Parser as _;
use libtest_mimic::Arguments;

/// Why there is nothing to run.
pub(crate) enum End {
    /// Help was asked for; the text is for stdout.
    Help(String),
    /// The words are no arguments; the text is for stderr.
    Usage(String),
    /// The log file cannot be written; one line for stderr.
    Refused(String),
}

/// Reads the arguments, without the program's name.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Arguments, End> {
    let words = std::iter::once(OsString::from("sdp rules")).chain(words);
    let arguments = Arguments::try_parse_from(words).map_err(|error| {
        if error.use_stderr() { End::Usage(error.to_string()) } else { End::Help(error.to_string()) }
    })?;
    if arguments.test_threads == Some(0) {
        // libtest-mimic would wait for ever for a thread that it never starts.
        return Err(End::Usage("error: `--test-threads` must not be 0\n".to_owned()));
    }
    if let Some(path) = &arguments.logfile {
        // libtest-mimic panics on a log file that it cannot create.
        File::create(path).map_err(|error| End::Refused(format!("the log file {path} cannot be written ({error})")))?;
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Arguments, End> {
        parse(words.iter().map(OsString::from))
    }

    #[test]
    fn words_of_libtest_are_understood() {
        let arguments = parsed(&["orphans", "--exact", "--nocapture", "--format", "json", "--skip", "x"]).ok().unwrap();
        assert_eq!(arguments.filter.as_deref(), Some("orphans"));
        assert!(arguments.exact && arguments.nocapture);
        assert_eq!(arguments.skip, ["x"]);
    }

    #[test]
    fn what_would_hang_or_panic_is_refused() {
        assert!(matches!(parsed(&["--test-threads", "0"]), Err(End::Usage(_))));
        assert!(matches!(parsed(&["--logfile", "/nowhere/at/all"]), Err(End::Refused(_))));
    }

    #[test]
    fn unknown_words_are_usage_and_help_is_no_error() {
        let Err(End::Usage(text)) = parsed(&["--no-such-thing"]) else { panic!("accepted") };
        assert!(text.contains("--no-such-thing"), "{text}");
        assert!(matches!(parsed(&["a", "b"]), Err(End::Usage(_))));
        assert!(matches!(parsed(&["--help"]), Err(End::Help(_))));
    }
}
