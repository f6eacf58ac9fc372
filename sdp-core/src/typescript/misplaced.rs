//! Calls of authoring builders at any depth: a file and the local names of its builders come in, the calls go out in the order
//! of the text (fact sheet 6.2 and 6.4). A call counts unless its name is bound anew around it: by a parameter, a catch
//! variable, or a declaration of an enclosing block. What the file binds at its top level is not looked at.
//!
//! The walk recurses no deeper than the parser did: chains that the parser reads in a loop are walked in one.

use std::cell::Cell;

use hashbrown::HashMap;
use oxc_ast::ast::{
    BindingIdentifier, BindingPattern, CallExpression, ChainElement, Class, Declaration, Expression, Function,
    Statement, TSClassImplements, TSImportEqualsDeclaration, TSInterfaceDeclaration, TSType, TSTypeAliasDeclaration,
    TSTypeAnnotation, TSTypeParameterDeclaration, TSTypeParameterInstantiation,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use oxc_syntax::scope::{ScopeFlags, ScopeId};

use super::builders::{Builder, Builders};
use super::parse::File;

/// The calls of authoring builders (`spec`, `pack`, `codeAnchor`, `specTest`, `specOracle`) that `skip` does not leave out by
/// their places.
pub(crate) fn uses_of(file: &File<'_>, builders: &Builders<'_>, skip: impl Fn(Span) -> bool) -> Vec<(Builder, Span)> {
    if builders.is_empty() {
        return Vec::new();
    }
    let bound = builders.local_names().map(|name| (name, 0)).collect();
    let mut uses = Uses { builders, bound, scopes: Vec::new(), found: Vec::new() };
    uses.visit_program(file.program);
    let mut found = uses.found;
    found.retain(|(_, span)| !skip(*span));
    found.sort_by_key(|(_, span)| (span.start, span.end));
    found
}

struct Uses<'b, 'n> {
    builders: &'b Builders<'b>,
    /// The local names that stand for builders, each with how often the open scopes bind it anew.
    bound: HashMap<&'n str, u32>,
    /// Those of them that each open scope binds anew, once for each time; the first one is the file, which counts for nothing.
    scopes: Vec<Vec<&'n str>>,
    found: Vec<(Builder, Span)>,
}

impl Uses<'_, '_> {
    fn bind(&mut self, name: &str) {
        let [_, .., scope] = self.scopes.as_mut_slice() else { return };
        let Some(name) = self.bound.get_key_value(name).map(|(name, _)| *name) else { return };
        scope.push(name);
        *self.bound.entry(name).or_default() += 1;
    }

    fn bind_pattern(&mut self, pattern: &BindingPattern<'_>) {
        Bound(self).visit_binding_pattern(pattern);
    }

    fn bind_declaration(&mut self, declaration: &Declaration<'_>) {
        match declaration {
            Declaration::VariableDeclaration(variables) => {
                for variable in &variables.declarations {
                    self.bind_pattern(&variable.id);
                }
            }
            Declaration::FunctionDeclaration(function) => self.bind_function(function),
            Declaration::ClassDeclaration(class) => self.bind_class(class),
            _ => {}
        }
    }

    fn bind_function(&mut self, function: &Function<'_>) {
        if let Some(name) = &function.id {
            self.bind(name.name.as_str());
        }
    }

    fn bind_class(&mut self, class: &Class<'_>) {
        if let Some(name) = &class.id {
            self.bind(name.name.as_str());
        }
    }

    fn is_shadowed(&self, name: &str) -> bool {
        self.bound.get(name).is_some_and(|times| *times > 0)
    }

    /// Looks at a call, without its callee.
    fn call<'a>(&mut self, call: &CallExpression<'a>) {
        let authoring = self.builders.of(&call.callee).filter(|builder| {
            matches!(
                builder,
                Builder::Spec | Builder::Pack | Builder::CodeAnchor | Builder::SpecTest | Builder::SpecOracle
            )
        });
        let base = match &call.callee {
            Expression::Identifier(name) => Some(name),
            Expression::StaticMemberExpression(member) => match &member.object {
                Expression::Identifier(name) => Some(name),
                _ => None,
            },
            _ => None,
        };
        if let (Some(builder), Some(base)) = (authoring, base)
            && !self.is_shadowed(base.name.as_str())
        {
            self.found.push((builder, call.span));
        }
        self.visit_arguments(&call.arguments);
    }
}

impl<'a> Visit<'a> for Uses<'_, '_> {
    fn enter_scope(&mut self, _: ScopeFlags, _: &Cell<Option<ScopeId>>) {
        self.scopes.push(Vec::new());
    }

    fn leave_scope(&mut self) {
        for name in self.scopes.pop().unwrap_or_default() {
            if let Some(times) = self.bound.get_mut(name) {
                *times = times.saturating_sub(1);
            }
        }
    }

    /// A block's declarations bind in the whole of it.
    fn visit_statements(&mut self, statements: &oxc_allocator::Vec<'a, Statement<'a>>) {
        if self.scopes.len() > 1 {
            for statement in statements {
                match statement {
                    Statement::ExportDeclaration(export) => self.bind_declaration(&export.declaration),
                    _ => {
                        if let Some(declaration) = statement.as_declaration() {
                            self.bind_declaration(declaration);
                        }
                    }
                }
            }
        }
        for statement in statements {
            self.visit_statement(statement);
        }
    }

    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.bind(name.name.as_str());
    }

    fn visit_expression(&mut self, expression: &Expression<'a>) {
        let mut next = expression;
        loop {
            next = match next {
                Expression::CallExpression(call) => {
                    self.call(call);
                    &call.callee
                }
                Expression::BinaryExpression(binary) => {
                    self.visit_expression(&binary.right);
                    &binary.left
                }
                Expression::LogicalExpression(logical) => {
                    self.visit_expression(&logical.right);
                    &logical.left
                }
                Expression::StaticMemberExpression(member) => &member.object,
                Expression::PrivateFieldExpression(member) => &member.object,
                Expression::ComputedMemberExpression(member) => {
                    self.visit_expression(&member.expression);
                    &member.object
                }
                Expression::TaggedTemplateExpression(tagged) => {
                    self.visit_expressions(&tagged.quasi.expressions);
                    &tagged.tag
                }
                Expression::ParenthesizedExpression(inner) => &inner.expression,
                Expression::TSAsExpression(inner) => &inner.expression,
                Expression::TSSatisfiesExpression(inner) => &inner.expression,
                Expression::TSNonNullExpression(inner) => &inner.expression,
                Expression::TSTypeAssertion(inner) => &inner.expression,
                Expression::TSInstantiationExpression(inner) => &inner.expression,
                Expression::ChainExpression(chain) => match &chain.expression {
                    ChainElement::CallExpression(call) => {
                        self.call(call);
                        &call.callee
                    }
                    ChainElement::StaticMemberExpression(member) => &member.object,
                    ChainElement::PrivateFieldExpression(member) => &member.object,
                    ChainElement::ComputedMemberExpression(member) => {
                        self.visit_expression(&member.expression);
                        &member.object
                    }
                    ChainElement::TSNonNullExpression(inner) => &inner.expression,
                },
                _ => {
                    walk::walk_expression(self, next);
                    return;
                }
            };
        }
    }

    // Types hold no calls.
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}
    fn visit_ts_class_implements(&mut self, _: &TSClassImplements<'a>) {}
    fn visit_ts_import_equals_declaration(&mut self, _: &TSImportEqualsDeclaration<'a>) {}
}

/// Binds the names of a pattern, and looks at nothing else in it.
struct Bound<'u, 'b, 'n>(&'u mut Uses<'b, 'n>);

impl<'a> Visit<'a> for Bound<'_, '_, '_> {
    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.0.bind(name.name.as_str());
    }

    fn visit_expression(&mut self, _: &Expression<'a>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typescript::{Modules, with_file};

    const IMPORT: &str =
        "import sdp, { spec, specTest as test, refines } from '@libar-dev/software-delivery-protocol';\n";

    fn found(text: &str) -> Vec<String> {
        let text = format!("{IMPORT}{text}");
        with_file("a.tsx", &text, |file| {
            let builders = Builders::read("a.tsx", &file.program.body, &Modules::default());
            let uses =
                uses_of(file, &builders, |span| text.get(span.start as usize..).unwrap().starts_with("spec(skipped"));
            uses.iter().map(|(builder, span)| format!("{} {}", builder.as_str(), file.line(span.start))).collect()
        })
        .unwrap()
    }

    #[test]
    fn calls_are_found_at_any_depth_in_the_order_of_the_text() {
        for (text, expected) in [
            ("spec({});", &["spec 2"][..]),
            ("test({}, spec());\nsdp.pack();", &["specTest 2", "spec 2", "pack 3"]),
            ("const a = () => ({ b: [spec()] });", &["spec 2"]),
            (
                "class A { b = spec(); static { sdp.codeAnchor(); } c() { return test() as B; } }",
                &["spec 2", "codeAnchor 2", "specTest 2"],
            ),
            ("const a = <B c={spec()}>{test()}</B>;", &["spec 2", "specTest 2"]),
            (
                "a(spec()).b[test()].c`${spec()}`!.d?.(spec()) + spec();",
                &["spec 2", "specTest 2", "spec 2", "spec 2", "spec 2"],
            ),
            ("export default spec();\nif (a) { for (const b of spec()) {} }", &["spec 2", "spec 3"]),
            (
                "function f(a = spec()) {}\nenum E { a = spec() }\nnamespace N { spec(); }",
                &["spec 2", "spec 3", "spec 4"],
            ),
            ("spec?.({});", &["spec 2"]),
            ("spec(skipped); spec();", &["spec 2"]),
            // No calls of authoring builders.
            (
                "refines('spec:a'); spec; new spec(); a.spec(); sdp['spec'](); spec``; sdp.specId('spec:a'); (spec)();",
                &[],
            ),
            ("type A = typeof spec; let b: ReturnType<typeof spec>;", &[]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_that_is_bound_anew_is_another_one() {
        for text in [
            "function f(spec) { spec(); }",
            "(spec) => spec();",
            "({ a: [spec] }) => spec();",
            "function f(...spec) { () => spec(); }",
            "try {} catch (spec) { spec(); }",
            "try {} catch ({ spec }) { spec(); }",
            "{ spec(); let spec = 1; }",
            "{ const { a: { spec }, ...b } = c; () => { spec(); }; }",
            "{ function spec() {} spec(); }",
            "{ class spec {} spec(); }",
            "for (const spec of a) spec();",
            "switch (a) { case 1: spec(); let spec; }",
            "namespace N { export const spec = a; spec(); }",
            "(function spec() { spec(); });",
            "function f(sdp) { sdp.pack(); }",
            "class A { static { const spec = 1; spec(); } }",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
        // But not beside its scope.
        for text in [
            "function f(spec, { spec }) { let spec; } spec();",
            "function f(spec) {} spec();",
            "{ let spec; } spec();",
            "{ let test; spec(); }",
            "const [a = spec()] = b;",
        ] {
            assert_eq!(found(text), ["spec 2"], "{text}");
        }
    }

    /// Nothing here looks at a clock: a walk that looks for each name in a list of all never comes to the answer.
    #[test]
    fn names_without_number_and_scopes_without_number_are_told() {
        let many = 200_000;
        let aliases: String = (0..many).map(|at| format!("spec as a{at}, ")).collect();
        let import = format!("import {{ {aliases} }} from '@libar-dev/software-delivery-protocol';\n");
        let each = |text: fn(u32) -> String| (0..many).map(text).collect::<String>();
        for (text, expected) in [
            (each(|at| format!("function f(a{at}, x{at}) {{ a{at}(); }}\n")), &[][..]),
            (format!("function f() {{ {} a7(); }}\na8();", each(|at| format!("let a{at};"))), &["spec 4"]),
        ] {
            assert_eq!(found(&format!("{import}{text}")), expected);
        }
    }
}
