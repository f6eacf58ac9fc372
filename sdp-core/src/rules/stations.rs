//! Evaluators for cases: a body comes in on any thread, its answer or error goes out together with what it printed. Each
//! evaluator has a console of its own, because a body that throws has no answer that could carry its output.

use std::sync::{Arc, Mutex, PoisonError};

use crate::config::Limits;
use crate::reader::Reader;
use crate::script::{Answer, Console, EvalError, Evaluator, EvaluatorOptions, Job};

/// How much of what one body prints is kept, in bytes.
const KEPT_BYTES: usize = 1024 * 1024;

/// Evaluators over one reader; as many as threads ever ask at once.
#[derive(Debug)]
pub(super) struct Stations {
    reader: Arc<Reader>,
    limits: Limits,
    free: Mutex<Vec<Station>>,
}

#[derive(Debug)]
struct Station {
    evaluator: Evaluator,
    console: Arc<Mutex<Printed>>,
}

#[derive(Debug, Default)]
struct Printed {
    entries: Vec<String>,
    bytes: usize,
}

impl Printed {
    fn add(&mut self, text: &str) {
        if self.bytes > KEPT_BYTES {
            return;
        }
        self.bytes = self.bytes.saturating_add(text.len() + 1);
        let kept = if self.bytes > KEPT_BYTES { "… more console output was dropped" } else { text };
        self.entries.push(kept.to_owned());
    }
}

impl Stations {
    pub(super) fn new(reader: Arc<Reader>, limits: Limits) -> Self {
        Stations { reader, limits, free: Mutex::default() }
    }

    /// Runs one body, deterministically, and gives what it printed.
    pub(super) fn run(&self, job: Job) -> (Result<Answer, EvalError>, Vec<String>) {
        let free = lock(&self.free).pop();
        let station = free.unwrap_or_else(|| self.station());
        let answer = station.evaluator.run(job);
        let printed = std::mem::take(&mut *lock(&station.console)).entries;
        // A thread that outlived its limit may still print; its console must not be another body's.
        if !matches!(answer, Err(EvalError::Timeout { .. })) {
            lock(&self.free).push(station);
        }
        (answer, printed)
    }

    fn station(&self) -> Station {
        let console = Arc::<Mutex<Printed>>::default();
        let sink = Arc::clone(&console);
        let options = EvaluatorOptions {
            limits: self.limits,
            deterministic: true,
            console: Console::Pass(Arc::new(move |_, text| lock(&sink).add(text))),
            refuses_lost_rejections: true,
            ..EvaluatorOptions::default()
        };
        Station { evaluator: Evaluator::new(Arc::clone(&self.reader), options), console }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn console_output_is_kept_up_to_a_bound() {
        let mut printed = Printed::default();
        let text = "x".repeat(KEPT_BYTES / 2);
        for _ in 0..5 {
            printed.add(&text);
        }
        let lengths: Vec<usize> = printed.entries.iter().map(String::len).collect();
        assert_eq!(lengths.first(), Some(&(KEPT_BYTES / 2)));
        assert_eq!(printed.entries.last().map(String::as_str), Some("… more console output was dropped"));
        assert_eq!(printed.entries.len(), 2);
    }
}
