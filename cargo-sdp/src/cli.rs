//! The command line as clap knows it: its tree is the help, and parses every command but `q`, whose refusals the
//! Protocol pins. A command that does not exist yet is not in it.

use clap::{Parser, Subcommand};

use crate::commands::{build, check, q, recipes, rules};

/// Specs in, one pass or fail per rule out, any question answered.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-sdp",
    bin_name = "cargo sdp",
    version,
    after_help = "\
Examples:
  cargo sdp check                          check the Specs of this repository
  cargo sdp rules                          pass or fail for each check, rule and recipe
  cargo sdp q 'return g.specs().length'    ask a question
  cargo sdp recipes                        questions that somebody already wrote down

Exit codes: 0 fine, warnings too; 1 an error finding or a refusal; 2 usage, which q answers
with 1; of rules also 4 a filter that matches nothing and 101 a failing case.
Colours follow the terminal; NO_COLOR=1 and CARGO_TERM_COLOR=always|never decide otherwise."
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Q(q::QArgs),
    #[command(visible_alias = "validate")]
    Check(check::CheckArgs),
    Rules(rules::RulesArgs),
    Build(build::BuildArgs),
    Recipes(recipes::RecipesArgs),
}

impl Command {
    /// The name that refusals carry after `sdp`.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Command::Q(_) => "q",
            Command::Check(_) => "check",
            Command::Rules(_) => "rules",
            Command::Build(_) => "build",
            Command::Recipes(_) => "recipes",
        }
    }
}
