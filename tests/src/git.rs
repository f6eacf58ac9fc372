//! git in a temporary repository, with nothing of the machine's configuration and fixed authors and days.

use std::process::Command;

use crate::Repo;

impl Repo {
    /// Runs git in the root on a day that plays no part, and gives what it prints.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_on("2026-01-01", arguments)
    }

    /// The same with the day of the author; the committer's is always 2026-06-01.
    #[track_caller]
    pub fn git_on(&self, day: &str, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.root());
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Ada").env(format!("GIT_{role}_EMAIL"), "ada@example.org");
        }
        command.env("GIT_AUTHOR_DATE", format!("{day}T12:00:00Z")).env("GIT_COMMITTER_DATE", "2026-06-01T12:00:00Z");
        command.args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"]);
        let output = command.args(arguments).current_dir(self.root()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Makes a repository of git and commits all that stands there.
    #[track_caller]
    #[must_use]
    pub fn committed(self) -> Self {
        self.git(&["init", "-q"]);
        self.commit("2026-01-01");
        self
    }

    /// Commits all that stands there, and gives the commit's name.
    #[track_caller]
    pub fn commit(&self, day: &str) -> String {
        self.git(&["add", "--all"]);
        self.git_on(day, &["commit", "-q", "--allow-empty", "-m", "x"]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }
}
