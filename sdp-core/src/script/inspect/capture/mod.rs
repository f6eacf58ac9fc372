//! Asks the engine about a value and makes the owned tree that `format` lays out. A live value comes in; bounded by depth, by
//! element counts, by a budget of bytes and by the deadline, its [`Shape`] goes out. Code of the body runs only where Node runs it.

mod entries;
mod identity;
mod kinds;
mod plan;

use rquickjs::{Array, Ctx, Object, String as JsString, Type, Value};

pub(super) use self::identity::prefix;
use self::{
    identity::Identity,
    plan::{Plan, Step},
};
use super::{
    Failure,
    format::LIMIT,
    intrinsics::Intrinsics,
    options::Options,
    shape::{Base, Entry, ObjectShape, Shape, StringShape},
    text::Text,
};

/// Nested objects at most, whatever depth a body asks for: the recursion must end before the stack does.
const MAX_NESTING: usize = 128;

/// Bytes of the budget that one node of the tree costs beside its text.
const NODE: usize = 16;

/// Makes the tree of a value.
///
/// # Errors
///
/// The engine threw or ran out of memory, the tree passes its budget, or `expired` answered true.
pub(super) fn capture<'js>(
    ctx: &Ctx<'js>,
    intrinsics: &Intrinsics<'js>,
    options: &Options,
    value: &Value<'js>,
    expired: &dyn Fn() -> bool,
) -> Result<Shape, Failure> {
    let mut capture = Capture {
        ctx,
        of: intrinsics,
        options,
        expired,
        seen: Vec::new(),
        circular: Vec::new(),
        drained: Vec::new(),
        spent: 0,
        steps: 0,
        nesting: 0,
    };
    capture.value(value, 0, false)
}

struct Capture<'a, 'js> {
    ctx: &'a Ctx<'js>,
    of: &'a Intrinsics<'js>,
    options: &'a Options,
    expired: &'a dyn Fn() -> bool,
    /// Objects whose entries are being captured, outermost first.
    seen: Vec<Object<'js>>,
    /// Objects that something inside them points back to, in the order of their numbers.
    circular: Vec<Object<'js>>,
    /// Iterators that were run to their end, with what they gave.
    drained: Vec<(Object<'js>, Array<'js>)>,
    spent: usize,
    steps: u32,
    nesting: usize,
}

impl<'js> Capture<'_, 'js> {
    fn spend(&mut self, bytes: usize) -> Result<(), Failure> {
        self.spent = self.spent.saturating_add(bytes).saturating_add(NODE);
        if self.spent > LIMIT {
            return Err(Failure::TooLarge);
        }
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(64) && (self.expired)() {
            return Err(Failure::Expired);
        }
        Ok(())
    }

    fn raw(&mut self, text: impl Into<Box<str>>) -> Result<Shape, Failure> {
        let text = text.into();
        self.spend(text.len())?;
        Ok(Shape::Raw(text))
    }

    fn lossy(&self, string: &JsString<'js>) -> Result<String, Failure> {
        Ok(Text::read(self.ctx, string)?.lossy())
    }

    /// A cell that the embedded script fills with a string or undefined.
    fn optional(&self, value: &Value<'js>) -> Result<Option<String>, Failure> {
        value.as_string().map(|string| self.lossy(string)).transpose()
    }

    fn value(&mut self, value: &Value<'js>, level: u32, inside_view: bool) -> Result<Shape, Failure> {
        let shape = match value.type_of() {
            Type::Undefined | Type::Uninitialized | Type::Module | Type::Unknown => Shape::Word("undefined"),
            Type::Null => Shape::Word("null"),
            Type::Bool => Shape::Word(if value.as_bool() == Some(true) { "true" } else { "false" }),
            Type::Int | Type::Float => Shape::Number(value.as_number().unwrap_or(f64::NAN)),
            Type::String => return self.string(value),
            Type::Symbol => {
                let text: JsString<'js> = self.of.symbol_text.call((value.clone(),))?;
                let text = self.lossy(&text)?;
                return self.raw(text);
            }
            Type::BigInt => {
                let text: JsString<'js> = self.of.text.call((value.clone(),))?;
                let text = format!("{}n", self.lossy(&text)?);
                return self.raw(text);
            }
            _ => match value.as_object() {
                Some(object) => return self.object(object, level, inside_view),
                None => Shape::Word("undefined"),
            },
        };
        self.spend(0)?;
        Ok(shape)
    }

    fn string(&mut self, value: &Value<'js>) -> Result<Shape, Failure> {
        let cut: Value<'js> = self.of.cut.call((value.clone(), self.options.max_string))?;
        let (text, more) = match cut.as_array() {
            Some(cut) => (Text::read(self.ctx, &cut.get(0)?)?, cut.get(1)?),
            None => match value.as_string() {
                Some(string) => (Text::read(self.ctx, string)?, 0.0),
                None => (Text::Plain(String::new()), 0.0),
            },
        };
        self.spend(text.weight())?;
        Ok(Shape::Text(Box::new(StringShape { text, more })))
    }

    fn object(&mut self, context: &Object<'js>, level: u32, inside_view: bool) -> Result<Shape, Failure> {
        let mut target = context.clone();
        let mut proxied = false;
        // A proxy is shown as its target, and so is a proxy of a proxy: no trap may run.
        while let Some(proxy) = target.as_proxy() {
            self.spend(0)?;
            let Ok(inner) = proxy.target() else {
                let _revoked = self.ctx.catch();
                return self.raw("<Revoked Proxy>");
            };
            if self.options.show_proxy {
                let handler = proxy.handler()?;
                return self.proxy(&inner, &handler, level);
            }
            proxied = true;
            target = inner;
        }
        let shape = self.opened(context, &target, proxied, level, inside_view);
        // rquickjs opens no proxy of a function. Its traps cannot be passed by, but what they throw is not the answer's.
        if target.is_proxy() && matches!(shape, Err(Failure::Engine(_))) && !(self.expired)() {
            let _trapped = self.ctx.catch();
            return self.raw("[Function (anonymous)]");
        }
        shape
    }

    /// An object behind its proxies.
    fn opened(
        &mut self,
        context: &Object<'js>,
        target: &Object<'js>,
        proxied: bool,
        level: u32,
        inside_view: bool,
    ) -> Result<Shape, Failure> {
        let head: Array<'js> = self.of.head.call((target.clone(), self.options.show_hidden, self.options.custom))?;
        let method: Value<'js> = head.get(3)?;
        let mut head = head;
        if method.is_function() {
            if let Some(shape) = self.custom(context, method, proxied, level)? {
                return Ok(shape);
            }
            head = self.of.head.call((target.clone(), self.options.show_hidden, false))?;
        }
        if self.seen.contains(target) {
            let index = match self.circular.iter().position(|known| known == target) {
                Some(at) => at + 1,
                None => {
                    self.circular.push(target.clone());
                    self.circular.len()
                }
            };
            return self.raw(format!("[Circular *{index}]"));
        }
        self.described(target, &head, level, inside_view)
    }

    fn proxy(&mut self, target: &Object<'js>, handler: &Object<'js>, level: u32) -> Result<Shape, Failure> {
        if self.options.beyond(level) {
            return self.raw("Proxy [Array]");
        }
        if self.nesting >= MAX_NESTING {
            return Err(self.overflow());
        }
        self.nesting += 1;
        let level = level.saturating_add(1);
        let entries = vec![
            Entry::Item(self.value(target.as_value(), level, false)?),
            Entry::Item(self.value(handler.as_value(), level, false)?),
        ];
        self.nesting -= 1;
        Ok(Shape::Object(Box::new(ObjectShape {
            base: Base::None,
            reference: None,
            open: "Proxy [".into(),
            close: "]",
            list: true,
            numeric: false,
            level,
            entries,
        })))
    }

    /// Lets the object speak for itself; `None` when it hands itself back.
    fn custom(
        &mut self,
        context: &Object<'js>,
        method: Value<'js>,
        proxied: bool,
        level: u32,
    ) -> Result<Option<Shape>, Failure> {
        if self.nesting >= MAX_NESTING {
            return Err(self.overflow());
        }
        let depth = if self.options.depth.is_infinite() && self.options.depth > 0.0 {
            Value::new_null(self.ctx.clone())
        } else {
            Value::new_number(self.ctx.clone(), self.options.depth - f64::from(level))
        };
        let settings = self.options.to_settings(self.ctx)?;
        let answer: Value<'js> = self.of.call_custom.call((method, context.clone(), depth, settings, proxied))?;
        if answer.as_object() == Some(context) {
            return Ok(None);
        }
        if let Some(text) = answer.as_string() {
            let text = self.lossy(text)?;
            self.spend(text.len())?;
            return Ok(Some(Shape::Block(text.into())));
        }
        self.nesting += 1;
        let shape = self.value(&answer, level, false)?;
        self.nesting -= 1;
        Ok(Some(shape))
    }

    fn overflow(&self) -> Failure {
        let thrown = self.of.overflow.call::<_, Value<'js>>(());
        Failure::Engine(match thrown {
            Ok(error) => self.ctx.throw(error),
            Err(error) => error,
        })
    }

    fn described(
        &mut self,
        object: &Object<'js>,
        head: &Array<'js>,
        level: u32,
        inside_view: bool,
    ) -> Result<Shape, Failure> {
        let name = self.name(&head.get(0)?, object, level)?;
        let tag = self.lossy(&head.get(1)?)?;
        let mut inherited = Vec::new();
        if self.options.show_hidden && !self.options.beyond(level) {
            inherited = self.inherited(object, level)?;
        }
        let identity = Identity { name, tag, more: !inherited.is_empty() };
        let iterable: bool = head.get(2)?;
        let mut step = None;
        if iterable || identity.name.is_none() {
            step = self.iterable(object, &identity, level)?;
        }
        let step = match step {
            Some(step) => step,
            None => self.other(object, &identity, level, iterable, inside_view)?,
        };
        let plan = match step {
            Step::Done(shape) => return Ok(shape),
            Step::Open(plan) => *plan,
        };
        if self.options.beyond(level) {
            let style = self.style(object, &identity)?;
            let style = style.strip_suffix(' ').unwrap_or(&style);
            return self.raw(if identity.name.is_some() { format!("[{style}]") } else { style.to_owned() });
        }
        if self.nesting >= MAX_NESTING {
            let style = self.style(object, &identity)?;
            let style = style.strip_suffix(' ').unwrap_or(&style);
            return self
                .raw(format!("[{style}: Inspection interrupted prematurely. Maximum call stack size exceeded.]"));
        }
        self.nesting += 1;
        self.seen.push(object.clone());
        let shape = self.open(object, plan, level.saturating_add(1), identity.name.is_none(), inherited);
        self.seen.pop();
        self.nesting -= 1;
        shape
    }

    fn open(
        &mut self,
        object: &Object<'js>,
        plan: Plan<'js>,
        level: u32,
        anonymous: bool,
        inherited: Vec<Entry>,
    ) -> Result<Shape, Failure> {
        let Plan { base, open, close, list, content, keys } = plan;
        self.spend(open.len())?;
        let mut entries = Vec::new();
        self.content(object, content, level, anonymous, &mut entries)?;
        self.properties(object, keys, level, &mut entries)?;
        entries.extend(inherited);
        let numeric = list && entries.len() > 6 && self.is_numeric(object, &entries)?;
        let reference = self.circular.iter().position(|known| known == object).map(|at| at + 1);
        Ok(Shape::Object(Box::new(ObjectShape {
            base,
            reference,
            open: open.into(),
            close,
            list,
            numeric,
            level,
            entries,
        })))
    }
}
