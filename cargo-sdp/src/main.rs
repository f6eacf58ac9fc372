//! The binary of `cargo sdp`: the process's arguments come in, an exit code goes out. Nothing is decided here.

mod app;
mod cli;
mod commands;
mod errors;
mod evaluate;
mod output;
mod params;
mod render;
mod root;

fn main() -> std::process::ExitCode {
    app::run(std::env::args_os())
}
