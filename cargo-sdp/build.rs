//! Which commit the binary is built from: git is asked, `SDP_LONG_VERSION` goes into the build. Where git or its folder is
//! missing, as in a packaged crate, nothing goes in and nothing fails.

use std::path::Path;
use std::process::Command;

fn main() {
    // Without a line of this kind cargo would run the script again for every changed file.
    println!("cargo::rerun-if-changed=build.rs");
    // A repository that only holds a copy of this crate must not lend it its commit.
    let own = Path::new("..").join(".git");
    if !own.exists() || git(&["ls-files", "--error-unmatch", "Cargo.toml"]).is_none() {
        return;
    }
    // A path that does not exist would make cargo run the script each time.
    let head = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "logs/HEAD", "packed-refs"].into_iter().chain(head.as_deref()) {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["log", "-1", "--format=%h %cd", "--date=short", "--abbrev=9", "--no-show-signature"]);
    if let Some(commit) = commit.filter(|commit| !commit.contains('\n')) {
        println!("cargo::rustc-env=SDP_LONG_VERSION={} ({commit})", env!("CARGO_PKG_VERSION"));
    }
}

/// What a git command prints in this crate's folder, without the line end; none when it fails or prints nothing.
fn git(arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // A hook of git sets these to the repository that it runs for.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let output = command.args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim_end().to_owned();
    (!text.is_empty()).then_some(text)
}
