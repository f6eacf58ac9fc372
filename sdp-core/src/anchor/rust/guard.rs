//! How deep the parser may have to go: a text comes in, a bound on the depth of its recursion goes out, or where it passes
//! what is parsed at all. A parser that runs out of stack ends the whole process, so this comes first.

use super::tokens::{Kind, Tokens};

/// The deepest text that is parsed. What people write stays below a tenth of it.
pub(super) const MAX_NESTING: usize = 1_000;

/// A text that nests too deep, from this byte on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooDeep(pub(super) usize);

/// What was read at one depth of brackets.
#[derive(Default)]
struct Level {
    /// What may nest since the last comma, or since the last item.
    weight: usize,
    /// The `<` that are open of that: no comma ends what nests in them.
    angles: usize,
    /// Whether the value of a constant is being read, in which no brace ends the item.
    is_value: bool,
    /// Whether it is an attribute: any number of them may stand before one item.
    is_attribute: bool,
    /// Whether items may stand in it, each of which a brace may end.
    is_block: bool,
}

impl Level {
    /// Forgets what an end of something ends; answers what that weighed.
    fn end(&mut self) -> usize {
        (self.angles, self.is_value) = (0, false);
        std::mem::take(&mut self.weight)
    }
}

/// A bound on how deep the parser goes: the brackets that are open, and in each of them everything since the last comma
/// that could nest without a bracket, such as `!`, `&`, `<`, `=`, `->` and keywords.
///
/// # Errors
/// [`TooDeep`] where that passes [`MAX_NESTING`].
pub(super) fn nesting(text: &str) -> Result<usize, TooDeep> {
    let (mut outer, mut level) = (Vec::new(), Level { is_block: true, ..Level::default() });
    let (mut total, mut deepest) = (0_usize, 0);
    let mut last = (Kind::Punct(';'), 0);
    let mut is_mark = false;
    for token in Tokens::new(text) {
        let opens_attribute = std::mem::take(&mut is_mark);
        let weighs = match token.kind {
            Kind::Open(open) => {
                (level.weight, total) = (level.weight + 1, total + 1);
                let is_attribute = opens_attribute && open == b'[';
                let inner = Level { is_attribute, is_block: open == b'{', ..Level::default() };
                outer.push(std::mem::replace(&mut level, inner));
                false
            }
            Kind::Close(close) => {
                if let Some(above) = outer.pop() {
                    let closed = std::mem::replace(&mut level, above);
                    total -= closed.weight;
                    if closed.is_attribute {
                        (level.weight, total) = (level.weight - 1, total - 1);
                    }
                    if close == b'}' && level.is_block && !level.is_value {
                        total -= level.end();
                    }
                }
                false
            }
            Kind::Punct(',') => {
                if level.angles == 0 && !level.is_value {
                    total -= level.end();
                }
                false
            }
            Kind::Punct(';') => {
                total -= level.end();
                false
            }
            Kind::Punct('<') => {
                level.angles += 1;
                true
            }
            Kind::Punct('>') => {
                let is_arrow = matches!(last.0, Kind::Punct('-' | '=')) && last.1 == token.range.start;
                if !is_arrow {
                    level.angles = level.angles.saturating_sub(1);
                }
                false
            }
            Kind::Punct('=') => {
                level.is_value |= level.angles == 0 && !level.is_attribute;
                true
            }
            Kind::Punct('#') => {
                is_mark = true;
                false
            }
            Kind::Punct('!') if opens_attribute => {
                is_mark = true;
                false
            }
            Kind::Punct(':' | '$') | Kind::Text | Kind::Literal | Kind::Lifetime => false,
            Kind::Punct(_) => true,
            Kind::Word => is_prone(text.get(token.range.clone()).unwrap_or_default()),
        };
        if weighs {
            (level.weight, total) = (level.weight + 1, total + 1);
        }
        if total > MAX_NESTING {
            return Err(TooDeep(token.range.start));
        }
        deepest = deepest.max(total);
        last = (token.kind, token.range.end);
    }
    Ok(deepest)
}

/// Whether a type, a pattern or an expression can follow a word without a bracket.
fn is_prone(word: &str) -> bool {
    matches!(
        word,
        "as" | "async"
            | "await"
            | "become"
            | "box"
            | "break"
            | "const"
            | "continue"
            | "do"
            | "dyn"
            | "else"
            | "extern"
            | "fn"
            | "for"
            | "gen"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "match"
            | "move"
            | "mut"
            | "ref"
            | "return"
            | "static"
            | "try"
            | "unsafe"
            | "use"
            | "where"
            | "while"
            | "yield"
            | "raw"
            | "builtin"
            | "safe"
            | "default"
            | "auto"
            | "pub"
            | "crate"
    )
}
