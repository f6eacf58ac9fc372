//! Where the parts of documents stand: a carrier's text comes in, and for the line of a call and the path of a part the
//! lines of that part go out. Whether a call is one of a builder plays no part: its line is known to be one.

use std::ops::Range;

use hashbrown::HashMap;
use oxc_ast::ast::{Declaration, Expression, ObjectPropertyKind, Statement, VariableDeclaration};
use oxc_span::{GetSpan, Span};

use crate::model::MAX_OPEN_DEPTH;
use crate::typescript::{File, Key, arguments_object, key_of, unwrapped, with_file};

/// How many parts of a path are looked at: more than values have levels.
const MAX_PARTS: usize = 3 * MAX_OPEN_DEPTH;

/// The objects that the calls of one carrier take.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Each with the line of its call.
    calls: Vec<(u32, Part)>,
}

/// A part of a document.
#[derive(Debug)]
struct Part {
    /// Its lines, 1-based.
    lines: Range<u32>,
    below: Below,
}

#[derive(Debug)]
enum Below {
    Nothing,
    Members(HashMap<String, Part>),
    Elements(Vec<Part>),
}

impl Places {
    /// Reads the places of a carrier; a text that does not parse has none.
    pub(crate) fn read(text: &str) -> Self {
        with_file("", text, |file| {
            let mut places = Places::default();
            for statement in &file.program.body {
                match statement {
                    Statement::VariableDeclaration(declared) => places.declared(file, declared),
                    Statement::ExportDeclaration(export) => {
                        if let Declaration::VariableDeclaration(declared) = &export.declaration {
                            places.declared(file, declared);
                        }
                    }
                    _ => {}
                }
            }
            places
        })
        .unwrap_or_default()
    }

    fn declared(&mut self, file: &File<'_>, declared: &VariableDeclaration<'_>) {
        for constant in &declared.declarations {
            let Some(Expression::CallExpression(call)) = constant.init.as_ref().map(unwrapped) else { continue };
            if let Some(object) = arguments_object(call) {
                self.calls.push((file.line_of(&**call), part(file, object.span(), &object.properties)));
            }
        }
    }

    /// The lines, 1-based, of a part of the document that a call in this line makes, such as `behavior.rules[2]`.
    pub(crate) fn lines(&self, call: u32, path: &str) -> Option<Range<u32>> {
        let of_call = self.calls.iter().filter(|(line, _)| *line == call);
        of_call.filter_map(|(_, part)| part.find(path)).map(|part| part.lines.clone()).next()
    }
}

impl Part {
    fn find(&self, path: &str) -> Option<&Part> {
        let mut part = self;
        let mut rest = path;
        while !rest.is_empty() {
            (part, rest) = match &part.below {
                Below::Nothing => return None,
                Below::Elements(elements) => {
                    let (at, rest) = rest.strip_prefix('[')?.split_once(']')?;
                    (elements.get(at.parse::<usize>().ok()?)?, rest)
                }
                Below::Members(members) => {
                    let rest = rest.strip_prefix('.').unwrap_or(rest);
                    // A key may hold what otherwise parts a path, so the longest one is meant.
                    let ends = [rest.len()].into_iter().chain(rest.rmatch_indices(['.', '[']).map(|(at, _)| at));
                    ends.take(MAX_PARTS)
                        .filter_map(|at| rest.split_at_checked(at))
                        .find_map(|(key, rest)| Some((members.get(key)?, rest)))?
                }
            };
        }
        Some(part)
    }
}

/// The part that an object literal is.
fn part(file: &File<'_>, span: Span, entries: &[ObjectPropertyKind<'_>]) -> Part {
    Part { lines: lines(file, span), below: Below::Members(members(file, entries, 0)) }
}

fn members(file: &File<'_>, entries: &[ObjectPropertyKind<'_>], depth: usize) -> HashMap<String, Part> {
    let mut members = HashMap::new();
    for entry in entries {
        if let Key::Plain(name, value) = key_of(entry) {
            let part = || Part { lines: lines(file, entry.span()), below: below(file, value, depth + 1) };
            members.entry_ref(name).or_insert_with(part);
        }
    }
    members
}

/// What stands below a value. Values that nest deeper refuse their document.
fn below(file: &File<'_>, value: &Expression<'_>, depth: usize) -> Below {
    match unwrapped(value) {
        _ if depth > MAX_OPEN_DEPTH => Below::Nothing,
        Expression::ObjectExpression(object) => Below::Members(members(file, &object.properties, depth)),
        Expression::ArrayExpression(array) => {
            let element = |span, value: Option<&Expression<'_>>| Part {
                lines: lines(file, span),
                below: value.map_or(Below::Nothing, |value| below(file, value, depth + 1)),
            };
            let elements = array.elements.iter();
            Below::Elements(elements.map(|one| element(one.span(), one.as_expression())).collect())
        }
        _ => Below::Nothing,
    }
}

fn lines(file: &File<'_>, span: Span) -> Range<u32> {
    file.line(span.start)..file.line(span.end).saturating_add(1)
}
