//! A word about work that takes longer than a second, on a terminal only. Work comes in, its result goes out unchanged;
//! where stderr is no terminal nothing is started and nothing is written.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(1);

/// Runs `work`; after a second it says on a terminal what is going on and for how many seconds, and takes the line back
/// at the end.
pub fn during<T>(doing: &str, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        // Dropped by the end of this closure, so that the watcher ends also when the work panics.
        let (done, wait) = mpsc::channel::<()>();
        // Without a thread to spare there is no word, and the work goes on.
        let _ = thread::Builder::new().spawn_scoped(scope, move || {
            let start = Instant::now();
            let mut shown = false;
            while let Err(RecvTimeoutError::Timeout) = wait.recv_timeout(PATIENCE) {
                shown = true;
                say(&format!("\r{doing} … {} s", start.elapsed().as_secs()));
            }
            if shown {
                say("\r\u{1b}[K");
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// A terminal that cannot be written leaves nobody to tell.
fn say(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
