//! The comment form: the comments of a file come in, the anchors that its top-level `/** … */` blocks hold go out. A reserved
//! tag in a nested block is refused; `//` and `/* … */` are never read, and named where they open an anchor.

use oxc_ast::ast::{Comment, Declaration, ExportDefaultDeclarationKind, Statement};
use oxc_span::{GetSpan, Span};

use super::MAX_FINDINGS;
use crate::anchor::Read;
use crate::anchor::comment::{Tags, may_hold_anchors, opens_a_tag, raw_lines};
use crate::finding::{Finding, FindingId};
use crate::typescript::File;

const OPEN: &str = "/**";
const CLOSE: &str = "*/";
/// The tag that every anchor has.
const ANCHOR: &str = "@sdpAnchor";

/// Reads the anchors of comments, in their order.
pub(super) fn read(path: &str, file: &File<'_>, read: &mut Read) {
    let program = file.program;
    // Both run through the file in its order.
    let mut statements =
        program.directives.iter().map(GetSpan::span).chain(program.body.iter().map(span_of)).peekable();
    for comment in file.comments() {
        while statements.next_if(|statement| statement.end <= comment.span.start).is_some() {}
        let Some(whole) = file.text.get(comment.span.start as usize..comment.span.end as usize) else { continue };
        if !may_hold_anchors(whole.as_bytes()) {
            continue;
        }
        if read.findings.len() > MAX_FINDINGS {
            return;
        }
        let line = file.line(comment.span.start);
        let Some(content) = content(comment, whole) else {
            if is_meant(whole) {
                let message =
                    "a tag binds in TypeScript from a /** … */ comment alone: the tag in this comment binds nothing";
                let finding = Finding::warning(FindingId::SkippedSource, message).at(path, line);
                read.findings.push(finding.with_help("open the comment with `/**` and close it with `*/`"));
            }
            continue;
        };
        if statements.peek().is_some_and(|statement| statement.start < comment.span.start) {
            if raw_lines(content).any(opens_a_tag) {
                let message = "misplaced reserved tag: an @sdp… tag binds only from a top-level /** … */ comment, never from a nested position";
                let finding = Finding::error(FindingId::NonStaticEnvelope, message).at(path, line);
                read.findings.push(finding.with_help("move the comment out, before the statement that it stands in"));
            }
            continue;
        }
        let mut tags = Tags::new(path, line, None);
        for (number, text) in (line..).zip(raw_lines(content)) {
            tags.line(number, text);
        }
        if let Some(anchor) = tags.finish() {
            read.take(anchor);
        }
    }
}

/// Where a statement stands. One that exports a class opens with the decorators that stand before the word `export`.
fn span_of(statement: &Statement<'_>) -> Span {
    let span = statement.span();
    let class = match statement {
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::ClassDeclaration(class) => Some(class),
            _ => None,
        },
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::ClassDeclaration(class) => Some(class),
            _ => None,
        },
        _ => None,
    };
    let decorated = class.and_then(|class| class.decorators.first()).map(|decorator| decorator.span.start);
    Span::new(decorated.map_or(span.start, |start| start.min(span.start)), span.end)
}

/// What stands between the tokens of a `/** … */` block.
fn content<'t>(comment: &Comment, whole: &'t str) -> Option<&'t str> {
    if !comment.is_block() {
        return None;
    }
    whole.strip_prefix(OPEN)?.strip_suffix(CLOSE)
}

/// Whether a comment that is never read opens an anchor, as if it were: its tag stands first on a line.
fn is_meant(whole: &str) -> bool {
    whole.lines().any(|line| {
        let text = line.trim_start().trim_start_matches(['/', '*']).trim_start();
        text.strip_prefix(ANCHOR).is_some_and(|rest| rest.starts_with(char::is_whitespace))
    })
}
