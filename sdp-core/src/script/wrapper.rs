//! A body's text becomes one async function. What goes in is the caller's text, what comes out is a function that holds
//! exactly this text, or where it fails. Wrapping is a trap: `}); (function(){` closes a naive wrapper and compiles, so
//! the function that evaluation gives must have the wrapper's own text as its source.

use std::borrow::Cow;

use rquickjs::context::EvalOptions;
use rquickjs::{CatchResultExt, CaughtError, Ctx, Function, Value};

use super::limits::Meter;
use super::parse_error::Place;

/// It ends on the body's first line, so that lines in a stack are the body's own.
const HEAD: &str = "async function (g, graph, report, params, recipes) {";
const TAIL: &str = "\n}";

/// How far the wrapper moves the body's first line to the right.
pub(super) const SHIFT: usize = HEAD.len() + 1;

/// The name of a body in a stack.
pub(super) const BODY_FILE: &str = "body";

/// A body as the engine reads it: `\n` ends every line, which changes no value (a template literal reads `\r\n` as `\n` too)
/// and makes the engine's line numbers sound.
#[derive(Debug)]
pub(super) struct Source<'b> {
    text: Cow<'b, str>,
}

/// Why a text is no body.
#[derive(Debug)]
pub(super) enum Refusal {
    /// A syntax error, where the engine saw it.
    Syntax { place: Option<Place>, message: String },
    /// The text closes the function that holds it.
    Escapes,
    /// It nests deeper than the engine's stack.
    TooDeep,
    /// It holds a NUL character at this byte.
    Nul(usize),
    /// The memory limit was hit.
    Memory,
    /// The engine failed.
    Engine(String),
}

impl<'b> Source<'b> {
    pub(super) fn new(body: &'b str) -> Self {
        let text = if body.contains('\r') {
            Cow::Owned(body.replace("\r\n", "\n").replace('\r', "\n"))
        } else {
            Cow::Borrowed(body)
        };
        Source { text }
    }

    /// The text with `\n` line ends.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Evaluates the wrapped text and gives the one function that it is. `text_of` is the pristine
    /// `Function.prototype.toString`, taking the function as its argument.
    pub(super) fn compile<'js>(
        &self,
        ctx: &Ctx<'js>,
        file: &str,
        text_of: &Function<'js>,
        meter: &Meter,
    ) -> Result<Function<'js>, Refusal> {
        compile(ctx, &format!("{HEAD}{}{TAIL}", self.text), file, text_of, meter)
    }

    /// Whether the text up to a byte, closed at once, is one whole function. The closing brace stands on the same line, so that a
    /// comment or an open string swallows it.
    pub(super) fn closes_at<'js>(&self, ctx: &Ctx<'js>, byte: usize, text_of: &Function<'js>, meter: &Meter) -> bool {
        let Some(prefix) = self.text.get(..byte) else { return false };
        compile(ctx, &format!("{HEAD}{prefix}}}"), BODY_FILE, text_of, meter).is_ok()
    }
}

/// How a text other than the whole body is refused as one; none when it is a body.
pub(super) fn refusal_of<'js>(ctx: &Ctx<'js>, text: &str, text_of: &Function<'js>, meter: &Meter) -> Option<Refusal> {
    compile(ctx, &format!("{HEAD}{text}{TAIL}"), BODY_FILE, text_of, meter).err()
}

fn compile<'js>(
    ctx: &Ctx<'js>,
    function_text: &str,
    file: &str,
    text_of: &Function<'js>,
    meter: &Meter,
) -> Result<Function<'js>, Refusal> {
    if let Some(nul) = function_text.find('\0') {
        return Err(Refusal::Nul(nul.saturating_sub(HEAD.len())));
    }
    let mut options = EvalOptions::default();
    options.strict = true;
    options.filename = Some(file.to_owned());
    let value: Value<'js> = match ctx.eval_with_options(format!("({function_text})"), options).catch(ctx) {
        Ok(value) => value,
        Err(error) => return Err(refusal(error, meter)),
    };
    let Some(function) = value.as_function() else { return Err(Refusal::Escapes) };
    match text_of.call::<_, String>((function.clone(),)).catch(ctx) {
        Ok(text) if text == function_text => Ok(function.clone()),
        Ok(_) => Err(Refusal::Escapes),
        Err(error) => Err(refusal(error, meter)),
    }
}

fn refusal(error: CaughtError<'_>, meter: &Meter) -> Refusal {
    if meter.was_stopped() {
        // A function expression runs nothing, so only a text that closes the wrapper can take time here.
        return Refusal::Escapes;
    }
    let exception = match error {
        CaughtError::Exception(exception) => exception,
        CaughtError::Value(_) => return Refusal::Escapes,
        CaughtError::Error(rquickjs::Error::Allocation | rquickjs::Error::Exception) => return Refusal::Memory,
        CaughtError::Error(error) => return Refusal::Engine(error.to_string()),
    };
    let message = exception.message().unwrap_or_default();
    let name: String = exception.as_object().get("name").unwrap_or_default();
    match name.as_str() {
        "SyntaxError" => {
            let place = exception.stack().as_deref().and_then(|stack| Place::of_first_frame(stack, BODY_FILE));
            Refusal::Syntax { place, message }
        }
        "InternalError" if message == "out of memory" => Refusal::Memory,
        "RangeError" | "InternalError" => Refusal::TooDeep,
        _ => Refusal::Escapes,
    }
}
