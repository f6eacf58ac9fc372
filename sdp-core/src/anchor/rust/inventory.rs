//! The items of one Rust file that a binding may be missed on: its text and the lines on which anchors open come in; its
//! public items and tests go out, each with whether an anchor stands on it or around it. It works on tokens: nothing is too deep for
//! it, and what is wrong inside a body is no matter. A file whose brackets do not match gives none.

mod condition;
mod gap;
mod scan;
#[cfg(test)]
mod tests;

use self::scan::Scan;

/// How deep modules and their items may nest; what lies deeper is not looked at.
const MAX_DEPTH: usize = 64;

/// How long the names around an item may be together, in bytes; what has longer ones is not looked at.
const MAX_PATH: usize = 1024;

/// How many items a file may hold.
pub(crate) const MAX_ITEMS: usize = 1 << 16;

/// Why a file gives no items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Its brackets stop to match on this 1-based line.
    Brackets(u32),
    /// It holds more than [`MAX_ITEMS`].
    TooMany,
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// A constant of a module.
    Const,
    /// An enumeration.
    Enum,
    /// A function of a module.
    Fn,
    /// A function of an inherent `impl` or of a trait's definition.
    Method,
    /// A static.
    Static,
    /// A structure.
    Struct,
    /// A function that an attribute makes a test.
    Test,
    /// A trait.
    Trait,
    /// A type alias.
    Type,
    /// A union.
    Union,
}

impl ItemKind {
    /// Every kind.
    pub const ALL: [ItemKind; 10] = [
        ItemKind::Const,
        ItemKind::Enum,
        ItemKind::Fn,
        ItemKind::Method,
        ItemKind::Static,
        ItemKind::Struct,
        ItemKind::Test,
        ItemKind::Trait,
        ItemKind::Type,
        ItemKind::Union,
    ];

    /// The word for it, in rows and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ItemKind::Const => "const",
            ItemKind::Enum => "enum",
            ItemKind::Fn => "fn",
            ItemKind::Method => "method",
            ItemKind::Static => "static",
            ItemKind::Struct => "struct",
            ItemKind::Test => "test",
            ItemKind::Trait => "trait",
            ItemKind::Type => "type",
            ItemKind::Union => "union",
        }
    }
}

/// A public item or a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// What it is.
    pub(crate) kind: ItemKind,
    /// The names that lead to it from the file's own module: modules, the type or trait of a method, its own.
    pub(crate) path: Vec<String>,
    /// The 1-based line of its name.
    pub(crate) line: u32,
    /// Whether an anchor stands on it, or on what holds it in this file.
    pub(crate) is_bound: bool,
}

/// What holds of everything inside a module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inherited {
    /// An anchor stands on it.
    pub(crate) is_bound: bool,
    /// The documentation leaves it out.
    pub(crate) is_hidden: bool,
    /// It exists for tests only.
    pub(crate) is_for_tests: bool,
}

impl Inherited {
    /// What holds when both hold.
    pub(crate) fn with(self, other: Inherited) -> Inherited {
        Inherited {
            is_bound: self.is_bound || other.is_bound,
            is_hidden: self.is_hidden || other.is_hidden,
            is_for_tests: self.is_for_tests || other.is_for_tests,
        }
    }
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Items {
    /// Its public items and tests, in the order in which they stand.
    pub(crate) items: Vec<Item>,
    /// What it says of modules that other files hold, by their path from its own; an empty path is itself.
    pub(crate) modules: Vec<(Vec<String>, Inherited)>,
}

/// Reads the items of a file. `anchors` holds the lines on which its anchors open, sorted.
///
/// # Errors
///
/// [`Refused`], and nothing of the file then.
pub(crate) fn read(text: &str, anchors: &[u32]) -> Result<Items, Refused> {
    Scan::new(text, anchors).run()
}
