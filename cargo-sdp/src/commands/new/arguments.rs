//! The arguments of `new`, read from left to right: the first fault is the refusal, in the words that the Protocol pins for a Spec, and
//! ends with exit 1 where clap would say 2. Clap's definition serves the help; a test holds the two together.

use std::ffi::OsString;

use sdp_core::harmless;
use sdp_core::suggest::first_nearest;

use super::{ContractArgs, NewArgs, Noun, PackArgs, RecipeArgs, RuleArgs, SpecArgs, refused};
use crate::errors::Refusal;
use crate::root::CommonArgs;
use crate::tokens::{self, Fault};

/// What the arguments ask for.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// The help of `new`, or of a noun; the long one or the short one.
    Help(Option<&'static str>, bool),
    /// A run.
    Run(NewArgs),
    /// A refusal; with the help before it where there was no noun at all.
    Refused(Refusal, bool),
}

/// A noun with what its options are.
struct Grammar {
    noun: &'static str,
    /// As refusals name it.
    command: &'static str,
    /// The options that take a value.
    with_value: &'static [&'static str],
    /// What is said where the one plain word is missing, and where there are two.
    missing: &'static str,
    second: &'static str,
    call: &'static str,
}

const NOUNS: [Grammar; 5] = [
    Grammar {
        noun: "spec",
        command: "new spec",
        with_value: &["--id", "--kind", "--altitude", "--title", "--outcome"],
        missing: "requires a cwd-relative .sdp.md PATH.",
        second: "takes exactly one PATH.",
        call: "cargo sdp new spec specs/refund.sdp.md --id spec:shop.refund --kind behavior --altitude feature --title 'A customer gets the money back' --outcome 'The amount of a returned order is paid back'",
    },
    Grammar {
        noun: "pack",
        command: "new pack",
        with_value: &["--id", "--title", "--member"],
        missing: "requires a cwd-relative .pack.sdp.md PATH.",
        second: "takes exactly one PATH.",
        call: "cargo sdp new pack specs/shop.pack.sdp.md --id pack:shop --title 'The shop' --member spec:shop.refund",
    },
    Grammar {
        noun: "rule",
        command: "new rule",
        with_value: &["--description"],
        missing: "requires a NAME.",
        second: "takes exactly one NAME.",
        call: "cargo sdp new rule ready-is-verified --description 'A ready Spec has a test'",
    },
    Grammar {
        noun: "recipe",
        command: "new recipe",
        with_value: &["--description"],
        missing: "requires a NAME.",
        second: "takes exactly one NAME.",
        call: "cargo sdp new recipe open-work --description 'The Specs that are not ready yet'",
    },
    Grammar {
        noun: "contract",
        command: "new contract",
        with_value: &["--spec", "--interface"],
        missing: "requires a NAME.",
        second: "takes exactly one NAME.",
        call: "cargo sdp new contract refunds --spec spec:shop.refund --interface cli",
    },
];

/// The options that every noun takes with a value, and without one.
const COMMON_WITH_VALUE: [&str; 4] = ["--root", "--manifest-path", "--exclude", "--color"];
const COMMON_WITHOUT_VALUE: [&str; 4] = ["--dry-run", "--quiet", "--verbose", "--help"];

/// The pinned line for a missing noun.
const NO_NOUN: &str =
    "requires spec. Usage: sdp new spec PATH --id ID --kind KIND --altitude ALT --title TITLE --outcome OUTCOME";

/// The whole call of a noun, as a hint.
pub(super) fn call(noun: &str) -> String {
    let grammar = NOUNS.iter().find(|grammar| grammar.noun == noun);
    format!("for example: {}", grammar.map_or("", |grammar| grammar.call))
}

/// Reads the tokens after `new`: the noun first.
pub(crate) fn parse(tokens: impl IntoIterator<Item = OsString>) -> Parsed {
    let mut tokens = tokens.into_iter();
    let Some(first) = tokens.next() else {
        return Parsed::Refused(no_noun(None), true);
    };
    let noun = first.to_string_lossy();
    match noun.as_ref() {
        "-h" => return Parsed::Help(None, false),
        "--help" => return Parsed::Help(None, true),
        _ => {}
    }
    let Some(grammar) = NOUNS.iter().find(|grammar| grammar.noun == noun) else {
        return Parsed::Refused(no_noun(Some(&noun)), false);
    };
    match Given::read(grammar, tokens) {
        Ok(Step::Help(long)) => Parsed::Help(Some(grammar.noun), long),
        Ok(Step::Given(given)) => match given.finish(grammar) {
            Ok(args) => Parsed::Run(args),
            Err(refusal) => Parsed::Refused(refusal, false),
        },
        Err(refusal) => Parsed::Refused(refusal, false),
    }
}

fn no_noun(noun: Option<&str>) -> Refusal {
    let nearest = noun.and_then(|noun| first_nearest(noun, NOUNS.iter().map(|grammar| grammar.noun), 2));
    let hint = match (nearest, noun) {
        (Some(nearest), _) => format!("did you mean `cargo sdp new {nearest}`?"),
        (None, Some(noun)) if noun.starts_with('-') => {
            "the noun comes first: `cargo sdp new spec|pack|rule|recipe|contract`, then the options".to_owned()
        }
        _ => "`cargo sdp new` writes a spec, a pack, a rule, a recipe or a contract; each has `--help`".to_owned(),
    };
    refused("new", NO_NOUN, hint)
}

enum Step {
    Help(bool),
    Given(Box<Given>),
}

/// What was given, as it was given.
#[derive(Default)]
struct Given {
    plain: Vec<OsString>,
    values: Vec<(&'static str, String)>,
    dry_run: bool,
    common: CommonArgs,
}

impl Given {
    fn read(grammar: &Grammar, words: impl IntoIterator<Item = OsString>) -> Result<Step, Refusal> {
        let mut words = words.into_iter();
        let mut given = Box::new(Given::default());
        while let Some(token) = words.next() {
            let shown = token.to_string_lossy();
            match shown.as_ref() {
                "--" => given.plain.extend(words.by_ref()),
                "-h" => return Ok(Step::Help(false)),
                "--help" => return Ok(Step::Help(true)),
                "--dry-run" => given.dry_run = true,
                "-q" | "--quiet" => given.common.output.quiet = true,
                "-v" | "--verbose" => given.common.output.verbose = true,
                option if option.starts_with("--") => {
                    let (name, attached) = tokens::parted(option);
                    let known = grammar.with_value.iter().chain(&COMMON_WITH_VALUE);
                    let Some(flag) = known.copied().find(|flag| *flag == name) else {
                        return Err(unknown(grammar, option));
                    };
                    tokens::value(&token, attached, || words.next())
                        .and_then(|value| given.take(flag, value))
                        .map_err(|fault| faulty(grammar, flag, fault))?;
                }
                _ => given.plain.push(token),
            }
        }
        if given.common.output.quiet && given.common.output.verbose {
            return Err(refused(
                grammar.command,
                "--quiet and --verbose exclude each other.",
                "leave out --quiet or --verbose".to_owned(),
            ));
        }
        Ok(Step::Given(given))
    }

    fn take(&mut self, flag: &'static str, value: OsString) -> Result<(), Fault> {
        let Some(value) = tokens::where_to_look(&mut self.common, flag, value)? else { return Ok(()) };
        let text = tokens::text(value)?;
        if flag == "--color" {
            return tokens::colour(&mut self.common, text);
        }
        if flag != "--member" && self.values.iter().any(|(given, _)| *given == flag) {
            return Err(Fault::Twice);
        }
        self.values.push((flag, text));
        Ok(())
    }

    fn value(&self, flag: &str) -> Option<String> {
        self.values.iter().find(|(given, _)| *given == flag).map(|(_, value)| value.clone())
    }

    /// The one plain word, then the options that must be there, in their order.
    fn finish(self, grammar: &Grammar) -> Result<NewArgs, Refusal> {
        let hint = || self.whole_call(grammar);
        let plain = match self.plain.as_slice() {
            [] => return Err(refused(grammar.command, grammar.missing, hint())),
            [plain] => plain.clone(),
            _ => return Err(refused(grammar.command, grammar.second, hint())),
        };
        for flag in
            grammar.with_value.iter().filter(|flag| !matches!(**flag, "--member" | "--description" | "--interface"))
        {
            if self.value(flag).is_none() {
                return Err(refused(grammar.command, format!("{flag} is required."), hint()));
            }
        }
        let noun = match grammar.noun {
            "spec" => Noun::Spec(SpecArgs {
                path: Some(plain),
                id: self.value("--id"),
                kind: self.value("--kind"),
                altitude: self.value("--altitude"),
                title: self.value("--title"),
                outcome: self.value("--outcome"),
                dry_run: self.dry_run,
            }),
            "pack" => Noun::Pack(PackArgs {
                path: Some(plain),
                id: self.value("--id"),
                title: self.value("--title"),
                member: self.values.iter().filter(|(flag, _)| *flag == "--member").map(|(_, id)| id.clone()).collect(),
                dry_run: self.dry_run,
            }),
            "rule" => Noun::Rule(RuleArgs {
                name: Some(plain),
                description: self.value("--description"),
                dry_run: self.dry_run,
            }),
            "recipe" => Noun::Recipe(RecipeArgs {
                name: Some(plain),
                description: self.value("--description"),
                dry_run: self.dry_run,
            }),
            _ => Noun::Contract(ContractArgs {
                name: Some(plain),
                spec: self.value("--spec"),
                interface: self.value("--interface"),
                dry_run: self.dry_run,
            }),
        };
        Ok(NewArgs { noun, common: self.common })
    }

    /// The call with what was given, and with an example of what is missing.
    fn whole_call(&self, grammar: &Grammar) -> String {
        let mut line = format!("the whole call: cargo sdp {}", grammar.command);
        let mut examples = words(grammar.call).into_iter().skip(4);
        let example = examples.next().unwrap_or_default();
        let plain = self.plain.first().map(|word| word.to_string_lossy().into_owned());
        line.push_str(&format!(" {}", quoted(&plain.unwrap_or(example))));
        while let (Some(flag), Some(example)) = (examples.next(), examples.next()) {
            let given: Vec<&String> =
                self.values.iter().filter(|(given, _)| *given == flag).map(|(_, value)| value).collect();
            if given.is_empty() {
                line.push_str(&format!(" {flag} {}", quoted(&example)));
            }
            for value in given {
                line.push_str(&format!(" {flag} {}", quoted(value)));
            }
        }
        line
    }
}

/// The words of one of our own calls; single quotes hold one together.
fn words(call: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in call.split('\'').enumerate() {
        if place % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// A word as a shell takes it, on one line.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", harmless::cut(word, 200).replace('\'', r"'\''"))
}

/// What is said of an option.
fn faulty(grammar: &Grammar, flag: &'static str, fault: Fault) -> Refusal {
    let (message, hint) = match fault {
        Fault::Missing => (format!("{flag} requires a value."), call(grammar.noun)),
        Fault::NoValue(got) => (
            format!("{flag} expects a value, got {}", harmless::one_line(&got)),
            format!("a value that opens with `--` is written `{flag}=--…`"),
        ),
        // Of all options only this one takes certain words.
        Fault::Unfit(got) => (
            format!("{flag} expects auto, always or never, got {}", harmless::one_line(&got)),
            "for example `--color never`".to_owned(),
        ),
        Fault::Twice => (format!("{flag} may be supplied only once."), format!("give {flag} once")),
    };
    refused(grammar.command, message, hint)
}

fn unknown(grammar: &Grammar, token: &str) -> Refusal {
    let known = grammar.with_value.iter().chain(&COMMON_WITH_VALUE).chain(&COMMON_WITHOUT_VALUE).copied();
    let (name, _) = tokens::parted(token);
    let hint = match first_nearest(name, known, 2) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("`cargo sdp {} --help` lists the options", grammar.command),
    };
    refused(grammar.command, format!("unknown option {}", harmless::one_line(token)), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_shows_the_options_that_are_read() {
        let definition = crate::cli::definition();
        let new = definition.find_subcommand("new");
        for grammar in &NOUNS {
            let command = new.and_then(|new| new.find_subcommand(grammar.noun));
            let shown: Vec<String> = command
                .into_iter()
                .flat_map(clap::Command::get_arguments)
                .filter_map(|argument| argument.get_long().map(|long| format!("--{long}")))
                .collect();
            let read: Vec<&str> = grammar.with_value.iter().copied().chain(["--dry-run"]).collect();
            assert_eq!(shown, read, "{}", grammar.noun);
        }
    }

    #[test]
    fn every_example_call_is_read() {
        for grammar in &NOUNS {
            let tokens = words(grammar.call).into_iter().skip(3).map(OsString::from);
            assert!(matches!(parse(tokens), Parsed::Run(_)), "{}", grammar.call);
        }
    }

    #[test]
    fn hostile_values_stay_one_line_of_a_call() {
        let tokens = ["spec", "a\nb.sdp.md", "--title", "it's\u{1b}[31m"].map(OsString::from);
        let Parsed::Refused(Refusal::NotMade { hint: Some(hint), .. }, _) = parse(tokens) else {
            unreachable!("--id is missing")
        };
        assert!(!hint.contains(['\n', '\u{1b}']) && hint.contains(r"'it'\''s"), "{hint}");
    }
}
