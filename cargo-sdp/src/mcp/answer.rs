//! An answer that may be far too long: its JSON text comes in, a tree goes out that holds no more of each list, object and
//! text than could be shown, and knows how much there was.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

/// One value, with as much of it as may be shown.
#[derive(Debug)]
pub(super) struct Tree {
    /// What is kept.
    pub(super) kept: Kept,
    /// How many characters the kept part takes as compact JSON.
    pub(super) size: usize,
    /// Whether everything was kept.
    pub(super) is_whole: bool,
}

/// What is kept of a value; `of` counts what there was.
#[derive(Debug)]
pub(super) enum Kept {
    /// Null, a boolean or a number.
    Plain(Value),
    /// A string; `of` counts its characters.
    Text { text: String, of: usize },
    /// An array.
    List { items: Vec<Tree>, of: usize },
    /// An object.
    Map { members: Vec<(String, Tree)>, of: usize },
}

impl Tree {
    /// Reads a JSON text; of each part no more is kept than a little over `room` characters.
    pub(super) fn of_json(text: &str, room: usize) -> serde_json::Result<Self> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let tree = Keep { room, is_outermost: true }.deserialize(&mut reader)?;
        reader.end()?;
        Ok(tree)
    }

    /// What serialises, as its own JSON text says it.
    pub(super) fn of(value: &impl serde::Serialize, room: usize) -> serde_json::Result<Self> {
        Self::of_json(&serde_json::to_string(value)?, room)
    }

    fn plain(value: Value) -> Self {
        let size = value.to_string().len();
        Tree { kept: Kept::Plain(value), size, is_whole: true }
    }

    fn text(text: &str, room: usize) -> Self {
        let of = text.chars().count();
        let kept = if of <= room { text.to_owned() } else { text.chars().take(room).collect() };
        Tree { size: size_of_text(&kept), kept: Kept::Text { text: kept, of }, is_whole: of <= room }
    }
}

/// How many characters a string takes as JSON.
pub(super) fn size_of_text(text: &str) -> usize {
    let escaped = |character: char| match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => 1,
    };
    2 + text.chars().map(escaped).sum::<usize>()
}

/// The longest object whose members share the room.
pub(super) const SHARING: usize = 64;

/// Reads one value, and keeps so many characters of each of its parts.
#[derive(Clone, Copy)]
struct Keep {
    /// So many.
    room: usize,
    /// Whether it is the whole answer: of its members more are kept, so that they can share the room.
    is_outermost: bool,
}

impl Keep {
    fn inner(self) -> Self {
        Keep { is_outermost: false, ..self }
    }
}

impl<'de> DeserializeSeed<'de> for Keep {
    type Value = Tree;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tree, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Keep {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Tree, E> {
        Ok(Tree::plain(Value::Null))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::plain(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::plain(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::plain(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::plain(Number::from_f64(value).map_or(Value::Null, Value::Number)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::text(text, self.room))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree, A::Error> {
        let (mut items, mut size, mut is_whole) = (Vec::new(), 2, true);
        while size <= self.room {
            let Some(item) = list.next_element_seed(self.inner())? else { break };
            size += item.size + usize::from(!items.is_empty());
            is_whole &= item.is_whole;
            items.push(item);
        }
        let mut of = items.len();
        if size > self.room {
            while list.next_element::<IgnoredAny>()?.is_some() {
                of += 1;
            }
        }
        is_whole &= of == items.len();
        Ok(Tree { kept: Kept::List { items, of }, size, is_whole })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let (mut members, mut size, mut is_whole) = (Vec::<(String, Tree)>::new(), 2, true);
        let mut is_over = false;
        while !is_over {
            let Some(key) = map.next_key::<String>()? else { break };
            let member = map.next_value_seed(self.inner())?;
            size += size_of_text(&key) + 1 + member.size + usize::from(!members.is_empty());
            is_whole &= member.is_whole;
            members.push((key, member));
            is_over = size > self.room && !(self.is_outermost && members.len() < SHARING);
        }
        let mut of = members.len();
        if is_over {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                of += 1;
            }
        }
        is_whole &= of == members.len();
        Ok(Tree { kept: Kept::Map { members, of }, size, is_whole })
    }
}
