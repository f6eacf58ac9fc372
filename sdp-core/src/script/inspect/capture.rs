//! Asks the engine about a value and makes the owned tree that `format` lays out. A live value comes in; bounded by depth, by
//! element counts, by a budget of bytes and by the deadline, its [`Shape`] goes out. Code of the body runs only where Node runs it.

use rquickjs::{Array, Ctx, Filter, Object, String as JsString, Type, Value, promise::PromiseState};

use super::{
    Failure,
    error::{self, ErrorFacts},
    format::{self, LIMIT},
    function,
    intrinsics::Intrinsics,
    number::number,
    options::Options,
    quote,
    shape::{Base, Entry, ObjectShape, Shape, StringShape},
    text::Text,
};

/// Nested objects at most, whatever depth a body asks for: the recursion must end before the stack does.
const MAX_NESTING: usize = 200;

/// Properties that one call into the engine gives.
const CHUNK: usize = 256;

/// Bytes of the budget that one node of the tree costs beside its text.
const NODE: usize = 8;

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

/// What stands before the brace: constructor, size, tag; it ends with a space.
pub(super) fn prefix(constructor: Option<&str>, tag: &str, fallback: &str, size: &str) -> String {
    match constructor {
        None if !tag.is_empty() && fallback != tag => format!("[{fallback}{size}: null prototype] [{tag}] "),
        None => format!("[{fallback}{size}: null prototype] "),
        Some(name) if !tag.is_empty() && name != tag => format!("{name}{size} [{tag}] "),
        Some(name) => format!("{name}{size} "),
    }
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

/// Name and tag of an object, as they stand before its brace.
struct Identity {
    /// `None`: the object has no prototype.
    name: Option<String>,
    tag: String,
    /// Properties of prototypes will be shown, so the object is not empty.
    more: bool,
}

impl Identity {
    fn prefix(&self, fallback: &str, size: &str) -> String {
        prefix(self.name.as_deref(), &self.tag, fallback, size)
    }
}

/// How an object is shown, before anything inside it is looked at.
struct Plan<'js> {
    base: Base,
    open: String,
    close: &'static str,
    list: bool,
    content: Content<'js>,
    keys: Keys<'js>,
}

enum Step<'js> {
    /// The object has no entries to show.
    Done(Shape),
    Open(Plan<'js>),
}

/// Entries that come before the properties.
enum Content<'js> {
    None,
    Array,
    Set { size: f64 },
    Map { size: f64 },
    Typed { length: f64 },
    Iterator { pairs: bool, members: Array<'js> },
    Bytes,
    Promise,
    Weak,
}

/// Keys of the properties to show.
enum Keys<'js> {
    /// The list's own keys from an index on.
    List(Array<'js>, usize),
    Few(Vec<Value<'js>>),
}

impl Keys<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Self::List(list, from) => list.len() <= *from,
            Self::Few(keys) => keys.is_empty(),
        }
    }
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
        // rquickjs opens no proxy of a function. Its traps cannot be passed by, but what they throw is not the answer's.
        if target.is_proxy() {
            return match self.described(&target, level, inside_view) {
                Err(Failure::Engine(_)) if !(self.expired)() => {
                    let _trapped = self.ctx.catch();
                    self.raw("[Function (anonymous)]")
                }
                shape => shape,
            };
        }
        if self.options.custom
            && let Some(shape) = self.custom(context, &target, proxied, level)?
        {
            return Ok(shape);
        }
        if self.seen.contains(&target) {
            let index = match self.circular.iter().position(|known| *known == target) {
                Some(at) => at + 1,
                None => {
                    self.circular.push(target);
                    self.circular.len()
                }
            };
            return self.raw(format!("[Circular *{index}]"));
        }
        self.described(&target, level, inside_view)
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

    /// Lets the object speak for itself; `None` when it does not, or hands itself back.
    fn custom(
        &mut self,
        context: &Object<'js>,
        target: &Object<'js>,
        proxied: bool,
        level: u32,
    ) -> Result<Option<Shape>, Failure> {
        let method: Value<'js> = target.get(self.of.custom.as_atom())?;
        if !method.is_function() || method == *self.of.inspect.as_value() {
            return Ok(None);
        }
        if self.of.is_prototype.call::<_, bool>((target.clone(),))? {
            return Ok(None);
        }
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

    fn described(&mut self, object: &Object<'js>, level: u32, inside_view: bool) -> Result<Shape, Failure> {
        let head: Array<'js> = self.of.head.call((object.clone(), self.options.show_hidden))?;
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
            step = self.iterable(object, &identity)?;
        }
        let step = match step {
            Some(step) => step,
            None => self.other(object, &identity, level, inside_view)?,
        };
        let plan = match step {
            Step::Done(shape) => return Ok(shape),
            Step::Open(plan) => plan,
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

    /// Whether every element is a number: then columns align at the right.
    fn is_numeric(&self, object: &Object<'js>, entries: &[Entry]) -> Result<bool, Failure> {
        let could_be = entries
            .iter()
            .all(|entry| !matches!(entry, Entry::Item(Shape::Word(_) | Shape::Text(_) | Shape::Object(_))));
        Ok(could_be && self.of.all_numbers.call::<_, bool>((object.clone(), entries.len()))?)
    }

    /// Properties of the prototypes, for a view of what is hidden.
    fn inherited(&mut self, object: &Object<'js>, level: u32) -> Result<Vec<Entry>, Failure> {
        let cells: Array<'js> = self.of.prototype_properties.call((object.clone(),))?;
        let mut entries = Vec::new();
        if self.nesting >= MAX_NESTING {
            return Ok(entries);
        }
        self.nesting += 1;
        self.seen.push(object.clone());
        let walked = self.keyed(&cells, level, &mut entries);
        self.seen.pop();
        self.nesting -= 1;
        walked.map(|()| entries)
    }

    // --- Names -----------------------------------------------------------------------------------------------------------

    /// The constructor's name from the head's first cell: a name, null, or undefined for a prototype chain that names none.
    fn name(&mut self, cell: &Value<'js>, object: &Object<'js>, level: u32) -> Result<Option<String>, Failure> {
        if let Some(name) = cell.as_string() {
            return Ok(Some(self.lossy(name)?));
        }
        if cell.is_null() {
            return Ok(None);
        }
        let own = self.class_name(object)?;
        let Some(proto) = object.get_prototype() else { return Ok(None) };
        if self.options.beyond(level) {
            return Ok(Some(format!("{own} <Complex prototype>")));
        }
        if self.nesting >= MAX_NESTING {
            return Err(self.overflow());
        }
        self.nesting += 1;
        let head: Array<'js> = self.of.head.call((proto.clone(), false))?;
        let above = self.name(&head.get(0)?, &proto, level.saturating_add(1))?;
        self.nesting -= 1;
        let above = match above {
            Some(name) => name,
            None => {
                let options = Options { custom: false, depth: -1.0, ..self.options.clone() };
                let shape = capture(self.ctx, self.of, &options, proto.as_value(), self.expired)?;
                format::format(&shape, &options, self.expired)?
            }
        };
        self.spend(above.len())?;
        Ok(Some(format!("{own} <{above}>")))
    }

    /// What the engine itself calls the kind of the object.
    fn class_name(&self, object: &Object<'js>) -> Result<String, Failure> {
        if object.is_array() {
            return Ok("Array".to_owned());
        }
        if object.is_function() {
            return Ok("Function".to_owned());
        }
        if object.is_error() {
            return Ok("Error".to_owned());
        }
        if object.is_promise() {
            return Ok("Promise".to_owned());
        }
        let collection: Value<'js> = self.of.collection.call((object.clone(),))?;
        if let Some(collection) = collection.as_array() {
            return self.lossy(&collection.get(0)?);
        }
        let brand: Value<'js> = self.of.brand.call((object.clone(),))?;
        Ok(self.optional(&brand)?.unwrap_or_else(|| "Object".to_owned()))
    }

    /// Constructor and tag of an object that has no prefix of its own kind.
    fn style(&self, object: &Object<'js>, identity: &Identity) -> Result<String, Failure> {
        let mut fallback = String::new();
        if identity.name.is_none() {
            fallback = self.class_name(object)?;
            if fallback == identity.tag {
                "Object".clone_into(&mut fallback);
            }
        }
        Ok(identity.prefix(&fallback, ""))
    }

    // --- Kinds -----------------------------------------------------------------------------------------------------------

    fn keys(&self, object: &Object<'js>) -> Result<Keys<'js>, Failure> {
        let keys: Array<'js> = self.of.keys.call((object.clone(), self.options.show_hidden))?;
        Ok(Keys::List(keys, 0))
    }

    /// Keys of an array beside its elements. The engine lists elements first, then names, so names are read from the end.
    fn extra_keys(&self, object: &Object<'js>) -> Result<Keys<'js>, Failure> {
        let mut filter = Filter::new().string();
        if !self.options.show_hidden {
            filter = filter.enum_only();
        }
        let mut keys = Vec::new();
        for key in object.own_keys::<JsString<'js>>(filter).rev() {
            let key = key?;
            if is_element(&Text::read(self.ctx, &key)?) {
                break;
            }
            keys.push(key.into_value());
        }
        keys.reverse();
        let symbols: Array<'js> = self.of.symbol_keys.call((object.clone(), self.options.show_hidden))?;
        for symbol in symbols.iter() {
            keys.push(symbol?);
        }
        Ok(Keys::Few(keys))
    }

    /// Arrays, Sets, Maps, typed arrays and iterators; `None` for everything else.
    fn iterable(&mut self, object: &Object<'js>, identity: &Identity) -> Result<Option<Step<'js>>, Failure> {
        let bare = |keys: &Keys<'js>| keys.is_empty() && !identity.more;
        let plan = |open: String, close, list, content, keys| {
            Step::Open(Plan { base: Base::None, open, close, list, content, keys })
        };
        if let Some(array) = object.as_array() {
            let length: f64 = array.as_object().get("length")?;
            let plain = identity.name.as_deref() == Some("Array") && identity.tag.is_empty();
            let prefix = if plain { String::new() } else { identity.prefix("Array", &format!("({})", number(length))) };
            let keys = self.extra_keys(object)?;
            if length == 0.0 && bare(&keys) {
                return Ok(Some(Step::Done(self.raw(format!("{prefix}[]"))?)));
            }
            return Ok(Some(plan(format!("{prefix}["), "]", true, Content::Array, keys)));
        }
        let collection: Value<'js> = self.of.collection.call((object.clone(),))?;
        if let Some(collection) = collection.as_array() {
            let kind = self.lossy(&collection.get(0)?)?;
            let size: f64 = collection.get(1)?;
            let typed: Option<bool> = collection.get(2)?;
            let prefix = identity.prefix(&kind, &format!("({})", number(size)));
            if typed == Some(true) {
                let keys = self.extra_keys(object)?;
                if size == 0.0 && keys.is_empty() && !self.options.show_hidden {
                    return Ok(Some(Step::Done(self.raw(format!("{prefix}[]"))?)));
                }
                return Ok(Some(plan(format!("{prefix}["), "]", true, Content::Typed { length: size }, keys)));
            }
            let keys = self.keys(object)?;
            if size == 0.0 && bare(&keys) {
                return Ok(Some(Step::Done(self.raw(format!("{prefix}{{}}"))?)));
            }
            let content = if kind == "Set" { Content::Set { size } } else { Content::Map { size } };
            return Ok(Some(plan(format!("{prefix}{{"), "}", false, content, keys)));
        }
        self.iterator(object, identity)
    }

    /// An iterator over a Map or a Set. It can only be read by running it, so it is read when nobody can need it afterwards.
    fn iterator(&mut self, object: &Object<'js>, identity: &Identity) -> Result<Option<Step<'js>>, Failure> {
        if !self.options.drain {
            return Ok(None);
        }
        let kind: Value<'js> = self.of.iterator_kind.call((object.clone(),))?;
        let Some(kind) = self.optional(&kind)? else { return Ok(None) };
        let drained = match self.drained.iter().find(|(known, _)| known == object) {
            Some((_, drained)) => drained.clone(),
            None => {
                let drained: Value<'js> = self.of.drain.call((object.clone(), kind.as_str()))?;
                let Some(drained) = drained.as_array() else { return Ok(None) };
                self.drained.push((object.clone(), drained.clone()));
                drained.clone()
            }
        };
        let pairs: bool = drained.get(0)?;
        let members: Array<'js> = drained.get(1)?;
        let own_tag = format!("{kind} Iterator");
        let mut open = match identity.tag.as_str() {
            tag if tag == own_tag || tag.is_empty() => format!("[{own_tag}] {{"),
            tag => format!("[{tag}] [{own_tag}] {{"),
        };
        if pairs && let Some(head) = open.strip_suffix(" Iterator] {") {
            open = format!("{head} Entries] {{");
        }
        let keys = self.keys(object)?;
        Ok(Some(Step::Open(Plan {
            base: Base::None,
            open,
            close: "}",
            list: false,
            content: Content::Iterator { pairs, members },
            keys,
        })))
    }

    /// Everything that is not iterable in the sense of [`Self::iterable`].
    fn other(
        &mut self,
        object: &Object<'js>,
        identity: &Identity,
        level: u32,
        inside_view: bool,
    ) -> Result<Step<'js>, Failure> {
        let bare = |keys: &Keys<'js>| keys.is_empty() && !identity.more;
        let keys = self.keys(object)?;
        let plan = |base: Base, open: String, content, keys| {
            Step::Open(Plan { base, open, close: "}", list: false, content, keys })
        };
        if object.is_function() {
            let base = self.function(object, identity)?;
            if bare(&keys) {
                return Ok(Step::Done(self.raw(base)?));
            }
            return Ok(plan(Base::Raw(base.into()), "{".to_owned(), Content::None, keys));
        }
        if identity.name.as_deref() == Some("Object") {
            let open = if self.of.is_arguments.call::<_, bool>((object.clone(),))? {
                "[Arguments] {".to_owned()
            } else if identity.tag.is_empty() {
                "{".to_owned()
            } else {
                format!("{}{{", identity.prefix("Object", ""))
            };
            if bare(&keys) {
                return Ok(Step::Done(self.raw(format!("{open}}}"))?));
            }
            return Ok(plan(Base::None, open, Content::None, keys));
        }
        if object.is_error() {
            return self.error(object, identity, keys);
        }
        if object.is_promise() {
            let open = format!("{}{{", identity.prefix("Promise", ""));
            return Ok(plan(Base::None, open, Content::Promise, keys));
        }
        let brand: Value<'js> = self.of.brand.call((object.clone(),))?;
        let Some(brand) = self.optional(&brand)? else {
            if self.of.is_error.call::<_, bool>((object.clone(), false))? {
                return self.error(object, identity, keys);
            }
            let style = self.style(object, identity)?;
            if bare(&keys) {
                return Ok(Step::Done(self.raw(format!("{style}{{}}"))?));
            }
            return Ok(plan(Base::None, format!("{style}{{"), Content::None, keys));
        };
        match brand.as_str() {
            "RegExp" | "Date" => {
                let text: JsString<'js> = if brand == "Date" {
                    self.of.date_text.call((object.clone(),))?
                } else {
                    self.of.reg_exp_text.call((object.clone(), identity.name.is_none()))?
                };
                let mut base = self.lossy(&text)?;
                let prefix = identity.prefix(&brand, "");
                if prefix.strip_suffix(' ') != Some(brand.as_str()) {
                    base = format!("{prefix}{base}");
                }
                // A regular expression says enough of itself even where nothing inside it is shown.
                if bare(&keys) || (brand == "RegExp" && self.options.beyond(level)) {
                    return Ok(Step::Done(self.raw(base)?));
                }
                Ok(plan(Base::Raw(base.into()), "{".to_owned(), Content::None, keys))
            }
            "ArrayBuffer" | "SharedArrayBuffer" => {
                let prefix = identity.prefix(&brand, "");
                if inside_view && bare(&keys) {
                    let length: f64 = object.get("byteLength")?;
                    return Ok(Step::Done(self.raw(format!("{prefix}{{ byteLength: {} }}", number(length)))?));
                }
                let content = if inside_view { Content::None } else { Content::Bytes };
                Ok(plan(Base::None, format!("{prefix}{{"), content, self.led_by(&["byteLength"], keys)?))
            }
            "DataView" => {
                let open = format!("{}{{", identity.prefix("DataView", ""));
                let keys = self.led_by(&["byteLength", "byteOffset", "buffer"], keys)?;
                Ok(plan(Base::None, open, Content::None, keys))
            }
            "WeakSet" | "WeakMap" => {
                let open = format!("{}{{", identity.prefix(&brand, ""));
                Ok(plan(Base::None, open, Content::Weak, keys))
            }
            _ => self.boxed(object, identity, &brand, keys),
        }
    }

    fn led_by(&self, names: &[&str], keys: Keys<'js>) -> Result<Keys<'js>, Failure> {
        let mut few = Vec::new();
        for name in names {
            few.push(JsString::from_str(self.ctx.clone(), name)?.into_value());
        }
        few.extend(into_few(keys)?);
        Ok(Keys::Few(few))
    }

    fn boxed(
        &mut self,
        object: &Object<'js>,
        identity: &Identity,
        brand: &str,
        keys: Keys<'js>,
    ) -> Result<Step<'js>, Failure> {
        let inner: Value<'js> = self.of.unbox.call((brand, object.clone()))?;
        let keys = match keys {
            // The characters of a boxed string are its first keys; they are in its text already.
            Keys::List(list, _) if brand == "String" => {
                let length: usize = object.get("length")?;
                Keys::List(list, length)
            }
            keys => keys,
        };
        let kind = match identity.name.as_deref() {
            Some(name) if name == brand => brand.to_owned(),
            Some(name) => format!("{brand} ({name})"),
            None => format!("{brand} (null prototype)"),
        };
        let shape = self.value(&inner, 0, false)?;
        // Node prints the primitive at the place where the box stands; only a long string could tell, by its line breaks.
        let text = format::format(&shape, self.options, self.expired)?;
        let mut base = format!("[{kind}: {text}]");
        if !identity.tag.is_empty() && identity.name.as_deref() != Some(identity.tag.as_str()) {
            base.push_str(&format!(" [{}]", identity.tag));
        }
        if keys.is_empty() && !identity.more {
            return Ok(Step::Done(self.raw(base)?));
        }
        Ok(Step::Open(Plan {
            base: Base::Raw(base.into()),
            open: "{".to_owned(),
            close: "}",
            list: false,
            content: Content::None,
            keys,
        }))
    }

    fn function(&self, object: &Object<'js>, identity: &Identity) -> Result<String, Failure> {
        let source: JsString<'js> = self.of.function_source.call((object.clone(),))?;
        let source = self.lossy(&source)?;
        let name = identity.name.as_deref();
        let tag = |base: &mut String| {
            if !identity.tag.is_empty() && name != Some(identity.tag.as_str()) {
                base.push_str(&format!(" [{}]", identity.tag));
            }
        };
        if function::is_class(&source) {
            let names: Array<'js> = self.of.class_names.call((object.clone(), name.is_none()))?;
            let mut base = format!("class {}", self.lossy(&names.get(0)?)?);
            if let Some(name) = name.filter(|name| *name != "Function") {
                base.push_str(&format!(" [{name}]"));
            }
            tag(&mut base);
            match self.optional(&names.get(1)?)? {
                _ if name.is_none() => base.push_str(" extends [null prototype]"),
                Some(parent) => base.push_str(&format!(" extends {parent}")),
                None => {}
            }
            return Ok(format!("[{base}]"));
        }
        let kind = function::kind(&source);
        let mut base = format!("[{kind}");
        if name.is_none() {
            base.push_str(" (null prototype)");
        }
        let own_name: Value<'js> = self.of.function_name.call((object.clone(),))?;
        match self.optional(&own_name)? {
            Some(own) => base.push_str(&format!(": {own}")),
            None => base.push_str(" (anonymous)"),
        }
        base.push(']');
        if let Some(name) = name.filter(|name| *name != kind) {
            base.push_str(&format!(" {name}"));
        }
        tag(&mut base);
        Ok(base)
    }

    fn error(&mut self, object: &Object<'js>, identity: &Identity, keys: Keys<'js>) -> Result<Step<'js>, Failure> {
        let facts: Array<'js> = self.of.error_facts.call((object.clone(),))?;
        let name = self.lossy(&facts.get(0)?)?;
        let stack = self.lossy(&facts.get(1)?)?;
        let message = self.optional(&facts.get(2)?)?;
        let shown: [(bool, &str); 3] = [(facts.get(3)?, "name"), (facts.get(4)?, "message"), (facts.get(5)?, "stack")];
        let (has_cause, has_errors): (bool, bool) = (facts.get(6)?, facts.get(7)?);
        let cause: Value<'js> = facts.get(8)?;
        let mut cause_stack = None;
        if let Some(cause) = cause.as_object()
            && self.of.is_error.call::<_, bool>((cause.clone(), cause.is_error()))?
        {
            let facts: Array<'js> = self.of.error_facts.call((cause.clone(),))?;
            cause_stack = Some(self.lossy(&facts.get(1)?)?);
        }
        let mut keys = into_few(keys)?;
        let position = |keys: &[Value<'js>], wanted: &str| -> Result<Option<usize>, Failure> {
            for (at, key) in keys.iter().enumerate() {
                if self.optional(key)?.as_deref() == Some(wanted) {
                    return Ok(Some(at));
                }
            }
            Ok(None)
        };
        if !self.options.show_hidden {
            // What the stack says already is not said again.
            for (in_stack, key) in shown {
                if in_stack && let Some(at) = position(&keys, key)? {
                    keys.remove(at);
                }
            }
        }
        for (present, key) in [(has_cause, "cause"), (has_errors, "errors")] {
            if present && position(&keys, key)?.is_none() {
                keys.push(JsString::from_str(self.ctx.clone(), key)?.into_value());
            }
        }
        let facts = ErrorFacts { name, stack, message, cause_stack };
        let block = error::block(&facts, identity.name.as_deref(), &identity.tag);
        self.spend(block.len())?;
        if keys.is_empty() && !identity.more {
            return Ok(Step::Done(Shape::Block(block.into())));
        }
        Ok(Step::Open(Plan {
            base: Base::Block(block.into()),
            open: "{".to_owned(),
            close: "}",
            list: false,
            content: Content::None,
            keys: Keys::Few(keys),
        }))
    }

    // --- Entries ---------------------------------------------------------------------------------------------------------

    fn content(
        &mut self,
        object: &Object<'js>,
        content: Content<'js>,
        level: u32,
        anonymous: bool,
        entries: &mut Vec<Entry>,
    ) -> Result<(), Failure> {
        match content {
            Content::None => {}
            Content::Array => self.array(object, level, entries)?,
            Content::Set { size } => {
                let limit = if anonymous { f64::INFINITY } else { self.options.shown(size) };
                let members: Array<'js> = self.of.set_members.call((object.clone(), limit, anonymous))?;
                for member in members.iter() {
                    entries.push(Entry::Item(self.value(&member?, level, false)?));
                }
                if !anonymous {
                    self.rest(size - limit, "item", entries)?;
                }
            }
            Content::Map { size } => {
                let limit = if anonymous { f64::INFINITY } else { self.options.shown(size) };
                let members: Array<'js> = self.of.map_members.call((object.clone(), limit, anonymous))?;
                self.pairs(&members, level, Entry::Pair, f64::INFINITY, entries)?;
                if !anonymous {
                    self.rest(size - limit, "item", entries)?;
                }
            }
            Content::Typed { length } => {
                let limit = self.options.shown(length);
                let members: Array<'js> = self.of.typed_elements.call((object.clone(), limit))?;
                for member in members.iter() {
                    entries.push(Entry::Item(self.value(&member?, level, false)?));
                }
                self.rest(length - limit, "item", entries)?;
                if self.options.show_hidden {
                    for key in ["BYTES_PER_ELEMENT", "length", "byteLength", "byteOffset", "buffer"] {
                        let value: Value<'js> = object.get(key)?;
                        let value = self.value(&value, level, true)?;
                        entries.push(Entry::Property { key: format!("[{key}]").into(), value });
                    }
                }
            }
            Content::Iterator { pairs, members } => {
                #[expect(clippy::cast_precision_loss, reason = "a count of values in memory, far below 2^53")]
                let length = if pairs { members.len() / 2 } else { members.len() } as f64;
                let limit = self.options.shown(length);
                if pairs {
                    self.pairs(&members, level, Entry::Cell, limit, entries)?;
                } else {
                    let mut left = limit;
                    for member in members.iter() {
                        if left < 1.0 {
                            break;
                        }
                        left -= 1.0;
                        entries.push(Entry::Item(self.value(&member?, level, false)?));
                    }
                }
                self.rest(length - limit, "item", entries)?;
            }
            Content::Bytes => {
                let bytes: Value<'js> = self.of.bytes.call((object.clone(), self.options.max_array))?;
                let Some(bytes) = bytes.as_array() else {
                    entries.push(Entry::Raw("(detached)".into()));
                    return Ok(());
                };
                let length: f64 = bytes.get(0)?;
                let mut text = String::new();
                let shown: Array<'js> = bytes.get(1)?;
                for byte in shown.iter::<u8>() {
                    self.spend(3)?;
                    let separator = if text.is_empty() { "" } else { " " };
                    text.push_str(&format!("{separator}{:02x}", byte?));
                }
                let more = length - self.options.max_array;
                if more > 0.0 {
                    let plural = if more > 1.0 { "s" } else { "" };
                    text.push_str(&format!(" ... {} more byte{plural}", number(more)));
                }
                entries.push(Entry::Raw(format!("[Uint8Contents]: <{text}>").into()));
            }
            Content::Promise => entries.push(self.promise(object, level)?),
            Content::Weak => entries.push(Entry::Raw("<items unknown>".into())),
        }
        Ok(())
    }

    fn promise(&mut self, object: &Object<'js>, level: u32) -> Result<Entry, Failure> {
        let Some(promise) = object.as_promise() else { return Ok(Entry::Raw("<pending>".into())) };
        match promise.state() {
            PromiseState::Pending => Ok(Entry::Raw("<pending>".into())),
            PromiseState::Resolved => {
                let value = promise.result::<Value<'js>>().transpose()?;
                let value = value.unwrap_or_else(|| Value::new_undefined(self.ctx.clone()));
                Ok(Entry::Item(self.value(&value, level, false)?))
            }
            PromiseState::Rejected => {
                // rquickjs gives the reason by throwing it.
                let _thrown = promise.result::<Value<'js>>();
                let reason = self.ctx.catch();
                Ok(Entry::Rejected(self.value(&reason, level, false)?))
            }
        }
    }

    fn pairs(
        &mut self,
        members: &Array<'js>,
        level: u32,
        entry: fn(Shape, Shape) -> Entry,
        limit: f64,
        entries: &mut Vec<Entry>,
    ) -> Result<(), Failure> {
        let mut left = limit;
        let mut cells = members.iter::<Value<'js>>();
        while let (true, Some(key), Some(value)) = (left >= 1.0, cells.next(), cells.next()) {
            left -= 1.0;
            let key = self.value(&key?, level, false)?;
            let value = self.value(&value?, level, false)?;
            entries.push(entry(key, value));
        }
        Ok(())
    }

    fn rest(&mut self, more: f64, what: &str, entries: &mut Vec<Entry>) -> Result<(), Failure> {
        if more > 0.0 {
            self.spend(0)?;
            let plural = if more > 1.0 { "s" } else { "" };
            entries.push(Entry::Raw(format!("... {} more {what}{plural}", number(more)).into()));
        }
        Ok(())
    }

    fn array(&mut self, object: &Object<'js>, level: u32, entries: &mut Vec<Entry>) -> Result<(), Failure> {
        let length: f64 = object.get("length")?;
        let limit = self.options.shown(length);
        let mut at = 0.0;
        while at < limit {
            let to = (at + 256.0).min(limit.ceil());
            let cells: Array<'js> = self.of.elements.call((object.clone(), at, to))?;
            self.elements(&cells, level, entries)?;
            #[expect(clippy::cast_precision_loss, reason = "at most the size of a chunk")]
            let got = (cells.len() / 2) as f64;
            if got < to - at {
                let cells: Array<'js> = self.of.sparse.call((object.clone(), at + got, limit))?;
                return self.elements(&cells, level, entries);
            }
            at = to;
        }
        self.rest(length - limit, "item", entries)
    }

    /// Cells of the embedded script's `elements` and `sparse`: what it is, value.
    fn elements(&mut self, cells: &Array<'js>, level: u32, entries: &mut Vec<Entry>) -> Result<(), Failure> {
        let mut cells = cells.iter::<Value<'js>>();
        while let (Some(kind), Some(value)) = (cells.next(), cells.next()) {
            let (kind, value) = (kind?.as_int().unwrap_or_default(), value?);
            let entry = match kind {
                8 => {
                    let count = value.as_number().unwrap_or_default();
                    let plural = if count > 1.0 { "s" } else { "" };
                    Entry::Raw(format!("<{} empty item{plural}>", number(count)).into())
                }
                9 => {
                    self.rest(value.as_number().unwrap_or_default(), "item", entries)?;
                    continue;
                }
                _ => Entry::Item(self.slot(kind, &value, level)?),
            };
            self.spend(0)?;
            entries.push(entry);
        }
        Ok(())
    }

    /// The value of a property, or the word for its accessors.
    fn slot(&mut self, kind: i32, value: &Value<'js>, level: u32) -> Result<Shape, Failure> {
        match kind & 3 {
            1 => Ok(Shape::Word("[Getter/Setter]")),
            2 => Ok(Shape::Word("[Getter]")),
            3 => Ok(Shape::Word("[Setter]")),
            _ => self.value(value, level, false),
        }
    }

    fn properties(
        &mut self,
        object: &Object<'js>,
        keys: Keys<'js>,
        level: u32,
        entries: &mut Vec<Entry>,
    ) -> Result<(), Failure> {
        match keys {
            Keys::Few(keys) => {
                for key in keys {
                    let cells: Array<'js> = self.of.property.call((object.clone(), key.clone()))?;
                    let kind: i32 = cells.get(0)?;
                    self.property_entry(&key, kind, &cells.get(1)?, level, entries)?;
                }
            }
            Keys::List(keys, from) => {
                let mut at = from;
                let count = keys.len();
                while at < count {
                    let to = at.saturating_add(CHUNK).min(count);
                    let cells: Array<'js> = self.of.properties.call((object.clone(), keys.clone(), at, to))?;
                    self.keyed(&cells, level, entries)?;
                    at = to;
                }
            }
        }
        Ok(())
    }

    /// Cells of the embedded script's `properties`: key, what it is, value.
    fn keyed(&mut self, cells: &Array<'js>, level: u32, entries: &mut Vec<Entry>) -> Result<(), Failure> {
        let mut cells = cells.iter::<Value<'js>>();
        while let (Some(key), Some(kind), Some(value)) = (cells.next(), cells.next(), cells.next()) {
            let kind = kind?.as_int().unwrap_or_default();
            self.property_entry(&key?, kind, &value?, level, entries)?;
        }
        Ok(())
    }

    fn property_entry(
        &mut self,
        key: &Value<'js>,
        kind: i32,
        value: &Value<'js>,
        level: u32,
        entries: &mut Vec<Entry>,
    ) -> Result<(), Failure> {
        let hidden = kind & 4 != 0;
        let key = match key.as_string() {
            Some(name) => quote::key(&Text::read(self.ctx, name)?, hidden),
            None => {
                let text: JsString<'js> = self.of.symbol_text.call((key.clone(),))?;
                quote::symbol_key(&Text::read(self.ctx, &text)?)
            }
        };
        self.spend(key.len())?;
        let value = self.slot(kind, value, level)?;
        entries.push(Entry::Property { key: key.into(), value });
        Ok(())
    }
}

fn into_few<'js>(keys: Keys<'js>) -> Result<Vec<Value<'js>>, Failure> {
    match keys {
        Keys::Few(keys) => Ok(keys),
        Keys::List(list, from) => Ok(list.iter().skip(from).collect::<rquickjs::Result<_>>()?),
    }
}

/// Whether a key names an element of an array: a decimal without leading zero, below 2^32 - 1.
fn is_element(key: &Text) -> bool {
    let Text::Plain(name) = key else { return false };
    let canonical = name == "0" || (!name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit()));
    canonical && name.parse::<u32>().is_ok_and(|index| index < u32::MAX)
}
