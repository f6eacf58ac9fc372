//! One file as far as tokens tell it: its text comes in; its modules with what they bring into scope, every attribute that
//! may be ours with where it stands, and what of the text can be left out before it is parsed, go out. It takes any text, in
//! time that grows with its length, and does not recurse.

use std::ops::Range;

use super::FilePlace;
use super::attribute::{self, Broken, Leaf, MAX_BRACKETS, closing};
use super::form::Form;
use super::prefilter::Names;
use super::scopes::{Scopes, read_use};
use super::skeleton::Cut;
use super::tokens::{Kind, Token, Tokens};

/// What a scan gives.
pub(super) struct Scan<'t> {
    /// The modules of the file.
    pub(super) scopes: Scopes<'t>,
    /// The attributes that may be ours, in the order in which they stand.
    pub(super) candidates: Vec<Candidate<'t>>,
    /// What to leave out, in the order in which it stands, none inside another.
    pub(super) cuts: Vec<Cut>,
    /// The first bracket that does not match.
    pub(super) broken: Option<Broken>,
}

/// An attribute that may be ours.
pub(super) struct Candidate<'t> {
    /// The byte of its `#`.
    pub(super) at: usize,
    /// The module that it stands in.
    pub(super) scope: usize,
    /// What it stands on, as far as tokens tell.
    pub(super) standing: Standing,
    /// Its path and arguments.
    pub(super) leaf: Leaf<'t>,
}

impl Candidate<'_> {
    /// Whether it has the name of one of ours and the arguments too.
    pub(super) fn looks_like_ours(&self, text: &str) -> bool {
        Form::named(self.leaf.name()).is_some() && self.leaf.looks_like_a_binding(text)
    }
}

/// Where an attribute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// On an item of a module, a trait, an impl block or an extern block.
    Item,
    /// Inside what it is about: `#![…]`.
    Inner,
    /// In the body of a function, or in another expression.
    Body,
    /// In the definition or the arguments of a macro.
    Macro,
    /// On a field or a variant.
    Field,
    /// On a parameter, or inside a type.
    Parameter,
}

/// Scans a file that stands somewhere.
pub(super) fn scan<'t>(text: &'t str, place: &'t FilePlace) -> Scan<'t> {
    let names = Names::of(text);
    let mut scanner = Scanner {
        text,
        names,
        frames: Vec::new(),
        blocks: vec![Block::new(0)],
        opaque: None,
        last: 0..0,
        last_kind: Kind::Punct(';'),
        found: Scan {
            scopes: Scopes::new(&place.crate_names, place.modules.is_empty()),
            candidates: Vec::new(),
            cuts: Vec::new(),
            broken: None,
        },
    };
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        if scanner.take(&token, &mut tokens).is_none() {
            break;
        }
        (scanner.last, scanner.last_kind) = (token.range, token.kind);
    }
    if let Some(frame) = scanner.frames.last() {
        let unclosed = Broken::Unclosed(frame.open, frame.at);
        scanner.found.broken.get_or_insert(unclosed);
    }
    scanner.found
}

/// An open bracket.
struct Frame {
    open: u8,
    at: usize,
    /// Whether items stand in it.
    is_block: bool,
    /// How many cuts were made before it, where its content is left out.
    cut_from: Option<usize>,
}

/// What the words of an item so far say about it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head<'t> {
    /// Nothing yet.
    Start,
    /// A `const` that opens a constant or qualifies a function.
    Const,
    /// An `extern` that opens a block or qualifies a function.
    Extern,
    Function,
    /// A struct, an enum or a union.
    Fields,
    /// A constant or a static.
    Value,
    Module(Option<&'t str>),
    /// An impl block or a trait.
    Members,
    Macro,
    /// Whatever ends with `;`.
    Other,
}

/// A file, or a bracket in which items stand.
struct Block<'t> {
    scope: usize,
    head: Head<'t>,
    /// How many `<` of the item's head are open.
    angles: usize,
    /// Where the value of a constant opens.
    value: Option<usize>,
    /// How many cuts were made before that, or before the block.
    cuts_before_value: usize,
    cuts_before: usize,
    /// Whether an attribute that may be ours stands in the block, or in the value.
    holds: bool,
    value_holds: bool,
    brings_macros: bool,
}

impl Block<'_> {
    fn new(scope: usize) -> Self {
        Block {
            scope,
            head: Head::Start,
            angles: 0,
            value: None,
            cuts_before_value: 0,
            cuts_before: 0,
            holds: false,
            value_holds: false,
            brings_macros: false,
        }
    }

    fn end_item(&mut self) {
        (self.head, self.angles, self.value) = (Head::Start, 0, None);
        (self.value_holds, self.brings_macros) = (false, false);
    }
}

/// A bracket in which no item of the file stands.
#[derive(Clone, Copy)]
struct Opaque {
    standing: Standing,
    /// How many brackets were open before it.
    depth: usize,
    /// Whether its content is left out; else that of the braces in it is.
    is_cut: bool,
    ends_item: bool,
}

struct Scanner<'t> {
    text: &'t str,
    names: Names<'t>,
    frames: Vec<Frame>,
    blocks: Vec<Block<'t>>,
    opaque: Option<Opaque>,
    last: Range<usize>,
    last_kind: Kind,
    found: Scan<'t>,
}

impl<'t> Scanner<'t> {
    /// Takes one token, and those that belong to it; nothing more is taken when this answers nothing.
    fn take(&mut self, token: &Token, tokens: &mut Tokens<'t>) -> Option<()> {
        match token.kind {
            Kind::Punct('#') => match attribute::read(self.text, tokens) {
                Ok(Some(attribute)) => self.attribute(token.range.start, attribute),
                Ok(None) => {}
                Err((broken, attribute)) => {
                    self.found.broken.get_or_insert(broken);
                    self.attribute(token.range.start, attribute);
                }
            },
            Kind::Open(open) => {
                if self.frames.len() >= MAX_BRACKETS {
                    self.found.broken.get_or_insert(Broken::Deep(token.range.start));
                    return None;
                }
                self.open(open, token);
            }
            Kind::Close(close) => self.close(close, token),
            _ if self.opaque.is_some() => {}
            Kind::Word => self.word(token, tokens),
            Kind::Punct(punct) => self.punct(punct, token),
            _ => {}
        }
        Some(())
    }

    fn attribute(&mut self, at: usize, attribute: attribute::Attribute<'t>) {
        let Some(block) = self.blocks.last_mut() else { return };
        let standing = match self.opaque {
            Some(opaque) => opaque.standing,
            None if attribute.is_inner => Standing::Inner,
            None => Standing::Item,
        };
        for leaf in attribute.leaves {
            if leaf.path == ["macro_use"] && standing == Standing::Item {
                block.brings_macros = true;
            }
            if self.names.may_name(self.text, &leaf) {
                block.holds |= standing == Standing::Item;
                block.value_holds |= standing == Standing::Item;
                self.found.candidates.push(Candidate { at, scope: block.scope, standing, leaf });
            }
        }
    }

    fn word(&mut self, token: &Token, tokens: &mut Tokens<'t>) {
        let Some(block) = self.blocks.last_mut() else { return };
        let word = self.text.get(token.range.clone()).unwrap_or_default();
        match block.head {
            Head::Start if word == "use" => {
                let (scope, scopes) = (block.scope, &mut self.found.scopes);
                let end = read_use(self.text, tokens, |import| scopes.import(scope, import));
                match end {
                    Some(end) => {
                        // `use*;` is shorter than what would stand in its place.
                        if end - token.range.end >= " x".len() {
                            self.found.cuts.push(Cut { range: token.range.end..end, stand_in: " x" });
                        }
                        block.end_item();
                    }
                    None => block.head = Head::Other,
                }
            }
            Head::Start => block.head = first_word(word),
            Head::Const => {
                block.head = match first_word(word) {
                    Head::Start if !is_qualifier(word) => Head::Value,
                    head @ (Head::Start | Head::Extern | Head::Function | Head::Members) => head,
                    _ => Head::Value,
                }
            }
            Head::Extern if word == "crate" => {
                block.head = Head::Other;
                let mut ahead = tokens.clone();
                let mut next = || {
                    ahead.next().filter(|token| token.kind == Kind::Word).and_then(|token| self.text.get(token.range))
                };
                if let Some(name) = next() {
                    let alias = next().filter(|word| *word == "as").and_then(|_| next());
                    self.found.scopes.extern_crate(block.scope, name, alias, block.brings_macros);
                }
            }
            Head::Extern if !is_qualifier(word) => block.head = first_word(word),
            Head::Module(None) => block.head = Head::Module(Some(word)),
            _ => {}
        }
    }

    fn punct(&mut self, punct: char, token: &Token) {
        let Some(block) = self.blocks.last_mut() else { return };
        let is_arrow = || matches!(self.last_kind, Kind::Punct('-' | '=')) && self.last.end == token.range.start;
        match punct {
            ';' => {
                if let Some(value) = block.value
                    && value < token.range.start
                    && !block.value_holds
                {
                    self.found.cuts.truncate(block.cuts_before_value);
                    self.found.cuts.push(Cut { range: value..token.range.start, stand_in: "0" });
                }
                block.end_item();
            }
            '!' if block.head == Head::Start => block.head = Head::Macro,
            _ if block.value.is_some() => {}
            '=' if block.head == Head::Value && block.angles == 0 => {
                block.value = Some(token.range.end);
                (block.cuts_before_value, block.value_holds) = (self.found.cuts.len(), false);
            }
            '<' => block.angles += 1,
            '>' if !is_arrow() => block.angles = block.angles.saturating_sub(1),
            _ => {}
        }
    }

    fn open(&mut self, open: u8, token: &Token) {
        let mut is_block = false;
        let cuts_before = self.found.cuts.len();
        let mut cut_from = self.opaque.is_some_and(|opaque| !opaque.is_cut && open == b'{').then_some(cuts_before);
        if self.opaque.is_none()
            && let Some(block) = self.blocks.last_mut()
        {
            let is_brace = open == b'{';
            let is_free = is_brace && block.angles == 0 && block.value.is_none();
            let name = match block.head {
                Head::Module(name) => name,
                _ => None,
            };
            is_block = is_free && (name.is_some() || matches!(block.head, Head::Members | Head::Extern));
            if is_block {
                let scope = match name {
                    Some(name) => self.found.scopes.open(block.scope, name),
                    None => block.scope,
                };
                self.blocks.push(Block { cuts_before, ..Block::new(scope) });
            } else {
                let standing = match block.head {
                    Head::Macro => Standing::Macro,
                    Head::Fields if is_free || open == b'(' => Standing::Field,
                    _ if is_brace || block.value.is_some() => Standing::Body,
                    _ => Standing::Parameter,
                };
                let ends_item =
                    is_free && matches!(block.head, Head::Function | Head::Fields | Head::Macro | Head::Start);
                let is_cut = is_brace || block.head == Head::Macro;
                cut_from = is_cut.then_some(cuts_before);
                self.opaque = Some(Opaque { standing, depth: self.frames.len(), is_cut, ends_item });
            }
        }
        self.frames.push(Frame { open, at: token.range.start, is_block, cut_from });
    }

    fn close(&mut self, close: u8, token: &Token) {
        let Some(frame) = self.frames.pop_if(|frame| closing(frame.open) == close) else {
            self.found.broken.get_or_insert(Broken::Unopened(close, token.range.start));
            return;
        };
        let content = frame.at + 1..token.range.start;
        if let Some(cut_from) = frame.cut_from {
            self.found.cuts.truncate(cut_from);
            self.found.cuts.push(Cut { range: content.clone(), stand_in: "" });
        }
        if frame.is_block {
            let Some(closed) = self.blocks.pop() else { return };
            if !closed.holds {
                self.found.cuts.truncate(closed.cuts_before);
                self.found.cuts.push(Cut { range: content, stand_in: "" });
            }
            if let Some(block) = self.blocks.last_mut() {
                block.holds |= closed.holds;
                block.end_item();
            }
        } else if let Some(opaque) = self.opaque.take_if(|opaque| opaque.depth == self.frames.len())
            && opaque.ends_item
            && let Some(block) = self.blocks.last_mut()
        {
            block.end_item();
        }
    }
}

/// What the first word of an item says about it.
fn first_word<'t>(word: &str) -> Head<'t> {
    match word {
        "const" => Head::Const,
        "extern" => Head::Extern,
        "fn" => Head::Function,
        "struct" | "enum" | "union" => Head::Fields,
        "static" => Head::Value,
        "mod" => Head::Module(None),
        "impl" | "trait" => Head::Members,
        "macro" | "macro_rules" => Head::Macro,
        "type" => Head::Other,
        _ => Head::Start,
    }
}

/// Whether a word may stand between `const` or `extern` and what decides.
fn is_qualifier(word: &str) -> bool {
    matches!(word, "unsafe" | "async" | "safe" | "gen" | "auto" | "extern" | "default")
}
