//! The items that attributes of ours stand on: a file without its bodies comes in, what is to be known of each item goes out,
//! by the place of the attribute. It reads no body, and runs on a stack that its text was measured for.

use std::io;
use std::thread;

use hashbrown::HashMap;
use proc_macro2::LineColumn;
use syn::{Attribute, ForeignItem, ImplItem, Item, Signature, TraitItem, Type};

use super::derived::{MAX_NAMES, NoId, Tests};
use super::tests_of;

/// The stack on which a deep file is parsed, in bytes.
const STACK: usize = 256 << 20;
/// How deep a file may nest to be parsed on the stack that is there.
const SHALLOW: usize = 48;
/// Why no id follows from a macro.
const MACRO: &str = "a macro is no item with a place of its own";

/// What the item under an attribute is.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// The names that lead to the item from its file; why there are none of an item without a name.
    pub(super) names: Result<Vec<String>, NoId>,
    /// The tests that it is.
    pub(super) tests: Option<Tests>,
}

/// Why the items of a file cannot be told.
#[derive(Debug)]
pub(super) enum Unparsed {
    /// The parser's reason, with its 1-based line and column.
    Syntax { reason: String, line: u32, column: u32 },
    /// No thread could be started that has the stack for it.
    NoThread(io::Error),
}

/// Where an attribute stands: its 1-based line, and the characters before it in that line.
pub(super) type At = (usize, usize);

/// The items under the attributes at some places; of a place without an item there is none.
///
/// # Errors
/// [`Unparsed`].
pub(super) fn read(skeleton: &str, nesting: usize, wanted: &[At]) -> Result<HashMap<At, Bound>, Unparsed> {
    if nesting <= SHALLOW {
        return parse(skeleton, wanted);
    }
    thread::scope(|scope| {
        let parse = || parse(skeleton, wanted);
        let thread = thread::Builder::new().name("sdp-parser".to_owned()).stack_size(STACK).spawn_scoped(scope, parse);
        let thread = thread.map_err(Unparsed::NoThread)?;
        thread.join().unwrap_or_else(|_| Err(Unparsed::NoThread(io::Error::other("the parser ended early"))))
    })
}

fn parse(skeleton: &str, wanted: &[At]) -> Result<HashMap<At, Bound>, Unparsed> {
    let read = match syn::parse_file(skeleton) {
        Ok(file) => {
            let mut walk = Walk { found: wanted.iter().map(|at| (*at, None)).collect(), names: Vec::new() };
            walk.items(&file.items);
            Ok(walk.found.into_iter().filter_map(|(at, bound)| Some((at, bound?))).collect())
        }
        Err(error) => {
            let reason = error.to_string();
            let LineColumn { line, column } = match error.span().start() {
                // The parser knows no place behind the last item, and says the first.
                LineColumn { line: 1, column: 0 } if reason.starts_with("unexpected end of input") => end_of(skeleton),
                place => place,
            };
            let line = u32::try_from(line).unwrap_or(u32::MAX);
            let column = u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1);
            let reason = match reason {
                // The lexer's own words tell nothing.
                reason if reason.contains("token stream") => "what stands here is no token of Rust".to_owned(),
                reason => reason,
            };
            Err(Unparsed::Syntax { reason, line, column })
        }
    };
    // Else every text that this thread ever parsed is kept.
    proc_macro2::extra::invalidate_current_thread_spans();
    read
}

/// The place behind the last character that is no white space.
fn end_of(text: &str) -> LineColumn {
    let text = text.trim_end();
    let last_line = text.rsplit('\n').next().unwrap_or_default();
    LineColumn { line: memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1, column: last_line.chars().count() }
}

struct Walk {
    found: HashMap<At, Option<Bound>>,
    names: Vec<String>,
}

fn place(attribute: &Attribute) -> At {
    let LineColumn { line, column } = attribute.pound_token.span.start();
    (line, column)
}

impl Walk {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        let nameless = |what| Err(NoId::Nameless(what));
        match item {
            Item::Const(item) => self.named(&item.attrs, &item.ident),
            Item::Enum(item) => self.named(&item.attrs, &item.ident),
            Item::ExternCrate(item) => {
                self.bind(&item.attrs, nameless("an `extern crate` has no name of its own"), |_| None)
            }
            Item::Fn(item) => self.function(&item.attrs, &item.sig),
            Item::ForeignMod(item) => {
                self.bind(&item.attrs, nameless("an `extern` block has no name"), |_| None);
                item.items.iter().for_each(|item| self.foreign(item));
            }
            Item::Impl(item) => {
                self.bind(&item.attrs, nameless("an `impl` block has no name"), |_| None);
                self.members(type_name(&item.self_ty), |walk| {
                    item.items.iter().for_each(|item| walk.impl_item(item));
                });
            }
            Item::Macro(item) => self.bind(&item.attrs, nameless(MACRO), |_| None),
            Item::Mod(item) => {
                let names = self.names_to(&item.ident);
                self.bind(&item.attrs, names, |_| Some(Tests::Module));
                if let Some((_, items)) = &item.content {
                    self.names.push(item.ident.to_string());
                    self.items(items);
                    self.names.pop();
                }
            }
            Item::Static(item) => self.named(&item.attrs, &item.ident),
            Item::Struct(item) => self.named(&item.attrs, &item.ident),
            Item::Trait(item) => {
                self.named(&item.attrs, &item.ident);
                self.members(Some(item.ident.to_string()), |walk| {
                    item.items.iter().for_each(|item| walk.trait_item(item));
                });
            }
            Item::TraitAlias(item) => self.named(&item.attrs, &item.ident),
            Item::Type(item) => self.named(&item.attrs, &item.ident),
            Item::Union(item) => self.named(&item.attrs, &item.ident),
            Item::Use(item) => self.bind(&item.attrs, nameless("a `use` has no name"), |_| None),
            _ => {}
        }
    }

    /// Walks the members of a type or trait. Where it has no name, no id follows for them.
    fn members(&mut self, name: Option<String>, walk: impl FnOnce(&mut Self)) {
        // No identifier is empty, so that an empty name says that there is none.
        self.names.push(name.unwrap_or_default());
        walk(self);
        self.names.pop();
    }

    fn impl_item(&mut self, item: &ImplItem) {
        match item {
            ImplItem::Const(item) => self.named(&item.attrs, &item.ident),
            ImplItem::Fn(item) => self.named(&item.attrs, &item.sig.ident),
            ImplItem::Type(item) => self.named(&item.attrs, &item.ident),
            ImplItem::Macro(item) => self.bind(&item.attrs, Err(NoId::Nameless(MACRO)), |_| None),
            _ => {}
        }
    }

    fn trait_item(&mut self, item: &TraitItem) {
        match item {
            TraitItem::Const(item) => self.named(&item.attrs, &item.ident),
            TraitItem::Fn(item) => self.named(&item.attrs, &item.sig.ident),
            TraitItem::Type(item) => self.named(&item.attrs, &item.ident),
            TraitItem::Macro(item) => self.bind(&item.attrs, Err(NoId::Nameless(MACRO)), |_| None),
            _ => {}
        }
    }

    fn foreign(&mut self, item: &ForeignItem) {
        match item {
            ForeignItem::Fn(item) => self.named(&item.attrs, &item.sig.ident),
            ForeignItem::Static(item) => self.named(&item.attrs, &item.ident),
            ForeignItem::Type(item) => self.named(&item.attrs, &item.ident),
            ForeignItem::Macro(item) => self.bind(&item.attrs, Err(NoId::Nameless(MACRO)), |_| None),
            _ => {}
        }
    }

    fn function(&mut self, attributes: &[Attribute], signature: &Signature) {
        if attributes.is_empty() {
            return;
        }
        let names = self.names_to(&signature.ident);
        self.bind(attributes, names, |walk| {
            tests_of::of(attributes, signature, |attribute| walk.found.contains_key(&place(attribute)))
        });
    }

    fn named(&mut self, attributes: &[Attribute], name: &impl ToString) {
        if !attributes.is_empty() {
            let names = self.names_to(name);
            self.bind(attributes, names, |_| None);
        }
    }

    fn names_to(&self, name: &impl ToString) -> Result<Vec<String>, NoId> {
        let name = name.to_string();
        let length = self.names.iter().map(String::len).sum::<usize>() + name.len();
        if length > MAX_NAMES { Err(NoId::TooLong) } else { Ok(self.names.iter().cloned().chain([name]).collect()) }
    }

    fn bind(
        &mut self,
        attributes: &[Attribute],
        names: Result<Vec<String>, NoId>,
        tests: impl FnOnce(&Self) -> Option<Tests>,
    ) {
        let mut wanted = attributes.iter().map(place).filter(|at| self.found.contains_key(at)).peekable();
        if wanted.peek().is_none() {
            return;
        }
        let wanted: Vec<At> = wanted.collect();
        let names =
            names.and_then(|names| if names.iter().any(String::is_empty) { Err(NoId::NoType) } else { Ok(names) });
        let bound = Bound { names, tests: tests(self) };
        for at in wanted {
            self.found.insert(at, Some(bound.clone()));
        }
    }
}

/// The name of a type that a plain path names.
fn type_name(of: &Type) -> Option<String> {
    match of {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last().map(|last| last.ident.to_string()),
        Type::Group(group) => type_name(&group.elem),
        Type::Paren(paren) => type_name(&paren.elem),
        _ => None,
    }
}
