//! What an object is called: its constructor, its tag, and the prefix that both make. An object comes in, names go out; a
//! constructor is found by descriptors, as Node finds it.

use rquickjs::{Array, Object, String as JsString, Value};

use super::{Capture, Failure, MAX_NESTING, capture};
use crate::script::inspect::{format, options::Options};

/// What stands before the brace: constructor, size, tag; it ends with a space.
pub(in crate::script::inspect) fn prefix(constructor: Option<&str>, tag: &str, fallback: &str, size: &str) -> String {
    match constructor {
        None if !tag.is_empty() && fallback != tag => format!("[{fallback}{size}: null prototype] [{tag}] "),
        None => format!("[{fallback}{size}: null prototype] "),
        Some(name) if !tag.is_empty() && name != tag => format!("{name}{size} [{tag}] "),
        Some(name) => format!("{name}{size} "),
    }
}

/// Name and tag of an object, as they stand before its brace.
pub(super) struct Identity {
    /// `None`: the object has no prototype.
    pub name: Option<String>,
    pub tag: String,
    /// Properties of prototypes will be shown, so the object is not empty.
    pub more: bool,
}

impl Identity {
    pub(super) fn prefix(&self, fallback: &str, size: &str) -> String {
        prefix(self.name.as_deref(), &self.tag, fallback, size)
    }
}

impl<'js> Capture<'_, 'js> {
    /// The constructor's name from the head's first cell: a name, null, or undefined for a prototype chain that names none.
    pub(super) fn name(
        &mut self,
        cell: &Value<'js>,
        object: &Object<'js>,
        level: u32,
    ) -> Result<Option<String>, Failure> {
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
        let head: Array<'js> = self.of.head.call((proto.clone(), false, false))?;
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
    pub(super) fn class_name(&self, object: &Object<'js>) -> Result<String, Failure> {
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
        if let Some(brand) = self.optional(&brand)? {
            return Ok(brand);
        }
        let name: JsString<'js> = self.of.plain_name.call((object.clone(),))?;
        self.lossy(&name)
    }

    /// Constructor and tag of an object that has no prefix of its own kind.
    pub(super) fn style(&self, object: &Object<'js>, identity: &Identity) -> Result<String, Failure> {
        let mut fallback = String::new();
        if identity.name.is_none() {
            fallback = self.class_name(object)?;
            if fallback == identity.tag {
                "Object".clone_into(&mut fallback);
            }
        }
        Ok(identity.prefix(&fallback, ""))
    }
}
