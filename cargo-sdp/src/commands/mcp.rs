//! `mcp`: serves the graph to a client of the Model Context Protocol. Where to look comes in; the server's own module does the
//! rest, until its stdin ends.

use std::io::{self, IsTerminal as _};

use crate::errors::{Exit, Refusal};
use crate::evaluate::LimitArgs;
use crate::mcp::{self, Settings};
use crate::output::Output;
use crate::root::{self, CommonArgs};

/// The arguments of `mcp`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Serve the graph to a coding agent over the Model Context Protocol (stdio)",
    long_about = "\
Serve the graph to a coding agent over the Model Context Protocol, on stdin and stdout.

A client starts it; it has tools for bodies, recipes, the context of a Spec or a Pack, a search, the blast radius \
of files and the checks. Each call answers from the files as they are then. It reads only and ends with its stdin; \
notes go to stderr. An answer is cut at max_chars and names what was left out.",
    after_help = "\
Examples:
  cargo sdp mcp
  cargo sdp mcp --root backend --timeout 30
  cargo sdp mcp --manifest-path ../shop/Cargo.toml

In the configuration of a client:
  {\"mcpServers\": {\"sdp\": {\"command\": \"cargo\", \"args\": [\"sdp\", \"mcp\"]}}}

Exit codes: 0 stdin ended, or SIGINT or SIGTERM came; 1 a refusal; 2 usage."
)]
pub(crate) struct McpArgs {
    /// What a body may use.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Serves until the client is gone.
#[sdp::satisfies("spec:sdp.agent-surface.server", component = "component:sdp.command-line")]
pub(crate) fn run(args: &McpArgs, output: &mut Output) -> Result<Exit, Refusal> {
    match root::load_all(&args.common) {
        // A configuration is mended while the server runs; until then each call says what is wrong with it.
        Ok(_) | Err(Refusal::InvalidConfig { .. } | Refusal::SeveralRoots(_)) => {}
        Err(refusal) => return Err(refusal),
    }
    if io::stdin().is_terminal() {
        output.note("note: a client of the Model Context Protocol is awaited on stdin; Ctrl-D ends the server");
    }
    mcp::serve(Settings { common: args.common.clone(), limits: args.limits.clone() })?;
    Ok(Exit::Fine)
}
