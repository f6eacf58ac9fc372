//! A word about work that takes longer than a second. Work comes in, its result goes out unchanged; where stderr is no
//! terminal nothing is started and nothing is written.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Runs `work`; after a second one line on the terminal says what is going on.
pub(crate) fn during<T>(doing: &str, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        scope.spawn(move || {
            if let Err(RecvTimeoutError::Timeout) = wait.recv_timeout(Duration::from_secs(1)) {
                // A terminal that cannot be written leaves nobody to tell.
                let _ = writeln!(io::stderr(), "{doing}");
            }
        });
        // Moved into this closure, so that the waiting thread ends also when the work panics.
        let guard = done;
        let result = work();
        drop(guard);
        result
    })
}
