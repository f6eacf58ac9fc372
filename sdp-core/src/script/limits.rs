//! What a body may use, and the clock that stops it. The engine asks [`Meter::expired`] every few thousand steps; whoever
//! sees a failure asks the meter whether the clock was the cause, because QuickJS does not say it.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The stack of a worker thread, in bytes.
pub(super) const WORKER_STACK: usize = 16 * 1024 * 1024;

/// What JavaScript may use of it: a quarter, because native frames are not counted.
pub(super) const SCRIPT_STACK: usize = WORKER_STACK / 4;

/// One clock per worker thread.
#[derive(Debug, Default)]
pub(super) struct Meter {
    deadline: Cell<Option<Instant>>,
    expired: Cell<bool>,
    spoiled: Cell<bool>,
    /// Set from outside by somebody who wants no answer any more.
    cancelled: Option<Arc<AtomicBool>>,
}

impl Meter {
    /// A meter that also stops what somebody cancels.
    pub(super) fn new(cancelled: Option<Arc<AtomicBool>>) -> Self {
        Meter { cancelled, ..Meter::default() }
    }

    /// Starts the clock anew.
    pub(super) fn start(&self, time: Duration) {
        self.deadline.set(Instant::now().checked_add(time));
        self.expired.set(false);
    }

    /// Stops the clock: nothing expires until the next start.
    pub(super) fn stop(&self) {
        self.deadline.set(None);
        self.expired.set(false);
    }

    /// Whether the time is over, or nobody wants the answer; remembered until the next start.
    pub(super) fn expired(&self) -> bool {
        let is_over = |deadline| {
            Instant::now() >= deadline || self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
        };
        if !self.expired.get() && self.deadline.get().is_some_and(is_over) {
            self.expired.set(true);
            self.spoil();
        }
        self.expired.get()
    }

    /// Notes that a limit was hit, so that nothing more may run in the same Runtime.
    pub(super) fn spoil(&self) {
        self.spoiled.set(true);
    }

    /// Whether a limit was hit since the last call.
    pub(super) fn take_spoiled(&self) -> bool {
        self.spoiled.replace(false)
    }

    /// Whether the engine was told to stop.
    pub(super) fn was_stopped(&self) -> bool {
        self.expired.get()
    }
}
