//! The command line as clap knows it: its tree is the help, and parses every command but `q`, whose refusals the
//! Protocol pins. A command that does not exist yet is not in it.

use clap::{CommandFactory as _, Parser, Subcommand};

#[cfg(feature = "mcp")]
use crate::commands::mcp;
use crate::commands::{
    build, check, completions, config, eval, explain, impact, import, init, man, new, q, questions, recipes, rules,
    unbound,
};
use crate::output::OutputArgs;

/// The version with the commit and its date, or with the word that the build knows none.
const LONG_VERSION: &str = match option_env!("SDP_LONG_VERSION") {
    Some(version) => version,
    None => concat!(env!("CARGO_PKG_VERSION"), " (unknown)"),
};

/// Specs in, one pass or fail per rule out, any question answered.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-sdp",
    bin_name = "cargo sdp",
    version,
    long_version = LONG_VERSION,
    after_help = "\
Examples:
  cargo sdp check                          check the Specs of this repository
  cargo sdp check --watch                  and again whenever something changes
  cargo sdp rules                          pass or fail for each check, rule and recipe
  cargo sdp q 'return g.specs().length'    ask a question
  cargo sdp explain conformance/orphans    what a finding means and how it is mended
  cargo sdp recipes                        questions that somebody already wrote down
  cargo sdp impact main...HEAD             what the changes of a branch reach
  cargo sdp questions --by-age             open questions, the oldest first
  cargo sdp unbound                        public items and tests that no anchor binds
  cargo sdp import specs                   write the Specs of TypeScript carriers in Markdown
  cargo sdp init                           a first Spec, rule, test target and pipeline
  cargo sdp new rule naming/kebab          a rule to start from; also spec, pack and recipe
  cargo sdp eval compile --in notes.json   check an evaluation contract; seal writes its brief
  cargo sdp config                         what is in force here, and where it was said
  cargo sdp mcp                            the same for a coding agent, over its protocol
  cargo sdp check --root backend           one of several roots that the configuration lists
  cargo sdp rules --output junit=specs.xml --output github         for a pipeline
  cargo sdp rules --baseline findings.txt --update-baseline        accept what is found today

Exit codes: 0 fine, warnings too; 1 an error finding or a refusal; 2 usage, which q and
new answer with 1; of rules also 4 a filter that matches nothing and 101 a failing case;
of eval 4 a structural failure, 5 a runtime fault and 64 usage.
Colours follow the terminal; --color, NO_COLOR=1 and CARGO_TERM_COLOR=always|never decide otherwise."
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
    Explain(explain::ExplainArgs),
    Build(build::BuildArgs),
    Recipes(recipes::RecipesArgs),
    Impact(impact::ImpactArgs),
    Questions(questions::QuestionsArgs),
    Unbound(unbound::UnboundArgs),
    Import(import::ImportArgs),
    New(new::NewArgs),
    Init(init::InitArgs),
    Eval(eval::EvalArgs),
    Config(config::ConfigArgs),
    #[cfg(feature = "mcp")]
    Mcp(mcp::McpArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// The whole definition, as help, completions and manual pages show it.
pub(crate) fn definition() -> clap::Command {
    // To `q` a token with one dash is a body, so it has the long forms only.
    Cli::command().mut_subcommands(|command| match command.get_name() {
        "q" => command.mut_args(|argument| match argument.get_id().as_str() {
            "quiet" | "verbose" => argument.short(None),
            _ => argument,
        }),
        // It looks at no root and no configuration.
        "eval" => command.mut_args(|argument| match argument.get_id().as_str() {
            "verbose" => argument
                .help("Say on stderr what was read, the contract's digest, what was written and how long it took"),
            _ => argument,
        }),
        _ => command,
    })
}

impl Command {
    /// The name that refusals carry after `sdp`.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Command::Q(_) => "q",
            Command::Check(_) => "check",
            Command::Rules(_) => "rules",
            Command::Explain(_) => "explain",
            Command::Build(_) => "build",
            Command::Recipes(_) => "recipes",
            Command::Impact(_) => "impact",
            Command::Questions(_) => "questions",
            Command::Unbound(_) => "unbound",
            Command::Import(_) => "import",
            Command::New(_) => "new",
            Command::Init(_) => "init",
            Command::Eval(_) => "eval",
            Command::Config(_) => "config",
            #[cfg(feature = "mcp")]
            Command::Mcp(_) => "mcp",
            Command::Completions(_) => "completions",
            Command::Man(_) => "man",
        }
    }

    /// The options that every command takes.
    pub(crate) const fn output(&self) -> &OutputArgs {
        match self {
            Command::Q(args) => &args.common.output,
            Command::Check(args) => &args.common.output,
            Command::Rules(args) => &args.common.output,
            Command::Build(args) => &args.common.output,
            Command::Recipes(args) => &args.common.output,
            Command::Impact(args) => &args.common.output,
            Command::Questions(args) => &args.common.output,
            Command::Unbound(args) => &args.common.output,
            Command::Import(args) => &args.common.output,
            Command::New(args) => &args.common.output,
            Command::Init(args) => &args.output,
            Command::Eval(args) => &args.output,
            Command::Config(args) => &args.common.output,
            #[cfg(feature = "mcp")]
            Command::Mcp(args) => &args.common.output,
            Command::Explain(args) => &args.output,
            Command::Completions(args) => &args.output,
            Command::Man(args) => &args.output,
        }
    }
}
