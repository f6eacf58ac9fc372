//! The project's own Specs under its own checks and rules, as a user's `[[test]]` runs them.

fn main() -> std::process::ExitCode {
    sdp_harness::main()
}
