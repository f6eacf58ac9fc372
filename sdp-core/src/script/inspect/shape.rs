//! The owned picture of a value between the engine and the text. `capture` makes it, `format` reads it; it holds every decision
//! that needs the value, and none that needs to know how wide a line is. It never refers to the engine.

use super::text::Text;

/// One value.
#[derive(Debug)]
pub(super) enum Shape {
    /// A fixed word: `null`, `true`, `[Getter]`.
    Word(&'static str),
    /// A text that is printed as it is.
    Raw(Box<str>),
    Number(f64),
    Text(Box<StringShape>),
    /// A text whose further lines are moved to the indentation of the place.
    Block(Box<str>),
    Object(Box<ObjectShape>),
}

/// A string value, cut to what is shown.
#[derive(Debug)]
pub(super) struct StringShape {
    pub text: Text,
    /// UTF-16 units that were left out.
    pub more: f64,
}

/// A value with entries.
#[derive(Debug)]
pub(super) struct ObjectShape {
    /// What stands before the opening brace: a function, a boxed value, an error's stack.
    pub base: Base,
    /// Index of the `<ref *n>` before it, when something inside points back.
    pub reference: Option<usize>,
    /// Prefix and opening brace.
    pub open: Box<str>,
    pub close: &'static str,
    /// Array-like: more than six entries stand in columns.
    pub list: bool,
    /// Columns align at their right side, as numbers do.
    pub numeric: bool,
    /// Level of the entries: 1 in the outermost object.
    pub level: u32,
    pub entries: Vec<Entry>,
}

/// What stands before an opening brace.
#[derive(Debug)]
pub(super) enum Base {
    None,
    Raw(Box<str>),
    /// As [`Shape::Block`].
    Block(Box<str>),
}

/// One entry between the braces.
#[derive(Debug)]
pub(super) enum Entry {
    /// A text that is printed as it is: `<1 empty item>`, `... 3 more items`, `<pending>`.
    Raw(Box<str>),
    Item(Shape),
    Property {
        /// The key as it is printed.
        key: Box<str>,
        value: Shape,
    },
    /// `key => value` of a Map.
    Pair(Shape, Shape),
    /// `[ key, value ]` of an iterator over entries.
    Cell(Shape, Shape),
    /// The reason of a rejected promise.
    Rejected(Shape),
}
