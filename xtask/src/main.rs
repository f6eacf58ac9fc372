//! `cargo xtask`: the generators and release checks of cargo-sdp itself. A subcommand comes in; what it makes, or one error
//! on standard error, goes out. No user of cargo-sdp needs it, and nothing that users run may depend on it.

use std::error::Error;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser;
use xtask::corpus;

mod catalog;
mod contracts;
mod delimiters;
mod generated;
mod release_check;

/// The generators and release checks of cargo-sdp
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Write a synthetic corpus of N Specs for benches and scale tests
    Corpus(corpus::Corpus),
    Catalog(catalog::Catalog),
    Contracts(contracts::Contracts),
    Delimiters(delimiters::Delimiters),
    ReleaseCheck(release_check::ReleaseCheck),
}

impl Command {
    fn run(&self) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Corpus(corpus) => Ok(corpus.run()?),
            Self::Catalog(catalog) => catalog.run(),
            Self::Contracts(contracts) => contracts.run(),
            Self::Delimiters(delimiters) => delimiters.run(),
            Self::ReleaseCheck(check) => check.run(),
        }
    }
}

fn main() -> ExitCode {
    match Command::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to tell a broken standard error to.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Command::command().debug_assert();
    }
}
