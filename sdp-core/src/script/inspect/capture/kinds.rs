//! Which kind of object a value is, and how that kind is shown. An object with its names comes in, a plan for its entries or the
//! finished text of an empty one goes out. Kinds are told by the engine's own brands, never by what a prototype claims.

use rquickjs::{Array, Filter, Object, String as JsString, Value};

use super::{
    Base, Capture, Failure, Shape,
    entries::CHUNK,
    identity::Identity,
    plan::{Content, Keys, Plan, Step, into_few},
};
use crate::script::inspect::{
    error::{self, ErrorFacts},
    format, function,
    number::number,
    text::Text,
};

impl<'js> Capture<'_, 'js> {
    /// The properties to show. A small object gives them with its keys, unless it is too deep to show them.
    fn keys(&self, object: &Object<'js>, level: u32) -> Result<Keys<'js>, Failure> {
        let at_once = if self.options.beyond(level) { 0 } else { CHUNK };
        let found: Array<'js> = self.of.keys.call((object.clone(), self.options.show_hidden, at_once))?;
        let list: Array<'js> = found.get(0)?;
        let whole: bool = found.get(1)?;
        Ok(if whole { Keys::Cells(list, 0) } else { Keys::List(list) })
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
        if object.own_keys::<JsString<'js>>(Filter::new().symbol()).next().is_none() {
            return Ok(Keys::Few(keys));
        }
        let symbols: Array<'js> = self.of.symbol_keys.call((object.clone(), self.options.show_hidden))?;
        for symbol in symbols.iter() {
            keys.push(symbol?);
        }
        Ok(Keys::Few(keys))
    }

    /// Arrays, Sets, Maps, typed arrays and iterators; `None` for everything else.
    pub(super) fn iterable(
        &mut self,
        object: &Object<'js>,
        identity: &Identity,
        level: u32,
    ) -> Result<Option<Step<'js>>, Failure> {
        let bare = |keys: &Keys<'js>| keys.is_empty() && !identity.more;
        let plan = |open: String, close, list, content, keys| {
            Step::Open(Box::new(Plan { base: Base::None, open, close, list, content, keys }))
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
            let keys = self.keys(object, level)?;
            if size == 0.0 && bare(&keys) {
                return Ok(Some(Step::Done(self.raw(format!("{prefix}{{}}"))?)));
            }
            let content = if kind == "Set" { Content::Set { size } } else { Content::Map { size } };
            return Ok(Some(plan(format!("{prefix}{{"), "}", false, content, keys)));
        }
        self.iterator(object, identity, level)
    }

    /// An iterator over a Map or a Set. It can only be read by running it, so it is read when nobody can need it afterwards.
    fn iterator(
        &mut self,
        object: &Object<'js>,
        identity: &Identity,
        level: u32,
    ) -> Result<Option<Step<'js>>, Failure> {
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
        let keys = self.keys(object, level)?;
        Ok(Some(Step::Open(Box::new(Plan {
            base: Base::None,
            open,
            close: "}",
            list: false,
            content: Content::Iterator { pairs, members },
            keys,
        }))))
    }

    /// Everything that is not iterable in the sense of [`Self::iterable`].
    pub(super) fn other(
        &mut self,
        object: &Object<'js>,
        identity: &Identity,
        level: u32,
        iterable: bool,
        inside_view: bool,
    ) -> Result<Step<'js>, Failure> {
        let bare = |keys: &Keys<'js>| keys.is_empty() && !identity.more;
        let keys = self.keys(object, level)?;
        let plan = |base: Base, open: String, content, keys| {
            Step::Open(Box::new(Plan { base, open, close: "}", list: false, content, keys }))
        };
        if object.is_function() {
            let base = self.function(object, identity)?;
            if bare(&keys) {
                return Ok(Step::Done(self.raw(base)?));
            }
            return Ok(plan(Base::Raw(base.into()), "{".to_owned(), Content::None, keys));
        }
        if identity.name.as_deref() == Some("Object") {
            let open = if iterable && self.of.is_arguments.call::<_, bool>((object.clone(),))? {
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
            Keys::Cells(cells, _) if brand == "String" => {
                let length: usize = object.get("length")?;
                Keys::Cells(cells, length.saturating_mul(3))
            }
            Keys::List(list) if brand == "String" => {
                let length: usize = object.get("length")?;
                Keys::Few(list.iter().skip(length).collect::<rquickjs::Result<_>>()?)
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
        Ok(Step::Open(Box::new(Plan {
            base: Base::Raw(base.into()),
            open: "{".to_owned(),
            close: "}",
            list: false,
            content: Content::None,
            keys,
        })))
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
        Ok(Step::Open(Box::new(Plan {
            base: Base::Block(block.into()),
            open: "{".to_owned(),
            close: "}",
            list: false,
            content: Content::None,
            keys: Keys::Few(keys),
        })))
    }
}

/// Whether a key names an element of an array: a decimal without leading zero, below 2^32 - 1.
fn is_element(key: &Text) -> bool {
    let Text::Plain(name) = key else { return false };
    let canonical = name == "0" || (!name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit()));
    canonical && name.parse::<u32>().is_ok_and(|index| index < u32::MAX)
}
