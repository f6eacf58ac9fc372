//! What the end-to-end tests share: a repository in a temporary folder, and the built `cargo-sdp` run in it with an
//! environment that nothing of the machine reaches. It asserts nothing by itself.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up has failed")]

mod git;

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use similar::TextDiff;
use tempfile::TempDir;
use wait_timeout::ChildExt as _;

/// A run that takes longer is killed and fails its test.
const PATIENCE: Duration = Duration::from_secs(60);

/// A repository in a temporary folder, which is removed with it.
#[derive(Debug)]
pub struct Repo {
    folder: TempDir,
}

impl Repo {
    /// An empty repository.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "a repository touches the disk")]
    pub fn new() -> Self {
        Repo { folder: TempDir::new().unwrap() }
    }

    /// The same repository with a file; folders above it are made. `path` is relative to the root.
    #[must_use]
    pub fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(path, text);
        self
    }

    /// The same repository with a Spec of a kind that its folder does not matter for: `spec:<name>` in
    /// `specs/<name>.sdp.md`, at rung `idea`, with the given body under its title.
    #[must_use]
    pub fn spec(self, name: &str, relations: &str, body: &str) -> Self {
        let text = spec_text(name, relations, body);
        self.file(&format!("specs/{name}.sdp.md"), text)
    }

    /// Writes a file into a repository that exists.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A path below the root.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Every path below the root with its bytes (none for a folder), sorted: what a command that writes nothing leaves
    /// unchanged.
    #[must_use]
    pub fn contents(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        fn collect(folder: &Path, into: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    into.push((path.clone(), None));
                    collect(&path, into);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    into.push((path, Some(bytes)));
                }
            }
        }
        let mut all = Vec::new();
        collect(self.root(), &mut all);
        all.sort();
        all
    }

    /// Runs `cargo-sdp` in the root, with an empty stdin.
    pub fn sdp<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Run {
        self.command(arguments).run()
    }

    /// A run to be furnished further.
    pub fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Sdp {
        let mut command = hermetic(binary(), self.root());
        command.args(arguments);
        Sdp { command, stdin: Vec::new() }
    }

    /// Runs `cargo-sdp` from a shell that first runs `before`, such as `ulimit -s 512` or `exec 2>&-`.
    pub fn limited(&self, before: &str, arguments: &[&str]) -> Run {
        let mut command = hermetic(Path::new("sh"), self.root());
        command.args(["-c", &format!("{before}; exec \"$0\" \"$@\"")]).arg(binary()).args(arguments);
        Sdp { command, stdin: Vec::new() }.run()
    }

    /// Runs `cargo-sdp` with both ends on a terminal, if the machine's `script` can make one; what it shows comes back in
    /// `stdout`, with `\n` line ends.
    #[must_use]
    pub fn on_a_terminal(&self, arguments: &[&str]) -> Option<Run> {
        let quoted = |word: &str| format!("'{}'", word.replace('\'', r"'\''"));
        let binary = binary().to_str()?;
        let line: Vec<String> = std::iter::once(binary).chain(arguments.iter().copied()).map(quoted).collect();
        if !Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success()) {
            return None;
        }
        let mut command = hermetic(Path::new("script"), self.root());
        command.args(["-qec", &line.join(" "), "/dev/null"]);
        let mut run = Sdp { command, stdin: Vec::new() }.run();
        run.stdout = run.stdout.replace("\r\n", "\n");
        Some(run)
    }
}

/// Says that a test was skipped, and why. libtest keeps what the macros print and shows it for failures only, so this goes
/// to the stream itself.
pub fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

/// How a text differs from what it must be; nothing when it does not.
#[must_use]
pub fn difference(name: &str, saved: &str, actual: &str) -> Option<String> {
    (saved != actual).then(|| TextDiff::from_lines(saved, actual).unified_diff().header(name, "actual").to_string())
}

/// How a saved file differs from what it must hold; a missing one holds nothing. Where the variable `update` is set, the file
/// is written anew instead, and nothing differs.
#[must_use]
pub fn difference_or_update(path: &Path, actual: &str, update: &str) -> Option<String> {
    if std::env::var_os(update).is_some() {
        fs::write(path, actual).unwrap();
        return None;
    }
    difference(&path.display().to_string(), &fs::read_to_string(path).unwrap_or_default(), actual)
}

/// The commands that the help lists: those of the program, or with `above` those of one command. `help` itself is left out.
#[must_use]
pub fn commands(above: &[&str]) -> Vec<String> {
    let help = Repo::new().sdp(above.iter().chain(&["--help"])).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // What goes on with a description is indented further.
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|name| !name.is_empty()));
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Copies a folder with all that is in it.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The text of a Spec at rung `idea`. `relations` is YAML such as `{}` or `{ dependsOn: spec:b }`.
#[must_use]
pub fn spec_text(name: &str, relations: &str, body: &str) -> String {
    let relations = match relations {
        "" => "relations: {}".to_owned(),
        lines => format!("relations:\n{lines}"),
    };
    format!(
        "---\nid: spec:{name}\nkind: behavior\naltitude: feature\nreadiness: idea\n{relations}\n---\n# Title of {name}\n\n## Intent\n\n- outcome: An outcome.\n{body}"
    )
}

/// An example space with one slot that declares no type, below a Spec's first section: one warning.
pub const UNTYPED_SPACE: &str = "
## Example space

```gwt-vocabulary
Given a {n}
When it is used
Then it answers
```
";

/// A carrier that is refused for its id alone, at line 2: whatever derives a root with it says so.
pub const BROKEN_CARRIER: &str = "---
id: \"spec:\"
kind: behavior
altitude: feature
readiness: idea
relations: {}
---
# Title

## Intent

- outcome: An outcome.
";

/// One run of `cargo-sdp` before it starts.
#[derive(Debug)]
pub struct Sdp {
    command: Command,
    stdin: Vec<u8>,
}

impl Sdp {
    /// Sets a variable; the environment holds nothing else but `PATH` and `HOME`.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Starts in another folder.
    pub fn cwd(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Pipes bytes in.
    pub fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.stdin = bytes.as_ref().to_owned();
        self
    }

    /// Starts with stdin, stdout and stderr on pipes.
    pub fn spawn(mut self) -> Child {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.spawn().unwrap()
    }

    /// Runs to the end, however much it prints.
    pub fn run(mut self) -> Run {
        let bytes = std::mem::take(&mut self.stdin);
        let mut child = self.spawn();
        let mut stdin = child.stdin.take().unwrap();
        // A program that does not read its stdin closes the pipe.
        thread::spawn(move || drop(stdin.write_all(&bytes)));
        let stdout = collected(child.stdout.take().unwrap());
        let stderr = collected(child.stderr.take().unwrap());
        let status = wait(&mut child);
        Run { stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap(), code: status.code() }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "assert what the run printed and how it ended"]
pub struct Run {
    /// All of stdout.
    pub stdout: String,
    /// All of stderr.
    pub stderr: String,
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
}

impl Run {
    /// The findings of a run with `--output json`, whose other objects are left out.
    #[must_use]
    pub fn findings(&self) -> Vec<serde_json::Value> {
        let lines = self.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines.filter_map(|mut line| line.get_mut("finding").map(serde_json::Value::take)).collect()
    }

    /// The first line of stderr.
    #[must_use]
    pub fn complaint(&self) -> &str {
        self.stderr.lines().next().unwrap_or_default()
    }

    /// Asserts that no line of the run gives a CI runner a command, read as the runners read it: `::` at its start after white
    /// space, `##[`, `##vso[` or `##teamcity[` anywhere.
    #[track_caller]
    pub fn gives_no_commands(&self) {
        for line in [&self.stdout, &self.stderr].into_iter().flat_map(|text| text.split(['\n', '\r'])) {
            let folded = line.to_ascii_lowercase();
            let is_command = line.trim_start().starts_with("::")
                || ["##[", "##vso[", "##teamcity["].iter().any(|opening| folded.contains(opening));
            assert!(!is_command, "{line:?} in\n{}\n{}", self.stdout, self.stderr);
        }
    }
}

/// Asserts how a run ended; when it ended otherwise, both streams are shown.
#[track_caller]
pub fn ends(run: &Run, code: i32) {
    assert_eq!(run.code, Some(code), "{}\n{}", run.stdout, run.stderr);
}

/// Waits for a child, and kills it when it hangs.
pub fn wait(child: &mut Child) -> ExitStatus {
    if let Some(status) = child.wait_timeout(PATIENCE).unwrap() {
        return status;
    }
    drop(child.kill());
    panic!("the run did not end within {PATIENCE:?}");
}

fn collected(mut stream: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    })
}

fn hermetic(program: &Path, root: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", root).current_dir(root);
    command
}

/// The binary under test, built once by this process: the test executables of another package are not handed its path.
/// It lies beside the folder of the test executable, so it comes from the same target folder and profile.
#[must_use]
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let executable = std::env::current_exe().unwrap();
        let profile_folder = executable.parent().and_then(Path::parent).unwrap();
        let profile = match profile_folder.file_name().and_then(OsStr::to_str).unwrap() {
            "debug" => "dev",
            other => other,
        };
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--quiet", "--offline", "--package", "cargo-sdp", "--profile", profile, "--target-dir"])
            .arg(profile_folder.parent().unwrap())
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .status()
            .unwrap();
        assert!(status.success(), "cargo-sdp does not build");
        profile_folder.join(format!("cargo-sdp{}", std::env::consts::EXE_SUFFIX))
    })
}
