//! `--watch` against the real binary: what starts a cycle and what does not, what a cycle says, and how a watch ends. No test
//! waits for nothing to happen: that a change started no cycle is told by the number and the paths of the next one.

mod contracts;
mod ends;
mod ground;
mod session;

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use sdp_tests::{Repo, wait};

/// A cycle that does not come at all fails its test.
const PATIENCE: Duration = Duration::from_secs(60);

/// A watch that runs.
struct Watch {
    child: Child,
    lines: Receiver<String>,
    errors: Arc<Mutex<String>>,
    cycles: usize,
}

/// What one cycle printed on stdout.
#[derive(Debug, PartialEq, Eq)]
struct Cycle {
    /// The lines before the one that closes it.
    text: String,
    /// The paths that it names.
    paths: String,
    /// What it sums up, without its time.
    sum: String,
}

impl Watch {
    fn start(repo: &Repo, arguments: &[&str]) -> Watch {
        Watch::of(repo.command(arguments).spawn())
    }

    fn of(mut child: Child) -> Watch {
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let errors = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&errors);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stderr.read(&mut bytes) {
                kept.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Watch { child, lines, errors, cycles: 0 }
    }

    /// The next cycle. Cycles are numbered without a gap.
    #[track_caller]
    fn cycle(&mut self) -> Cycle {
        self.cycles += 1;
        let mut text = String::new();
        loop {
            let line = match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => line,
                Err(error) => panic!("no cycle {} ({error})\n{text}\n{}", self.cycles, self.errors.lock().unwrap()),
            };
            let Some(rest) = line.strip_prefix("cycle ") else {
                text.push_str(&line);
                text.push('\n');
                continue;
            };
            let (head, sum) = rest.split_once(": ").unwrap();
            let (number, paths) = head.split_once(' ').unwrap_or((head, ""));
            assert_eq!(number.parse(), Ok(self.cycles), "{line}");
            let (sum, time) = sum.rsplit_once(" in ").unwrap();
            assert!(time.strip_suffix(" ms").is_some_and(|time| time.parse::<u64>().is_ok()), "{line}");
            let paths = paths.trim_start_matches('(').trim_end_matches(')').to_owned();
            return Cycle { text, paths, sum: sum.to_owned() };
        }
    }

    /// What stands on stderr since the last time; it is written before the line that closes a cycle.
    #[track_caller]
    fn errors(&self, last: &str) -> String {
        // Another thread reads it, so that it may come a moment later than the line.
        let start = std::time::Instant::now();
        loop {
            let mut errors = self.errors.lock().unwrap();
            if errors.contains(last) {
                return std::mem::take(&mut errors);
            }
            assert!(start.elapsed() < PATIENCE, "no {last:?} in\n{errors}");
            drop(errors);
            thread::yield_now();
        }
    }

    /// Ends it by a signal; its exit code.
    fn signal(mut self, name: &str) -> Option<i32> {
        let done = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(done.success());
        wait(&mut self.child).code()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
