//! One thread that runs bodies over one reader. It owns a Runtime with the shared graph, gives each body a fresh Context, and
//! throws the Runtime away after whatever might have left something behind. The caller waits no longer than a body may run:
//! where the engine cannot be interrupted (inside one native call), the thread is left to its fate and a new one starts.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rquickjs::{Context, Runtime};
use sdp_recipes::Recipe;

use super::answer::{Answer, Want};
use super::bindings::{Furniture, Realm};
use super::console::{Console, Printer};
use super::error::EvalError;
use super::home::{Home, Needs};
use super::limits::{Meter, SCRIPT_STACK, WORKER_STACK};
use super::parse_error;
use super::rejections::Rejections;
use super::run::{Ended, Run};
use super::wrapper::{Refusal, Source};
use crate::config::Limits;
use crate::reader::Reader;

/// How long past its limit a body may hold its thread before the caller stops waiting.
const GRACE: Duration = Duration::from_secs(2);

/// How much garbage of earlier bodies may lie around when a body starts, in bytes.
const GARBAGE: u64 = 16 * 1024 * 1024;

/// How an [`Evaluator`] runs bodies.
#[derive(Clone, Debug, Default)]
pub struct EvaluatorOptions {
    /// What one body may use.
    pub limits: Limits,
    /// Whether the clock stands at 2000-01-01T00:00:00Z, local time is UTC and `Math.random` gives the same numbers to each body.
    pub deterministic: bool,
    /// Where console output goes.
    pub console: Console,
    /// Whether a body fails that leaves a rejected promise to nobody, as if it had thrown.
    pub refuses_lost_rejections: bool,
    /// Where somebody sets it, a body that runs ends as if its time were over.
    pub cancelled: Option<Arc<AtomicBool>>,
}

/// One body to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The JavaScript async-function body.
    pub body: Arc<str>,
    /// The value of `params`: a JSON object.
    pub params: serde_json::Value,
    /// In which forms the returned value is wanted.
    pub want: Want,
}

/// Runs bodies over one reader, one after the other, on a thread of its own. Dropping it ends the thread.
#[derive(Debug)]
pub struct Evaluator {
    reader: Arc<Reader>,
    options: EvaluatorOptions,
    catalog: &'static [Recipe],
    worker: Mutex<Option<Worker>>,
}

#[derive(Debug)]
struct Worker {
    requests: Sender<Request>,
    thread: JoinHandle<()>,
}

struct Request {
    job: Job,
    events: Sender<Event>,
}

enum Event {
    /// What the body needs is there; it is compiled now.
    Compiling,
    /// Its first statement runs now.
    Running,
    /// The end.
    Done(Box<Result<Answer, EvalError>>),
}

impl Evaluator {
    /// An evaluator over a reader. The thread starts with the first job.
    #[must_use]
    pub fn new(reader: Arc<Reader>, options: EvaluatorOptions) -> Self {
        Self::with_catalog(reader, options, sdp_recipes::CATALOG)
    }

    /// An evaluator whose bodies call other recipes than the shipped ones.
    pub(super) fn with_catalog(reader: Arc<Reader>, options: EvaluatorOptions, catalog: &'static [Recipe]) -> Self {
        Evaluator { reader, options, catalog, worker: Mutex::new(None) }
    }

    /// Runs one body and waits for its end. Calls from several threads take turns.
    ///
    /// # Errors
    /// As [`EvalError`] lists them.
    pub fn run(&self, job: Job) -> Result<Answer, EvalError> {
        require_object(&job.params)?;
        let mut place = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = match place.take() {
            Some(worker) => worker,
            None => self.start()?,
        };
        let (events, answers) = channel();
        if worker.requests.send(Request { job, events }).is_err() {
            return Err(EvalError::engine("its thread has ended"));
        }
        let outcome = self.wait(&answers);
        if let Some(outcome) = outcome {
            *place = Some(worker);
            return outcome;
        }
        // The thread sees that nobody listens as soon as the engine lets it.
        Err(EvalError::timeout(self.options.limits.time))
    }

    /// The outcome, or nothing when the thread does not come back in time.
    fn wait(&self, answers: &Receiver<Event>) -> Option<Result<Answer, EvalError>> {
        let bound = self.options.limits.time.saturating_add(GRACE);
        let mut patience = None;
        loop {
            let event = match patience {
                None => answers.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(patience) => answers.recv_timeout(patience),
            };
            match event {
                Ok(Event::Compiling | Event::Running) => patience = Some(bound),
                Ok(Event::Done(outcome)) => return Some(*outcome),
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => return Some(Err(EvalError::engine("its thread has ended"))),
            }
        }
    }

    fn start(&self) -> Result<Worker, EvalError> {
        let (requests, inbox) = channel();
        let (reader, options, catalog) = (Arc::clone(&self.reader), self.options.clone(), self.catalog);
        let thread = std::thread::Builder::new()
            .name("sdp-script".to_owned())
            .stack_size(WORKER_STACK)
            .spawn(move || Engine::new(reader, options, catalog).serve(&inbox))
            .map_err(|error| EvalError::engine(format!("its thread did not start: {error}")))?;
        Ok(Worker { requests, thread })
    }
}

impl Drop for Evaluator {
    fn drop(&mut self) {
        let worker = self.worker.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Worker { requests, thread }) = worker {
            drop(requests);
            // The thread is idle, and a panic in it was already an error of the job that it ran.
            let _ended = thread.join();
        }
    }
}

fn require_object(params: &serde_json::Value) -> Result<(), EvalError> {
    let found = match params {
        serde_json::Value::Object(_) => return Ok(()),
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "a boolean",
        serde_json::Value::Number(_) => "a number",
        serde_json::Value::String(_) => "a string",
        serde_json::Value::Array(_) => "an array",
    };
    Err(EvalError::BadParameters { found })
}

/// Whether a body may throw null itself: it names something that a value can be thrown with. The null may come from anywhere,
/// such as a parameter.
fn may_throw_null(body: &str) -> bool {
    ["throw", "reject", "new Promise"].iter().any(|word| body.contains(word))
}

/// What lives on the thread.
struct Engine {
    reader: Arc<Reader>,
    options: EvaluatorOptions,
    catalog: &'static [Recipe],
    printer: Rc<Printer>,
    meter: Rc<Meter>,
    world: Option<World>,
}

impl Engine {
    fn new(reader: Arc<Reader>, options: EvaluatorOptions, catalog: &'static [Recipe]) -> Self {
        let printer = Rc::new(Printer::new(options.console.clone()));
        let meter = Rc::new(Meter::new(options.cancelled.clone()));
        Engine { reader, options, catalog, printer, meter, world: None }
    }

    fn serve(mut self, inbox: &Receiver<Request>) {
        while let Ok(Request { job, events }) = inbox.recv() {
            let run = catch_unwind(AssertUnwindSafe(|| self.run(&job, &events)));
            let outcome = run.unwrap_or_else(|_| {
                // What a panic leaves of the engine is not safe to free.
                std::mem::forget(self.world.take());
                self.meter.stop();
                Err(EvalError::engine("it panicked"))
            });
            if events.send(Event::Done(Box::new(outcome))).is_err() {
                break;
            }
        }
        if let Some(world) = self.world.take() {
            world.end(&self.meter);
        }
    }

    fn run(&mut self, job: &Job, events: &Sender<Event>) -> Result<Answer, EvalError> {
        let params = serde_json::to_string(&job.params).map_err(|error| EvalError::engine(error.to_string()))?;
        let world = match self.world.take() {
            Some(world) => world,
            None => World::new(&self.reader, &self.meter, self.options.refuses_lost_rejections)
                .map_err(|error| EvalError::engine(error.to_string()))?,
        };
        let (outcome, clean) = self.run_in(&world, job, &params, events);
        world.runtime.set_memory_limit(0);
        if clean {
            self.world = Some(world);
        } else {
            world.end(&self.meter);
        }
        outcome
    }

    fn run_in(
        &self,
        world: &World,
        job: &Job,
        params: &str,
        events: &Sender<Event>,
    ) -> (Result<Answer, EvalError>, bool) {
        let source = Source::new(&job.body);
        let needs = Needs::of(source.text());
        let failed = |error: rquickjs::Error| (Err(EvalError::engine(error.to_string())), false);
        let context = match world.context() {
            Ok(context) => context,
            Err(error) => return failed(error),
        };
        if let Err(error) = context.with(|ctx| world.home.prepare(&ctx, needs)) {
            return failed(error);
        }
        world.limit(self.options.limits.memory);
        let run = Run {
            furniture: self.furniture(world, job.want.inspect() || needs.text),
            limits: self.options.limits,
            needs,
            params,
            want: job.want,
            throws_null: may_throw_null(source.text()),
            rejections: world.rejections.as_deref(),
            on_start: &|| {
                // Nobody listens any more when this fails; the end of the job finds out.
                let _heard = events.send(Event::Running);
            },
        };
        let _heard = events.send(Event::Compiling);
        let ended = context.with(|ctx| run.body(&ctx, &source));
        world.forget_rejections();
        drop(context);
        match ended {
            Ended::Ran { outcome: Err(EvalError::NeverSettled), .. } => {
                let memory = self.options.limits.memory;
                let error = if world.is_full() { EvalError::memory(memory) } else { EvalError::NeverSettled };
                // A promise that lost its job for want of memory looks the same, so the Runtime goes.
                (Err(error), false)
            }
            Ended::Ran { outcome, clean } => (outcome, clean && !world.runtime.is_job_pending()),
            Ended::Refused { refusal, clean } => {
                let error = self.locate(world, &source, refusal);
                let spoiled = self.meter.take_spoiled();
                (Err(error), clean && !spoiled && !world.runtime.is_job_pending())
            }
        }
    }

    fn furniture<'r>(&'r self, world: &'r World, renders: bool) -> Furniture<'r> {
        Furniture {
            home: &world.home,
            printer: &self.printer,
            meter: &self.meter,
            catalog: self.catalog,
            deterministic: self.options.deterministic,
            memory: self.options.limits.memory,
            renders,
        }
    }

    /// Says where a refused body stops being one, in a Context that holds no bindings.
    fn locate(&self, world: &World, source: &Source<'_>, refusal: Refusal) -> EvalError {
        self.meter.stop();
        let located = world.context().map(|context| {
            context.with(|ctx| {
                let realm = Realm::furnish(&ctx, self.furniture(world, false), false)?;
                self.meter.start(self.options.limits.time);
                let memory = self.options.limits.memory;
                let error = parse_error::locate(source, refusal, &ctx, &realm.text_of, &self.meter, memory);
                let clean = realm.release();
                if !clean {
                    self.meter.spoil();
                }
                rquickjs::Result::Ok(error)
            })
        });
        self.meter.stop();
        match located.and_then(|located| located) {
            Ok(error) => error,
            // The realm is furnished under the body's memory limit.
            Err(rquickjs::Error::Exception | rquickjs::Error::Allocation) => {
                EvalError::memory(self.options.limits.memory)
            }
            Err(error) => EvalError::engine(error.to_string()),
        }
    }
}

/// A Runtime and its home.
struct World {
    home: Rc<Home>,
    /// The rejected promises of a body, where somebody asks for them.
    rejections: Option<Rc<Rejections>>,
    runtime: Runtime,
    /// Allocations that a Runtime with an empty home holds.
    idle_allocations: i64,
    /// Bytes that the shared objects take.
    base: Cell<u64>,
    /// The memory limit that is set.
    bound: Cell<u64>,
}

impl World {
    fn new(reader: &Arc<Reader>, meter: &Rc<Meter>, watches: bool) -> rquickjs::Result<Self> {
        let runtime = Runtime::new()?;
        runtime.set_max_stack_size(SCRIPT_STACK);
        let clock = Rc::clone(meter);
        runtime.set_interrupt_handler(Some(Box::new(move || clock.expired())));
        let home = Rc::new(Home::new(&runtime, Arc::clone(reader))?);
        let rejections = watches.then(|| Rejections::watch(&runtime));
        runtime.run_gc();
        let idle_allocations = runtime.memory_usage().malloc_count;
        Ok(World { home, rejections, runtime, idle_allocations, base: Cell::new(0), bound: Cell::new(0) })
    }

    fn context(&self) -> rquickjs::Result<Context> {
        Context::full(&self.runtime)
    }

    fn forget_rejections(&self) {
        if let Some(rejections) = &self.rejections {
            rejections.clear();
        }
    }

    fn used(&self) -> u64 {
        u64::try_from(self.runtime.memory_usage().malloc_size).unwrap_or(0)
    }

    /// Whether no more than a sixteenth of the memory limit is left.
    fn is_full(&self) -> bool {
        self.used() >= self.bound.get().saturating_sub(self.bound.get() / 16)
    }

    /// Sets the memory limit of a body on top of the shared objects, which are counted anew only when they grew: counting walks
    /// the whole heap.
    fn limit(&self, memory: u64) {
        if self.home.take_grown() || self.base.get() == 0 {
            self.runtime.run_gc();
            self.base.set(self.used());
        }
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        self.bound.set(self.base.get().saturating_add(memory).saturating_add(GARBAGE));
        self.runtime.set_gc_threshold(size(self.base.get().saturating_add(GARBAGE)));
        self.runtime.set_memory_limit(size(self.bound.get()));
    }

    /// Frees the Runtime, unless a fault of the engine left something behind in it: freeing it then would abort the process.
    fn end(self, meter: &Meter) {
        self.forget_rejections();
        let World { home, rejections, runtime, idle_allocations, .. } = self;
        // Jobs that are left hold their realm. Without time and memory they end at once, and none makes another.
        meter.start(Duration::ZERO);
        runtime.set_memory_limit(1);
        while !matches!(runtime.execute_pending_job(), Ok(false)) {}
        meter.stop();
        if let Some(rejections) = rejections {
            rejections.clear();
        }
        runtime.set_memory_limit(0);
        if let Ok(context) = Context::full(&runtime) {
            // A realm that was not finished may still hang at the home; without success here, the count below sees it.
            let _detached = context.with(|ctx| home.detach(&ctx));
        }
        home.clear();
        runtime.run_gc();
        if runtime.memory_usage().malloc_count > idle_allocations {
            std::mem::forget((home, runtime));
        }
    }
}
