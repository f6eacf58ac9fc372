//! `man`: the name of a command comes in, its page for `man` goes out. It reads nothing.

use clap_mangen::Man;
use sdp_core::suggest::first_nearest;

use crate::cli;
use crate::errors::{Exit, Refusal};
use crate::output::{Output, OutputArgs};

/// The arguments of `man`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Print the manual page of cargo-sdp or of one of its commands",
    long_about = "\
Print the manual page of cargo-sdp or of one of its commands, in the form that `man` reads.",
    after_help = "\
Examples:
  cargo sdp man > ~/.local/share/man/man1/cargo-sdp.1
  cargo sdp man check > ~/.local/share/man/man1/cargo-sdp-check.1
  cargo sdp man recipes run

Exit codes: 0 printed; 1 no such command; 2 usage."
)]
pub(crate) struct ManArgs {
    /// The command, such as `check` or `recipes run`; without one the page of cargo-sdp itself
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// What to say beside the answer.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Prints the page.
pub(crate) fn run(args: &ManArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let mut root = cli::definition().bin_name("cargo-sdp");
    root.build();
    let mut command = &root;
    for name in &args.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            let names = command.get_subcommands().map(clap::Command::get_name);
            let nearest = first_nearest(name, names, 2).map(str::to_owned);
            Refusal::UnknownCommand { name: name.clone(), nearest }
        })?;
    }
    let mut page = Vec::new();
    // Writing into memory cannot fail.
    let source = concat!("cargo-sdp ", env!("CARGO_PKG_VERSION"));
    let _ = Man::new(command.clone()).manual("cargo-sdp").source(source).render(&mut page);
    output.out(&String::from_utf8_lossy(&page));
    Ok(Exit::Fine)
}
