//! The TypeScript carrier: the Specs and Packs of a `*.sdp.ts` file, read as syntax. The file's text comes in; each document
//! that reifies goes out, with a finding for all that does not (fact sheet 6.3 and table E, newest sheet part 2).
//!
//! This room knows which statements hold documents. `envelope` takes the object of a call apart, `spec` and `pack` read its
//! fields, `values` what a section holds, and `sections` whether it may.

mod envelope;
mod pack;
mod places;
mod report;
mod sections;
mod spec;
#[cfg(test)]
mod tests;
mod values;

use oxc_ast::ast::{
    CallExpression, Declaration, Expression, ImportDeclaration, Statement, VariableDeclaration,
    VariableDeclarationKind, VariableDeclarator,
};
use oxc_span::GetSpan;

pub(super) use self::places::Places;
use self::report::{Report, Said};
use self::values::Reading;
use super::findings::shown;
use super::{MAX_CARRIER_BYTES, Read};
use crate::finding::{Finding, FindingId};
use crate::model::Document;
use crate::typescript::{Builder, Builders, File, Modules, Unparsed, remedies, statement_kind, unwrapped, with_file};

/// Reads one carrier. `file` is its root-relative path, which the findings name; `text` is its whole content. `modules` are
/// trusted beside the package of the builders.
#[must_use]
#[sdp::satisfies(
    "spec:sdp.carriers.typescript",
    component = "component:sdp.carriers",
    uses = "component:sdp.typescript",
    references = "spec:sdp.decisions.oxc"
)]
pub fn read(file: &str, text: &str, modules: &Modules) -> Read {
    if text.len() > MAX_CARRIER_BYTES {
        let message = "the TypeScript carrier exceeds the 256 KiB byte limit; the file is excluded";
        let finding = Finding::error(FindingId::LargeCarrier, message).at(file, 1);
        return Err(vec![finding]).into();
    }
    with_file(file, text, |parsed| statements(file, parsed, modules))
        .unwrap_or_else(|unparsed| refused(file, &unparsed))
}

fn refused(file: &str, Unparsed { message, line }: &Unparsed) -> Read {
    let message = format!(
        "the file does not parse: {message} — the error-tolerant parse recovers by guessing, so the file cannot be reified faithfully and its content is excluded"
    );
    let finding = Finding::error(FindingId::ParseError, message).at(file, *line);
    let finding = finding.with_help("mend the file's syntax; none of its Specs is in the graph until then");
    Read { findings: vec![finding], ..Read::default() }
}

/// Reads the statements of a carrier.
fn statements(path: &str, file: &File<'_>, modules: &Modules) -> Read {
    let builders = Builders::read(path, &file.program.body, modules);
    let mut carrier =
        Carrier { reading: Reading { file, builders: &builders }, report: Report::new(path), documents: Vec::new() };
    for directive in &file.program.directives {
        carrier.ignored(directive, "ExpressionStatement", None);
    }
    for statement in &file.program.body {
        match statement {
            Statement::ImportDeclaration(import) if Builders::is_trusted(path, import, modules) => {}
            Statement::ImportDeclaration(import) => carrier.foreign_import(import),
            Statement::VariableDeclaration(declared) => carrier.declared(statement, declared),
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::VariableDeclaration(declared) => carrier.declared(statement, declared),
                _ => carrier.ignored(statement, statement_kind(statement), None),
            },
            _ => {
                let help = carrier
                    .called_in(statement)
                    .map(|builder| format!("give it a name: `export const … = {}({{ … }})`", builder.as_str()));
                carrier.ignored(statement, statement_kind(statement), help);
            }
        }
    }
    let Carrier { report, documents, .. } = carrier;
    Read { documents, findings: report.finish(), used_modules: builders.used() }
}

struct Carrier<'e, 'a, 'f> {
    reading: Reading<'e, 'a>,
    report: Report<'f>,
    documents: Vec<Document>,
}

impl<'e, 'a> Carrier<'e, 'a, '_> {
    /// The constants of a declaration.
    fn declared(&mut self, statement: &Statement<'a>, declared: &'e VariableDeclaration<'a>) {
        if declared.kind != VariableDeclarationKind::Const {
            self.warn(statement, || {
                Said::new("only const declarations are recognized").help("write `const`".to_owned())
            });
            return;
        }
        for constant in &declared.declarations {
            match constant.init.as_ref().and_then(|value| self.call(value)) {
                Some((Builder::Spec, call)) => {
                    let document = spec::read(call, self.reading, &mut self.report);
                    self.documents.extend(document.map(Document::Spec));
                }
                Some((Builder::Pack, call)) => {
                    let document = pack::read(call, self.reading, &mut self.report);
                    self.documents.extend(document.map(Document::Pack));
                }
                _ => self.other_constant(constant),
            }
        }
    }

    /// The builder that an expression calls, through parentheses and `as`.
    fn call(&self, expression: &'e Expression<'a>) -> Option<(Builder, &'e CallExpression<'a>)> {
        let Expression::CallExpression(call) = unwrapped(expression) else { return None };
        Some((self.reading.builders.of(&call.callee)?, call))
    }

    /// `spec` or `pack`, where a statement that counts for nothing calls one of them.
    fn called_in(&self, statement: &'e Statement<'a>) -> Option<Builder> {
        let expression = match statement {
            Statement::ExpressionStatement(statement) => &statement.expression,
            Statement::ExportDefaultDeclaration(export) => export.declaration.as_expression()?,
            _ => return None,
        };
        let (builder, _) = self.call(expression)?;
        matches!(builder, Builder::Spec | Builder::Pack).then_some(builder)
    }

    fn other_constant(&mut self, constant: &'e VariableDeclarator<'a>) {
        let builders = self.reading.builders;
        self.warn(constant, || {
            let span = constant.id.span();
            let name = self.reading.file.text.get(span.start as usize..span.end as usize).unwrap_or_default();
            let message = format!(
                "const \"{}\" is not initialized with a spec(…)/pack(…) call bound to the protocol package",
                shown(name)
            );
            Said::new(message).help(constant.init.as_ref().and_then(|value| uncounted(value, builders)))
        });
    }

    fn foreign_import(&mut self, import: &ImportDeclaration<'a>) {
        self.warn(import, || {
            let message = format!(
                "import from \"{}\" is not the protocol package — identifiers it binds are non-static wherever they appear",
                shown(import.source.value.as_str())
            );
            Said::new(message).help(
                "remove it; where the module hands the builders of the Protocol on, name it under `typescript.trusted`"
                    .to_owned(),
            )
        });
    }

    fn ignored(&mut self, statement: &impl GetSpan, kind: &str, help: Option<String>) {
        self.warn(statement, || Said::new(format!("{kind} is outside the authored grammar")).help(help));
    }

    fn warn(&mut self, statement: &impl GetSpan, said: impl FnOnce() -> Said) {
        let line = self.reading.file.line_of(statement);
        self.report.warning(FindingId::UnrecognizedStatement, line, None, || said().following(
            "the statement is ignored (the recognized set: imports bound to Protocol builder modules and const declarations initialized with spec(…)/pack(…))",
        ));
    }
}

/// The remedy where a constant is made by something that looks like a builder, or by one that has no place here.
fn uncounted(value: &Expression<'_>, builders: &Builders<'_>) -> Option<String> {
    match unwrapped(value) {
        Expression::TSSatisfiesExpression(_) | Expression::TSNonNullExpression(_) => {
            Some("write the call alone: only `as` may stand behind it".to_owned())
        }
        Expression::CallExpression(call) => match builders.of(&call.callee) {
            Some(builder @ (Builder::CodeAnchor | Builder::SpecTest | Builder::SpecOracle)) => {
                Some(format!("move the `{}` to the code that it binds: a carrier binds nothing", builder.as_str()))
            }
            Some(_) => None,
            None => remedies::of_an_unbound_call(value, builders),
        },
        _ => None,
    }
}
