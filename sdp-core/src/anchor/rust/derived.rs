//! What follows from the place of an item: the file's place in its crate and the names that lead to the item come in, the id
//! of an anchor without one and the name of a test go out.

use super::FilePlace;
use super::modules::said;
use crate::model::{SymbolMatch, TestSymbol};

/// How long the names that lead to an item may be together, in bytes. A longer one is nobody's, and each anchor holds them.
pub(super) const MAX_NAMES: usize = 1024;

/// Why no id follows from an item, as part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoId {
    /// No `Cargo.toml` stands above the file.
    #[error("no `Cargo.toml` tells the name of the package")]
    NoPackage,
    /// The item has no name; these are the words for that.
    #[error("{0}")]
    Nameless(&'static str),
    /// The item belongs to a type that is not named by a plain path.
    #[error("the type of the `impl` block is no plain name")]
    NoType,
    /// A name on the way to the item has no letter and no digit.
    #[error("the name has no letter and no digit")]
    Blank,
    /// A name on the way to the item is not ASCII.
    #[error("the name is not ASCII")]
    NotAscii,
    /// The names on the way to the item are too long.
    #[error("the names that lead to it hold more than {MAX_NAMES} bytes")]
    TooLong,
}

/// The id of an item: the namespace, then the package, the target, the modules of the file and the names that lead from
/// there to the item, such as inline modules, the type of a method and the item itself.
///
/// # Errors
/// [`NoId`] where none follows.
pub(super) fn derived_id(namespace: &str, place: &FilePlace, names: &[String]) -> Result<String, NoId> {
    let package = place.package.as_ref().ok_or(NoId::NoPackage)?;
    let mut id = format!("{namespace}:");
    let all = [package].into_iter().chain(&place.target).chain(&place.modules).chain(names);
    for (index, name) in all.enumerate() {
        let name = name.strip_prefix("r#").unwrap_or(name).trim_start_matches('_');
        if name.is_empty() {
            return Err(NoId::Blank);
        }
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')) {
            return Err(NoId::NotAscii);
        }
        if index > 0 {
            id.push('.');
        }
        id.extend(name.chars().map(|letter| if letter == '_' { '-' } else { letter }));
    }
    Ok(id)
}

/// The names that lead from a file to an item, where they are not too long together with those that lead to the file.
///
/// # Errors
/// [`NoId::TooLong`].
pub(super) fn bounded<'n>(place: &FilePlace, names: &'n [String]) -> Result<&'n [String], NoId> {
    let length: usize = place.modules.iter().chain(names).map(String::len).sum();
    if length > MAX_NAMES { Err(NoId::TooLong) } else { Ok(names) }
}

/// What the attributes of a function say about the tests that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tests {
    /// One test of its name.
    One,
    /// Several in a module of its name.
    Cases,
    /// Whatever a macro that is not known makes of it.
    Unknown,
    /// It is a module: all tests in it.
    Module,
}

/// The name of a test as libtest prints it: modules and function, without the crate.
pub(super) fn test_symbol(place: &FilePlace, names: &[String], tests: Tests) -> TestSymbol {
    let names: Vec<&str> = place.modules.iter().chain(names).map(|name| said(name)).collect();
    let name = names.join("::");
    let (name, covers) = match tests {
        Tests::One => (name, SymbolMatch::Exact),
        Tests::Unknown => (name, SymbolMatch::Prefix),
        Tests::Cases | Tests::Module => (format!("{name}::"), SymbolMatch::Prefix),
    };
    TestSymbol { name, covers }
}
