//! The item under an attribute: its tokens come in, what keeps an id from following from its name goes out, if anything does.
//! The item itself is never changed, and what is no item that is known here is left to the compiler.

use proc_macro::{Delimiter, TokenStream, TokenTree};

use crate::ids::is_segment;

const MACRO: &str = "a macro is no item with a place of its own";

/// Why no id follows from an item, for a message; none where one does.
pub(crate) fn why_no_id(item: TokenStream) -> Option<&'static str> {
    let mut words = Words::of(item);
    while let Some(word) = words.next() {
        let name = match word.as_str() {
            "fn" | "struct" | "enum" | "union" | "trait" | "type" | "mod" => words.next(),
            "static" => match words.next() {
                Some(word) if word == "mut" => words.next(),
                name => name,
            },
            "const" => match words.next() {
                Some(word) if is_before_fn(&word) => continue,
                Some(word) if word == "fn" => words.next(),
                name => name,
            },
            "impl" => return Some("an `impl` block has no name"),
            "use" => return Some("a `use` has no name"),
            "crate" => return Some("an `extern crate` has no name of its own"),
            "{" => return Some("an `extern` block has no name"),
            "!" => return Some(MACRO),
            _ => continue,
        };
        return name.and_then(|name| why_no_segment(&name));
    }
    None
}

/// Whether a word may stand between `const` and the `fn` of a function.
fn is_before_fn(word: &str) -> bool {
    matches!(word, "async" | "unsafe" | "extern")
}

fn why_no_segment(name: &str) -> Option<&'static str> {
    if name == "!" {
        return Some(MACRO);
    }
    let segment = name.strip_prefix("r#").unwrap_or(name).trim_start_matches('_').replace('_', "-");
    if is_segment(&segment) {
        None
    } else if segment.is_empty() {
        Some("the name has no letter and no digit")
    } else {
        Some("the name is not ASCII")
    }
}

/// The words of an item, the marks `!` and the opened braces; attributes, invisible groups and other groups aside.
struct Words {
    open: Vec<proc_macro::token_stream::IntoIter>,
}

impl Words {
    fn of(item: TokenStream) -> Self {
        Words { open: vec![item.into_iter()] }
    }
}

impl Iterator for Words {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            match self.open.last_mut()?.next() {
                None => {
                    self.open.pop();
                }
                Some(TokenTree::Group(group)) => match group.delimiter() {
                    Delimiter::None => self.open.push(group.stream().into_iter()),
                    Delimiter::Brace => return Some("{".to_owned()),
                    Delimiter::Parenthesis | Delimiter::Bracket => {}
                },
                Some(TokenTree::Ident(word)) => return Some(word.to_string()),
                Some(TokenTree::Punct(punct)) if punct.as_char() == '!' => return Some("!".to_owned()),
                Some(_) => {}
            }
        }
    }
}
