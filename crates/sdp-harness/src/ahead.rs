//! Cases are evaluated ahead, on several threads, while libtest-mimic asks for them one after the other: the output keeps
//! the order of the cases, and no case waits for the printing of another one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use sdp_core::rules::{Case, Engine, Outcome};
use sdp_core::threads;

/// A case of one root, under the name that it has in the run.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    /// The position of its root.
    pub(crate) root: usize,
    /// The case as its root knows it.
    pub(crate) case: Case,
    /// Its name, which opens with the root's where there are several.
    pub(crate) name: String,
}

/// Outcomes that are there, or on their way.
pub(crate) struct Ahead {
    /// One for each root.
    engines: Vec<Engine>,
    cases: Vec<Planned>,
    next: AtomicUsize,
    slots: Mutex<Vec<Slot>>,
    filled: Condvar,
}

enum Slot {
    Open,
    Filled(Box<Outcome>),
    /// The thread that ran it panicked, or somebody took the outcome already.
    Empty,
}

impl Ahead {
    /// Starts to evaluate the cases on up to `count` threads. Where the system gives no thread, [`Ahead::outcome`]
    /// evaluates a case itself.
    pub(crate) fn start(engines: Vec<Engine>, cases: Vec<Planned>, count: usize) -> Arc<Self> {
        let slots = Mutex::new(cases.iter().map(|_| Slot::Open).collect());
        let ahead = Arc::new(Ahead { engines, cases, next: AtomicUsize::new(0), slots, filled: Condvar::new() });
        for _ in 0..count {
            let worker = Arc::clone(&ahead);
            // A run goes on with fewer threads.
            let builder = thread::Builder::new().name("sdp-case".to_owned()).stack_size(threads::STACK);
            let _ = builder.spawn(move || while worker.evaluate_next() {});
        }
        ahead
    }

    /// The cases, in order.
    pub(crate) fn cases(&self) -> &[Planned] {
        &self.cases
    }

    /// The outcome of the case at a position; helps with the cases before it rather than wait idly. None when its
    /// evaluation panicked, or when it was taken before.
    pub(crate) fn outcome(&self, position: usize) -> Option<Outcome> {
        while self.next.load(Ordering::Acquire) <= position && self.evaluate_next() {}
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let slot = slots.get_mut(position)?;
            match std::mem::replace(slot, Slot::Empty) {
                Slot::Filled(outcome) => return Some(*outcome),
                Slot::Empty => return None,
                Slot::Open => *slot = Slot::Open,
            }
            slots = self.filled.wait(slots).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn evaluate_next(&self) -> bool {
        let position = self.next.fetch_add(1, Ordering::AcqRel);
        let Some(planned) = self.cases.get(position) else { return false };
        let mut filling = Filling { ahead: self, position, slot: Slot::Empty };
        if let Some(engine) = self.engines.get(planned.root) {
            filling.slot = Slot::Filled(Box::new(engine.run(&planned.case)));
        }
        true
    }
}

/// Fills a slot whatever happens, so that nobody waits for a thread that is gone.
struct Filling<'a> {
    ahead: &'a Ahead,
    position: usize,
    slot: Slot,
}

impl Drop for Filling<'_> {
    fn drop(&mut self) {
        let slot = std::mem::replace(&mut self.slot, Slot::Empty);
        if let Some(place) = self.ahead.slots.lock().unwrap_or_else(PoisonError::into_inner).get_mut(self.position) {
            *place = slot;
        }
        self.ahead.filled.notify_all();
    }
}
