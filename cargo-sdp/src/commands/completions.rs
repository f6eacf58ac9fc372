//! `completions`: a shell comes in, the script that completes `cargo-sdp` in it goes out. It reads nothing.

use clap_complete::Shell;

use crate::cli;
use crate::errors::{Exit, Refusal};
use crate::output::Output;

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
}

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::definition(), "cargo-sdp", &mut script);
    output.out(&String::from_utf8_lossy(&script));
    Ok(Exit::Fine)
}
