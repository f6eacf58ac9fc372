//! A word about work: on a terminal when it takes longer than a second, and its time when everything is asked for. Work
//! comes in, its result goes out unchanged. How much is said is one choice of the whole process, as its stderr is.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use sdp_core::extract::Extraction;
use sdp_core::threads;

const PATIENCE: Duration = Duration::from_secs(1);

/// How much a run says beside its findings and its answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    /// Nothing.
    Quiet,
    /// Notes, a summary, and progress on a terminal.
    #[default]
    Normal,
    /// That, and how the run came about.
    Verbose,
}

static CHOSEN: AtomicU8 = AtomicU8::new(Verbosity::Normal as u8);

/// Chooses for the process.
pub fn choose(verbosity: Verbosity) {
    CHOSEN.store(verbosity as u8, Ordering::Relaxed);
}

/// What the process has chosen.
#[must_use]
pub fn chosen() -> Verbosity {
    match CHOSEN.load(Ordering::Relaxed) {
        chosen if chosen == Verbosity::Quiet as u8 => Verbosity::Quiet,
        chosen if chosen == Verbosity::Verbose as u8 => Verbosity::Verbose,
        _ => Verbosity::Normal,
    }
}

/// Says a line when everything is asked for; the text is made only then, and must be harmless.
pub fn detail(text: impl FnOnce() -> String) {
    if chosen() == Verbosity::Verbose {
        say(&format!("verbose: {}\n", text()));
    }
}

/// Says what was read when everything is asked for, with the root's name where it has one.
pub fn extracted(root: Option<&str>, extraction: &Extraction) {
    let Extraction { carrier_count, spec_count, pack_count, anchor_count, graph, .. } = extraction;
    let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
    let root = root.map(|root| format!("{root}: ")).unwrap_or_default();
    detail(|| {
        format!(
            "{root}carriers: {carrier_count}, Specs: {spec_count}, Packs: {pack_count}, anchors: {anchor_count}, nodes: {nodes}, edges: {edges}"
        )
    });
}

/// Runs `work`; after a second it says on a terminal what is going on and for how many seconds, and takes the line back
/// at the end.
pub fn during<T>(doing: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = watched(doing, work);
    detail(|| format!("{doing}: {:.1} ms", start.elapsed().as_secs_f64() * 1000.0));
    result
}

fn watched<T>(doing: &str, work: impl FnOnce() -> T) -> T {
    if chosen() == Verbosity::Quiet || !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        // Dropped by the end of this closure, so that the watcher ends also when the work panics.
        let (done, wait) = mpsc::channel::<()>();
        // Without a thread to spare there is no word, and the work goes on.
        let _ = thread::Builder::new().stack_size(threads::STACK).spawn_scoped(scope, move || {
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
