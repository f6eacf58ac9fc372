//! `completions`: a shell comes in, the script that completes `cargo-sdp` in it goes out. It reads nothing.

use std::borrow::Cow;

use clap_complete::Shell;

use crate::cli;
use crate::errors::{Exit, Refusal};
use crate::output::{Output, OutputArgs};

/// The arguments of `completions`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Print the script that completes cargo-sdp in a shell",
    long_about = "\
Print the script that completes cargo-sdp in a shell.

The script completes the word `cargo-sdp`. `cargo sdp` is completed by cargo's own script, which asks this one in \
zsh only.",
    after_help = "\
Examples:
  cargo sdp completions bash > ~/.local/share/bash-completion/completions/cargo-sdp
  cargo sdp completions zsh > ~/.zfunc/_cargo-sdp
  cargo sdp completions fish > ~/.config/fish/completions/cargo-sdp.fish

Exit codes: 0 printed; 2 usage."
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
    /// What to say beside the answer.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::definition(), NAME, &mut script);
    let script = String::from_utf8_lossy(&script);
    output.out(&if args.shell == Shell::Bash { mended_for_bash(&script) } else { script });
    Ok(Exit::Fine)
}

/// The word that the script completes.
const NAME: &str = "cargo-sdp";

/// The script for bash keeps its place in a variable. For a program with a dash in its name clap's generator writes that
/// place in one way where it is set and in another where it is asked for, so nothing behind a command would be completed.
fn mended_for_bash(script: &str) -> Cow<'static, str> {
    script.replace(&NAME.replace('-', "__subcmd__"), &NAME.replace('-', "__")).into()
}
