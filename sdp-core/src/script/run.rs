//! One body in one realm: compile, call, drive its promise, render. What comes in is a fresh Context, what goes out is an answer
//! or the reason why there is none; the caller then throws the Context away.

use rquickjs::promise::PromiseState;
use rquickjs::{CatchResultExt, CaughtError, Ctx, Exception, Function, Object, Promise, Type, Value};

use super::answer::{Answer, Want};
use super::bindings::{Furniture, Realm};
use super::error::{EvalError, JsonError, Thrown};
use super::home::Needs;
use super::inspect::{self, RenderError};
use super::parse_error::Place;
use super::rejections::Rejections;
use super::wrapper::{BODY_FILE, Refusal, Source};
use crate::config::Limits;

/// How many left-over promise jobs of a finished body are still run.
const LEFTOVER_JOBS: usize = 10_000;

/// What to do about an error that a promise took with it.
const LOST: &str = "a promise was rejected and nothing handles that: `await` it, return it, or `catch` its error";

/// What a body runs with.
pub(super) struct Run<'r> {
    pub(super) furniture: Furniture<'r>,
    pub(super) limits: Limits,
    pub(super) needs: Needs,
    /// The parameters as JSON text of one object.
    pub(super) params: &'r str,
    pub(super) want: Want,
    /// Whether the body's text may throw null itself.
    pub(super) throws_null: bool,
    /// The rejected promises, where one that nothing handles fails the body.
    pub(super) rejections: Option<&'r Rejections>,
    /// Told when the body's first statement is about to run.
    pub(super) on_start: &'r dyn Fn(),
}

/// How a run ended.
pub(super) enum Ended {
    /// It ran to an end; `clean` says whether another body may use the same Runtime.
    Ran { outcome: Result<Answer, EvalError>, clean: bool },
    /// It did not compile; `clean` as above.
    Refused { refusal: Refusal, clean: bool },
}

impl Run<'_> {
    pub(super) fn body(&self, ctx: &Ctx<'_>, source: &Source<'_>) -> Ended {
        let furnished = Realm::furnish(ctx, self.furniture, self.needs.graph);
        let realm = match furnished.catch(ctx) {
            Ok(realm) => realm,
            Err(error) => {
                let starved = is_starvation(&error);
                let memory = EvalError::memory(self.limits.memory);
                let error = if starved { memory } else { EvalError::engine(error.to_string()) };
                return Ended::Ran { outcome: Err(error), clean: false };
            }
        };
        self.furniture.meter.start(self.limits.time);
        let function = match source.compile(ctx, BODY_FILE, &realm.text_of, self.furniture.meter) {
            Ok(function) => function,
            Err(refusal) => {
                let spoiled = self.furniture.meter.take_spoiled();
                let clean = realm.release() && !spoiled && matches!(refusal, Refusal::Syntax { .. });
                return Ended::Refused { refusal, clean };
            }
        };
        let outcome = self.call(ctx, &realm, &function);
        if matches!(outcome, Err(EvalError::Memory { .. } | EvalError::Engine { .. })) {
            self.furniture.meter.spoil();
        }
        let idle = !self.furniture.meter.was_stopped() && self.drain(ctx);
        self.furniture.printer.close();
        self.furniture.meter.stop();
        if let Some(rejections) = self.rejections {
            rejections.clear();
        }
        let spoiled = self.furniture.meter.take_spoiled();
        let clean = realm.release() && idle && !spoiled;
        Ended::Ran { outcome, clean }
    }

    fn call<'js>(&self, ctx: &Ctx<'js>, realm: &Realm<'js>, function: &Function<'js>) -> Result<Answer, EvalError> {
        let returned = self.start(ctx, realm, function).and_then(|promise| self.settle(ctx, promise));
        let value = returned.map_err(|failure| self.failure(ctx, realm, failure))?;
        // What the body left in the queue may still print, and prints before its answer.
        self.drain(ctx);
        let mut answer = Answer { undefined: value.is_undefined(), inspected: None, json: None, console: Vec::new() };
        if self.want.inspect() {
            answer.inspected = Some(self.inspect(ctx, realm, &value)?);
        }
        if self.want.json() {
            answer.json = Some(self.json(ctx, realm, value)?);
        }
        self.refuse_lost_rejection(ctx, realm)?;
        answer.console = self.furniture.printer.close();
        Ok(answer)
    }

    /// Fails with the first error that a promise took with it, where those are asked for.
    fn refuse_lost_rejection<'js>(&self, ctx: &Ctx<'js>, realm: &Realm<'js>) -> Result<(), EvalError> {
        let Some(rejections) = self.rejections else { return Ok(()) };
        // To render an answer may have run code of the body.
        self.drain(ctx);
        let Some(reason) = rejections.first(ctx) else { return Ok(()) };
        let caught = match reason.clone().into_exception() {
            Some(exception) => CaughtError::Exception(exception),
            None => CaughtError::Value(reason),
        };
        Err(match self.failure(ctx, realm, Failure::Caught(caught)) {
            EvalError::Thrown(thrown) => {
                EvalError::Thrown(Box::new(Thrown { hint: thrown.hint.or(Some(LOST)), ..*thrown }))
            }
            other => other,
        })
    }

    fn start<'js>(
        &self,
        ctx: &Ctx<'js>,
        realm: &Realm<'js>,
        function: &Function<'js>,
    ) -> Result<Promise<'js>, Failure<'js>> {
        let undefined = || Value::new_undefined(ctx.clone());
        let arguments = || {
            let graph = if self.needs.graph { self.furniture.home.graph(ctx)? } else { undefined() };
            let report = if self.needs.report { self.furniture.home.report(ctx)? } else { undefined() };
            rquickjs::Result::Ok((realm.g.clone(), graph, report, ctx.json_parse(self.params)?, realm.recipes.clone()))
        };
        let arguments = arguments().catch(ctx).map_err(Failure::Caught)?;
        self.furniture.printer.open();
        (self.on_start)();
        self.furniture.meter.start(self.limits.time);
        function.call(arguments).catch(ctx).map_err(Failure::Caught)
    }

    /// Runs the job queue until the promise is settled.
    fn settle<'js>(&self, ctx: &Ctx<'js>, promise: Promise<'js>) -> Result<Value<'js>, Failure<'js>> {
        loop {
            if let Some(settled) = promise.result().filter(|_| promise.state() != PromiseState::Pending) {
                return settled.catch(ctx).map_err(Failure::Caught);
            }
            if self.furniture.meter.expired() {
                return Err(Failure::Stopped);
            }
            if !ctx.execute_pending_job() {
                break;
            }
        }
        // An await that finds no memory for its job loses it without a word, but for an exception that nobody takes.
        if ctx.has_exception() {
            let left = CaughtError::from_error(ctx, rquickjs::Error::Exception);
            if is_starvation(&left) {
                return Err(Failure::Caught(left));
            }
        }
        Err(Failure::Pending)
    }

    /// Runs what a finished body left in the job queue; whether nothing is left.
    fn drain(&self, ctx: &Ctx<'_>) -> bool {
        for _ in 0..LEFTOVER_JOBS {
            if self.furniture.meter.expired() {
                return false;
            }
            if !ctx.execute_pending_job() {
                return true;
            }
        }
        false
    }

    fn inspect<'js>(
        &self,
        ctx: &Ctx<'js>,
        realm: &Realm<'js>,
        value: &Value<'js>,
    ) -> Result<Result<String, EvalError>, EvalError> {
        let Some(intrinsics) = &realm.intrinsics else { return Err(EvalError::engine("it has no renderer")) };
        let rendered = inspect::render(ctx, intrinsics, value, &|| self.furniture.meter.expired());
        self.unless_stopped()?;
        match rendered {
            Ok(text) => Ok(Ok(text)),
            Err(RenderError::Thrown(message)) if self.is_starved_rendering(&message) => {
                Err(EvalError::memory(self.limits.memory))
            }
            Err(error) => Ok(Err(EvalError::Render { message: error.to_string() })),
        }
    }

    /// Whether rendering failed for want of memory: with that very error, with null where the body's own code cannot have
    /// thrown it, or with no error at all.
    fn is_starved_rendering(&self, message: &str) -> bool {
        is_memory_message(message)
            || (message == "null" && !self.throws_null)
            || message == rquickjs::Error::Exception.to_string()
            || message == rquickjs::Error::Allocation.to_string()
    }

    fn json<'js>(
        &self,
        ctx: &Ctx<'js>,
        realm: &Realm<'js>,
        value: Value<'js>,
    ) -> Result<Result<String, JsonError>, EvalError> {
        if value.is_function() {
            return Ok(Err(JsonError::Function));
        }
        if value.is_symbol() {
            return Ok(Err(JsonError::Symbol));
        }
        let text = realm.json(value).catch(ctx);
        self.unless_stopped()?;
        match text {
            Ok(Some(text)) => Ok(Ok(text)),
            Ok(None) => Ok(Err(JsonError::NoForm)),
            Err(error) => match self.failure(ctx, realm, Failure::Caught(error)) {
                EvalError::Thrown(thrown) => Ok(Err(JsonError::NotSerializable(thrown.message))),
                other => Err(other),
            },
        }
    }

    fn unless_stopped(&self) -> Result<(), EvalError> {
        if self.furniture.meter.expired() { Err(EvalError::timeout(self.limits.time)) } else { Ok(()) }
    }

    fn failure<'js>(&self, ctx: &Ctx<'js>, realm: &Realm<'js>, failure: Failure<'js>) -> EvalError {
        if self.furniture.meter.expired() {
            return EvalError::timeout(self.limits.time);
        }
        let value = match failure {
            Failure::Stopped => return EvalError::timeout(self.limits.time),
            Failure::Pending => return EvalError::NeverSettled,
            Failure::Caught(error) if is_starvation(&error) => {
                // The engine also throws null when it has no memory left for an error. A text that cannot throw it
                // has not thrown it.
                self.furniture.meter.spoil();
                match error {
                    CaughtError::Value(value) if value.is_null() && self.throws_null => value,
                    _ => return EvalError::memory(self.limits.memory),
                }
            }
            Failure::Caught(CaughtError::Error(error)) => return EvalError::engine(error.to_string()),
            Failure::Caught(CaughtError::Exception(exception)) => {
                let thrown = thrown_error(ctx, realm, &exception);
                if self.furniture.meter.expired() {
                    return EvalError::timeout(self.limits.time);
                }
                return EvalError::Thrown(Box::new(thrown));
            }
            Failure::Caught(CaughtError::Value(value)) => value,
        };
        let hint = value.is_null().then_some("the engine also throws null when it is out of memory");
        let message = inspect::string_of(ctx, &value);
        if self.furniture.meter.expired() {
            return EvalError::timeout(self.limits.time);
        }
        EvalError::Thrown(Box::new(Thrown { message, hint, ..Thrown::default() }))
    }
}

enum Failure<'js> {
    Caught(CaughtError<'js>),
    Stopped,
    Pending,
}

/// Whether a failure is what the engine throws when it has no memory: an error of its own, or, where it cannot even make one, an
/// empty error, null or no value.
fn is_starvation(error: &CaughtError<'_>) -> bool {
    match error {
        CaughtError::Error(error) => matches!(error, rquickjs::Error::Allocation | rquickjs::Error::Exception),
        CaughtError::Value(value) => value.is_null() || value.type_of() == Type::Uninitialized,
        CaughtError::Exception(exception) => {
            let name: String = exception.as_object().get("name").unwrap_or_default();
            let message = exception.message().unwrap_or_default();
            name == "InternalError" && (message.is_empty() || is_memory_message(&message))
        }
    }
}

fn is_memory_message(message: &str) -> bool {
    message == inspect::OUT_OF_MEMORY
}

fn thrown_error<'js>(ctx: &Ctx<'js>, realm: &Realm<'js>, exception: &Exception<'js>) -> Thrown {
    let object = exception.as_object();
    let message = property(ctx, realm, object, "message").unwrap_or_default();
    let name = property(ctx, realm, object, "name");
    let raw = property(ctx, realm, object, "stack").unwrap_or_default();
    let mut place = None;
    let mut stack = Vec::new();
    for line in raw.lines() {
        let Some(frame) = line.trim().strip_prefix("at ") else { continue };
        let Some((file, at)) = own_place(frame) else { continue };
        let function = frame.rsplit_once(" (").map_or("<anonymous>", |(function, _)| function);
        if file == BODY_FILE && place.is_none() {
            place = Some(at);
        }
        stack.push(format!("at {function} ({file}:{}:{})", at.line, at.column));
    }
    let hint = if name.as_deref() == Some("ReferenceError") { hint(&message) } else { None };
    let number = |value: usize| u32::try_from(value).ok();
    Thrown {
        line: place.and_then(|place| number(place.line)),
        column: place.and_then(|place| number(place.column)),
        message,
        name,
        stack,
        hint,
    }
}

/// The file and place of a frame in a body or a recipe.
fn own_place(frame: &str) -> Option<(String, Place)> {
    let inner = frame.rsplit_once('(').map_or(frame, |(_, place)| place);
    let file = inner.split(':').next().unwrap_or("");
    if file != BODY_FILE && !file.starts_with("recipe-") {
        return None;
    }
    Some((file.to_owned(), Place::in_frame(frame, file)?))
}

fn property<'js>(ctx: &Ctx<'js>, realm: &Realm<'js>, object: &Object<'js>, name: &str) -> Option<String> {
    let value: Value<'js> = match object.get(name) {
        Ok(value) => value,
        Err(_) => {
            ctx.catch();
            return None;
        }
    };
    if value.is_undefined() {
        return None;
    }
    match value.as_string() {
        Some(text) => realm.text(text).ok(),
        None => Some(inspect::string_of(ctx, &value)),
    }
}

/// What to do without a name that other engines have.
fn hint(message: &str) -> Option<&'static str> {
    const NO_HOST: &str = "a body has no process, file system or network: return what you want printed";
    const NO_TIMERS: &str = "a body has no timers: await a promise, or compute the answer at once";
    const NO_MODULES: &str =
        "a body has no modules: everything that it may use is bound to g, graph, report, params and recipes";
    let name = message.strip_suffix(" is not defined")?.trim_matches('\'');
    Some(match name {
        "process" | "fetch" | "XMLHttpRequest" | "WebSocket" | "Deno" | "Bun" | "fs" | "os" | "std" | "path"
        | "child_process" | "window" | "document" | "navigator" | "self" | "print" | "alert" | "prompt" => NO_HOST,
        "setTimeout"
        | "setInterval"
        | "setImmediate"
        | "clearTimeout"
        | "clearInterval"
        | "clearImmediate"
        | "requestAnimationFrame" => NO_TIMERS,
        "require" | "module" | "exports" | "__dirname" | "__filename" => NO_MODULES,
        "structuredClone" => "the engine has no structuredClone: use JSON.parse(JSON.stringify(value))",
        "Intl" => "the engine has no Intl: sort with a comparison of your own, format by hand",
        "Buffer" | "TextEncoder" | "TextDecoder" | "atob" | "btoa" | "Blob" => {
            "the engine has no encoders: work on strings, or on Uint8Array by hand"
        }
        "URL" | "URLSearchParams" => "the engine has no URL: take the string apart by hand",
        "performance" => "the clock stands in this run, so there is no performance",
        "WeakRef" | "FinalizationRegistry" => {
            "a body has no weak references: an answer must not depend on the collector"
        }
        "gc" | "global" | "console" => "the global object is called globalThis",
        _ => return None,
    })
}
