//! The threads that derive and check. The environment's wish comes in, rayon's pool of the whole process stands afterwards, or
//! a refusal says why not. Left to itself, rayon panics where a thread cannot start.

use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// The stack of a thread, in bytes: what Rust gives where `RUST_MIN_STACK` says nothing, whose value may be one that no
/// system gives, or too small to print a line.
pub const STACK: usize = 2 << 20;

/// How many threads for each core `RAYON_NUM_THREADS` may ask for.
const MOST_FOR_A_CORE: usize = 4;

/// No thread could be started.
#[derive(Debug, thiserror::Error)]
#[error("no thread could be started ({0})")]
pub struct NoThreads(#[source] io::Error);

/// Starts the pool: as many threads as there are cores, or as `RAYON_NUM_THREADS` says, up to four for each core. Where the
/// system gives fewer, these serve. Where it gives none, `alone` makes the calling thread the pool: only for work that no
/// other thread asks the pool for, since it would wait for ever for a caller that waits for it. A pool that
/// stands already is left as it is.
///
/// # Errors
/// [`NoThreads`] where the system gives none and the calling thread may not serve.
pub fn start(alone: bool) -> Result<(), NoThreads> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let wish = std::env::var("RAYON_NUM_THREADS").ok();
    let mut idle = Vec::new();
    for _ in 0..wanted(wish.as_deref(), cores) {
        match idle_thread() {
            Ok(thread) => idle.push(thread),
            Err(error) if idle.is_empty() && !alone => return Err(NoThreads(error)),
            Err(_) => break,
        }
    }
    let builder = match idle.len() {
        0 => ThreadPoolBuilder::new().num_threads(1).use_current_thread(),
        threads => ThreadPoolBuilder::new().num_threads(threads),
    };
    let gone = || io::Error::other("it ended at once");
    let give_work = |work| idle.pop().and_then(|thread| thread.send(work).ok()).ok_or_else(gone);
    // The threads stand, so that a refusal can only mean another pool.
    let _stands = builder.spawn_handler(give_work).build_global();
    Ok(())
}

/// How many threads to start.
fn wanted(wish: Option<&str>, cores: usize) -> usize {
    let wish = wish.and_then(|wish| wish.trim().parse::<NonZeroUsize>().ok()).map(NonZeroUsize::get);
    wish.unwrap_or(cores).min(cores.saturating_mul(MOST_FOR_A_CORE))
}

/// A thread that waits for its work, and ends when there will be none.
fn idle_thread() -> io::Result<Sender<ThreadBuilder>> {
    let (sender, work) = channel::<ThreadBuilder>();
    thread::Builder::new().name("sdp-pool".to_owned()).stack_size(STACK).spawn(move || {
        if let Ok(work) = work.recv() {
            work.run();
        }
    })?;
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_may_ask_for_up_to_four_threads_a_core() {
        for (wish, threads) in [
            (None, 2),
            (Some(""), 2),
            (Some("x"), 2),
            (Some("0"), 2),
            (Some("1"), 1),
            (Some("8"), 8),
            (Some("9"), 8),
            (Some("10000"), 8),
        ] {
            assert_eq!(wanted(wish, 2), threads, "{wish:?}");
        }
    }

    #[test]
    fn a_pool_that_stands_is_left_as_it_is() {
        assert!(start(false).is_ok());
        let threads = rayon::current_num_threads();
        assert!(start(false).is_ok());
        assert_eq!(rayon::current_num_threads(), threads);
    }
}
