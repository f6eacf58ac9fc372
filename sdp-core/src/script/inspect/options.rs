//! What bounds and lays out a rendered value. Two presets come in (an answer, a line of `console.log`) and the settings
//! that a body hands to `inspect`; a value that makes no sense there is read as Node's algorithm would compare it, never refused.

use rquickjs::{Ctx, Object, Value};

/// How far `compact` goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Compact {
    /// `true`: as much as fits on a line.
    Always,
    /// A number: so many inner levels may share a line; `false` is 0.
    Levels(f64),
}

/// Settings of one rendering. Numbers are `f64`, because a body may say `Infinity` or a fraction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Options {
    /// Levels below the outermost value; infinite for `null`.
    pub depth: f64,
    /// Elements of an array, a Map or a Set.
    pub max_array: f64,
    /// UTF-16 units of a string.
    pub max_string: f64,
    /// Columns of a line.
    pub break_length: f64,
    pub compact: Compact,
    pub show_hidden: bool,
    pub show_proxy: bool,
    /// Whether an object's own `nodejs.util.inspect.custom` is called.
    pub custom: bool,
    /// Whether an iterator may be run to its end to show what it would give: only where nobody uses it afterwards.
    pub drain: bool,
}

impl Options {
    /// What `cargo sdp q` prints an answer with.
    pub(super) const fn answer() -> Self {
        Self { depth: 4.0, max_array: 200.0, max_string: 4000.0, break_length: 100.0, drain: true, ..Self::log() }
    }

    /// What `console.log` prints a value with when the output is not a terminal.
    pub(super) const fn log() -> Self {
        Self {
            depth: 2.0,
            max_array: 100.0,
            max_string: 10_000.0,
            break_length: 80.0,
            compact: Compact::Levels(3.0),
            show_hidden: false,
            show_proxy: false,
            custom: true,
            drain: false,
        }
    }

    /// The settings object of a body's own call of `inspect`, which the embedded script has filled with defaults.
    pub(super) fn from_settings(settings: &Object<'_>) -> rquickjs::Result<Self> {
        let number = |name: &str| -> rquickjs::Result<f64> {
            let value: Value<'_> = settings.get(name)?;
            Ok(value.as_number().unwrap_or(f64::INFINITY))
        };
        let flag = |name: &str| -> rquickjs::Result<bool> {
            let value: Value<'_> = settings.get(name)?;
            Ok(value.as_bool().unwrap_or(false))
        };
        let compact: Value<'_> = settings.get("compact")?;
        Ok(Self {
            depth: number("depth")?,
            max_array: number("maxArrayLength")?,
            max_string: number("maxStringLength")?,
            break_length: number("breakLength")?,
            compact: match (compact.as_bool(), compact.as_number()) {
                (Some(true), _) => Compact::Always,
                (_, Some(levels)) => Compact::Levels(levels),
                _ => Compact::Levels(0.0),
            },
            show_hidden: flag("showHidden")?,
            show_proxy: flag("showProxy")?,
            custom: flag("customInspect")?,
            drain: false,
        })
    }

    /// The settings as a custom inspection reads them; the embedded script adds what never varies.
    pub(super) fn to_settings<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
        let settings = Object::new_proto(ctx.clone(), None)?;
        settings.set("showHidden", self.show_hidden)?;
        settings.set("depth", if self.depth == f64::INFINITY { None } else { Some(self.depth) })?;
        settings.set("customInspect", self.custom)?;
        settings.set("showProxy", self.show_proxy)?;
        settings.set("maxArrayLength", self.max_array)?;
        settings.set("maxStringLength", self.max_string)?;
        settings.set("breakLength", self.break_length)?;
        match self.compact {
            Compact::Always => settings.set("compact", true)?,
            Compact::Levels(0.0) => settings.set("compact", false)?,
            Compact::Levels(levels) => settings.set("compact", levels)?,
        }
        Ok(settings)
    }

    /// Whether a value at this level is shown by its name alone.
    pub(super) fn beyond(&self, level: u32) -> bool {
        f64::from(level) > self.depth
    }

    /// Elements to show of `length`.
    pub(super) fn shown(&self, length: f64) -> f64 {
        self.max_array.max(0.0).min(length)
    }
}
