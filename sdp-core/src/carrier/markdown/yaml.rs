//! YAML: the frontmatter's text comes in, a flat tree of its first document goes out, or one error. The library is used
//! as an event source only; nesting is counted here and nothing recurses, whatever the input nests. The shape that almost
//! every frontmatter has is read without it, in a twentieth of the time.

mod block;

use std::borrow::Cow;

use memchr::memchr_iter;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError};

/// The first line of a frontmatter in its file.
const FIRST_LINE: u32 = 2;

/// One node. Nodes stand in pre-order, keys before their values.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Node<'a> {
    /// The 1-based line in the file.
    pub(super) line: u32,
    /// How deep it stands; the root is 1.
    pub(super) depth: usize,
    /// What it is.
    pub(super) kind: NodeKind<'a>,
    /// Whether it has an anchor.
    pub(super) is_anchored: bool,
    /// Whether it has a tag.
    pub(super) is_tagged: bool,
    /// The index behind its subtree.
    end: usize,
}

/// What a node is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NodeKind<'a> {
    /// A scalar: its value, and whether it was written without quotes and block indicator.
    Scalar(Cow<'a, str>, bool),
    /// A sequence.
    Sequence,
    /// A mapping.
    Mapping,
    /// An alias.
    Alias,
}

/// A stream of documents, of which the first is kept.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stream<'a> {
    /// How many documents there are.
    pub(super) documents: usize,
    /// The first document's nodes, root first.
    pub(super) nodes: Vec<Node<'a>>,
}

/// Why a text is no YAML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct YamlError {
    /// The 1-based line in the file.
    pub(super) line: u32,
    /// The 1-based column, in characters, where the library knows it.
    pub(super) column: Option<u32>,
    /// One line that says what is wrong.
    pub(super) message: String,
}

/// Reads a frontmatter. Refuses what the library refuses, at its first error.
pub(super) fn parse(text: &str) -> Result<Stream<'_>, YamlError> {
    block::read(text).map_or_else(|| by_library(text), Ok)
}

fn by_library(text: &str) -> Result<Stream<'_>, YamlError> {
    let lines = memchr_iter(b'\n', text.as_bytes()).count();
    let last_line = FIRST_LINE.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
    let place = |marker: &Marker| in_file(marker.line()).min(last_line);
    // No event stands for less than a third of a byte, so more of them can only be a loop in the library.
    let mut events_left = text.len().saturating_mul(4).saturating_add(64);
    let mut parser = Parser::new_from_str(text);
    let mut stream = Stream::default();
    let mut open: Vec<usize> = Vec::new();
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| refusal(&error, last_line))?;
        if events_left == 0 {
            let message = "frontmatter is not valid YAML: it does not come to an end".to_owned();
            return Err(YamlError { line: place(&span.start), column: None, message });
        }
        events_left -= 1;
        let (kind, is_anchored, is_tagged) = match event {
            Event::DocumentStart(_) => {
                stream.documents += 1;
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let end = stream.nodes.len();
                if let Some(node) = open.pop().and_then(|at| stream.nodes.get_mut(at)) {
                    node.end = end;
                }
                continue;
            }
            Event::Scalar(value, style, anchor, tag) => {
                (NodeKind::Scalar(value, style == ScalarStyle::Plain), anchor > 0, tag.is_some())
            }
            Event::SequenceStart(anchor, tag) => (NodeKind::Sequence, anchor > 0, tag.is_some()),
            Event::MappingStart(anchor, tag) => (NodeKind::Mapping, anchor > 0, tag.is_some()),
            Event::Alias(_) => (NodeKind::Alias, false, false),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => continue,
        };
        if stream.documents > 1 {
            continue;
        }
        let at = stream.nodes.len();
        let depth = open.len() + 1;
        if matches!(kind, NodeKind::Sequence | NodeKind::Mapping) {
            open.push(at);
        }
        let line = place(&span.start);
        stream.nodes.push(Node { line, depth, kind, is_anchored, is_tagged, end: at + 1 });
    }
    Ok(stream)
}

fn in_file(line: usize) -> u32 {
    // The library counts from 1.
    u32::try_from(line).unwrap_or(u32::MAX).saturating_add(FIRST_LINE - 1)
}

/// The library's error at its place in the file.
fn refusal(error: &ScanError, last_line: u32) -> YamlError {
    let marker = error.marker();
    let message = wording(error.info());
    let line = in_file(marker.line());
    if line > last_line {
        // The library places what is missing at the end of the text on a line of its own.
        return YamlError { line: last_line, column: None, message };
    }
    let column = u32::try_from(marker.col()).ok().and_then(|column| column.checked_add(1));
    YamlError { line, column, message }
}

/// The library's error in this engine's words. What the library refuses before its events show it, but a rule of the
/// Protocol has a message for, takes that message.
fn wording(info: &str) -> String {
    let reason = match info {
        "while parsing node, found unknown anchor" => return "YAML aliases are not accepted".to_owned(),
        "recursion limit exceeded" => return "frontmatter exceeds the depth limit of 16".to_owned(),
        "the handle wasn't declared" | "invalid global tag character" => {
            return "YAML tags are not accepted".to_owned();
        }
        info if ["parsing a tag,", "scanning a tag,", "a verbatim tag,"].iter().any(|part| info.contains(part)) => {
            return "YAML tags are not accepted".to_owned();
        }
        "mapping values are not allowed in this context" => {
            "a second key opens inside a value; quote a value that holds a colon"
        }
        "while parsing a block mapping, did not find expected key" => {
            "a key in line with the keys above is expected here"
        }
        "simple key expected" | "simple key expect ':'" => "the key before this place lacks its colon",
        "block sequence entries are not allowed in this context" => "a list entry cannot open here",
        "while parsing a flow sequence, expected ',' or ']'" => "a list in brackets lacks a comma or its closing ]",
        "while parsing a flow mapping, did not find expected ',' or '}'" => {
            "a mapping in braces lacks a comma or its closing }"
        }
        "while scanning a quoted scalar, found unexpected end of stream" => "a quoted value is not closed",
        "invalid indentation in quoted scalar" => "a quoted value is not closed before the next key",
        "while parsing a quoted scalar, found unknown escape character" => "a quoted value holds an unknown escape",
        "invalid trailing content after double-quoted scalar" => "text follows a quoted value on its line",
        "while scanning a block scalar, did not find expected comment or line break" => {
            "text follows a block indicator on its line"
        }
        "found unprintable character" => "a NUL character",
        info if info.contains("tab") => "a tab cannot stand here",
        info if info.starts_with("unexpected character") => "a plain value cannot open with %, @ or `",
        info => info,
    };
    format!("frontmatter is not valid YAML: {reason}")
}

impl Stream<'_> {
    /// The value of a scalar that YAML 1.2 reads as a string: any quoted or block one, and a plain one that is no
    /// null, boolean or number. An empty value is the empty string.
    pub(super) fn string(&self, at: usize) -> Option<&str> {
        match &self.nodes.get(at)?.kind {
            NodeKind::Scalar(value, is_plain) if !is_plain || !is_typed(value) => Some(value),
            _ => None,
        }
    }

    /// The line of a node.
    pub(super) fn line(&self, at: usize) -> u32 {
        self.nodes.get(at).map_or(1, |node| node.line)
    }

    /// The indexes of a collection's own children; a mapping's are keys and values by turns.
    pub(super) fn children(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes.get(at).map_or(at, |node| node.end);
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let current = next;
            next = self.nodes.get(current).filter(|_| current < end)?.end;
            Some(current)
        })
    }

    /// The indexes of a mapping's keys and values; none where the node is no mapping.
    pub(super) fn pairs(&self, at: usize) -> Option<impl Iterator<Item = (usize, usize)> + '_> {
        matches!(self.nodes.get(at)?.kind, NodeKind::Mapping).then(|| {
            let mut children = self.children(at);
            std::iter::from_fn(move || Some((children.next()?, children.next()?)))
        })
    }

    /// The indexes of a sequence's entries; none where the node is no sequence.
    pub(super) fn entries(&self, at: usize) -> Option<impl Iterator<Item = usize> + '_> {
        matches!(self.nodes.get(at)?.kind, NodeKind::Sequence).then(|| self.children(at))
    }
}

/// Whether a plain scalar is a null, a boolean or a number (fact sheet part 3.2).
fn is_typed(value: &str) -> bool {
    if ["true", "false", "null", "~", ".nan"].iter().any(|word| value.eq_ignore_ascii_case(word)) {
        return true;
    }
    let bytes = value.as_bytes();
    match bytes {
        [b'0', b'o' | b'O', digits @ ..] => {
            return !digits.is_empty() && digits.iter().all(|byte| matches!(byte, b'0'..=b'7'));
        }
        [b'0', b'x' | b'X', digits @ ..] => return !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit),
        _ => {}
    }
    let unsigned = match bytes {
        [b'+' | b'-', rest @ ..] => rest,
        _ => bytes,
    };
    if unsigned.eq_ignore_ascii_case(b".inf") {
        return true;
    }
    let (whole, rest) = leading_digits(unsigned);
    let (fraction, rest) = match rest {
        [b'.', rest @ ..] => leading_digits(rest),
        _ => (0, rest),
    };
    if whole + fraction == 0 {
        return false;
    }
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] => {
            !exponent.is_empty() && exponent.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    }
}

/// How many digits a text opens with, and what follows them.
fn leading_digits(bytes: &[u8]) -> (usize, &[u8]) {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count, bytes.get(count..).unwrap_or_default())
}
