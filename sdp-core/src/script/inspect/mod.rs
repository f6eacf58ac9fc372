//! Renders values of a body as Node 20's `util.inspect` and `console.log` do. A live value comes in, text goes out, in two steps:
//! `capture` asks the engine and makes an owned tree, `format` lays the tree out. No code of a body runs but where Node would
//! run it, and no value makes it panic, hang or grow without bound.

mod capture;
mod error;
mod format;
mod function;
mod group;
mod intrinsics;
mod log;
mod options;
mod quote;
mod shape;
#[cfg(test)]
mod tests;
mod text;
mod width;

use rquickjs::{Coerced, Ctx, Value};

pub(crate) use self::intrinsics::Intrinsics;
use self::{options::Options, text::Text};
use crate::number;

/// Why a value has no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RenderError {
    /// Code of the body that rendering runs (a getter of a tag, a custom inspection) threw; its message.
    #[error("{0}")]
    Thrown(String),
    /// The deadline passed.
    #[error("the deadline passed while the answer was rendered")]
    Expired,
    /// The text would be longer than 64 MiB.
    #[error("the rendered answer exceeds 64 MB")]
    TooLarge,
}

/// The message of the error that the engine throws when it has no memory left.
pub(crate) const OUT_OF_MEMORY: &str = "out of memory";

/// Why a step stops. An exception stays pending in the Context, so that a body's own `inspect` can throw it on.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Engine(#[from] rquickjs::Error),
    #[error("the deadline passed while the answer was rendered")]
    Expired,
    #[error("the rendered answer exceeds 64 MB")]
    TooLarge,
}

/// The text that `cargo sdp q` prints for an answer, without a line feed at its end.
///
/// `intrinsics` are those of the Context that `ctx` stands for. `expired` is asked between steps; true ends the rendering.
///
/// # Errors
///
/// See [`RenderError`]. No exception stays pending.
pub(crate) fn render<'js>(
    ctx: &Ctx<'js>,
    intrinsics: &Intrinsics<'js>,
    value: &Value<'js>,
    expired: &dyn Fn() -> bool,
) -> Result<String, RenderError> {
    render_with(ctx, intrinsics, &Options::answer(), value, expired).map_err(|failure| refusal(ctx, failure, expired))
}

/// The text that `console.log(...values)` prints, without the line feed.
///
/// # Errors
///
/// See [`RenderError`]. No exception stays pending.
pub(crate) fn render_log<'js>(
    ctx: &Ctx<'js>,
    intrinsics: &Intrinsics<'js>,
    values: &[Value<'js>],
    expired: &dyn Fn() -> bool,
) -> Result<String, RenderError> {
    log::line(ctx, intrinsics, values, expired).map_err(|failure| refusal(ctx, failure, expired))
}

/// The text of a thrown value: an Error's message, else what `String(value)` says. Code of the body may run (`toString`); when
/// that throws too, a fixed text stands for the value.
pub(crate) fn string_of<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> String {
    const UNPRINTABLE: &str = "a thrown value that cannot be converted to a string";
    let text = text_of_thrown(ctx, value);
    text.unwrap_or_else(|_| {
        let _pending = ctx.catch();
        UNPRINTABLE.to_owned()
    })
}

fn text_of_thrown<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> rquickjs::Result<String> {
    if let Some(symbol) = value.as_symbol() {
        let description = symbol.description()?;
        return match description.as_string() {
            Some(description) => Ok(format!("Symbol({})", Text::read(ctx, description)?.lossy())),
            None => Ok("Symbol()".to_owned()),
        };
    }
    let mut value = value.clone();
    if value.is_error()
        && let Some(error) = value.as_object()
    {
        value = error.get("message")?;
    }
    let Coerced(string) = value.get::<Coerced<rquickjs::String<'js>>>()?;
    Ok(Text::read(ctx, &string)?.lossy())
}

fn render_with<'js>(
    ctx: &Ctx<'js>,
    intrinsics: &Intrinsics<'js>,
    options: &Options,
    value: &Value<'js>,
    expired: &dyn Fn() -> bool,
) -> Result<String, Failure> {
    let shape = capture::capture(ctx, intrinsics, options, value, expired)?;
    format::format(&shape, options, expired)
}

fn refusal<'js>(ctx: &Ctx<'js>, failure: Failure, expired: &dyn Fn() -> bool) -> RenderError {
    match failure {
        Failure::Expired => RenderError::Expired,
        Failure::TooLarge => RenderError::TooLarge,
        Failure::Engine(error) => {
            let pending = ctx.has_exception().then(|| ctx.catch());
            // The interrupt handler ends the engine's own steps with an error that no body can catch.
            if expired() {
                return RenderError::Expired;
            }
            RenderError::Thrown(pending.map_or_else(|| error.to_string(), |thrown| string_of(ctx, &thrown)))
        }
    }
}
