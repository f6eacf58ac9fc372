//! One attribute as tokens: the tokens behind a `#` come in, the paths and arguments that the attribute holds go out, those
//! inside `cfg_attr` too. It knows no macro and resolves no name.

use std::ops::Range;

use super::tokens::{Kind, Token, Tokens};

/// What an id of the Protocol opens with; a string that does so makes an attribute look like a binding.
const OPENINGS: [&str; 6] = ["spec:", "impl:", "api:", "component:", "test:", "oracle:"];

/// How deep brackets may nest before a file is refused. What people write stays far below.
pub(super) const MAX_BRACKETS: usize = 10_000;

/// How many segments of a path are kept; nothing that leads to a binding is longer.
pub(super) const MAX_SEGMENTS: usize = 8;

/// An attribute: `#[…]` or `#![…]`.
#[derive(Clone, Debug)]
pub(super) struct Attribute<'t> {
    /// Whether it is an inner one.
    pub(super) is_inner: bool,
    /// What it holds: itself, or what `cfg_attr` holds.
    pub(super) leaves: Vec<Leaf<'t>>,
}

/// One path with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Leaf<'t> {
    /// Whether it opens with `::`.
    pub(super) is_absolute: bool,
    /// Its segments; of one with more than [`MAX_SEGMENTS`], not all.
    pub(super) path: Vec<&'t str>,
    /// What stands between its brackets, in bytes.
    pub(super) arguments: Option<Range<usize>>,
    /// Whether a value follows behind `=`.
    pub(super) has_value: bool,
    /// Whether `cfg_attr` holds it.
    pub(super) is_conditional: bool,
}

/// A bracket that is not where it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// One that never closes.
    Unclosed(u8, usize),
    /// A closing one that closes nothing, or something else.
    Unopened(u8, usize),
    /// One that is deeper than [`MAX_BRACKETS`].
    Deep(usize),
}

/// The bracket that closes another.
pub(super) const fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

impl Leaf<'_> {
    /// The last segment.
    pub(super) fn name(&self) -> &str {
        self.path.last().copied().unwrap_or_default()
    }

    /// The path as it is written, without spaces.
    pub(super) fn written(&self) -> String {
        let root = if self.is_absolute { "::" } else { "" };
        format!("{root}{}", self.path.join("::"))
    }

    /// Whether one of its first arguments is a string that opens like an id.
    pub(super) fn looks_like_a_binding(&self, text: &str) -> bool {
        const LOOKED_AT: usize = 8;
        let Some(arguments) = self.arguments.clone().and_then(|range| text.get(range)) else { return false };
        Tokens::new(arguments).take(LOOKED_AT).any(|token| {
            let string = || arguments.get(token.range.clone()).unwrap_or_default();
            token.kind == Kind::Text && opens_like_an_id(string())
        })
    }
}

fn opens_like_an_id(literal: &str) -> bool {
    let string = literal.trim_start_matches('r').trim_start_matches('#');
    string.strip_prefix('"').is_some_and(|inner| OPENINGS.iter().any(|opening| inner.starts_with(opening)))
}

/// Reads the attribute whose `#` was the last token; leaves the tokens alone where none follows.
///
/// # Errors
/// Where its brackets do not match, with what it holds up to there; the tokens then stand wherever that was seen.
pub(super) fn read<'t>(
    text: &'t str,
    tokens: &mut Tokens<'t>,
) -> Result<Option<Attribute<'t>>, (Broken, Attribute<'t>)> {
    let mut ahead = tokens.clone();
    let mut first = ahead.next();
    let is_inner = first.as_ref().is_some_and(|token| token.kind == Kind::Punct('!'));
    if is_inner {
        first = ahead.next();
    }
    let Some(Token { kind: Kind::Open(b'['), range }) = first else { return Ok(None) };
    *tokens = ahead;
    let mut reader = Reader { text, leaves: Vec::new(), leaf: Leaf::default(), is_path: true, open: Vec::new() };
    reader.open.push(Level { open: b'[', at: range.start, is_list: true });
    for token in tokens.by_ref() {
        match reader.take(&token) {
            Ok(false) => {}
            Ok(true) => return Ok(Some(Attribute { is_inner, leaves: reader.leaves })),
            Err(broken) => {
                reader.end_leaf();
                return Err((broken, Attribute { is_inner, leaves: reader.leaves }));
            }
        }
    }
    let (open, at) = reader.open.last().map_or((b'[', range.start), |level| (level.open, level.at));
    reader.end_leaf();
    Err((Broken::Unclosed(open, at), Attribute { is_inner, leaves: reader.leaves }))
}

struct Level {
    open: u8,
    at: usize,
    /// Whether attributes stand in it: the attribute itself, and `cfg_attr`.
    is_list: bool,
}

struct Reader<'t> {
    text: &'t str,
    leaves: Vec<Leaf<'t>>,
    leaf: Leaf<'t>,
    /// Whether the path of the leaf may still go on.
    is_path: bool,
    open: Vec<Level>,
}

impl<'t> Reader<'t> {
    /// Takes one token; answers whether it closed the attribute.
    fn take(&mut self, token: &Token) -> Result<bool, Broken> {
        let is_list = self.open.last().is_some_and(|level| level.is_list);
        match token.kind {
            Kind::Open(open) => {
                if self.open.len() >= MAX_BRACKETS {
                    return Err(Broken::Deep(token.range.start));
                }
                let opens_list = is_list && self.is_path && open == b'(' && self.leaf.path == ["cfg_attr"];
                if opens_list {
                    // What stands before the first comma is the condition, which is no attribute.
                    (self.leaf, self.is_path) = (Leaf::default(), false);
                } else if is_list && self.is_path {
                    self.leaf.arguments = Some(token.range.end..token.range.end);
                    self.is_path = false;
                }
                self.open.push(Level { open, at: token.range.start, is_list: opens_list });
            }
            Kind::Close(close) => {
                if self.open.last().is_none_or(|level| closing(level.open) != close) {
                    return Err(Broken::Unopened(close, token.range.start));
                }
                self.open.pop();
                if is_list {
                    self.end_leaf();
                } else if self.open.last().is_some_and(|level| level.is_list)
                    && let Some(arguments) = &mut self.leaf.arguments
                    && arguments.start == arguments.end
                {
                    arguments.end = token.range.start;
                }
                return Ok(self.open.is_empty());
            }
            Kind::Punct(',') if is_list => {
                self.end_leaf();
                self.is_path = true;
            }
            Kind::Punct('=') if is_list && self.is_path => (self.leaf.has_value, self.is_path) = (true, false),
            Kind::Punct(':') if is_list && self.is_path => self.leaf.is_absolute |= self.leaf.path.is_empty(),
            Kind::Word if is_list && self.is_path => self.push(token),
            // `$crate` is no path that a file alone resolves.
            Kind::Punct('$') if is_list && self.is_path => self.push(token),
            _ => {}
        }
        Ok(false)
    }

    fn push(&mut self, token: &Token) {
        let segment = self.text.get(token.range.clone()).unwrap_or_default();
        let segment = segment.strip_prefix("r#").unwrap_or(segment);
        if self.leaf.path.len() >= MAX_SEGMENTS {
            self.leaf.path.pop();
        }
        self.leaf.path.push(segment);
        self.leaf.is_conditional = self.open.len() > 1;
    }

    fn end_leaf(&mut self) {
        let leaf = std::mem::take(&mut self.leaf);
        if !leaf.path.is_empty() {
            self.leaves.push(leaf);
        }
        self.is_path = false;
    }
}
