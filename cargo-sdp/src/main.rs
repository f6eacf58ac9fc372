//! The binary of `cargo sdp`: the process's arguments come in, an exit code goes out. Nothing is decided here.

// @sdpAnchor component:sdp.command-line
// @sdpLayer edge
// @sdpContext engine
// @sdpUses component:sdp.extract, component:sdp.reader, component:sdp.script, component:sdp.eval

mod accept;
mod agents;
mod app;
mod cli;
mod commands;
mod create;
mod difference;
mod errors;
mod evaluate;
mod git;
#[cfg(feature = "mcp")]
mod mcp;
mod output;
mod overrides;
mod params;
mod render;
mod report;
mod root;
mod tokens;
mod watch;

fn main() -> std::process::ExitCode {
    app::run(std::env::args_os())
}
