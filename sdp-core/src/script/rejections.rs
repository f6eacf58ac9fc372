//! Lost rejections: what the engine says of each rejected promise comes in, the first error that nothing handles goes out. Without
//! it a body whose work fails in a promise that it does not await would answer as if all were well.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rquickjs::{Ctx, Persistent, Runtime, Value};

type Kept = Persistent<Value<'static>>;

/// The rejected promises of the body that runs. They hold its Context, so that they must be forgotten before it goes.
#[derive(Default)]
pub(super) struct Rejections {
    /// The promises that nothing handles so far, each with its turn and what it was rejected with.
    lost: RefCell<HashMap<Kept, (u64, Kept)>>,
    turn: Cell<u64>,
}

impl Rejections {
    /// Watches the promises of a Runtime.
    pub(super) fn watch(runtime: &Runtime) -> Rc<Self> {
        let rejections = Rc::new(Rejections::default());
        // Not held by the Runtime, whose end would come before theirs.
        let watching = Rc::downgrade(&rejections);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(move |ctx, promise, reason, is_handled| {
            if let Some(rejections) = watching.upgrade() {
                rejections.take(&ctx, promise, reason, is_handled);
            }
        })));
        rejections
    }

    fn take<'js>(&self, ctx: &Ctx<'js>, promise: Value<'js>, reason: Value<'js>, is_handled: bool) {
        let promise = Persistent::save(ctx, promise);
        // What is dropped is dropped after the borrow.
        let _dropped = if is_handled {
            self.lost.borrow_mut().remove(&promise)
        } else {
            let turn = self.turn.replace(self.turn.get().wrapping_add(1));
            let reason = Persistent::save(ctx, reason);
            self.lost.borrow_mut().insert(promise, (turn, reason))
        };
    }

    /// What the first of them was rejected with.
    pub(super) fn first<'js>(&self, ctx: &Ctx<'js>) -> Option<Value<'js>> {
        let first = self.lost.borrow().values().min_by_key(|(turn, _)| *turn).map(|(_, reason)| reason.clone());
        first.and_then(|reason| reason.restore(ctx).ok())
    }

    /// Forgets all of them.
    pub(super) fn clear(&self) {
        drop(self.lost.take());
    }
}
