//! The stack of a parse: a bound on its depth comes in, and what recurses so deep runs on a stack that has room for it.

use std::thread;

use super::super::Unparsed;

/// The depth that every thread has the stack for.
const SHALLOW: u32 = if cfg!(debug_assertions) { 12 } else { 48 };

/// The stack of a level, in bytes, more than the deepest kind of one takes: where nothing is optimized, and where it is.
const LEVEL: usize = if cfg!(debug_assertions) { 96 * 1024 } else { 16 * 1024 };

/// The stack that a parse and the reading of its tree need beside their levels.
const BASE: usize = 512 * 1024;

/// Runs what recurses so deep, on a stack that has room for it.
pub(in super::super) fn on_a_stack_for<R: Send>(
    depth: u32,
    work: impl FnOnce() -> Result<R, Unparsed> + Send,
) -> Result<R, Unparsed> {
    if depth <= SHALLOW {
        return work();
    }
    let levels = usize::try_from(depth).unwrap_or(usize::MAX);
    let stack = BASE.saturating_add(LEVEL.saturating_mul(levels));
    thread::scope(|scope| match thread::Builder::new().stack_size(stack).spawn_scoped(scope, work) {
        Ok(thread) => match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        },
        Err(error) => Err(Unparsed { message: format!("no thread could be started for it ({error})"), line: 1 }),
    })
}
