//! libtest-mimic's printer panics when its output cannot be written, which a reader such as `head` causes by leaving. A
//! run comes in, its result goes out, or what became of the output; the panic is never shown. Other panics go their way.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::{Arc, Mutex, PoisonError};

/// Why the printer stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nobody reads the output any more.
    Closed,
    /// The output cannot be written; the text says why.
    Unwritable(String),
}

/// Only one run at a time: the panic hook belongs to the whole process.
static RUNS: Mutex<()> = Mutex::new(());

/// Runs `run` and catches what its printer panics with.
pub(crate) fn catch<T>(run: impl FnOnce() -> T) -> Result<T, Fault> {
    let _alone = RUNS.lock().unwrap_or_else(PoisonError::into_inner);
    let seen: Arc<Mutex<Option<Fault>>> = Arc::default();
    let previous: Arc<dyn Fn(&PanicHookInfo<'_>) + Send + Sync> = Arc::from(panic::take_hook());
    let (slot, others) = (Arc::clone(&seen), Arc::clone(&previous));
    panic::set_hook(Box::new(move |info| match fault(info) {
        Some(fault) => *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault),
        None => others(info),
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    panic::set_hook(Box::new(move |info| previous(info)));
    match result {
        Ok(value) => Ok(value),
        Err(panic) => match seen.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(fault) => Err(fault),
            None => panic::resume_unwind(panic),
        },
    }
}

fn fault(info: &PanicHookInfo<'_>) -> Option<Fault> {
    let file = info.location()?.file().replace('\\', "/");
    let is_printer = file.contains("libtest-mimic") && file.ends_with("/printer.rs");
    // What `unwrap` panics with is a formatted, and so an owned text.
    let message = info.payload().downcast_ref::<String>().filter(|_| is_printer)?;
    if message.contains("BrokenPipe") {
        return Some(Fault::Closed);
    }
    // The payload is a `Debug` form; its quoted message is the part for people.
    let reason = message.split_once("message: \"").and_then(|(_, rest)| rest.split('"').next()).unwrap_or(message);
    Some(Fault::Unwritable(reason.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_panics_go_their_way() {
        assert_eq!(catch(|| 7), Ok(7));
        let panicked = panic::catch_unwind(|| catch(|| -> u8 { panic!("of a case") }));
        assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"of a case"));
    }
}
