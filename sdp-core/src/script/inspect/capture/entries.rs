//! What stands between an object's braces: elements, members, properties. An object and its plan come in, the captured entries
//! go out, as many as the settings show; what is left out is counted.

use rquickjs::{Array, Object, String as JsString, Value, promise::PromiseState};

use super::{
    Capture, Entry, Failure, MAX_NESTING, Shape,
    plan::{Content, Keys},
};
use crate::script::inspect::{number::number, quote, text::Text};

/// Properties that one call into the engine gives.
pub(super) const CHUNK: usize = 256;

impl<'js> Capture<'_, 'js> {
    /// Whether every element is a number: then columns align at the right.
    pub(super) fn is_numeric(&self, object: &Object<'js>, entries: &[Entry]) -> Result<bool, Failure> {
        let could_be = entries
            .iter()
            .all(|entry| !matches!(entry, Entry::Item(Shape::Word(_) | Shape::Text(_) | Shape::Object(_))));
        Ok(could_be && self.of.all_numbers.call::<_, bool>((object.clone(), entries.len()))?)
    }

    /// Properties of the prototypes, for a view of what is hidden.
    pub(super) fn inherited(&mut self, object: &Object<'js>, level: u32) -> Result<Vec<Entry>, Failure> {
        let cells: Array<'js> = self.of.prototype_properties.call((object.clone(),))?;
        let mut entries = Vec::new();
        if self.nesting >= MAX_NESTING {
            return Ok(entries);
        }
        self.nesting += 1;
        self.seen.push(object.clone());
        let walked = self.keyed(&cells, 0, level, &mut entries);
        self.seen.pop();
        self.nesting -= 1;
        walked.map(|()| entries)
    }

    pub(super) fn content(
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
                    self.rest(size - limit, entries)?;
                }
            }
            Content::Map { size } => {
                let limit = if anonymous { f64::INFINITY } else { self.options.shown(size) };
                let members: Array<'js> = self.of.map_members.call((object.clone(), limit, anonymous))?;
                self.pairs(&members, level, Entry::Pair, f64::INFINITY, entries)?;
                if !anonymous {
                    self.rest(size - limit, entries)?;
                }
            }
            Content::Typed { length } => {
                let limit = self.options.shown(length);
                let members: Array<'js> = self.of.typed_elements.call((object.clone(), limit))?;
                for member in members.iter() {
                    entries.push(Entry::Item(self.value(&member?, level, false)?));
                }
                self.rest(length - limit, entries)?;
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
                self.rest(length - limit, entries)?;
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

    fn rest(&mut self, more: f64, entries: &mut Vec<Entry>) -> Result<(), Failure> {
        if more > 0.0 {
            self.spend(0)?;
            let plural = if more > 1.0 { "s" } else { "" };
            entries.push(Entry::Raw(format!("... {} more item{plural}", number(more)).into()));
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
        self.rest(length - limit, entries)
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
                    self.rest(value.as_number().unwrap_or_default(), entries)?;
                    continue;
                }
                _ => Entry::Item(self.slot(kind, &value, level)?),
            };
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

    pub(super) fn properties(
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
            Keys::Cells(cells, from) => self.keyed(&cells, from, level, entries)?,
            Keys::List(keys) => {
                let mut at = 0;
                let count = keys.len();
                while at < count {
                    let to = at.saturating_add(CHUNK).min(count);
                    let cells: Array<'js> = self.of.properties.call((object.clone(), keys.clone(), at, to))?;
                    self.keyed(&cells, 0, level, entries)?;
                    at = to;
                }
            }
        }
        Ok(())
    }

    /// Cells of the embedded script's `properties`: key, what it is, value.
    fn keyed(&mut self, cells: &Array<'js>, from: usize, level: u32, entries: &mut Vec<Entry>) -> Result<(), Failure> {
        let mut cells = cells.iter::<Value<'js>>().skip(from);
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
        self.spent = self.spent.saturating_add(key.len());
        let value = self.slot(kind, value, level)?;
        entries.push(Entry::Property { key: key.into(), value });
        Ok(())
    }
}
