//! Severity overrides of the command line: `-D`, `-W` and `-A` come in, in the order in which they stand; overrides that
//! make sense go out, or a finding for each that does not.

use clap::{Arg, ArgAction, ArgMatches, Command};
use sdp_core::finding::Finding;
use sdp_core::severity::{Level, Override, Severities};

/// The options of every command whose findings can be weighed anew.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeverityArgs {
    /// Levels with their selectors, as given.
    given: Vec<(Level, String)>,
}

/// A level, its letter and its help.
const OPTIONS: [(Level, char, &str); 3] = [
    (
        Level::Deny,
        'D',
        "Make findings errors: an id such as conformance/orphans, a group such as conformance (the part of an id before \
         `/`), or `warnings` for all that warns by default; may be repeated. An id beats a group, a group beats `warnings`, \
         else the later one holds",
    ),
    (Level::Warn, 'W', "Make findings warnings; what could not be read stays an error"),
    (Level::Allow, 'A', "Leave findings out; what could not be read stays an error"),
];

impl SeverityArgs {
    /// Adds the overrides to those of the configuration; what does not make sense is handed back.
    pub(crate) fn give(&self, severities: &mut Severities) -> Result<(), Vec<Finding>> {
        let mut refused = Vec::new();
        for (level, selector) in &self.given {
            match Override::new(selector, *level) {
                Ok(one) => severities.give(one),
                Err(finding) => refused.push(*finding),
            }
        }
        if refused.is_empty() { Ok(()) } else { Err(refused) }
    }
}

/// By hand, because a derived field would not know how its option stands to those of another field.
impl clap::FromArgMatches for SeverityArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = SeverityArgs::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut placed: Vec<(usize, Level, String)> = Vec::new();
        for (level, ..) in OPTIONS {
            let places = matches.indices_of(level.as_str()).into_iter().flatten();
            let selectors = matches.get_many::<String>(level.as_str()).into_iter().flatten();
            placed.extend(places.zip(selectors).map(|(place, selector)| (place, level, selector.clone())));
        }
        placed.sort_by_key(|(place, ..)| *place);
        self.given = placed.into_iter().map(|(_, level, selector)| (level, selector)).collect();
        Ok(())
    }
}

impl clap::Args for SeverityArgs {
    fn augment_args(command: Command) -> Command {
        command.args(OPTIONS.map(|(level, letter, help)| {
            Arg::new(level.as_str())
                .short(letter)
                .long(level.as_str())
                .value_name("FINDINGS")
                .action(ArgAction::Append)
                .help(help)
                .help_heading("Severity of findings")
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
