//! The plain shape that almost every frontmatter has, read without the library: keys at the margin with a plain value,
//! `{}`, a list, or a mapping of plain values and lists. A frontmatter's text comes in; its tree goes out, or none where
//! the text holds anything else, and then the library decides. It never accepts what the library reads otherwise.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Split;

use super::{FIRST_LINE, Node, NodeKind, Stream};

/// YAML looks no further than 1 024 characters for the colon behind a key.
const MAX_KEY_BYTES: usize = 100;

/// Reads a frontmatter of the plain shape.
pub(super) fn read(text: &str) -> Option<Stream<'_>> {
    let mut lines =
        Lines { next_line: FIRST_LINE, rest: text.strip_suffix('\n').unwrap_or(text).split('\n').peekable() };
    let mut tree = Tree { nodes: Vec::with_capacity(16) };
    let root = tree.open(FIRST_LINE, 1, NodeKind::Mapping);
    while let Some((line, text)) = lines.take("") {
        let (key, value) = key_of(text)?;
        tree.scalar(line, 2, key);
        if !value.is_empty() {
            tree.value(line, 2, value)?;
        } else if lines.opens("  - ") {
            tree.list(2, "  - ", &mut lines)?;
        } else {
            let inner = tree.open(lines.next_line, 2, NodeKind::Mapping);
            while let Some((line, text)) = lines.take("  ") {
                let (key, value) = key_of(text)?;
                tree.scalar(line, 3, key);
                if value.is_empty() {
                    tree.list(3, "    - ", &mut lines)?;
                } else {
                    tree.value(line, 3, value)?;
                }
            }
            tree.close(inner)?;
        }
    }
    tree.close(root)?;
    if lines.rest.next().is_some() {
        return None;
    }
    Some(Stream { documents: 1, nodes: tree.nodes })
}

/// A key, and what stands behind its colon: nothing, or one space and a value.
fn key_of(text: &str) -> Option<(&str, &str)> {
    let (key, rest) = text.split_once(':')?;
    let is_plain = key.len() <= MAX_KEY_BYTES
        && key.starts_with(|first: char| first.is_ascii_alphabetic())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match rest {
        _ if !is_plain => None,
        "" => Some((key, "")),
        _ => rest.strip_prefix(' ').filter(|value| !value.is_empty()).map(|value| (key, value)),
    }
}

/// Whether a value reads as itself: nothing in it means anything to YAML, and it does not announce a mapping.
fn is_plain(value: &str) -> bool {
    value.starts_with(|first: char| first.is_ascii_alphabetic())
        && !value.ends_with(':')
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b':' | b'-' | b'_'))
}

/// The lines of the text, with their numbers in the file.
struct Lines<'a> {
    next_line: u32,
    rest: Peekable<Split<'a, char>>,
}

impl<'a> Lines<'a> {
    fn opens(&mut self, indent: &str) -> bool {
        self.rest.peek().is_some_and(|line| line.starts_with(indent))
    }

    /// The next line behind an indent, when it has exactly that.
    fn take(&mut self, indent: &str) -> Option<(u32, &'a str)> {
        let text = self.rest.next_if(|line| line.strip_prefix(indent).is_some_and(|text| !text.starts_with(' ')))?;
        let line = self.next_line;
        self.next_line = line.saturating_add(1);
        Some((line, text.get(indent.len()..)?))
    }
}

struct Tree<'a> {
    nodes: Vec<Node<'a>>,
}

impl<'a> Tree<'a> {
    fn open(&mut self, line: u32, depth: usize, kind: NodeKind<'a>) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node { line, depth, kind, is_anchored: false, is_tagged: false, end: at + 1 });
        at
    }

    /// Ends a collection; an empty one is not of the plain shape.
    fn close(&mut self, at: usize) -> Option<()> {
        let end = self.nodes.len();
        self.nodes.get_mut(at)?.end = end;
        (end > at + 1).then_some(())
    }

    fn scalar(&mut self, line: u32, depth: usize, text: &'a str) {
        self.open(line, depth, NodeKind::Scalar(Cow::Borrowed(text), true));
    }

    fn value(&mut self, line: u32, depth: usize, text: &'a str) -> Option<()> {
        if text == "{}" {
            self.open(line, depth, NodeKind::Mapping);
        } else if is_plain(text) {
            self.scalar(line, depth, text);
        } else {
            return None;
        }
        Some(())
    }

    fn list(&mut self, depth: usize, indent: &str, lines: &mut Lines<'a>) -> Option<()> {
        let list = self.open(lines.next_line, depth, NodeKind::Sequence);
        while let Some((line, text)) = lines.take(indent) {
            if !is_plain(text) {
                return None;
            }
            self.scalar(line, depth + 1, text);
        }
        self.close(list)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::by_library;
    use super::*;

    #[test]
    fn the_plain_shape_is_read_as_the_library_reads_it() {
        let text = "id: spec:a.b-c_d\nkind: rule\nrelations:\n  refines: spec:a\n  dependsOn:\n    - spec:b\n    - spec:c\nspecs:\n  - spec:d\nnone: {}\n";
        let read = read(text).unwrap();
        assert_eq!(read, by_library(text).unwrap());
        assert_eq!(read.nodes.len(), 18);
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_library() {
        for text in [
            "",
            "\n",
            "id",
            "id:",
            "id: ",
            "id:  a",
            "id: a ",
            "id: 'a'",
            "id: a #c",
            "id: a:",
            "id: a\n  b",
            "id: a\n\nkind: b",
            "id: a\r\nkind: b",
            "- a",
            "id: *a",
            "id: &a b",
            "id: !a b",
            "? a",
            "a: b: c",
            "relations:\nkind: a",
            "a:\n - b",
            "a:\n  - b\n    c",
            "a:\n  - b: c",
            "a:\n   b: c",
            "a:\n  b:\n  c: d",
            "a:\n  b: c\n    d",
            "id: 1",
            "---\nid: a",
            "...",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_read_otherwise_than_by_the_library(
            lines in proptest::collection::vec("( {0,5})(- |-)?((id|a|kind|true|x1)(:| :|: |:  )?)?(spec:a\\.b|a|\\{\\}|\\[\\]|'q'|1|a:|#c|~|b c|-|é)?( {0,2})", 0..8),
            end in "\n?",
        ) {
            let text = lines.join("\n") + &end;
            if let Some(read) = read(&text) {
                prop_assert_eq!(Ok(read), by_library(&text));
            }
        }
    }
}
