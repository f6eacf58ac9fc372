//! Several evaluators over one reader: a job goes to a free one, or waits for the first that becomes free.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::answer::Answer;
use super::error::EvalError;
use super::worker::{Evaluator, EvaluatorOptions, Job};
use crate::reader::Reader;

/// Runs bodies over one reader on several threads. [`EvaluatorPool::run`] may be called from as many threads as one likes.
#[derive(Debug)]
pub struct EvaluatorPool {
    free: Mutex<Vec<Evaluator>>,
    freed: Condvar,
}

impl EvaluatorPool {
    /// A pool of `workers` evaluators, at least one. Threads start when they are first needed, and the one that ran last runs
    /// next, so a few jobs need a few graphs only.
    #[must_use]
    pub fn new(reader: &Arc<Reader>, options: &EvaluatorOptions, workers: usize) -> Self {
        let evaluator = || Evaluator::new(Arc::clone(reader), options.clone());
        let free = std::iter::repeat_with(evaluator).take(workers.max(1)).collect();
        EvaluatorPool { free: Mutex::new(free), freed: Condvar::new() }
    }

    /// Runs one body on a free evaluator and waits for its end.
    ///
    /// # Errors
    /// As [`EvalError`] lists them.
    pub fn run(&self, job: Job) -> Result<Answer, EvalError> {
        let loan = Loan { pool: self, evaluator: Some(self.take()) };
        match &loan.evaluator {
            Some(evaluator) => evaluator.run(job),
            None => Err(EvalError::engine("no evaluator")),
        }
    }

    fn take(&self) -> Evaluator {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(evaluator) = free.pop() {
                return evaluator;
            }
            free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// An evaluator out of the pool; it goes back whatever happens.
struct Loan<'p> {
    pool: &'p EvaluatorPool,
    evaluator: Option<Evaluator>,
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        if let Some(evaluator) = self.evaluator.take() {
            self.pool.free.lock().unwrap_or_else(PoisonError::into_inner).push(evaluator);
            self.pool.freed.notify_one();
        }
    }
}
