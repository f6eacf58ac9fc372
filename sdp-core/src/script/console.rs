//! Where `console` output goes: kept beside the answer, or handed to a sink line by line. Core itself prints nothing.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;

use super::answer::{ConsoleLine, ConsoleStream};

/// How much text one body's kept output may hold, in bytes.
const KEPT_BYTES: usize = 4 * 1024 * 1024;

/// Who hears console output: called on the evaluator's thread.
pub type ConsoleSink = Arc<dyn Fn(ConsoleStream, &str) + Send + Sync>;

/// What becomes of console output.
#[derive(Clone, Default)]
pub enum Console {
    /// It is kept in [`super::Answer::console`], up to 4 MiB a body.
    #[default]
    Keep,
    /// It is handed on at once, one call after the other; the text has no newline at its end.
    Pass(ConsoleSink),
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Console::Keep => "Keep",
            Console::Pass(_) => "Pass",
        })
    }
}

/// The console of one worker. It is shut while no body runs, so that compiling one prints nothing.
#[derive(Debug)]
pub(super) struct Printer {
    console: Console,
    open: Cell<bool>,
    kept: RefCell<Vec<ConsoleLine>>,
    room: Cell<usize>,
}

impl Printer {
    pub(super) fn new(console: Console) -> Self {
        Printer { console, open: Cell::new(false), kept: RefCell::default(), room: Cell::new(0) }
    }

    /// Begins a body.
    pub(super) fn open(&self) {
        self.open.set(true);
        self.room.set(KEPT_BYTES);
        self.kept.borrow_mut().clear();
    }

    /// Ends a body and gives what it printed.
    pub(super) fn close(&self) -> Vec<ConsoleLine> {
        self.open.set(false);
        self.kept.take()
    }

    /// Whether a body runs.
    pub(super) fn is_open(&self) -> bool {
        self.open.get()
    }

    pub(super) fn print(&self, stream: ConsoleStream, text: String) {
        if !self.open.get() {
            return;
        }
        match &self.console {
            Console::Pass(sink) => sink(stream, &text),
            Console::Keep => match self.room.get().checked_sub(text.len() + 1) {
                Some(room) => {
                    self.room.set(room);
                    self.kept.borrow_mut().push(ConsoleLine { stream, text });
                }
                None => {
                    if self.room.replace(0) > 0 {
                        let text = "… more console output was dropped".to_owned();
                        self.kept.borrow_mut().push(ConsoleLine { stream: ConsoleStream::Err, text });
                    }
                }
            },
        }
    }
}
