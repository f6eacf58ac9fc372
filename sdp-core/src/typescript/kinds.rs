//! What messages call an expression or a statement: the names of TypeScript's own syntax kinds, as the reference prints them
//! (fact sheet 6.1).

use oxc_ast::ast::{ChainElement, Declaration, ExportDefaultDeclarationKind, Expression, Statement, UnaryOperator};

/// The kind of an expression, such as `CallExpression`.
#[must_use]
pub(crate) fn expression_kind(expression: &Expression<'_>) -> &'static str {
    match expression {
        Expression::BooleanLiteral(literal) if literal.value => "TrueKeyword",
        Expression::BooleanLiteral(_) => "FalseKeyword",
        Expression::NullLiteral(_) => "NullKeyword",
        Expression::NumericLiteral(_) => "NumericLiteral",
        Expression::BigIntLiteral(_) => "BigIntLiteral",
        Expression::RegExpLiteral(_) => "RegularExpressionLiteral",
        Expression::StringLiteral(_) => "StringLiteral",
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => "NoSubstitutionTemplateLiteral",
        Expression::TemplateLiteral(_) => "TemplateExpression",
        Expression::Identifier(_) => "Identifier",
        Expression::Super(_) => "SuperKeyword",
        Expression::ArrayExpression(_) => "ArrayLiteralExpression",
        Expression::ArrowFunctionExpression(_) => "ArrowFunction",
        Expression::AssignmentExpression(_)
        | Expression::BinaryExpression(_)
        | Expression::LogicalExpression(_)
        | Expression::SequenceExpression(_)
        | Expression::PrivateInExpression(_) => "BinaryExpression",
        Expression::AwaitExpression(_) => "AwaitExpression",
        Expression::CallExpression(_) | Expression::ImportExpression(_) => "CallExpression",
        Expression::ChainExpression(chain) => match &chain.expression {
            ChainElement::CallExpression(_) => "CallExpression",
            ChainElement::TSNonNullExpression(_) => "NonNullExpression",
            ChainElement::ComputedMemberExpression(_) => "ElementAccessExpression",
            ChainElement::StaticMemberExpression(_) | ChainElement::PrivateFieldExpression(_) => {
                "PropertyAccessExpression"
            }
        },
        Expression::ClassExpression(_) => "ClassExpression",
        Expression::ConditionalExpression(_) => "ConditionalExpression",
        Expression::FunctionExpression(_) => "FunctionExpression",
        Expression::NewExpression(_) => "NewExpression",
        Expression::ObjectExpression(_) => "ObjectLiteralExpression",
        Expression::ParenthesizedExpression(_) => "ParenthesizedExpression",
        Expression::TaggedTemplateExpression(_) => "TaggedTemplateExpression",
        Expression::ThisExpression(_) => "ThisKeyword",
        Expression::UnaryExpression(unary) => match unary.operator {
            UnaryOperator::Typeof => "TypeOfExpression",
            UnaryOperator::Void => "VoidExpression",
            UnaryOperator::Delete => "DeleteExpression",
            UnaryOperator::UnaryPlus
            | UnaryOperator::UnaryNegation
            | UnaryOperator::LogicalNot
            | UnaryOperator::BitwiseNot => "PrefixUnaryExpression",
        },
        Expression::UpdateExpression(update) if update.prefix => "PrefixUnaryExpression",
        Expression::UpdateExpression(_) => "PostfixUnaryExpression",
        Expression::YieldExpression(_) => "YieldExpression",
        Expression::ImportMeta(_) | Expression::NewTarget(_) => "MetaProperty",
        Expression::JSXElement(element) if element.closing_element.is_none() => "JsxSelfClosingElement",
        Expression::JSXElement(_) => "JsxElement",
        Expression::JSXFragment(_) => "JsxFragment",
        Expression::TSAsExpression(_) => "AsExpression",
        Expression::TSSatisfiesExpression(_) => "SatisfiesExpression",
        Expression::TSTypeAssertion(_) => "TypeAssertionExpression",
        Expression::TSNonNullExpression(_) => "NonNullExpression",
        Expression::TSInstantiationExpression(_) => "ExpressionWithTypeArguments",
        Expression::V8IntrinsicExpression(_) => "CallExpression",
        Expression::ComputedMemberExpression(_) => "ElementAccessExpression",
        Expression::StaticMemberExpression(_) | Expression::PrivateFieldExpression(_) => "PropertyAccessExpression",
    }
}

/// The kind of a statement, such as `FunctionDeclaration`.
#[must_use]
pub(crate) fn statement_kind(statement: &Statement<'_>) -> &'static str {
    match statement {
        Statement::BlockStatement(_) => "Block",
        Statement::BreakStatement(_) => "BreakStatement",
        Statement::ContinueStatement(_) => "ContinueStatement",
        Statement::DebuggerStatement(_) => "DebuggerStatement",
        Statement::DoWhileStatement(_) => "DoStatement",
        Statement::EmptyStatement(_) => "EmptyStatement",
        Statement::ExpressionStatement(_) => "ExpressionStatement",
        Statement::ForInStatement(_) => "ForInStatement",
        Statement::ForOfStatement(_) => "ForOfStatement",
        Statement::ForStatement(_) => "ForStatement",
        Statement::IfStatement(_) => "IfStatement",
        Statement::LabeledStatement(_) => "LabeledStatement",
        Statement::ReturnStatement(_) => "ReturnStatement",
        Statement::SwitchStatement(_) => "SwitchStatement",
        Statement::ThrowStatement(_) => "ThrowStatement",
        Statement::TryStatement(_) => "TryStatement",
        Statement::WhileStatement(_) => "WhileStatement",
        Statement::WithStatement(_) => "WithStatement",
        Statement::ImportDeclaration(_) => "ImportDeclaration",
        Statement::ExportDeclaration(export) => declaration_kind(&export.declaration),
        Statement::ExportDefaultDeclaration(export) => match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(_) => "FunctionDeclaration",
            ExportDefaultDeclarationKind::ClassDeclaration(_) => "ClassDeclaration",
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => "InterfaceDeclaration",
            _ => "ExportAssignment",
        },
        Statement::TSExportAssignment(_) => "ExportAssignment",
        Statement::ExportAllDeclaration(_)
        | Statement::ExportNamedDeclaration(_)
        | Statement::ExportFromDeclaration(_) => "ExportDeclaration",
        Statement::TSNamespaceExportDeclaration(_) => "NamespaceExportDeclaration",
        _ => statement.as_declaration().map_or("Statement", declaration_kind),
    }
}

fn declaration_kind(declaration: &Declaration<'_>) -> &'static str {
    match declaration {
        Declaration::VariableDeclaration(_) => "VariableStatement",
        Declaration::FunctionDeclaration(_) => "FunctionDeclaration",
        Declaration::ClassDeclaration(_) => "ClassDeclaration",
        Declaration::TSTypeAliasDeclaration(_) => "TypeAliasDeclaration",
        Declaration::TSInterfaceDeclaration(_) => "InterfaceDeclaration",
        Declaration::TSEnumDeclaration(_) => "EnumDeclaration",
        Declaration::TSExternalModuleDeclaration(_)
        | Declaration::TSNamespaceDeclaration(_)
        | Declaration::TSGlobalDeclaration(_) => "ModuleDeclaration",
        Declaration::TSImportEqualsDeclaration(_) => "ImportEqualsDeclaration",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typescript::with_file;

    /// The kind of an expression among the elements of an array, in a generator.
    fn kind(path: &str, source: &str) -> &'static str {
        let text = format!("function* g() {{ x([{source}]); }}");
        with_file(path, &text, |file| {
            let Statement::FunctionDeclaration(function) = file.program.body.first().unwrap() else { panic!("{text}") };
            let Some(Statement::ExpressionStatement(statement)) = function.body.as_ref().unwrap().statements.first()
            else {
                panic!("{text}")
            };
            let Expression::CallExpression(call) = &statement.expression else { panic!("{text}") };
            let Some(Expression::ArrayExpression(array)) = call.arguments.first().unwrap().as_expression() else {
                panic!("{text}")
            };
            expression_kind(array.elements.first().unwrap().as_expression().unwrap())
        })
        .unwrap_or_else(|refused| panic!("{source}: {refused:?}"))
    }

    #[test]
    fn expressions_are_called_as_typescript_calls_them() {
        for (source, expected) in [
            ("true", "TrueKeyword"),
            ("false", "FalseKeyword"),
            ("null", "NullKeyword"),
            ("1", "NumericLiteral"),
            ("1n", "BigIntLiteral"),
            ("/a/", "RegularExpressionLiteral"),
            ("\"a\"", "StringLiteral"),
            ("`a`", "NoSubstitutionTemplateLiteral"),
            ("`a${b}`", "TemplateExpression"),
            ("a", "Identifier"),
            ("super.a", "PropertyAccessExpression"),
            ("super()", "CallExpression"),
            ("[]", "ArrayLiteralExpression"),
            ("() => 1", "ArrowFunction"),
            ("a = 1", "BinaryExpression"),
            ("a += 1", "BinaryExpression"),
            ("await a", "AwaitExpression"),
            ("a + b", "BinaryExpression"),
            ("a && b", "BinaryExpression"),
            ("a in b", "BinaryExpression"),
            ("a instanceof b", "BinaryExpression"),
            ("f()", "CallExpression"),
            ("a?.b", "PropertyAccessExpression"),
            ("a?.b()", "CallExpression"),
            ("a?.[b]", "ElementAccessExpression"),
            ("a?.b.c", "PropertyAccessExpression"),
            ("class {}", "ClassExpression"),
            ("a ? b : c", "ConditionalExpression"),
            ("function () {}", "FunctionExpression"),
            ("import(\"a\")", "CallExpression"),
            ("import.meta", "MetaProperty"),
            ("new a", "NewExpression"),
            ("{}", "ObjectLiteralExpression"),
            ("(a)", "ParenthesizedExpression"),
            ("a`b`", "TaggedTemplateExpression"),
            ("a`b${c}`", "TaggedTemplateExpression"),
            ("this", "ThisKeyword"),
            ("-a", "PrefixUnaryExpression"),
            ("!a", "PrefixUnaryExpression"),
            ("~a", "PrefixUnaryExpression"),
            ("+a", "PrefixUnaryExpression"),
            ("typeof a", "TypeOfExpression"),
            ("void a", "VoidExpression"),
            ("delete a", "DeleteExpression"),
            ("a++", "PostfixUnaryExpression"),
            ("--a", "PrefixUnaryExpression"),
            ("yield", "YieldExpression"),
            ("yield* a", "YieldExpression"),
            ("#a in b", "BinaryExpression"),
            ("new.target", "MetaProperty"),
            ("<a/>", "JsxSelfClosingElement"),
            ("<a></a>", "JsxElement"),
            ("<></>", "JsxFragment"),
            ("a as b", "AsExpression"),
            ("a satisfies b", "SatisfiesExpression"),
            ("a!", "NonNullExpression"),
            ("a?.b!", "NonNullExpression"),
            ("a<b>", "ExpressionWithTypeArguments"),
            ("a.b", "PropertyAccessExpression"),
            ("a[b]", "ElementAccessExpression"),
            ("a.#b", "PropertyAccessExpression"),
            ("undefined", "Identifier"),
            ("a as const", "AsExpression"),
            ("async () => 1", "ArrowFunction"),
            ("[...a]", "ArrayLiteralExpression"),
            ("-1", "PrefixUnaryExpression"),
            ("a || b", "BinaryExpression"),
            ("a | b", "BinaryExpression"),
        ] {
            assert_eq!(kind("a.tsx", source), expected, "{source}");
        }
        assert_eq!(kind("a.ts", "<a>b"), "TypeAssertionExpression");
    }

    #[test]
    fn statements_are_called_as_typescript_calls_them() {
        for (source, expected) in [
            ("{}", "Block"),
            ("while(a) break;", "WhileStatement"),
            ("while(a) continue;", "WhileStatement"),
            ("debugger;", "DebuggerStatement"),
            ("do {} while(a)", "DoStatement"),
            (";", "EmptyStatement"),
            ("a;", "ExpressionStatement"),
            ("for (a in b) {}", "ForInStatement"),
            ("for (a of b) {}", "ForOfStatement"),
            ("for (;;) {}", "ForStatement"),
            ("if (a) {}", "IfStatement"),
            ("a: b;", "LabeledStatement"),
            ("return;", "ReturnStatement"),
            ("switch (a) {}", "SwitchStatement"),
            ("throw a;", "ThrowStatement"),
            ("try {} catch {}", "TryStatement"),
            ("while (a) {}", "WhileStatement"),
            ("with (a) {}", "WithStatement"),
            ("const a = 1;", "VariableStatement"),
            ("let a;", "VariableStatement"),
            ("var a;", "VariableStatement"),
            ("export const a = 1;", "VariableStatement"),
            ("function f() {}", "FunctionDeclaration"),
            ("export function f() {}", "FunctionDeclaration"),
            ("export default function f() {}", "FunctionDeclaration"),
            ("class A {}", "ClassDeclaration"),
            ("export class A {}", "ClassDeclaration"),
            ("export default class {}", "ClassDeclaration"),
            ("type A = B;", "TypeAliasDeclaration"),
            ("interface A {}", "InterfaceDeclaration"),
            ("export default interface A {}", "InterfaceDeclaration"),
            ("enum A {}", "EnumDeclaration"),
            ("declare module 'a' {}", "ModuleDeclaration"),
            ("namespace A {}", "ModuleDeclaration"),
            ("module A {}", "ModuleDeclaration"),
            ("declare global {}", "ModuleDeclaration"),
            ("import a = b;", "ImportEqualsDeclaration"),
            ("import a = require('a');", "ImportEqualsDeclaration"),
            ("export import a = b;", "ImportEqualsDeclaration"),
            ("import 'a';", "ImportDeclaration"),
            ("import a from 'a';", "ImportDeclaration"),
            ("export * from 'a';", "ExportDeclaration"),
            ("export { a };", "ExportDeclaration"),
            ("export { a } from 'a';", "ExportDeclaration"),
            ("export default a;", "ExportAssignment"),
            ("export = a;", "ExportAssignment"),
            ("export as namespace a;", "NamespaceExportDeclaration"),
            ("export {};", "ExportDeclaration"),
            ("declare const a: b;", "VariableStatement"),
            ("using a = b;", "VariableStatement"),
            ("await using a = b;", "VariableStatement"),
            ("@a class A {}", "ClassDeclaration"),
            ("declare function f(): void;", "FunctionDeclaration"),
            ("export default abstract class A {}", "ClassDeclaration"),
            ("export type { A };", "ExportDeclaration"),
            ("export default async function () {}", "FunctionDeclaration"),
        ] {
            let read = with_file("a.ts", source, |file| statement_kind(file.program.body.first().unwrap()));
            assert_eq!(read, Ok(expected), "{source}");
        }
    }
}
